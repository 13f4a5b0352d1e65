"""The friends page, what every open page polls, and the page of an invitation to bring the other half of a match."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.engine.game import games
from sparring.people.identity import GUEST_NAME, LONGEST_NAME, with_id, with_name
from sparring.server.requests.errors import told
from sparring.server.requests.identity import (
    EVERYONE,
    STRANGERS,
    AnyRequest,
    CurrentPerson,
    FriendsDep,
    TablesDep,
    link_to,
    requester_of,
)
from sparring.server.requests.middleware import is_loopback
from sparring.server.requests.pages import form_of
from sparring.site.pages.new_table_form import read_clock
from sparring.site.pages.table_pages import page, redirect_with_identity, titles
from sparring.site.table_parts.seat_panel import qr_code
from sparring.store.invitations import InvitationGone
from sparring.store.person import Person
from sparring.tables.friends import Friends, is_online, terms_of
from sparring.tables.state.table_settings import CLOCKS, TableSettings
from sparring.tables.tables import Tables

#: Confirmations, by the `said` parameter of the URL that shows them.
CONFIRMATIONS = {
    "asked": "Request sent. If an account has this sign-in name, its owner will see it.",
    "player": "Request sent. If the player has an account, they will see it.",
    "accept": "You are now friends.",
    "decline": "Request declined. The player won't be told.",
    "remove": "Removed.",
    "block": "Blocked. You won't see this player's requests or challenges. They won't be told.",
    "online": "Changes saved.",
    "ended": "Challenge removed.",
}


@get("/friends")
async def friends_page(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, said: FromQuery[str] = ""
) -> Template:
    """Show a person's friends, requests, challenges and blocks."""
    return await _friends_page(request, person, friends, said=CONFIRMATIONS.get(said, ""))


async def _friends_page(request: AnyRequest, person: Person, friends: Friends, **more: Any) -> Template:
    account = person.has_account
    row = await friends.accounts.load(person=person.id) if account else None
    return page(
        "friends.html", request, person, lines=await friends.of(person) if account else [], is_online=is_online,
        terms_of=terms_of, games=games().values(), titles=titles(), clocks=CLOCKS, longest_name=LONGEST_NAME,
        received=await friends.challenges.of(person.id) if account else [],
        sent=await friends.challenges.of(person.id, sent=True) if account else [],
        login=(row.login or "") if row else "", hides=account and await friends.store.hides(person.id), **more,
    )  # fmt: skip


async def _done(
    request: AnyRequest, person: Person, friends: Friends, change: Awaitable[str | None], said: str = ""
) -> Template | Redirect:
    """Carry out a change, then confirm it or go to the table it leads to; or show the error."""
    try:
        table = await change
    except SparringError as problem:
        return await _friends_page(request, person, friends, **told(request, problem))
    return Redirect(f"/table/{table}" if table else f"/friends?said={said}", status_code=303)


@post("/friends")
async def ask(request: AnyRequest, person: CurrentPerson, friends: FriendsDep) -> Template | Redirect:
    """Send a friend request."""
    asking = friends.ask(person, (await form_of(request))["name"], requester_of(request, person))
    return await _done(request, person, friends, asking, "asked")


@post("/friends/online")
async def online(request: AnyRequest, person: CurrentPerson, friends: FriendsDep) -> Redirect:
    """Store whether friends see that the person is online."""
    await friends.hide(person, requester_of(request, person), hidden=(await form_of(request))["shown"] != "yes")
    return Redirect("/friends?said=online", status_code=303)


@post("/friends/{number:str}/challenge", opt=EVERYONE)
async def challenge(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, number: FromPath[str]
) -> Template | Redirect:  # fmt: skip
    """Challenge a friend to a match."""
    try:
        form = await form_of(request)
        settings = TableSettings(rated=form["rated"] == "yes", **read_clock(form))
        game = find_game(form["game"])
        table = await friends.challenge(person, number, game, requester_of(request, person), settings)
    except SparringError as problem:
        return await _friends_page(request, person, friends, **told(request, problem))
    return Redirect(f"/table/{table}", status_code=303)


@post("/friends/{number:str}/{what:str}")
async def change(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, number: FromPath[str], what: FromPath[str]
) -> Template | Redirect:
    """Accept or decline a request, or remove or block a friend."""
    return await _done(request, person, friends, friends.change(person, number, what), what)


@post("/challenges/{number:str}/{what:str}")
async def answer(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, number: FromPath[str], what: FromPath[str]
) -> Template | Redirect:
    """Accept a challenge and go to its table, or decline or withdraw it."""
    if what == "accept":
        return await _done(request, person, friends, friends.accept_challenge(person, number))
    return await _done(request, person, friends, friends.end_challenge(person, number), "ended")


@get("/friends/news")
async def news(person: CurrentPerson, friends: FriendsDep) -> Response[Any]:
    """Return what an open page polls: challenges and friend requests; nothing for a guest."""
    if not person.has_account:
        return Response({"challenges": [], "declined": [], "requests": []})
    found, names = await friends.news(person), titles()
    return Response({
        "challenges": [
            {
                "id": each.id,
                "words": f"{each.name} challenges you to {names.get(each.game, each.game)}. {terms_of(each)}",
            }
            for each in found.challenges
        ],
        "declined": [
            {"id": each.id, "words": f"{each.name} declined your challenge to {names.get(each.game, each.game)}."}
            for each in found.declined
        ],
        "requests": [{"id": each.id, "words": f"{each.name} wants to be your friend."} for each in found.requests],
    })  # fmt: skip


@get("/halves/{half_id:str}", opt=STRANGERS)
async def invitation(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]
) -> Template | Redirect:
    """Show the host that the invitation waits, and everyone else what they can bring; then redirect to the table."""
    try:
        return await _page(request, person, tables, half_id)
    except InvitationGone:
        if await tables.store.load(half_id):
            return Redirect(f"/table/{half_id}", status_code=303)
        raise


async def _page(request: AnyRequest, person: Person, tables: Tables, half_id: str, **more: Any) -> Template:
    row = await tables.halves.invitation(half_id, person)
    game = find_game(row.game)
    link = link_to(request, tables, f"/halves/{row.id}")
    return page(
        "half.html", request, person, row=row, game=game, mine=row.person == person.id, link=link,
        here_only=is_loopback(urlsplit(link).hostname or ""), qr_code=qr_code(link),
        halves=await tables.halves.offered(game, person), rules=game.describe_options(msgspec.json.decode(row.options)),
        settings=TableSettings.read(row.settings), days=tables.settings.keep_unused, **more,
    )  # fmt: skip


@post("/halves/{half_id:str}", opt=EVERYONE)
async def accept(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]
) -> Template | Redirect:
    """Bring the other half and start the match. A person without a name is a guest."""
    form = await request.form()
    try:
        name = str(form.get("name", "")).strip() or person.name
        player = with_name(person, name) if name else replace(with_id(person), name=GUEST_NAME)
        half = str(form.get("half", ""))[:40]
        table = await tables.halves.accept(half_id, player, half, requester_of(request, player))
    except InvitationGone:
        raise
    except SparringError as problem:
        return await _page(request, person, tables, half_id, **told(request, problem))
    return redirect_with_identity(request, player, f"/table/{table.id}")


@post("/halves/{half_id:str}/cancel")
async def cancel(person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]) -> Redirect:
    """Cancel one's own invitation."""
    try:
        await tables.halves.cancel(half_id, person)
    except InvitationGone:  # it may have become a table meanwhile
        return Redirect(f"/halves/{half_id}", status_code=303)
    return Redirect("/", status_code=303)
