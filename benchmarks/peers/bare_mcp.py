"""One tool on the bare low-level MCP SDK, stateless: nothing is written anywhere."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from palmer_penguins import MEASURES, penguin_groups
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

TOOL = types.Tool(
    name="list_penguin_groups",
    description="Lists penguins",
    input_schema={"type": "object", "properties": {}},
)


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[TOOL])


async def call(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    found = await penguin_groups()
    data = {
        "groups": [asdict(group) for group in found.groups],
        "sexes": list(found.sexes),
        "years": list(found.years),
        "measures": list(MEASURES),
    }
    text = ", ".join(f"{g.species} on {g.island} ({g.count})" for g in found.groups)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content={"data": data}
    )


manager = StreamableHTTPSessionManager(
    Server("bare", on_list_tools=list_tools, on_call_tool=call), stateless=True
)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with manager.run():
        yield


async def ready(request: Request) -> JSONResponse:
    return JSONResponse({})


app = Starlette(
    routes=[
        Route("/.well-known/agent-card.json", ready),
        Mount("/", app=manager.handle_request),
    ],
    lifespan=lifespan,
)
