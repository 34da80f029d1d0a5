"""Translates between the catalog and MCP; no I/O, so a test of it is one line."""

from typing import Any

import mcp_types as types
from pydantic import BaseModel

from ...contracts import Answer, ArgumentsError, Citation, Identity, Outcome, Refusal, ToolSpec
from ...contracts.answer import VIEW_MEDIA_TYPE
from ...persistence.storable import storable


def to_tool(tool: ToolSpec[Any], identity: Identity) -> types.Tool:
    """A tool as MCP lists it; one that makes claims is linked to its view."""
    uri = view_uri(tool, identity)
    meta = {"ui": {"resourceUri": uri, "visibility": ["model", "app"]}, "ui/resourceUri": uri}
    schema = inlined(tool.args.model_json_schema())
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema={**schema, "examples": [dict(example.args) for example in tool.examples]},
        output_schema=_output_schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only, open_world_hint=tool.open_world
        ),
        _meta=meta if tool.kind == "claim" else None,
    )


def view_uri(tool: ToolSpec[Any], identity: Identity) -> str:
    """The address of the resource that shows what a tool returns."""
    return f"ui://{identity.name}/{tool.name}"


def to_resource(tool: ToolSpec[Any], identity: Identity) -> types.Resource:
    """The view of a tool as MCP lists it."""
    return types.Resource(
        uri=view_uri(tool, identity),
        name=f"{tool.name}_view",
        title=tool.title,
        mime_type=VIEW_MEDIA_TYPE,
    )


def to_result(outcome: Outcome, identity: Identity) -> types.CallToolResult:
    """What a tool came to. A refusal is a result, too: nothing went wrong."""
    if isinstance(outcome, Refusal):
        refusal = outcome.model_dump(mode="json", exclude_none=True)
        return types.CallToolResult(
            content=[_text(outcome.as_text())], structured_content={"refusal": refusal}
        )
    data = storable(outcome.data.model_dump(mode="json"))
    if not isinstance(outcome, Answer):
        return types.CallToolResult(
            content=[_text(outcome.text)], structured_content={"data": data}
        )
    return types.CallToolResult(
        content=[_text(outcome.text), _text(outcome.citation.as_line())],
        structured_content={
            "data": data,
            "citation": outcome.citation.model_dump(mode="json"),
        },
        # The view travels beside the content, where hosts keep it from the model.
        _meta={f"{identity.name}/view": outcome.ui},
    )


def to_error(text: str) -> types.CallToolResult:
    """A call that failed, in words from which a model can do better."""
    return types.CallToolResult(content=[_text(text)], is_error=True)


def arguments_error(error: ArgumentsError) -> types.CallToolResult:
    """Arguments that do not fit, with every problem."""
    return to_error(f"The arguments do not fit. {'; '.join(error.problems)}")


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without `$ref`, which many hosts do not follow."""
    definitions = schema.get("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, list):
            return [resolve(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            named = definitions[node["$ref"].rpartition("/")[2]]
            return resolve({**named, **{k: v for k, v in node.items() if k != "$ref"}})
        return {key: resolve(value) for key, value in node.items() if key != "$defs"}

    resolved: dict[str, Any] = resolve(schema)
    return resolved


def _output_schema(tool: ToolSpec[Any]) -> dict[str, Any]:
    properties = {"data": _schema(tool.output), "refusal": _schema(Refusal)}
    answered = ["data"]
    if tool.kind == "claim":
        properties["citation"] = _schema(Citation)
        answered.append("citation")
    return {
        "type": "object",
        "properties": properties,
        "oneOf": [{"required": answered}, {"required": ["refusal"]}],
    }


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return inlined(model.model_json_schema(mode="serialization"))


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
