"""U+2028, U+2029 and U+0085 stand in events as they are, where some clients end a line (httpx-sse#34)."""

import json
from typing import Any


def dumped(document: Any) -> str:
    """JSON in ASCII, in which no client finds a line to end."""
    return json.dumps(document)
