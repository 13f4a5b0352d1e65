"""Friend endpoints: requests, blocks, who is online, and challenges."""

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from sparring.engine.game import game as find_game
from sparring.server.requests.identity import (
    EVERYONE,
    AnyRequest,
    CurrentPerson,
    FriendsDep,
    invite_link,
    requester_of,
)
from sparring.store.friends import Connected
from sparring.store.invitations import ChallengeLine
from sparring.store.person import Person
from sparring.tables.actions import OpenedTable
from sparring.tables.friends import is_online

from .responses import ApiDone, Id, endpoint

REFUSALS = (404, 409, 413, 422)


class FriendView(msgspec.Struct):
    """A friend, a request or a blocked player."""

    id: Annotated[str, msgspec.Meta(description="The id of this entry, for the other endpoints.")]
    name: Annotated[str, msgspec.Meta(description="The display name; for a request you sent, what you entered.")]
    state: Annotated[
        Connected,
        msgspec.Meta(
            description="`friend`; `pending`: you sent a request; `incoming`: they sent you one; or `blocked`."
        ),
    ]
    online: Annotated[bool, msgspec.Meta(description="Whether this friend is online and lets you see it.")] = False


class FriendList(msgspec.Struct):
    """Your friends."""

    friends: list[FriendView]
    shown: Annotated[bool, msgspec.Meta(description="Whether your friends see when you are online.")]


class FriendRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A request to be friends."""

    name: Annotated[str, msgspec.Meta(max_length=200, description="The other person's sign-in name.")]


class FriendChange(msgspec.Struct, forbid_unknown_fields=True):
    """What to do with an entry of your list."""

    do: Annotated[
        Literal["accept", "decline", "remove", "block"],
        msgspec.Meta(description="`remove` also withdraws your request, and unblocks."),
    ]


class OnlineVisibility(msgspec.Struct, forbid_unknown_fields=True):
    """Whether you show that you are online."""

    shown: Annotated[bool, msgspec.Meta(description="Whether your friends see when you are online.")]


class ChallengeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A challenge to a friend."""

    game: Annotated[str, msgspec.Meta(max_length=64, description="The game's name.")]


class ChallengeView(msgspec.Struct):
    """A challenge that waits for an answer."""

    id: Annotated[str, msgspec.Meta(description="The id of the challenge.")]
    name: Annotated[str, msgspec.Meta(description="The friend's display name.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    sent: Annotated[bool, msgspec.Meta(description="Whether you sent it.")]
    declined: Annotated[bool, msgspec.Meta(description="Whether the friend declined it.")] = False


@get("/me/friends", **endpoint("look", "Your friends"))
async def my_friends(person: CurrentPerson, friends: FriendsDep) -> FriendList:
    """Return your friends, requests and blocked players. This needs an account."""
    await friends.check_account(person)
    lines = [FriendView(line.id, line.name, line.state, is_online(line)) for line in await friends.of(person)]
    return FriendList(lines, not await friends.store.hides(person.id))


@post("/me/friends", **endpoint("chat", "Send a friend request", *REFUSALS), status_code=200)
async def ask(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, data: JSONBody[FriendRequest]
) -> ApiDone:
    """Send a friend request to a sign-in name. The response doesn't reveal whether anyone has that name."""
    await friends.ask(person, data.name, requester_of(request, person))
    return ApiDone()


@post("/me/friends/{number:str}", **endpoint("chat", "Answer a request, remove or block", *REFUSALS), status_code=200)
async def change(person: CurrentPerson, friends: FriendsDep, number: Id, data: JSONBody[FriendChange]) -> ApiDone:
    """Accept or decline a request, remove a friend, or block a player. The other person isn't told."""
    await friends.change(person, number, data.do)
    return ApiDone()


@post("/me/online", **endpoint("chat", "Show or hide online status", *REFUSALS), status_code=200)
async def online(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, data: JSONBody[OnlineVisibility]
) -> ApiDone:
    """Set whether your friends see when you are online."""
    await friends.hide(person, requester_of(request, person), hidden=not data.shown)
    return ApiDone()


@post("/me/friends/{number:str}/challenge", **endpoint("tables", "Challenge a friend", *REFUSALS, newcomers=EVERYONE),
      status_code=200)  # fmt: skip
async def challenge(
    request: AnyRequest, person: CurrentPerson, friends: FriendsDep, number: Id, data: JSONBody[ChallengeRequest]
) -> OpenedTable:
    """Challenge a friend to a game with its recommended rules. The table waits for them with an open seat."""
    table = await friends.challenge(person, number, find_game(data.game), requester_of(request, person))
    return OpenedTable(table, invite_link(request, friends.tables, table))


@get("/me/challenges", **endpoint("look", "Your challenges"))
async def challenges(person: CurrentPerson, friends: FriendsDep) -> list[ChallengeView]:
    """Return the challenges that you received and sent."""
    await friends.check_account(person)
    return [*await _challenges(friends, person, sent=False), *await _challenges(friends, person, sent=True)]


async def _challenges(friends: FriendsDep, person: Person, *, sent: bool) -> list[ChallengeView]:
    found: list[ChallengeLine] = await friends.challenges.of(person.id, sent=sent)
    return [ChallengeView(each.id, each.name, each.game, sent, each.declined) for each in found]


@post("/me/challenges/{number:str}/accept", **endpoint("play", "Accept a challenge", *REFUSALS), status_code=200)
async def accept(request: AnyRequest, person: CurrentPerson, friends: FriendsDep, number: Id) -> OpenedTable:
    """Take a seat at the table of a challenge."""
    table = await friends.accept_challenge(person, number)
    return OpenedTable(table, invite_link(request, friends.tables, table))


@post("/me/challenges/{number:str}/end", **endpoint("play", "Decline a challenge", *REFUSALS), status_code=200)
async def end(person: CurrentPerson, friends: FriendsDep, number: Id) -> ApiDone:
    """Decline a challenge, or withdraw your own. The table stays, with an open seat."""
    await friends.end_challenge(person, number)
    return ApiDone()
