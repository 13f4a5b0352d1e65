"""Every page, form and stream has an API route; this file lists the pairs."""

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from sparring import routes
from sparring.people.api_tokens import SCOPES
from sparring.tables.actions import TABLE_ACTIONS
from web.app_server import AppServer

#: API routes by the pages that do the same.
PAGES = {
    "/": ["GET /api/me/tables", "GET /api/tables", "GET /api/games"],
    "/lobby": ["GET /api/me/tables", "GET /api/tables"],
    "/tables": ["GET /api/me/tables"],
    "/learn": ["GET /api/games"],
    "/quick": ["POST /api/quick"],
    "/play/NAME": ["POST /api/quick", "POST /api/tables"],
    "/games/NAME": ["GET /api/games/NAME", "POST /api/tables"],
    "/games/NAME/rules": ["GET /api/games/NAME/rules"],
    "/games/NAME/positions": ["GET /api/games/NAME/positions"],
    "/games/NAME/leaderboard": ["GET /api/games/NAME/leaderboard"],
    "/games/NAME/learn": ["GET /api/games/NAME/lesson", "GET /api/games/NAME/lesson/step"],
    "/games/NAME/learn/text": ["GET /api/games/NAME/lesson/step"],
    "/leaderboard": ["GET /api/leaderboards"],
    "/people/ID": ["GET /api/people/ID", "GET /api/people/ID/matches"],
    "/table/ID": ["GET /api/table/ID", "GET /api/table/ID/people", "GET /api/table/ID/scene", "GET /api/table/ID/view"],
    "/table/ID/rules": ["GET /api/table/ID/rules"],
    "/table/ID/events": ["GET /api/table/ID/events"],
    "/table/ID/turn": ["GET /api/me/events"],
    "/table/ID/text": ["GET /api/table/ID", "GET /api/table/ID/ask"],
    "/table/ID/text/events": ["GET /api/table/ID/events"],
    "/table/ID/again/text": ["POST /api/table/ID/again"],
    "/table/ID/text/say": ["GET /api/table/ID/ask", "POST /api/table/ID/choose"],
    **{f"/table/ID/{action.name}": [f"POST /api/table/ID/{action.name}"] for action in TABLE_ACTIONS},
    "/table/ID/chat": ["GET /api/table/ID/chat", "POST /api/table/ID/chat"],
    "/table/ID/record": ["GET /api/table/ID/record"],
    "/halves/ID": ["GET /api/halves/ID", "POST /api/halves/ID"],
    "/halves/ID/cancel": ["POST /api/halves/ID/cancel"],
    "/records": ["GET /api/records", "POST /api/records"],
    "/records/ID/remove": ["POST /api/records/ID/remove"],
    **{f"/{kind}/ID/{page}": [f"GET /api/{kind}/ID/replay"]
       for kind in ("table", "records") for page in ("replay", "replay/moments", "replay/text")},
    **{f"/{kind}/ID/review": [f"GET /api/{kind}/ID/review", f"POST /api/{kind}/ID/review"]
       for kind in ("table", "records")},
    **{f"/{kind}/ID/review/now": [f"GET /api/{kind}/ID/review"] for kind in ("table", "records")},
    "/me": ["GET /api/me", "GET /api/me/muted"],
    "/me/name": ["POST /api/me/name"],
    "/me/shown": ["POST /api/me/shown"],
    "/me/matches": ["GET /api/me/matches", "GET /api/me/figures"],
    "/friends": ["GET /api/me/friends", "POST /api/me/friends", "GET /api/me/challenges"],
    "/friends/news": ["GET /api/me/challenges"],
    "/friends/online": ["POST /api/me/online"],
    "/friends/ID/ID": ["POST /api/me/friends/ID"],
    "/friends/ID/challenge": ["POST /api/me/friends/ID/challenge"],
    "/challenges/ID/ID": ["POST /api/me/challenges/ID/accept", "POST /api/me/challenges/ID/end"],
    "/me/muted/ID/remove": ["POST /api/me/muted/ID/remove"],
    "/me/data": ["GET /api/me/data"],
    "/listening": ["POST /api/me/words"],
    "/api": [],
}  # fmt: skip

#: Pages without an API route, and the reason.
LEFT = {
    "programs authenticate with a token, which a person creates and revokes on pages": (
        "/sign-in", "/create-account", "/me/keep", "/me/password", "/me/passkeys", "/me/sign-out",
        "/me/sign-out-everywhere", "/me/delete", "/me/tokens", "/me/recovery", "/me/address",
    ),
    "it is for a link in an e-mail": ("/mail",),
    "moderators decide themselves": ("/moderation",),
    "programs get events (`/api/me/events`) instead of notifications": ("/me/notifications", "/me/push"),
    "it is how a browser shows a page, and is kept there": (
        "/theme", "/choices", "/static", "/app.webmanifest", "/worker.js", "/offline",
    ),
    "it is a picture; programs are told what is on it": (
        "/games/NAME/picture.svg", "/games/NAME/pictures", "/games/NAME/examples", "/games/NAME/theme.css",
        "/games/NAME/table_art", "/table/ID/picture.svg",
        "/table/ID/pictures", "/records/ID/pictures", "/table/ID/examples", "/records/ID/examples",
        "/table/ID/review/ID/position", "/records/ID/review/ID/position",
    ),
    "programs print the rules of a record's options with `sparring rules`": ("/records/ID/rules",),
    "programs continue a record from any choice with `Match.from_record`": ("/table/ID/review/ID/play",),
    "programs read puzzles from the file that `sparring puzzles` writes": ("/puzzles",),
    "it is a text about the server for people": ("/imprint", "/privacy", "/terms", "/retention"),
    "it leads to the new address of the page": ("/table/ID/talk",),
    "it is JSON itself": ("/schema", "/health", "/ready", "/metrics"),
    "the tests of sets are in test_games_records_sets.py and test_studio_jobs.py": ("/studio", "/api/studio"),
}  # fmt: skip


def path_template(path: str) -> str:
    """Return a path with ID for every id and NAME for a game."""
    parts = path.replace("{name:str}", "NAME").split("/")
    return "/".join("ID" if part.startswith("{") else part for part in parts)


def test_every_page_has_an_api_route_or_a_reason_for_none(server: AppServer) -> None:
    shown, described = set[str](), set[str]()
    for route in server.app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            for method in set(handler.http_methods) - {"OPTIONS", "HEAD"}:
                if handler.resolve_include_in_schema():
                    described.add(f"{method} {path_template(route.path)}")
                else:
                    shown.add(path_template(route.path))
    left = tuple(path for paths in LEFT.values() for path in paths)
    under = tuple(f"{path}/" for path in left)
    assert {path for path in shown - PAGES.keys() if path not in left and not path.startswith(under)} == set()
    assert PAGES.keys() - shown == set()
    assert {way for ways in PAGES.values() for way in ways} - described == set()


@pytest.mark.parametrize("room", ["server", "site", "studio"])
def test_every_handler_is_mounted(room: str) -> None:
    mounted = {id(handler) for handler in routes.handlers_of(*routes.PAGES, *routes.WITH_FILES, *routes.API)}
    package = import_module(f"sparring.{room}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        handlers = routes.handlers_of(import_module(module.name))
        assert [str(handler) for handler in handlers if id(handler) not in mounted] == [], module.name


def test_the_docs_list_the_scopes_of_tokens() -> None:
    rows = [f"| `{scope}` | {what} |" for scope, what in SCOPES.items()]
    assert "\n".join(rows) in (Path(__file__).parents[3] / "docs/http.md").read_text()
