"""Requests that no browser makes: refused with a sentence, and never a server error."""

import re
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from sparring.engine.errors import BadOption
from sparring.engine.game import game
from sparring.people.identity import BadName, read_name
from sparring.server.requests.identity import authorize
from sparring.settings import Settings
from web.app_server import AppServer, Client, StartServer


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost", "LOCALHOST.:9", "[::1]:80", "192.168.0.7", "table.example"]
)
def test_an_accepted_host(start_server: StartServer, host: str) -> None:
    server = start_server(names=("table.example",))
    assert server.stranger().http.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "page", "status"),
    [("https", "https", 303), ("http", "http", 303), ("http", "https", 303), ("https", "http", 403),
     ("http", "ftp", 403), ("https", "HTTP", 403)],
)  # fmt: skip
def test_a_page_of_another_scheme_cannot_post(start_server: StartServer, asked: str, page: str, status: int) -> None:
    anna = start_server(proxy="127.0.0.1").person("Anna")
    origin = f"{page}://{anna.http.base_url.netloc.decode()}"
    sent = {"Origin": origin, "X-Forwarded-Proto": asked, "X-Forwarded-For": "192.0.2.7"}
    form = {"name": "Anna", "seat1": "me", "seat2": "random"}
    assert anna.post("/games/hush", data=form, headers=sent).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 421), ("127.0.0.1.evil.example", 421), ("localhost.evil.example", 421), ("table.example", 421)],
)  # fmt: skip
def test_a_refused_host(server: AppServer, host: str, status: int) -> None:
    response = server.stranger().http.get("/", headers={"Host": host})
    assert response.status_code == status
    assert "What shall we play?" not in response.text


@pytest.mark.parametrize("path", ["/static/x/%00", "/static/%00.css", "/%00", "/table/%00/events"])
def test_a_path_with_a_null_byte(server: AppServer, path: str) -> None:
    static = server.stranger().get("/").text.partition('href="/static/')[2].partition("/")[0]
    for tried in (path, path.replace("/static/", f"/static/{static}/")):
        response = server.stranger().get(tried)
        assert (response.status_code, response.text) == (404, "There is nothing at this address.")


def test_a_long_last_event_id(server: AppServer, table: str) -> None:
    with server.person("Anna").stream(table, 0, last="9" * 5000) as events:
        assert b"id: 1" in next(events)


def test_the_data_folder_is_readable_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    Settings.load(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


JSON = "application/json"
PARTS = "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/api/table/{}/choose", JSON, b'{"version": 1, "choice": "\xff"}'),
        ("/api/table/{}/choose", JSON, b"\xff\xfe"),
        ("/games/hush", PARTS, b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\xfe\r\n--x--\r\n'),
        ("/games/hush", PARTS, b'--x\r\nContent-Disposition: form-data; name="\xff"\r\n\r\na\r\n--x--\r\n'),
        ("/games/hush", PARTS, b"--x"),
        ("/games/hush", "multipart/form-data", b"--x"),
    ],
)
def test_a_body_that_is_not_text(
    server: AppServer, table: str, caplog: pytest.LogCaptureFixture, path: str, kind: str, body: bytes
) -> None:
    response = server.person("Anna").post(path.format(table), content=body, headers={"Content-Type": kind})
    assert response.status_code == 400
    assert not [record for record in caplog.records if record.exc_info]
    assert server.person("Anna").version(table) == 1


@pytest.mark.parametrize("value", ["9" * 5000, "x" * 50_000])
def test_a_form_with_unknown_fields(server: AppServer, value: str) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "random", "option.hand": value}
    response = server.stranger().post("/games/hush", data=form)
    assert response.status_code == 422
    assert "fields is too long" in response.text


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/", "GET, OPTIONS"), ("GET", "/api/table/{}/choose", "OPTIONS, POST"),
        ("PUT", "/api/table/{}", "GET, OPTIONS"), ("PATCH", "/games/hush", "GET, OPTIONS, POST"),
    ],
)  # fmt: skip
def test_a_wrong_method(server: AppServer, method: str, path: str, allowed: str) -> None:
    response = server.stranger().http.request(method, path.format(server.table("Anna", "Ben")))
    assert (response.status_code, response.headers["Allow"]) == (405, allowed)


def test_dynamic_responses_are_not_cached(table: str, anna: Client) -> None:
    paths = ["/", f"/table/{table}", f"/api/table/{table}", "/api/table/nowhere", "/nowhere"]
    paths += ["/me", "/me/data", "/me/delete", "/sign-in"]
    assert {anna.get(path).headers["Cache-Control"] for path in paths} == {"no-store"}
    assert anna.choose(table, "done", 1).headers["Cache-Control"] == "no-store"
    static = anna.get("/").text.partition('href="/static/')[2].partition("/")[0]
    assert "immutable" in anna.get(f"/static/{static}/site.css").headers["Cache-Control"]


def test_bounds_of_a_choice_are_documented(server: AppServer) -> None:
    described = server.stranger().get("/schema/openapi.json").json()["components"]["schemas"]["ChooseRequest"]
    number, words = described["properties"]["choice"]["oneOf"]
    assert (number["minimum"], number["exclusiveMaximum"]) == (0, 1 << 15)
    assert (words["minLength"], words["maxLength"]) == (1, 200)


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u3164\u115f\u1160\uffa0", "\u2800 \u2800", "\u0301\u0301", "\ufe0f", "\U000e0101", "\u200b\u202e"],
)
def test_an_invisible_name(name: str) -> None:
    with pytest.raises(BadName):
        read_name(name)


@pytest.mark.parametrize("name", ["Anna", "Zoë", "Дарья", "明美", "نور", "J.J.", "♥", "7"])
def test_a_valid_name(name: str) -> None:
    assert read_name(f" {name}\u3164 ") == name


@pytest.mark.parametrize("name", ["mace", "untitled-movement"])
def test_a_match_without_progress_ends(name: str) -> None:
    game(name).setup({"stall_rounds": 300})
    with pytest.raises(BadOption, match="from 1 to 300"):
        game(name).setup({"stall_rounds": 301})


def test_every_route_refuses_posts_of_another_site(server: AppServer) -> None:
    """Includes routes added later; none may use a thread to check the origin."""
    routes = [route for route in server.app.routes if isinstance(route, HTTPRoute) and "POST" in route.methods]
    assert len(routes) > 10
    client = server.stranger()  # one connection: many count as a crowd on a busy machine
    for route in routes:
        path = re.sub(r"{[^}]*}", "nowhere", re.sub(r"{[^}]*:int}", "1", route.path))
        response = client.http.post(path, headers={"Sec-Fetch-Site": "cross-site"})
        assert (response.status_code, "from another site" in response.text) == (403, True), path
        handlers = [handler for handler in route.route_handlers if "POST" in handler.http_methods]
        assert {handler.resolve_before_request() for handler in handlers} == {authorize}
