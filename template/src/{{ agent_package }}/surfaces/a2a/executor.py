"""Runs a turn as a task: the first event is the Task, artifacts come before the terminator."""

import asyncio
from dataclasses import replace

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Task, TaskState, TaskStatus

from ...agent.failure import Busy, Failure
from ...agent.run_agent import run_agent
from ...agent.services import Services
from ...contracts import ArgumentsError, Caller, Identity, Reply, Turn
from .adapter import agent_message, resumed_turn, text_part, to_message_parts, to_turn
from .caller_user import caller_of
from .running import Running, RunningTasks
from .told_events import ToldEvents

STATES = {
    "answer": TaskState.TASK_STATE_COMPLETED,
    "refusal": TaskState.TASK_STATE_COMPLETED,
    "question": TaskState.TASK_STATE_INPUT_REQUIRED,
    "credential": TaskState.TASK_STATE_AUTH_REQUIRED,
}
SHUT_DOWN = "This instance was shut down before the task had ended. Send the message again."


class TurnExecutor(AgentExecutor):
    """What the SDK calls to execute and to cancel a task."""

    def __init__(self, services: Services, identity: Identity, running: RunningTasks) -> None:
        self._services = services
        self._identity = identity
        self._running = running

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer the message of the request; whatever happens, the task gets a state to rest in."""
        updater = TaskUpdater(event_queue, str(context.task_id), str(context.context_id))
        if context.current_task is None:
            await event_queue.enqueue_event(_new_task(context))
        with self._running.run(updater.task_id) as running:
            state, message = await self._rest(context, updater, running)
            running.ending = True
            if state:
                await updater.update_status(state, message)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Tell the tools to stop, and the task that it is cancelled.

        Of a task that does not run, the SDK itself writes the end.
        """
        if running := self._running.get(str(context.task_id)):
            running.stop("cancelled")
            await TaskUpdater(event_queue, str(context.task_id), str(context.context_id)).cancel()

    async def _rest(
        self, context: RequestContext, updater: TaskUpdater, running: Running
    ) -> tuple[TaskState, Message | None] | tuple[None, None]:
        """The state that the turn ends in; none where the end is told already."""
        try:
            reply = await self._reply(context, updater, running)
        except ArgumentsError as error:
            text = f"That does not fit: {'; '.join(error.problems)}. Please answer again."
            return TaskState.TASK_STATE_INPUT_REQUIRED, _message(updater, text)
        except Busy as error:
            return TaskState.TASK_STATE_REJECTED, _message(updater, str(error))
        except asyncio.CancelledError:
            match running.why:
                case "shutdown":
                    return TaskState.TASK_STATE_FAILED, _message(updater, SHUT_DOWN)
                case "ended elsewhere":  # with this, the SDK reads the end and tells its listeners
                    return TaskState.TASK_STATE_CANCELED, None
            raise
        except Exception as error:
            return TaskState.TASK_STATE_FAILED, _message(updater, str(Failure.of(error)))
        parts = to_message_parts(reply, self._identity)
        message = agent_message(parts, updater.task_id, updater.context_id)
        return STATES[reply.kind], message

    async def _reply(
        self, context: RequestContext, updater: TaskUpdater, running: Running
    ) -> Reply:
        # Before the first update, since with it the SDK adds the message to the history.
        turn = self._turn(context, caller_of(context.call_context))
        await updater.start_work()
        told = ToldEvents(updater, self._identity, streaming=_is_streaming(context))
        turn = replace(turn, listener=told.tell, cancelled=running.stopped)
        reply = await run_agent(turn, self._services)
        await told.end()
        return reply

    def _turn(self, context: RequestContext, caller: Caller) -> Turn:
        assert context.message is not None  # the SDK executes messages only
        catalog = self._services.catalog
        turn = to_turn(context.message, str(context.context_id), caller, catalog)
        history = context.current_task.history if context.current_task else ()
        return resumed_turn(turn, context.message, list(history), catalog)


def _is_streaming(context: RequestContext) -> bool:
    method = context.call_context.state.get("method", "")
    return method in {"SendStreamingMessage", "message/stream"}


def _message(updater: TaskUpdater, text: str) -> Message:
    return agent_message([text_part(text)], updater.task_id, updater.context_id)


def _new_task(context: RequestContext) -> Task:
    # Not the SDK's own helper: it refuses empty text parts and sets no time.
    status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
    status.timestamp.GetCurrentTime()
    history = [context.message] if context.message else []
    return Task(
        id=str(context.task_id), context_id=str(context.context_id), status=status, history=history
    )
