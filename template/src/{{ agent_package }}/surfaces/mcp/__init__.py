"""MCP: the catalog as tools, in the stateless revision and in the ones with a handshake."""
