"""From a request to a Caller."""
