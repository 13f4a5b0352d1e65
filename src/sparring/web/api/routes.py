"""All that programs can ask for, and the page of their tokens."""

from typing import Any

from . import events, games, lessons, matches, me, meeting, page, people, sets, tables, talk, timing, tokens_page

API: list[Any] = [
    part.router()
    for part in (games, lessons, me, people, meeting, tables, talk, timing, events, matches, sets, tokens_page, page)
]
