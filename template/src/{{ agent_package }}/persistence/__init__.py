"""Everything the agent keeps: conversations, tool calls and A2A tasks, in one SQL database."""
