"""Clients with accounts, and a software authenticator, like that of a phone, for passkeys."""

import hashlib
import json
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

from sparring.engine.game import game
from sparring.people.passwords import CODES
from sparring.store.person import Person
from sparring.tables.state.players import Player
from web.app_server import AppServer, Client

PASSWORD = "three green teapots"
FLAG = AuthenticatorData.FLAG
PRESENT, VERIFIED, WITH_CREDENTIAL = FLAG.UP, FLAG.UV, FLAG.AT


def copy_session(client: Client) -> Client:
    """Return another browser with the same cookies, as if they had been stolen."""
    thief = client.server.stranger()
    thief.http.cookies.update(client.http.cookies)
    return thief


def guest(server: AppServer, name: str) -> Client:
    """Return a guest who has given a name at a table."""
    client = server.stranger()
    assert client.post("/games/hush", data={"name": name, "seat1": "me", "seat2": "open"}).status_code == 303
    return client


def new_account(server: AppServer, name: str, password: str = PASSWORD) -> Client:
    """Return a client with a new account."""
    client = server.stranger()
    assert len(codes_in(create_account(client, name, password))) == CODES
    return client


def create_account(client: Client, login: str, password: str = PASSWORD) -> httpx.Response:
    return client.post("/me/keep", data={"login": login, "password": password})


def codes_in(answer: httpx.Response) -> list[str]:
    """Return the recovery codes on a page."""
    return re.findall("(?:[0-9a-z]{4}-){3}[0-9a-z]{4}", answer.raise_for_status().text)


def sign_in(client: Client, login: str, password: str = PASSWORD, **more: str) -> httpx.Response:
    return client.post("/sign-in", data={"login": login, "password": password, **more})


def exported_tables(client: Client) -> list[str]:
    """Return the names of first seats at the tables in a person's export, in order."""
    return [table["seats"][0]["name"] for table in export_data(client)["tables"]]


def export_data(client: Client) -> dict[str, Any]:
    """Return a person's export."""
    return client.get("/me/data").raise_for_status().json()  # type: ignore[no-any-return]


def via_host(client: Client, name: str = "localhost") -> Client:
    """Let a browser address the server by a host name."""
    host = f"{name}:{httpx.URL(client.server.url).port}"
    client.http.headers.update({"Host": host, "Origin": f"http://{host}", "Accept": "application/json"})
    return client


@dataclass(frozen=True)
class Authenticator:
    """A software authenticator with one passkey; its responses can be falsified."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    origin: str = ""
    site: str = "localhost"
    flags: AuthenticatorData.FLAG = PRESENT | VERIFIED
    count: int = 0
    handle: bytes = b""

    def register(self, client: Client, begun: dict[str, Any]) -> tuple["Authenticator", dict[str, Any]]:
        """Return the response to a request for a new passkey, and the authenticator that has it."""
        options = begun["options"]["publicKey"]
        public_key = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        public = AttestedCredentialData.create(b"\0" * 16, self.credential, public_key)
        data = AuthenticatorData.create(self._site_hash, self.flags | WITH_CREDENTIAL, self.count, public)
        response = {
            "clientDataJSON": self._client_data(client, "webauthn.create", options["challenge"]),
            "attestationObject": base64(AttestationObject.create("none", data, {})),
        }
        return replace(self, handle=unbase64(options["user"]["id"])), self._credential(response)

    def sign(self, client: Client, begun: dict[str, Any]) -> dict[str, Any]:
        """Return the response to a sign-in request."""
        said = self._client_data(client, "webauthn.get", begun["options"]["publicKey"]["challenge"])
        data = AuthenticatorData.create(self._site_hash, self.flags, self.count)
        signature = self.key.sign(data + hashlib.sha256(unbase64(said)).digest(), ec.ECDSA(SHA256()))
        return self._credential({
            "clientDataJSON": said, "authenticatorData": base64(data), "signature": base64(signature),
            "userHandle": base64(self.handle),
        })  # fmt: skip

    @property
    def _site_hash(self) -> bytes:
        return hashlib.sha256(self.site.encode()).digest()

    def _client_data(self, client: Client, kind: str, challenge: str) -> str:
        origin = self.origin or client.http.headers["Origin"]
        return base64(json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode())

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": base64(self.credential),
            "rawId": base64(self.credential),
            "type": "public-key",
            "response": response,
        }


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def unbase64(data: str) -> bytes:
    return urlsafe_b64decode(data + "=" * (-len(data) % 4))


def begin_passkey(client: Client, what: str = "/sign-in/passkey", **said: str) -> dict[str, Any]:
    return client.post(f"{what}/begin", json=said).raise_for_status().json()  # type: ignore[no-any-return]


def add_passkey(client: Client, device: Authenticator | None = None, name: str = "Anna") -> Authenticator:
    """Add a passkey to an account, or create an account with it."""
    begun = begin_passkey(client, "/me/passkeys", name=name)
    device, answer = (device or Authenticator()).register(client, begun)
    made = client.post("/me/passkeys", json={"ticket": begun["ticket"], "answer": answer, "label": "phone"})
    made.raise_for_status()
    return device


def sign_in_with_passkey(client: Client, device: Authenticator, **more: Any) -> httpx.Response:
    """Sign in with a passkey."""
    begun = begin_passkey(client)
    answer = device.sign(client, begun)
    return client.post("/sign-in/passkey", json={"ticket": begun["ticket"], "answer": answer, **more})


def uses_text_mode(client: Client) -> bool:
    """Return whether tables open in text mode."""
    return "Open all tables with pictures" in client.get("/me").raise_for_status().text


def id_of(client: Client) -> str:
    return identity_of(client).id


def identity_of(client: Client) -> Person:
    return client.server.app.state.identity_cookie.read(client.cookie())  # type: ignore[no-any-return]


def finish(server: AppServer, table: str, *players: Client) -> None:
    """Play a match to its end with each player's first choice."""
    while True:
        for player in players:
            look = player.look(table)
            if look["over"]:
                return
            if look["is_turn"]:
                player.choose(table, look["choices"][0]["choice"], look["version"]).raise_for_status()


def create_table(server: AppServer, *who: Client | None) -> str:
    """Create a table with these players; None is an open seat."""
    identity_cookie, players = server.app.state.identity_cookie, []
    for client in who:
        person = identity_cookie.read(client.cookie()) if client else None
        players.append(Player(person.id, person.name) if person else Player())
    return server.run(server.tables.creation.create(game("hush"), players, seed=1)).id


def from_there(client: Client, address: str) -> Client:
    """Return the same browser at another address, as a proxy reports it."""
    client.http.headers["X-Forwarded-For"] = address
    return client
