"""The agent: one catalog of tools, served over every surface."""
