"""The ways in. Each surface listens, and its adapter only translates."""
