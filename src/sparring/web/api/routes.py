"""All routes of the API, its reference page and the token page."""

from typing import Any

from . import (
    chat_routes,
    clock_routes,
    event_routes,
    friend_routes,
    game_routes,
    lesson_routes,
    lobby_routes,
    match_routes,
    me_routes,
    player_routes,
    reference_page,
    set_routes,
    table_routes,
    token_page,
)
from . import studio_job_routes as made

PARTS = (
    game_routes,
    lesson_routes,
    me_routes,
    player_routes,
    friend_routes,
    lobby_routes,
    table_routes,
    chat_routes,
    clock_routes,
    event_routes,
    match_routes,
    set_routes,
    made,
    token_page,
    reference_page,
)

API: list[Any] = [part.router() for part in PARTS]
