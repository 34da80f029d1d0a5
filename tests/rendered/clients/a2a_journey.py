"""`python a2a_journey.py URL`: what the official A2A client sees, in both dialects, as JSON."""

import asyncio
import json
import sys
import uuid
from typing import Any

import httpx
from a2a.client import Client, ClientConfig, ClientFactory
from a2a.client.card_resolver import parse_agent_card
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    Task,
)
from google.protobuf.json_format import MessageToDict

CARD = "/.well-known/agent-card.json"


async def connect(url: str, dialect: str, *, streaming: bool = False) -> Client:
    """A client that takes its transport from the card, as a client of that dialect reads it."""
    async with httpx.AsyncClient() as web:
        headers = {"A2A-Version": dialect} if dialect == "1.0" else {}
        card = (await web.get(url + CARD, headers=headers)).json()
    if dialect == "0.3":
        del card["supportedInterfaces"]  # a client of 0.3 knows `url` and `preferredTransport`
    return ClientFactory(ClientConfig(streaming=streaming)).create(parse_agent_card(card))


async def send(client: Client, text: str, task_id: str = "") -> Task:
    message = Message(
        message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)], task_id=task_id
    )
    [response] = [r async for r in client.send_message(SendMessageRequest(message=message))]
    task: Task = response.task
    return task


async def get(client: Client, task_id: str) -> Task:
    task: Task = await client.get_task(GetTaskRequest(id=task_id))
    return task


async def error_of(call: Any) -> str:
    try:
        await call
    except Exception as error:  # whatever the client makes of it is what its user gets
        return type(error).__name__
    return "no error"


async def journey(client: Client) -> dict[str, Any]:
    answered = await send(client, "How heavy are Gentoo penguins?")
    asked = await send(client, "How heavy are they?")
    waiting = await send(client, "How heavy are they?")
    return {
        "transport": type(client._transport).__name__,
        "answered": plain(answered),
        "read again": plain(await get(client, answered.id)),
        "refused": plain(await send(client, "How heavy are emperor penguins?")),
        "asked back": plain(asked),
        "followed up": plain(await send(client, "Gentoo", asked.id)),
        "cancelled": plain(await client.cancel_task(CancelTaskRequest(id=waiting.id))),
        "read after cancelling": plain(await get(client, waiting.id)),
        "unknown task": await error_of(get(client, "none")),
        "cancelled too late": await error_of(client.cancel_task(CancelTaskRequest(id=answered.id))),
    }


def plain(task: Task) -> dict[str, Any]:
    """A task in the words of 1.0; its evidence by the media type that both dialects carry."""
    document: dict[str, Any] = MessageToDict(task)
    parts = document["status"].get("message", {}).get("parts", [])
    return {
        "id": task.id,
        "context": task.context_id,
        "state": document["status"]["state"],
        "text": next((part["text"] for part in parts if "text" in part), None),
        "data": {part["metadata"]["mediaType"]: part["data"] for part in parts if "data" in part},
        "artifacts": [artifact["name"] for artifact in document.get("artifacts", [])],
    }


async def main(url: str) -> None:
    seen: dict[str, Any] = {}
    async with await connect(url, "1.0") as new, await connect(url, "0.3") as old:
        seen["1.0"], seen["0.3"] = await journey(new), await journey(old)
        seen["made in 1.0, read in 0.3"] = plain(await get(old, seen["1.0"]["answered"]["id"]))
        seen["made in 0.3, read in 1.0"] = plain(await get(new, seen["0.3"]["answered"]["id"]))
        asked = await send(new, "How heavy are they?")
        seen["asked in 1.0, answered in 0.3"] = plain(await send(old, "Gentoo", asked.id))
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
