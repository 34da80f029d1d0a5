"""A2A as resources: HTTP+JSON.

Of 0.3 it has what the SDK has. There is no list of tasks, which 0.3 does not know, and no way to delete a
push config: both are answered with 404 or 405. A push config is set with the whole request as its body,
`parent` included, as the SDK's own client sends it.
"""
