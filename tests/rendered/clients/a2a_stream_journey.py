"""`python a2a_stream_journey.py URL SLOW_URL`: what the official A2A client sees of streams.

SLOW_URL has a model that takes its time.
"""

import asyncio
import json
import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any

from a2a.client import Client
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
    Task,
)
from a2a_journey import connect, plain
from google.protobuf.json_format import MessageToDict

Event = dict[str, Any]


def send(client: Client, text: str) -> AsyncIterator[StreamResponse]:
    parts = [Part(text=text)]
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=parts)
    events: AsyncIterator[StreamResponse] = client.send_message(SendMessageRequest(message=message))
    return events


async def answered(client: Client) -> Event:
    events = [seen(event) async for event in send(client, "How heavy are Gentoo penguins?")]
    task: Task = await client.get_task(GetTaskRequest(id=events[0]["id"]))
    return {"events": events, "stored": plain(task)}


async def cancelled(client: Client) -> Event:
    """Two watch a task that runs; one of them cancels it."""
    stream = send(client, "Please wait")
    events = [seen(await anext(stream))]
    task_id = events[0]["id"]
    joined = client.subscribe(SubscribeToTaskRequest(id=task_id))
    watched = [seen(await anext(joined))]
    while events[-1]["state"] != "TASK_STATE_WORKING":
        events.append(seen(await anext(stream)))
    done: Task = await client.cancel_task(CancelTaskRequest(id=task_id))
    events += [seen(event) async for event in stream]
    watched += [seen(event) async for event in joined]
    task: Task = await client.get_task(GetTaskRequest(id=task_id))
    return {
        "events": events,
        "watched": watched,
        "cancelled": plain(done),
        "stored": plain(task),
    }


def seen(event: StreamResponse) -> Event:
    document = MessageToDict(event)
    [(kind, body)] = document.items()
    return {
        "kind": kind,
        "id": body.get("id") or body.get("taskId"),
        "state": body.get("status", {}).get("state"),
        "parts": body.get("status", {}).get("message", {}).get("parts", []),
        "artifact": body.get("artifact", {}).get("name"),
    }


async def main(url: str, slow_url: str) -> None:
    found = {}
    for dialect in ("1.0", "0.3"):
        async with (
            await connect(url, dialect, streaming=True) as client,
            await connect(slow_url, dialect, streaming=True) as slow,
        ):
            found[dialect] = {"answered": await answered(client), **await cancelled(slow)}
    json.dump(found, sys.stdout)


asyncio.run(main(*sys.argv[1:]))
