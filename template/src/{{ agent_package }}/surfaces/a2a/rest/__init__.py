"""A2A as resources: HTTP+JSON.

Of 0.3 it has what the SDK has: no list of tasks, which 0.3 does not know, and no way to delete a push
config. Both are answered with 404 or 405.
"""
