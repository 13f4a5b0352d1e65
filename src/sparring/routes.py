"""All routes of the server: every handler that these modules define."""

from types import ModuleType

from litestar import Router
from litestar.handlers import HTTPRouteHandler

from sparring.server.api import event_routes, friend_routes, game_routes, lobby_routes, table_routes
from sparring.server.requests import health
from sparring.server.requests.identity import SMALL
from sparring.site.account_pages import (
    account_routes,
    friend_pages,
    moderation_pages,
    notification_pages,
    sign_in_pages,
)
from sparring.site.api import lesson_routes, match_routes, me_routes, player_routes
from sparring.site.pages import (
    api_pages,
    game_pictures,
    lesson_pages,
    player_pages,
    puzzle_pages,
    site_pages,
    start_pages,
    table_forms,
    table_pages,
)
from sparring.site.replay import replay_routes, replay_text_mode
from sparring.site.table_parts import table_html
from sparring.site.text_mode import text_routes
from sparring.studio import item_tables, job_routes, picture_pad, set_routes, studio_routes, tuning_routes

#: Pages whose forms are small, and pages that take files.
PAGES = (
    table_html, table_forms, text_routes, site_pages, start_pages, lesson_pages, player_pages, replay_text_mode,
    account_routes, sign_in_pages, friend_pages, puzzle_pages, notification_pages, moderation_pages,
    api_pages, game_pictures, health,
)  # fmt: skip
WITH_FILES = (table_pages, studio_routes, picture_pad, job_routes, tuning_routes, replay_routes, item_tables)
#: The API, with the subjects of the endpoints that don't name their own (`SUBJECTS` in `site/pages/api_pages.py`).
API = {
    game_routes: "games", lesson_routes: "games", me_routes: "you", player_routes: "players", friend_routes: "you",
    lobby_routes: "tables", table_routes: "tables", event_routes: "events", match_routes: "replays",
    set_routes: "sets",
}  # fmt: skip


def handlers_of(*modules: ModuleType) -> list[HTTPRouteHandler]:
    """Return the handlers that modules define, alone or in lists."""
    values = [value for module in modules for value in vars(module).values()]
    found = [each for value in values for each in (value if isinstance(value, list) else [value])]
    return [each for each in found if isinstance(each, HTTPRouteHandler)]


def routers() -> list[Router]:
    """Return the routes of the server; the API's reference leaves out its pages."""
    pages = Router("/", route_handlers=handlers_of(*PAGES), include_in_schema=False, request_max_body_size=SMALL)
    with_files = Router("/", route_handlers=handlers_of(*WITH_FILES), include_in_schema=False)
    own = [each for each in handlers_of(*API) if each.tags]
    subjects = [
        Router("", route_handlers=[each for each in handlers_of(module) if not each.tags], tags=[subject])
        for module, subject in API.items()
    ]
    return [pages, with_files, Router("/api", route_handlers=[*subjects, *own], request_max_body_size=SMALL)]
