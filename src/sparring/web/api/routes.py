"""All that programs can ask for, and the page of their tokens."""

from typing import Any

from . import events, games, me, tables, timing, tokens_page

API: list[Any] = [
    games.router(),
    me.router(),
    *tables.routers(),
    timing.router(),
    events.router(),
    tokens_page.router(),
]
