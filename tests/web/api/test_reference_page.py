"""The API reference page: complete, with working shell examples and without dead links."""

import argparse
import json
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx

from sparring.engine.match import Match
from sparring.people.api_tokens import SCOPES
from web.app_server import AppServer


def test_the_page_documents_every_route(server: AppServer) -> None:
    page, schema = server.stranger().get("/api").text, server.stranger().get("/schema/openapi.json").json()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert f"<code>{path}</code>" in page
            assert operation["summary"] in unescape(page)
            assert f'class="method {method}"' in page
    for name, thing in schema["components"]["schemas"].items():
        assert f'id="thing-{name}"' in page
        assert thing["description"].endswith("."), name
        assert thing["description"] in unescape(page)
    ids = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= ids
    for scope in SCOPES:
        assert f"Needs a token with the scope <b>{scope}</b>." in page


def out_of_bounds(schema: dict[str, Any]) -> Iterator[int | str]:
    """Yield values just outside the documented bounds."""
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema:
        yield schema["maximum"] + 1
    if "maxLength" in schema:
        yield "x" * (schema["maxLength"] + 1)


def test_bounds_of_path_parameters_are_documented_and_enforced(server: AppServer) -> None:
    stranger, table, tried = server.stranger(), server.table("", ""), 0
    record = json.loads(Match.new("hush", seats=2, seed=1).record())
    record_id = server.program("Anna").post("/api/records", json={"record": record}).json()["id"]
    for path, operations in stranger.get("/schema/openapi.json").json()["paths"].items():
        where = path.format_map(defaultdict(lambda: "nothing", table_id=table, record_id=record_id, name="hush"))
        for said in operations.get("get", {}).get("parameters", ()):
            if said["in"] == "query":
                assert said.get("description"), (path, said["name"])
                for value in out_of_bounds(said["schema"]):
                    response = stranger.http.get(where, params={"words": "hand", said["name"]: value})
                    assert response.status_code == 400, (path, said["name"], value)
                    assert response.json()["reason"].startswith(
                        f"This request can't be read: {said['name']}: Expected "
                    )
                    tried += 1
    assert tried > 20


def test_its_shell_examples_work(server: AppServer) -> None:
    page, token = server.person("Anna").get("/api").text, server.token("Anna")
    lines = [unescape(line) for line in re.findall(r"<pre><code>(.*?)</code></pre>", page)]
    assert len(lines) > 40
    opened = next(line for line in lines if line.endswith("/api/tables") and "-d" in line)
    assert "table" in run(server, opened, token).raise_for_status().json()
    read = next(line for line in lines if line.endswith("/api/games/make-your-moves/rules"))
    assert run(server, read, token).json()["text"].startswith("# Make Your Moves")


def run(server: AppServer, line: str, token: str) -> httpx.Response:
    """Run a curl command line."""
    curl, *words = shlex.split(line.replace("$TOKEN", token))
    assert curl == "curl"
    said = argparse.ArgumentParser()
    said.add_argument("-H", action="append")
    said.add_argument("-d")
    said.add_argument("-X")
    said.add_argument("url")
    found = said.parse_args(words)
    headers = dict(header.split(": ", 1) for header in found.H)
    return httpx.request(
        found.X or ("POST" if found.d else "GET"), found.url, headers=headers, content=found.d, timeout=60
    )
