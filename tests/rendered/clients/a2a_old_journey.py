"""`python a2a_old_journey.py URL SLOW_URL`: what the client of a2a-sdk 0.3 sees, as JSON."""

import asyncio
import json
import sys
import uuid
from typing import Any

from a2a.client import Client, ClientConfig, ClientFactory
from a2a.types import (
    DataPart,
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    PushNotificationConfig,
    Role,
    Task,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)

WEBHOOK = "https://8.8.8.8/hook"


async def connect(url: str, *, streaming: bool = False, polling: bool = False) -> Client:
    return await ClientFactory.connect(url, ClientConfig(streaming=streaming, polling=polling))


async def events(client: Client, text: str, **ids: str) -> list[tuple[Task, Any]]:
    parts = [Part(root=TextPart(text=text))]
    message = Message(message_id=str(uuid.uuid4()), role=Role.user, parts=parts, **ids)
    return [event async for event in client.send_message(message)]


async def send(client: Client, text: str, **ids: str) -> Task:
    [(task, _)] = await events(client, text, **ids)
    return task


async def error_of(call: Any) -> str:
    try:
        await call
    except Exception as error:  # whatever the client makes of it is what its user gets
        return str(error)
    return "no error"


def plain(task: Task) -> dict[str, Any]:
    parts = task.status.message.parts if task.status.message else []
    return {
        "id": task.id,
        "context": task.context_id,
        "state": task.status.state.value,
        "text": next((p.root.text for p in parts if isinstance(p.root, TextPart)), None),
        "data": {
            p.root.metadata["mediaType"]: p.root.data
            for p in parts
            if isinstance(p.root, DataPart) and p.root.metadata
        },
        "artifacts": [artifact.name for artifact in task.artifacts or []],
    }


async def push(client: Client, task_id: str) -> list[str]:
    config = PushNotificationConfig(id="c", url=WEBHOOK)
    done = await client.set_task_callback(
        TaskPushNotificationConfig(task_id=task_id, push_notification_config=config)
    )
    found = await client.get_task_callback(GetTaskPushNotificationConfigParams(id=task_id))
    return [done.push_notification_config.url, found.push_notification_config.url]


async def main(url: str, slow_url: str) -> None:
    client, stream = await connect(url), await connect(url, streaming=True)
    slow = await connect(slow_url, polling=True)
    answered = await send(client, "How heavy are Gentoo penguins?")
    asked = await send(client, "How heavy are they?")
    streamed = await events(stream, "How heavy are Gentoo penguins?")
    working = await send(slow, "wait a while")
    follower = await connect(slow_url, streaming=True)
    followed = follower.resubscribe(TaskIdParams(id=working.id))
    begun = plain((await anext(aiter(followed)))[0])["state"]
    cancelled = await slow.cancel_task(TaskIdParams(id=working.id))
    rest = [event async for event in followed]
    seen = {
        "answered": plain(answered),
        "read again": plain(await client.get_task(TaskQueryParams(id=answered.id))),
        "asked back": plain(asked),
        "followed up": plain(await send(client, "Gentoo", task_id=asked.id)),
        "streamed": {
            "kinds": [event.kind if event else "task" for _, event in streamed],
            "last": plain(streamed[-1][0])["state"],
        },
        "cancelled": plain(cancelled),
        "followed": [begun, plain(rest[-1][0])["state"]],
        "push": await push(client, (await send(client, "How heavy are they?")).id),
        "unknown task": await error_of(client.get_task(TaskQueryParams(id="none"))),
        "cancelled too late": await error_of(client.cancel_task(TaskIdParams(id=answered.id))),
    }
    json.dump(seen, sys.stdout)


asyncio.run(main(*sys.argv[1:]))
