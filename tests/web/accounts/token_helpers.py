"""Tokens made on the account page, and programs that use them."""

import re

from web.app_server import AppServer, Client

TOKEN = {"name": "helper", "kind": "me", "days": "0", "scope.look": "on", "scope.play": "on", "scope.self": "on"}


def make_token(client: Client) -> str:
    shown = client.post("/me/tokens", data=TOKEN).raise_for_status().text
    return str(re.findall(r"sp_[A-Za-z0-9_-]+", shown)[0])


def program(server: AppServer, token: str) -> Client:
    client = server.stranger()
    del client.http.headers["Origin"]
    client.http.headers["Authorization"] = f"Bearer {token}"
    return client
