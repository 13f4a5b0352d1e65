"""All that programs can ask for, and the page of their tokens."""

from typing import Any

from . import events, games, lessons, matches, me, meeting, page, people, sets, tables, talk, timing, tokens_page
from . import workshop as made

PARTS = (games, lessons, me, people, meeting, tables, talk, timing, events, matches, sets, made, tokens_page, page)

API: list[Any] = [part.router() for part in PARTS]
