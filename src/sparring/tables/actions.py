"""The actions at a table: one function and one line of `TABLE_ACTIONS` each, for forms and for programs.

`site/pages/table_forms.py` mounts their forms, and `server/api/table_routes.py` their endpoints, whose reference text
is the function's docstring. Limits are in the services, which check other things first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec

from sparring.people.api_tokens import Tokens
from sparring.people.identity import GUEST_NAME, with_name
from sparring.people.rate_limits import Requester
from sparring.settings.requests import Action
from sparring.store.person import Person

from .action_requests import (
    AnswerRequest,
    AskPlayerRequest,
    CaptionRequest,
    ChatLineRequest,
    ChooseRequest,
    ForfeitRequest,
    GiveSeatRequest,
    ProposeRequest,
    SayRequest,
    ScreenRequest,
    SeenVersion,
    SitRequest,
    UnmuteRequest,
)
from .friends import Friends
from .play.table_view import TableView, table_view
from .state.players import MINE
from .state.table import NotAllowed, Table, check_identity
from .tables import Tables


@dataclass(frozen=True)
class AtTable:
    """A person at a table, and the services that carry out what they do."""

    tables: Tables
    tokens: Tokens
    friends: Friends
    table: Table
    person: Person
    requester: Requester
    #: Returns the invite link of a table.
    link: Callable[[str], str]


class ChoiceAccepted(msgspec.Struct):
    """A choice was carried out and stored."""

    version: Annotated[int, msgspec.Meta(description="The version of the table that you see now.")]
    accepted: bool = True


class OpenedTable(msgspec.Struct):
    """A new table."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    link: Annotated[str, msgspec.Meta(description="The invite link.")]


async def choose(at: AtTable, data: ChooseRequest) -> ChoiceAccepted:
    """Make a choice, or several of one turn, separated by semicolons. The response means that they are stored.

    After an error nothing has changed, except for choices that revealed something; the error then says so.
    """
    return ChoiceAccepted(await at.tables.choices.choose(at.table, at.person, data.version, data.choice))


async def take_back(at: AtTable, data: SeenVersion) -> ChoiceAccepted:
    """Undo your last choice, if it hasn't revealed anything yet."""
    return ChoiceAccepted(await at.tables.choices.take_back(at.table, at.person, data.version))


async def hint(at: AtTable, data: SeenVersion) -> ChoiceAccepted:
    """Get a bot's estimates of your choices, given what your seat knows. Everyone at the table sees that you asked."""
    return ChoiceAccepted(await at.tables.hints.take(at.table, at.person, data.version, at.requester))


async def screen(at: AtTable, data: ScreenRequest) -> ChoiceAccepted:
    """Choose which of your seats sees the table; 0 hides all hands."""
    await at.tables.seating.hand_screen(at.table, at.person, data.seat)
    return ChoiceAccepted((await at.table.catch_up(at.table.seat_of(at.person))).version)


async def forfeit(at: AtTable, data: ForfeitRequest) -> ChoiceAccepted:
    """Forfeit as soon as the game allows it, or cancel that."""
    await at.tables.choices.forfeit(at.table, at.person, data.forfeit)
    return ChoiceAccepted(at.table.feed(at.table.seat_of(at.person)).version)


async def again(at: AtTable) -> OpenedTable:
    """Take part in the rematch of a finished match, each player moved along one seat, except with their own halves.

    The first call creates it. Seats are kept for the other players, who haven't agreed yet.
    """
    rematch = await at.tables.creation.rematch(at.table, at.person, at.requester)
    return OpenedTable(rematch, at.link(rematch))


async def give_up(at: AtTable) -> ChoiceAccepted:
    """Lose the match at once. A single opponent wins; several play on, and a bot takes your seat."""
    return ChoiceAccepted(await at.tables.clocks.give_up(at.table, at.person))


async def propose(at: AtTable, data: ProposeRequest) -> ChoiceAccepted:
    """Propose a draw, a pause or a take-back, which needs all players to agree.

    You can ask to take back your last choice until another player chooses, unless it ended in a result, used chance or
    showed you something hidden. Bots agree. A proposal lapses when a player who hasn't agreed ends a turn, and a
    take-back with the next choice. If it is a bot's turn, the bot waits a minute for the answers, then plays on.
    """
    return ChoiceAccepted(await at.tables.proposals.propose(at.table, at.person, data.what))


async def answer(at: AtTable, data: AnswerRequest) -> ChoiceAccepted:
    """Accept or decline another player's proposal, or withdraw your own.

    If that proposal is no longer open, nothing changes, even if there is another one by now.
    """
    return ChoiceAccepted(await at.tables.proposals.answer(at.table, at.person, data.agree, data.proposal))


async def go_on(at: AtTable) -> ChoiceAccepted:
    """End a pause. If it is another player's turn, they have a minute to return before their clock runs."""
    return ChoiceAccepted(await at.tables.proposals.go_on(at.table, at.person))


async def new_deal(at: AtTable) -> ChoiceAccepted:
    """Deal decks, hands and cards played face down again, once, at a table with a `known_deal`.

    Secret choices that are not revealed yet are taken back.
    """
    return ChoiceAccepted(await at.tables.proposals.new_deal(at.table, at.person))


