"""Ask a served agent: `ask.py URL [--health | --expect=citation | --expect=words]`.

`--health` only looks whether it is there. `words` is enough from an agent that has no tools.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from typing import Any

QUESTION = "How heavy are Gentoo penguins?"


def main(url: str, mode: str) -> None:
    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=10):
            pass
    except OSError as error:
        sys.exit(f"{url} does not answer: {error}")
    if mode != "--health":
        ask(url, cited=mode == "--expect=citation")


def ask(url: str, *, cited: bool) -> None:
    task = task_of(url)
    state, said = task["status"]["state"], task["status"]["message"]["parts"]
    evidence = [part for part in said if part["mediaType"].endswith(".citations+json")]
    print(f"{QUESTION}\n{state}: {said[0]['text']}")
    for part in evidence:
        print(json.dumps(part["data"]))
    if state != "TASK_STATE_COMPLETED" or bool(evidence) != cited:
        sys.exit(f"Expected a completed task {'with' if cited else 'without'} a citation.")


def task_of(url: str) -> Any:
    message = {"messageId": "1", "role": "ROLE_USER", "parts": [{"text": QUESTION}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    request = urllib.request.Request(
        f"{url}/api/a2a/jsonrpc",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "A2A-Version": "1.0"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["result"]["task"]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "--expect=citation")
