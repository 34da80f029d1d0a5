"""The catalog as a low-level MCP server."""

import uuid
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

import mcp_types as types
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.server.apps import EXTENSION_ID as APPS_EXTENSION
from mcp.shared.exceptions import MCPError

from ...agent.call_tool import call_tool
from ...agent.failure import Failure
from ...agent.services import Services
from ...contracts import ArgumentsError, Caller, CredentialNeeded, Identity, ToolSpec, Turn
from ...contracts.answer import VIEW_MEDIA_TYPE
from .adapter import arguments_error, to_error, to_resource, to_result, to_tool

UNCHANGING_MS = 300_000
RESOURCE_NOT_FOUND = -32002
"""What the handshake revisions answer; the stateless one uses -32602."""

Context = ServerRequestContext[Any, Any]


def build_server(services: Services, identity: Identity) -> Server[Any]:
    """The server; the caller of each request is what the gate left on it."""
    catalog = services.catalog
    for_all = catalog.of(None)
    tools = {name: to_tool(tool, identity) for name, tool in catalog.items()}
    unchanging = CacheHint(
        ttl_ms=UNCHANGING_MS, scope="public" if len(for_all) == len(catalog) else "private"
    )

    def views(context: Context) -> dict[str, types.Resource]:
        own = catalog.of(_caller(context)).values()
        listed = (to_resource(tool, identity) for tool in own if tool.kind == "claim")
        return {resource.uri: resource for resource in listed}

    page = files(__package__).joinpath("view.html").read_text(encoding="utf-8")

    async def list_tools(
        context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tools[name] for name in catalog.of(_caller(context))])

    async def call(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = catalog.of(_caller(context)).get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.")
        return await _call(tool, params.arguments or {}, _caller(context), services, identity)

    async def list_resources(
        context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=list(views(context).values()))

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri not in views(context):
            modern = context.protocol_version >= "2026-07-28"
            code = types.INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
            raise MCPError(code, f"There is no resource {uri!r}.", {"uri": uri})
        content = types.TextResourceContents(
            uri=uri,
            mime_type=VIEW_MEDIA_TYPE,
            text=page,
            _meta={
                "ui": {"prefersBorder": True, "csp": {"connectDomains": [], "resourceDomains": []}}
            },
        )
        return types.ReadResourceResult(contents=[content])

    server: Server[Any] = Server(
        identity.name,
        version=identity.version,
        title=identity.title,
        instructions=identity.description,
        cache_hints={
            "tools/list": unchanging,
            "resources/list": unchanging,
            "resources/read": unchanging,
            "server/discover": unchanging,
        },
        # It is asked before the caller is known.
        get_tool_input_schema={name: tools[name].input_schema for name in for_all}.get,
        on_list_tools=list_tools,
        on_call_tool=call,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    server.extensions[APPS_EXTENSION] = {"mimeTypes": [VIEW_MEDIA_TYPE]}
    server.middleware.append(_extensions_in_initialize(server))
    return server


async def _call(
    tool: ToolSpec[Any],
    args: dict[str, Any],
    caller: Caller,
    services: Services,
    identity: Identity,
) -> types.CallToolResult:
    # MCP has no conversations: each call gets one of its own.
    turn = Turn(surface="mcp", caller=caller, context_id=str(uuid.uuid4()))
    try:
        result = await call_tool(tool, args, turn, services)
    except ArgumentsError as error:
        return arguments_error(error)
    except CredentialNeeded as needed:
        return to_error(needed.said)
    except Failure as failure:
        return to_error(str(failure))
    return to_result(result.outcome, identity)


def _caller(context: Context) -> Caller:
    assert context.request is not None  # this server is reached by HTTP only
    caller: Caller = context.request.state.caller
    return caller


def _extensions_in_initialize(server: Server[Any]) -> Any:
    """Hosts look for the extension there, and mcp 2.3.0 drops it (ext-apps#671)."""

    async def middleware(context: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        result = await call_next(context)
        if context.method == "initialize" and isinstance(result, dict):
            extensions = {name: dict(value) for name, value in server.extensions.items()}
            result.setdefault("capabilities", {})["extensions"] = extensions
        return result

    return middleware
