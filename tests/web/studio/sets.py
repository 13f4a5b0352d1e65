"""Own sets in the studio, as its pages change them."""

import json
import re
from typing import Any

import httpx

from web.app_server import Client

BEGIN = {"game": "high-card", "title": "Mine", "name": "Anna", "from": "own"}


def create_set(client: Client, **more: str) -> str:
    """Create a set; return its address."""
    response = client.post("/studio", data={**BEGIN, **more})
    assert response.status_code == 303, response.text
    return response.headers["location"]


def upload_set(client: Client, toml: str | bytes, game: str = "high-card", **more: str) -> httpx.Response:
    """Upload a file as a new set."""
    form = {**BEGIN, "game": game, "from": "file", **more}
    return client.post("/studio", data=form, files={"file": ("my.toml", toml)})


def state(client: Client, address: str) -> dict[str, Any]:
    """Return the state of a set from its page."""
    page = client.get(address).raise_for_status().text
    found = re.search(r'data-state="([^"]*)"', page)
    assert found
    return json.loads(found[1].replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"))  # type: ignore[no-any-return]


def change(
    client: Client, address: str, *edits: dict[str, Any], row_version: int | None = None, **more: Any
) -> httpx.Response:
    row_version = state(client, address)["row_version"] if row_version is None else row_version
    return client.post(f"/api{address}/change", json={"row_version": row_version, "edits": list(edits), **more})


def put(value: str, *at: str | int) -> dict[str, Any]:
    return {"do": "set", "at": list(at), "value": value}


def step_history(client: Client, address: str, direction: str, number: int = 0) -> httpx.Response:
    row_version = state(client, address)["row_version"]
    return client.post(
        f"/api{address}/history", json={"row_version": row_version, "direction": direction, "number": number}
    )


def file(client: Client, address: str) -> str:
    return client.get(f"{address}/file").raise_for_status().text


def share_link(client: Client, address: str) -> str:
    found = re.search(r"/studio/shared/[\w-]+", client.get(address).text)
    assert found
    return found[0]


AT = "cards", 0, "picture"


def addresses(page: str) -> set[str]:
    """Return the addresses of the pictures on a page."""
    return set(re.findall(r'<image href="([^"]+)"', page))
