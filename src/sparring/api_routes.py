"""All routes of the API, its reference page and the token page."""

from typing import Any

from sparring.server.api import event_routes, friend_routes, game_routes, lobby_routes, table_routes
from sparring.site.api import lesson_routes, match_routes, me_routes, player_routes
from sparring.site.pages import api_pages
from sparring.studio import set_routes, studio_job_routes

PARTS = (
    game_routes,
    lesson_routes,
    me_routes,
    player_routes,
    friend_routes,
    lobby_routes,
    table_routes,
    event_routes,
    match_routes,
    set_routes,
    studio_job_routes,
    api_pages,
)

API: list[Any] = [
    *(part.router() for part in PARTS),
    table_routes.chat_router(),
    lesson_routes.query_router(),
    api_pages.token_router(),
    *table_routes.HANDLERS,
]
