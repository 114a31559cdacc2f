"""The MCP server: the tools of a seat, over stdio or streamable HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from elysian import __version__
from elysian.mcp.seat import SeatAway, SeatFromOutside
from elysian.text.seat import ACT, ANSWER, LOOK, OFFER, RULES_IN_SHORT, TOOLS, WAIT, SeatText

WAITS = 30.0  # seconds of one `wait`, at a server's table
HOW = """
Begin with `look`. While the table trades: offer, answer, act, wait to see what others do; then act "done". \
In every other step act as soon as you are waited for."""


class SeatTools:
    """The tools of one seat; calls are worked through one after the other."""

    def __init__(self, seat: SeatFromOutside, waits: float = WAITS) -> None:
        """Offer the tools of this seat; one `wait` takes at most so many seconds."""
        self.seat = seat
        self.waits = waits
        self.log: list[str] = []
        self._shown: SeatText | None = None  # numbers mean what they meant when they were read
        self._one_at_a_time = asyncio.Lock()

    async def list_tools(
        self, context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """What can be called."""
        return types.ListToolsResult(
            tools=[
                types.Tool(name=one.name, description=one.description, input_schema=one.schema)
                for one in TOOLS
            ]
        )

    async def call(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a call comes to; a mistake is told in a sentence, so that it can be mended."""
        async with self._one_at_a_time:
            try:
                # Bots of a local game think, a server is waited for: neither may hold up the protocol.
                said = await asyncio.to_thread(self._said, params.name, params.arguments or {})
                return _result(said)
            except (ValueError, SeatAway) as problem:
                return _result(str(problem), is_error=True)

    def _said(self, tool: str, arguments: dict[str, Any]) -> str:
        if tool in (OFFER.name, ANSWER.name, ACT.name):
            self.seat.do((self._shown or self.seat.text()).action(tool, arguments))
            return self._now("Done.")
        if tool == WAIT.name:
            self.seat.wait(self.waits)
            return self._now("You waited.")
        text = self._read()
        said = text.answers(tool, arguments, self.log)
        whole = tool == LOOK.name and str(arguments.get("what") or "table") == "table"
        return "\n".join([*self.seat.company(), said]) if whole else said

    def _now(self, opening: str) -> str:
        """What has happened, and the table as it is now."""
        before = len(self.log)
        text = self._read()
        return "\n".join([opening, text.moment(self.log[before:], fresh=False)])

    def _read(self) -> SeatText:
        """The table as it is now; what was heard since goes into the log."""
        self._shown = text = self.seat.text()
        self.log += text.news(self.seat.heard())
        return text


def server_of(tools: SeatTools) -> Server[dict[str, Any]]:
    """The server that offers these tools."""
    return Server(
        "elysian",
        version=__version__,
        title="Elysian",
        instructions=RULES_IN_SHORT + HOW,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call,
    )


def run_stdio(tools: SeatTools) -> None:
    """Serve whoever started this process, until they close the stream."""

    async def serve() -> None:
        server = server_of(tools)
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    asyncio.run(serve())


def run_http(tools: SeatTools, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve over streamable HTTP at /mcp; `ready` is told the address."""
    import uvicorn

    class Announced(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            for one in self.servers if self.started else ():
                for listening in one.sockets:
                    ready(f"http://{host}:{listening.getsockname()[1]}/mcp")

    app = server_of(tools).streamable_http_app(host=host)
    Announced(uvicorn.Config(app, host=host, port=port, log_level="warning")).run()


def _result(text: str, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)
