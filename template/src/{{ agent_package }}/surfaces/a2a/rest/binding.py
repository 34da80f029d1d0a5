"""HTTP+JSON as the card knows it."""

from ..binding import Binding

PREFIX = "/api/a2a/rest"

REST = Binding(
    name="HTTP+JSON",
    url=lambda _, own_url: own_url + PREFIX,
    path=PREFIX + "/{path:path}",
    methods=("GET", "POST", "DELETE"),
)
