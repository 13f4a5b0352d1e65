"""A table as one viewer sees it: the scene, and for programs its text, choices, log, clocks and players."""

import hashlib
from typing import Annotated, Any, Literal

import msgspec

from sparring.bots import title
from sparring.engine.messages import say
from sparring.engine.views import View
from sparring.scene import Prompt, replace
from sparring.tables.state.clock_events import shown_left
from sparring.tables.state.clock_state import What, reason_of
from sparring.tables.state.hint_state import HintGiven
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.players import Viewer
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings

from .match_results import change_sentences


def scene_at(table: Table, feed: PlayerFeed, view: View, *, latest: bool = True) -> Any:
    """Return the scene of a view. A superseded version has no prompt and is shown like a beat."""
    message = instead_of_prompt(table, feed.viewer) if latest and not view.beat else ""
    scene = feed.scene_of(view if latest and not message else view.past)
    return replace(scene, over=table.shown.over, prompt=Prompt(message)) if message else scene


def instead_of_prompt(table: Table, viewer: int) -> str:
    """Return the text in place of a prompt: a pause, an early ending, a lost seat; empty if there is none."""
    if table.shown.over:
        return table.ended.sentence(table.match, viewer)
    if table.shown.paused:
        return say("The match is paused.")
    if viewer and viewer == table.shown.turn_seat and viewer in table.ended.seats:
        left = next(left for left in table.ended.left if left.seat == viewer)
        return say("{reason}. A bot is playing on for you.", reason=reason_of(left, viewer))
    return ""


def position_id(table: Table) -> str:
    """Return an opaque name of the current position."""
    choices = repr((table.match.seed, table.match.start.deals, table.match.history)).encode()
    return hashlib.blake2b(choices, digest_size=12).hexdigest()


def hint_of(table: Table, viewer: int) -> HintGiven | None:
    """Return the hint that a viewer whose turn it is still sees."""
    given = table.hints.given
    valid = given and given.seat == viewer == table.chooser and given.place == position_id(table)
    return given if valid else None


class SeatPlayer(msgspec.Struct):
    """A seat and its player."""

    seat: Annotated[int, msgspec.Meta(description="The seat, from 1.")]
    name: Annotated[str, msgspec.Meta(description="The player's name; empty for an open seat.")]
    kind: Annotated[
        Literal["person", "bot", "program", "open"],
        msgspec.Meta(description="A person, a bot of this server, a person's program, or an open seat."),
    ]
    bot: Annotated[str, msgspec.Meta(description="The bot's name, or the program's owner.")] = ""
    you: Annotated[bool, msgspec.Meta(description="Whether it is your seat.")] = False


class PossibleChoice(msgspec.Struct):
    """A legal choice."""

    choice: Annotated[int, msgspec.Meta(description="The choice's number.")]
    words: Annotated[str, msgspec.Meta(description="The choice in words, which `choose` also accepts.")]
    concedes: Annotated[bool, msgspec.Meta(description="Whether it concedes the match.")] = False


class ClockView(msgspec.Struct):
    """Clocks, pause and proposals of a table."""

    left: Annotated[dict[int, float], msgspec.Meta(description="The remaining seconds of each timed seat.")]
    paused: Annotated[bool, msgspec.Meta(description="Whether the match is paused.")]
    proposed: Annotated[What | None, msgspec.Meta(description="The open proposal.")] = None
    by: Annotated[int, msgspec.Meta(description="The seat that made it.")] = 0
    proposal: Annotated[str, msgspec.Meta(description="Its id, which an answer must name.")] = ""
    gone: Annotated[dict[int, str], msgspec.Meta(description="Seats that have already lost, with the reason.")] = {}


class HintedChoice(msgspec.Struct):
    """A bot's estimate of one of your choices, given what your seat knows."""

    choice: Annotated[int, msgspec.Meta(description="The choice's number.")]
    words: Annotated[str, msgspec.Meta(description="The choice in words.")]
    value: Annotated[float | None, msgspec.Meta(description="The win probability or payoff; null: not tried.")]
    low: Annotated[float, msgspec.Meta(description="The lower end of the 95% interval.")]
    high: Annotated[float, msgspec.Meta(description="The upper end of the interval.")]


