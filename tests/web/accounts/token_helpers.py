"""Tokens made on the account page, and programs that use them."""

import re

from web.app_server import AppServer, Client

TOKEN = {"name": "helper", "kind": "me", "days": "0", "scope.look": "on", "scope.play": "on", "scope.self": "on"}


def make_token(client: Client) -> str:
    return token_on(client.post("/me/tokens", data=TOKEN).raise_for_status().text)


def token_on(page: str) -> str:
    found = re.search(r'readonly value="(sp_[^"]+)"', page)
    return found[1] if found else ""


def program(server: AppServer, token: str) -> Client:
    client = server.stranger()
    del client.http.headers["Origin"]
    client.http.headers["Authorization"] = f"Bearer {token}"
    return client
