"""`python mcp_journey.py URL`: what the official MCP client sees in each mode, as JSON."""

import asyncio
import json
import sys
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError

MODES = ("auto", "legacy", "2026-07-28")


async def journey(client: Client) -> dict[str, Any]:
    tools = {tool.name: plain(tool) for tool in (await client.list_tools()).tools}
    uri = tools["get_species_profile"]["_meta"]["ui"]["resourceUri"]
    return {
        "tools": tools,
        "resources": [plain(r)["uri"] for r in (await client.list_resources()).resources],
        "view": plain((await client.read_resource(uri)).contents[0]),
        "answered": await call(client, "get_species_profile", {"species": "Gentoo"}),
        "listed": await call(client, "list_penguin_groups", {}),
        "refused": await call(client, "get_species_profile", {"species": "emperor"}),
        "wrong arguments": await call(client, "get_species_profile", {"year": "soon"}),
        "unknown tool": await call(client, "none", {}),
        "unknown resource": await error_of(client.read_resource("ui://none/none")),
    }


async def call(client: Client, name: str, args: dict[str, Any]) -> Any:
    return await error_of(client.call_tool(name, args))


async def error_of(request: Any) -> Any:
    try:
        return plain(await request)
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}


def plain(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def main(url: str) -> None:
    seen = {}
    for mode in MODES:
        async with Client(url, mode=mode) as client:
            seen[mode] = await journey(client)
    json.dump(seen, sys.stdout)


asyncio.run(main(sys.argv[1]))
