"""Account endpoints: name, preferences, tables and personal data."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from sparring.people.accounts import SignInFailed
from sparring.people.identity import LONGEST_NAME
from sparring.server.api.lobby_routes import LobbyTable
from sparring.server.api.responses import ApiDone, endpoint
from sparring.server.requests.identity import AccountsDep, AnyRequest, CurrentPerson, LobbyDep, requester_of
from sparring.site.account_pages.account_routes import PersonalDataDep, data_file
from sparring.store.person import Person
from sparring.tables.lobby import MINE, ListedTable
from sparring.tables.state.table import NotAllowed

from .player_routes import Number


class MyAccount(msgspec.Struct):
    """Your identity."""

    name: Annotated[str, msgspec.Meta(description="Your display name; empty: none yet.")]
    scopes: Annotated[list[str], msgspec.Meta(description="Your token's scopes; empty without a token.")]
    bot_of: Annotated[str, msgspec.Meta(description="Your owner, if you are a bot; empty if you act as a person.")]
    words: Annotated[bool, msgspec.Meta(description="Whether tables open in text mode.")]


class MyTable(LobbyTable):
    """A table where you have a seat."""

    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    is_turn: Annotated[bool, msgspec.Meta(description="Whether it is your turn.")]
    waiting: Annotated[bool, msgspec.Meta(description="Whether it waits for players.")]
    paused: Annotated[bool, msgspec.Meta(description="Whether the match is paused.")]
    left: Annotated[str, msgspec.Meta(description="The remaining time of the player to move, in words.")]

    @classmethod
    def of(cls, table: ListedTable) -> "MyTable":
        """Return a listed table for the API."""
        return cls(
            **msgspec.structs.asdict(LobbyTable.shown(table)), over=table.over, is_turn=table.your_turn,
            waiting=table.waiting, paused=table.paused, left=table.left,
        )  # fmt: skip


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    """A new display name."""

    name: Annotated[str, msgspec.Meta(max_length=200, description=f"At most {LONGEST_NAME} characters.")]


class TextModePreference(msgspec.Struct, forbid_unknown_fields=True):
    """Your preference for text mode."""

    words: Annotated[bool, msgspec.Meta(description="True: text mode, in all your browsers; false: pictures.")]


@get("/me", **endpoint("", "Your identity"))
async def me(person: CurrentPerson) -> MyAccount:
    """Return your name, scopes and preferences."""
    token = person.token
    return MyAccount(
        person.name, sorted(token.scopes) if token else [], token.bot_of if token else "", person.text_mode
    )


@post("/me/name", **endpoint("self", "Change your name", 413, 422), status_code=200)
async def rename(person: CurrentPerson, accounts: AccountsDep, data: JSONBody[NewName]) -> ApiDone:
    """Change your display name for tables you join from now on. This needs an account."""
    if await accounts.account(_check_self(person)) is None:
        raise SignInFailed("Create an account at /me first; a guest's name is stored only in the browser.")
    await accounts.rename(person, data.name)
    return ApiDone()


@post("/me/words", **endpoint("self", "Switch text mode", 413), status_code=200)
async def listen(
    request: AnyRequest, person: CurrentPerson, accounts: AccountsDep, data: JSONBody[TextModePreference]
) -> ApiDone:
    """Set whether tables, replays and tutorials open in text mode, on all your devices."""
    await accounts.set_text_mode(_check_self(person), requester_of(request, person), words=data.words)
    return ApiDone()


@get("/me/data", **endpoint("self", "Download your data"))
async def take(request: AnyRequest, person: CurrentPerson, personal_data: PersonalDataDep) -> Stream:
    """Return all your data as a file. For unfinished matches, it contains only what everyone can see."""
    return data_file(request, _check_self(person), personal_data)


def _check_self(person: Person) -> Person:
    """Return the person, or raise NotAllowed for bots and visitors without an identity."""
    if not person.id or (person.token and person.token.bot_of):
        raise NotAllowed("Sign in first, with a token that acts as you or your browser's cookie.")
    return person


@get("/me/tables", **endpoint("look", "Your tables"))
async def my_tables(
    person: CurrentPerson,
    lobby: LobbyDep,
    over: Annotated[bool, QueryParameter(description="True: finished tables; false: unfinished ones.")] = False,
    number: Number = 1,
) -> list[MyTable]:
    """Return your tables, 50 per page: first those where it is your turn, then the newest."""
    skip = MINE * (number - 1)
    tables = await (lobby.done(person, MINE, skip) if over else lobby.unfinished(person, skip))
    return [MyTable.of(table) for table in tables]
