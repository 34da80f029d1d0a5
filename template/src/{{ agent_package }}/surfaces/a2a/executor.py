"""Runs a turn as a task: the first event is the Task, artifacts come before the terminator."""

import asyncio
from collections import deque
from dataclasses import replace

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Part, Task, TaskState, TaskStatus

from ...agent.failure import Failure
from ...agent.run_agent import run_agent
from ...agent.services import Services
from ...contracts import ArgumentsError, Caller, Identity, Reply, Turn
from .adapter import agent_message, resumed_turn, to_message_parts, to_turn
from .caller_user import caller_of
from .told_events import ToldEvents


class TurnExecutor(AgentExecutor):
    """What the SDK calls to execute and to cancel a task."""

    def __init__(self, services: Services, identity: Identity) -> None:
        self._services = services
        self._identity = identity
        self._cancelled: dict[str, asyncio.Event] = {}
        # The SDK may still be storing the end of a task when somebody cancels it.
        self._ended: deque[str] = deque(maxlen=1000)

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer the message of the request; whatever happens, the task gets a state to rest in."""
        task_id, context_id = str(context.task_id), str(context.context_id)
        updater = TaskUpdater(event_queue, task_id, context_id)
        if context.current_task is None:
            await event_queue.enqueue_event(_new_task(context))
        try:
            # Before the first update, since with it the SDK adds the message to the history.
            turn = self._turn(context, caller_of(context.call_context))
            self._cancelled[task_id] = turn.cancelled
            await updater.start_work()
            told = ToldEvents(updater, self._identity, streaming=_is_streaming(context))
            reply = await run_agent(replace(turn, listener=told.tell), self._services)
            await told.end()
        except ArgumentsError as error:
            await self._ask_again(updater, error)
        except Exception as error:
            self._ended.append(task_id)
            await updater.failed(_message(updater, str(Failure.of(error))))
        else:
            await self._finish(updater, reply)
        finally:
            self._cancelled.pop(task_id, None)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Tell the tools to stop, and the task that it is cancelled."""
        task_id, context_id = str(context.task_id), str(context.context_id)
        if task_id in self._ended:
            return
        if running := self._cancelled.get(task_id):
            running.set()
        await TaskUpdater(event_queue, task_id, context_id).cancel()

    def _turn(self, context: RequestContext, caller: Caller) -> Turn:
        assert context.message is not None  # the SDK executes messages only
        catalog = self._services.catalog
        turn = to_turn(context.message, str(context.context_id), caller, catalog)
        history = context.current_task.history if context.current_task else ()
        return resumed_turn(turn, context.message, list(history), catalog)

    async def _finish(self, updater: TaskUpdater, reply: Reply) -> None:
        message = agent_message(
            to_message_parts(reply, self._identity), updater.task_id, updater.context_id
        )
        if reply.kind == "question":
            await updater.requires_input(message)
        else:
            self._ended.append(updater.task_id)
            await updater.complete(message)

    async def _ask_again(self, updater: TaskUpdater, error: ArgumentsError) -> None:
        text = f"That does not fit: {'; '.join(error.problems)}. Please answer again."
        await updater.requires_input(_message(updater, text))


def _is_streaming(context: RequestContext) -> bool:
    method = context.call_context.state.get("method", "")
    return method in {"SendStreamingMessage", "message/stream"}


def _message(updater: TaskUpdater, text: str) -> Message:
    parts = [Part(text=text, media_type="text/plain")]
    return agent_message(parts, updater.task_id, updater.context_id)


def _new_task(context: RequestContext) -> Task:
    # Not the SDK's own helper: it refuses empty text parts and sets no time.
    status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
    status.timestamp.GetCurrentTime()
    history = [context.message] if context.message else []
    return Task(
        id=str(context.task_id), context_id=str(context.context_id), status=status, history=history
    )