class TableView(msgspec.Struct):
    """A table as you see it."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    options: Annotated[dict[str, str | int], msgspec.Meta(description="The values of all options.")]
    settings: Annotated[
        TableSettings, msgspec.Meta(description="Table settings: clocks, absent players, visibility, chat.")
    ]
    known_deal: Annotated[
        bool, msgspec.Meta(description="Whether the host chose the deal or may know hidden cards; see `new-deal`.")
    ]
    version: Annotated[int, msgspec.Meta(description="The version you see; choices must name it.")]
    seat: Annotated[int, msgspec.Meta(description="Your seat, from 1; 0: you are a spectator, or hands are hidden.")]
    mine: Annotated[list[int], msgspec.Meta(description="All your seats; on a shared screen, one is active at a time.")]
    is_turn: Annotated[bool, msgspec.Meta(description="Whether it is your turn to choose.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    winners: Annotated[list[int], msgspec.Meta(description="The winners once the match is over; empty after a draw.")]
    may_take_back: Annotated[bool, msgspec.Meta(description="Whether you can take back your last choice.")]
    next: Annotated[str, msgspec.Meta(description="The table of the rematch; empty: none yet.")]
    seats: list[SeatPlayer]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    time: Annotated[ClockView, msgspec.Meta(description="Clocks and proposals.")]
    choices: Annotated[list[PossibleChoice], msgspec.Meta(description="Your legal choices.")]
    log: Annotated[list[str], msgspec.Meta(description="The log you see, sentence by sentence.")]
    hint: Annotated[list[HintedChoice], msgspec.Meta(description="Your current hint, best choice first; empty: none.")]
    hint_reason: Annotated[
        str, msgspec.Meta(description="What the hint's best choice leads to, in one sentence; empty: unknown.")
    ]
    hints_taken: Annotated[list[int], msgspec.Meta(description="The seats that have asked for hints.")]
    ratings: Annotated[list[str], msgspec.Meta(description="How a finished rated match changed the ratings.")]


def table_view(table: Table, feed: PlayerFeed, viewer: Viewer) -> TableView:
    """Return a table as a viewer sees it."""
    view, shown, seat, given = feed.view, table.shown, feed.viewer, hint_of(table, feed.viewer)
    is_turn = bool(seat) and seat == table.chooser
    return TableView(
        table=table.id, game=table.match.game.name, options=table.match.setup.options, settings=table.settings,
        known_deal=table.known_deal,
        version=feed.version, seat=seat, mine=list(viewer.seats), is_turn=is_turn, over=shown.over,
        winners=list(table.ended.winners(table.match)) if shown.over else [],
        may_take_back=is_turn and shown.may_take_back, next=table.next or "",
        seats=[seat_player(table, number, viewer) for number in range(1, len(table.players) + 1)],
        scene=str(scene_at(table, feed, view)), choices=legal_choices(view) if is_turn else [], time=clock_view(table),
        log=[*map(str, feed.logged())], hint=hinted_choices(table, seat),
        hint_reason=given.reason if given else "",
        hints_taken=sorted({taken.seat for taken in table.hints.taken}), ratings=change_sentences(table, seat),
    )  # fmt: skip


def hinted_choices(table: Table, seat: int) -> list[HintedChoice]:
    """Return a seat's current hint."""
    given = hint_of(table, seat)
    return (
        [HintedChoice(choice.action, choice.words, choice.value, choice.low, choice.high) for choice in given.promises]
        if given
        else []
    )


def clock_view(table: Table) -> ClockView:
    """Return a table's clocks and proposals."""
    proposal = table.clocks.proposal
    return ClockView(
        {seat: left / 1000 for seat, left in shown_left(table).items()}, table.clocks.paused,
        proposal.what if proposal else None, proposal.by if proposal else 0,
        proposal.id if proposal else "", {left.seat: left.why for left in table.ended.left},
    )  # fmt: skip


def legal_choices(view: View) -> list[PossibleChoice]:
    """Return the legal choices of a view."""
    conceding = view.setup.game.conceding
    return [PossibleChoice(action, words, action in conceding) for action, words in view.choices]


def seat_player(table: Table, seat: int, viewer: Viewer) -> SeatPlayer:
    """Return a seat's player, as the viewer sees it."""
    player, own = table.players_seen_by(viewer)[seat - 1], seat == viewer.seat
    if player.bot_of:
        return SeatPlayer(seat, player.name, "program", f"bot of {player.bot_of}", own)
    if player.bot:
        return SeatPlayer(seat, player.name, "bot", title(player.bot, table.match.setup, len(table.players)))
    return SeatPlayer(seat, player.name, "open" if player.open else "person", "", own)
