"""All routes of the API, its reference page and the token page."""

from typing import Any

from . import (
    friend_routes,
    game_routes,
    lesson_routes,
    me_routes,
    player_routes,
    reference_page,
    set_routes,
    studio_job_routes,
    token_page,
)
from .tables import action_routes, chat_routes, event_routes, half_routes, lobby_routes, match_routes, table_routes

PARTS = (
    game_routes,
    lesson_routes,
    me_routes,
    player_routes,
    friend_routes,
    lobby_routes,
    half_routes,
    table_routes,
    chat_routes,
    event_routes,
    match_routes,
    set_routes,
    studio_job_routes,
    token_page,
    reference_page,
)

API: list[Any] = [*(part.router() for part in PARTS), *action_routes.HANDLERS]
