"""Chat: the AI SDK's UI message stream, and a page that reads it."""
