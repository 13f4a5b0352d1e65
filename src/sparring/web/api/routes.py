"""All that programs can ask for, and the page of their tokens."""

from typing import Any

from . import events, games, matches, me, meeting, page, sets, tables, talk, timing, tokens_page

API: list[Any] = [
    part.router() for part in (games, me, meeting, tables, talk, timing, events, matches, sets, tokens_page, page)
]
