"""One entry, `run_agent()`, for every surface on which the agent is asked in words."""
