"""Who one is, for programs: what one is called and how one wants tables, the tables at which one sits, one's data."""

from typing import Annotated

import msgspec
from litestar import MediaType, Router, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from sparring.web.account_pages.account_routes import TheHoldings
from sparring.web.account_pages.personal_data import file_name
from sparring.web.accounts.accounts import SignInFailed
from sparring.web.identity import LONGEST_NAME, Person
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheAccounts, TheLobby, asking
from sparring.web.tables.lobby import MINE, ListedTable
from sparring.web.tables.table import NotYours

from .lobby_routes import LobbyTable
from .player_routes import Number
from .responses import ApiDone, allowed, refusals


class MyAccount(msgspec.Struct):
    """As whom you come in."""

    name: Annotated[str, msgspec.Meta(description="What you are called at tables; empty: you never said it.")]
    scopes: Annotated[list[str], msgspec.Meta(description="What your token may do; empty: no token, a browser.")]
    bot_of: Annotated[str, msgspec.Meta(description="Whose bot you are; empty: you act as the person.")]
    words: Annotated[bool, msgspec.Meta(description="Whether tables open as pages of words for you.")]


class MyTable(LobbyTable):
    """A table at which you sit."""

    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether it is your turn.")]
    waiting: Annotated[bool, msgspec.Meta(description="Whether somebody is still to sit down there.")]
    paused: Annotated[bool, msgspec.Meta(description="Whether all agreed to rest.")]
    left: Annotated[str, msgspec.Meta(description="What is left on the clock of who is asked, in words.")]

    @classmethod
    def of(cls, table: ListedTable) -> "MyTable":
        """As the lists of the pages have it."""
        return cls(
            **msgspec.structs.asdict(LobbyTable.shown(table)), over=table.over, asked=table.your_turn,
            waiting=table.waiting, paused=table.paused, left=table.left,
        )  # fmt: skip


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    """What you want to be called."""

    name: Annotated[str, msgspec.Meta(max_length=200, description=f"In {LONGEST_NAME} letters at most.")]


class TextModePreference(msgspec.Struct, forbid_unknown_fields=True):
    """How you want tables to open."""

    words: Annotated[bool, msgspec.Meta(description="As pages of words, in every browser of yours; false: drawn.")]


@get("/me", **allowed(""), responses=refusals(), summary="Who you are")
async def me(person: Asker) -> MyAccount:
    """What is known of whoever asks."""
    by = person.by
    return MyAccount(person.name, sorted(by.scopes) if by else [], by.bot_of if by else "", person.listens)


@post("/me/name", **allowed("self"), status_code=200, responses=refusals(413, 422), summary="Another name")
async def rename(person: Asker, accounts: TheAccounts, data: JSONBody[NewName]) -> ApiDone:
    """What you are called wherever you sit down from now on. It takes an account: a guest's browser knows the name."""
    if await accounts.account(_oneself(person)) is None:
        raise SignInFailed("Keep first who you are, at /me; what a guest is called their browser knows alone.")
    await accounts.rename(person, data.name)
    return ApiDone()


@post("/me/words", **allowed("self"), status_code=200, responses=refusals(413), summary="Tables as pages of words")
async def listen(
    request: AnyRequest, person: Asker, accounts: TheAccounts, data: JSONBody[TextModePreference]
) -> ApiDone:
    """Whether tables, replays and lessons open as pages of words for you, on every device."""
    await accounts.prefer(_oneself(person), asking(request, person), words=data.words)
    return ApiDone()


@get("/me/data", **allowed("self"), responses=refusals(), summary="All that is yours")
async def take(request: AnyRequest, person: Asker, holdings: TheHoldings) -> Stream:
    """Everything that is yours, as a file; of matches that go on what everybody can see."""
    mine = holdings.take(_oneself(person))
    holdings.accounts.quotas.take_along(asking(request, person))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(person)}"'}
    return Stream(mine, media_type=MediaType.JSON, headers=headers)


def _oneself(person: Person) -> Person:
    """Somebody who speaks for themselves."""
    if not person.id or (person.by and person.by.bot_of):
        raise NotYours("This is somebody's own: come with a token that acts as you, or the cookie of your browser.")
    return person


@get("/me/tables", **allowed("look"), responses=refusals(), summary="Your tables")
async def my_tables(
    person: Asker,
    lobby: TheLobby,
    over: Annotated[bool, QueryParameter(description="Those that are over; else those that go on.")] = False,
    number: Number = 1,
) -> list[MyTable]:
    """The tables at which you sit, fifty a page: those where you are asked, then those that were opened last."""
    skip = MINE * (number - 1)
    found = await (lobby.done(person, MINE, skip) if over else lobby.going_on(person, skip))
    return [MyTable.of(table) for table in found]


def router() -> Router:
    """What is yours."""
    handlers = [me, rename, listen, take, my_tables]
    return Router("/api", route_handlers=handlers, tags=["you"], request_max_body_size=SMALL)
