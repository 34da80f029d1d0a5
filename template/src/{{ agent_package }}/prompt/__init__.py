"""YOURS: `system.md` is what the model is told; rules and tools are added to it."""
