"""Translates between A2A messages and turns; no I/O, so a test of it is one line."""

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from a2a.types import Artifact, Message, Part, Role
from a2a.utils.errors import ContentTypeNotSupportedError, InvalidParamsError
from google.protobuf.json_format import MessageToDict, ParseDict

from ...contracts import (
    Answer,
    ArgumentsError,
    Caller,
    Catalog,
    Identity,
    Refusal,
    Reply,
    SkillCall,
    ToolResult,
    Turn,
)
from ...contracts.answer import VIEW_MEDIA_TYPE
from ...persistence.storable import storable
from .card import INPUT_MODES


def to_turn(message: Message, context_id: str, caller: Caller, catalog: Catalog) -> Turn:
    """A message as a turn; a message that the agent cannot take is an A2AError."""
    call = skill_call(message)
    if call:
        check_call(call, catalog.of(caller))
    text = "\n".join(_words(part) for part in message.parts if not _is_call(part)).strip()
    if not text and not call:
        raise InvalidParamsError("params.message.parts: there is nothing to answer in them.")
    return Turn(surface="a2a", caller=caller, context_id=context_id, text=text, call=call)


def skill_call(message: Message) -> SkillCall | None:
    """The direct call in a message: a data part `{"skill": …, "args": {…}}`."""
    for part in message.parts:
        if _is_call(part):
            data = plain_data(part)
            args = data.get("args", {})
            if not isinstance(data["skill"], str) or not isinstance(args, dict):
                raise InvalidParamsError('Write a call as {"skill": "<skill id>", "args": {…}}.')
            return SkillCall(skill=data["skill"], args=args)
    return None


def check_call(call: SkillCall, catalog: Catalog) -> None:
    """Refuse an unknown skill and wrong arguments; what is only missing can be asked for."""
    if call.skill not in catalog:
        raise InvalidParamsError(
            f"There is no skill {call.skill!r}. There are: {', '.join(catalog) or 'none'}."
        )
    try:
        catalog[call.skill].parse(call.args)
    except ArgumentsError as error:
        if not error.only_missing:
            raise InvalidParamsError(str(error)) from None


def resumed_turn(
    turn: Turn, message: Message, history: Sequence[Message], catalog: Catalog
) -> Turn:
    """The direct call that a task waits on, with everything that was answered since.

    An answer is a data part `{"args": {…}}`, or words for the first argument that is missing or wrong.
    """
    call = None
    for said in (*history, message):
        if said.role == Role.ROLE_USER:
            call = skill_call(said) or (call and _with_answer(call, said, catalog))
    return replace(turn, call=call)


def to_artifact(result: ToolResult, call_id: str, identity: Identity) -> Artifact:
    """What a tool call came to, named like the tool."""
    return Artifact(
        artifact_id=f"{result.tool}-{call_id}",
        name=result.tool,
        parts=_result_parts(result, identity),
    )


def to_message_parts(reply: Reply, identity: Identity) -> list[Part]:
    """What the agent says: its words, then the evidence or the refusal behind them."""
    parts = [text_part(reply.text)]
    if reply.url:
        parts.append(Part(url=reply.url, media_type="text/html"))
    cited = [r.outcome.citation for r in reply.results if isinstance(r.outcome, Answer)]
    if cited:
        evidence = {"citations": [citation.model_dump(mode="json") for citation in cited]}
        parts.append(data_part(evidence, identity.citations_media_type))
    if reply.refusal:
        parts.append(_refusal_part(reply.refusal, identity))
    return parts


def agent_message(parts: Iterable[Part], task_id: str, context_id: str) -> Message:
    """A message of the agent within a task."""
    return Message(
        message_id=str(uuid.uuid4()),
        role=Role.ROLE_AGENT,
        task_id=task_id,
        context_id=context_id,
        parts=parts,
    )


def text_part(text: str) -> Part:
    """Words, as every database takes them."""
    return Part(text=storable(text), media_type="text/plain")


def data_part(data: dict[str, Any], media_type: str) -> Part:
    """A data part; its media type stands in the metadata too, where 0.3 clients can see it."""
    part = Part(media_type=media_type, metadata={"mediaType": media_type})
    ParseDict(storable(data), part.data.struct_value)
    return part


def plain_data(part: Part) -> Any:
    """The data of a part; whole numbers are integers again, which protobuf does not keep."""
    return _with_integers(MessageToDict(part.data))


def _result_parts(result: ToolResult, identity: Identity) -> list[Part]:
    outcome = result.outcome
    if isinstance(outcome, Refusal):
        return [
            text_part(outcome.as_text()),
            _refusal_part(outcome, identity),
        ]
    parts = [
        text_part(outcome.text),
        data_part(outcome.data.model_dump(mode="json"), "application/json"),
    ]
    if isinstance(outcome, Answer):
        evidence = {"citations": [outcome.citation.model_dump(mode="json")]}
        parts += [
            Part(text=outcome.ui, media_type=VIEW_MEDIA_TYPE, filename=f"{result.tool}.html"),
            data_part(evidence, identity.citations_media_type),
        ]
    return parts


def _refusal_part(refusal: Refusal, identity: Identity) -> Part:
    return data_part(
        refusal.model_dump(mode="json", exclude_none=True), identity.refusal_media_type
    )


def _is_call(part: Part) -> bool:
    return part.WhichOneof("content") == "data" and "skill" in part.data.struct_value.fields


def _with_answer(call: SkillCall, message: Message, catalog: Catalog) -> SkillCall:
    for part in message.parts:
        if part.WhichOneof("content") == "data":
            data = plain_data(part)
            if isinstance(data, dict) and isinstance(data.get("args"), dict):
                return replace(call, args={**call.args, **data["args"]})
    asked_for = _unfit(call, catalog)
    words = "\n".join(part.text for part in message.parts).strip()
    return replace(call, args={**call.args, asked_for[0]: words}) if asked_for else call


def _unfit(call: SkillCall, catalog: Catalog) -> tuple[str, ...]:
    try:
        catalog[call.skill].parse(call.args)
    except ArgumentsError as error:
        return error.fields
    return ()


def _words(part: Part) -> str:
    kind = part.WhichOneof("content")
    media_type = part.media_type or ("application/json" if kind == "data" else "text/plain")
    if kind == "url":  # an address from outside is never fetched
        raise ContentTypeNotSupportedError("Parts by URL are not read. Send the content itself.")
    if media_type.split(";")[0].strip() not in INPUT_MODES:
        raise ContentTypeNotSupportedError(
            f"Parts of {media_type!r} are not read. Send one of: {', '.join(INPUT_MODES)}."
        )
    match kind:
        case "text":
            return part.text
        case "data":
            return json.dumps(plain_data(part), ensure_ascii=False)
        case _:
            return _decoded(part.raw)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise ContentTypeNotSupportedError("A text part holds bytes that are no UTF-8.") from None


def _with_integers(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _with_integers(item) for key, item in value.items()}
        case list():
            return [_with_integers(item) for item in value]
        case _:
            return value
