"""Makes the repository of an agent: one module for each thing that it does."""