async def sit(at: AtTable, data: SitRequest) -> TableView:
    """Take an open seat, or give it to your bot or a friend on your screen."""
    check_identity(at.person, "take a seat")
    if data.program:
        await _seat_own(at, data.seat, data.program)
    elif data.local_player:
        await at.tables.seating.sit_on_shared_screen(at.table, data.seat, at.person, data.local_player)
    else:
        player = with_name(at.person, data.name) if data.name else at.person
        try:
            await at.tables.seating.sit(at.table, data.seat, replace(player, name=player.name or GUEST_NAME))
        except NotAllowed:
            if not at.person.once or at.table.seats_of(player) != (data.seat,):  # else it is repeated
                raise
    return await _view(at)


async def seats(at: AtTable, data: GiveSeatRequest) -> TableView:
    """As the host, add a bot to a seat, or remove it."""
    if data.bot.startswith(MINE):
        await _seat_own(at, data.seat, data.bot.removeprefix(MINE))
    elif data.bot:
        await at.tables.seating.seat_bot(at.table, data.seat, at.person, data.bot)
    else:
        await at.tables.seating.open_seat(at.table, data.seat, at.person)
    return await _view(at)


async def _seat_own(at: AtTable, seat: int, name: str) -> None:
    await at.tables.seating.sit(at.table, seat, await at.tokens.bot(at.person, name))


async def _view(at: AtTable) -> TableView:
    viewer = at.table.viewer_of(at.person)
    return table_view(at.table, await at.table.catch_up(viewer.seat), viewer)


async def ask_player(at: AtTable, data: AskPlayerRequest) -> None:
    """Send a friend request to another player at your table. The response doesn't tell whether they have an account."""
    await at.friends.ask_player(at.person, at.table, data.seat, at.requester)


async def say(at: AtTable, data: SayRequest) -> None:
    """Post a preset phrase, or free text if the table allows it."""
    await at.tables.chat.post(at.table, at.person, at.requester, word=data.word, text=data.text, seat=data.seat)


async def caption(at: AtTable, data: CaptionRequest) -> None:
    """Describe your move in the current exchange, once, in games that name moves: as free text or in parts."""
    await at.tables.chat.caption(at.table, at.person, at.requester, text=data.text, parts=data.parts, seat=data.seat)


async def applaud(at: AtTable, data: ChatLineRequest) -> None:
    """Applaud another player's move description."""
    await at.tables.chat.applaud(at.table, at.person, at.requester, data.line)


async def mute(at: AtTable, data: ChatLineRequest) -> None:
    """Mute the author of a line, at all tables."""
    await at.tables.chat.mute(at.table, at.person, at.requester, data.line)


async def unmute(at: AtTable, data: UnmuteRequest) -> None:
    """Unmute a person by the mute's id."""
    await at.tables.chat.unmute(at.person, data.mute, at.table)


async def report(at: AtTable, data: ChatLineRequest) -> None:
    """Report a message to the server's moderators, with its text, author and table."""
    await at.tables.chat.report(at.table, at.person, at.requester, data.line)


TABLE_ACTIONS = [
    Action("choose", choose, "play", "Make a choice", "tables"),
    Action("take-back", take_back, "play", "Take back a choice", "tables"),
    Action("hint", hint, "play", "Get a hint", "tables"),
    Action("screen", screen, "play", "Switch seats on a shared screen", "tables"),
    Action("forfeit", forfeit, "play", "Forfeit", "tables"),
    Action("again", again, "play", "Take part in the rematch", "tables"),
    Action("give-up", give_up, "play", "Give up", "tables"),
    Action("propose", propose, "play", "Propose a draw, a pause or a take-back", "tables"),
    Action("answer", answer, "play", "Answer a proposal", "tables"),
    Action("go-on", go_on, "play", "Resume a match", "tables"),
    Action("new-deal", new_deal, "play", "Deal everything hidden again", "tables"),
    Action("sit", sit, "play", "Take a seat", "tables", newcomers="unseated"),
    Action("seats", seats, "play", "Add or remove a bot", "tables"),
    Action("friend", ask_player, "chat", "Send a friend request to a player", "you"),
    Action("chat", say, "chat", "Post to chat", "chat"),
    Action("caption", caption, "chat", "Describe your move", "chat"),
    Action("applaud", applaud, "chat", "Applaud a description", "chat"),
    Action("mute", mute, "chat", "Mute a person", "chat"),
    Action("unmute", unmute, "chat", "Unmute a person", "chat"),
    Action("report", report, "chat", "Report a message", "chat"),
]


async def carry_out(action: Action, at: AtTable, *data: Any) -> Any:
    """Do an action at a table, again if other processes change the table meanwhile.

    A choice needs no comparison of the table with the database first: its write shows if the table is an old one.
    """

    async def do(table: Table) -> Any:
        return await action.do(replace(at, table=table), *data)

    compared = action.do is not choose
    table = await at.tables.registry.get(at.table.id) if compared else at.table
    return await at.tables.commits.retrying(table, do, compared=compared)
