"""A2A: the card, and JSON-RPC in the 1.0 and the 0.3 dialect on one URL and one task store."""
