"""Proposals that all players must agree to: a draw, a pause, a take-back; new deals.

A player may take back a choice that others have seen, if all other players agree.
They can ask until another player chooses, unless the choice led to a result, used chance or showed them something
hidden. So the player knows nothing more than before the choice; what the others saw of it, they know anyway. Rated
matches have no take-back requests.
"""

import asyncio
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from sparring.engine import chance
from sparring.engine.messages import say
from sparring.engine.views import Transition, View, view_of
from sparring.scene.moves import has_result
from sparring.scene.sentences import listed
from sparring.settings.secrets import random_id
from sparring.store.person import Person
from sparring.tables.state.changes import TableChange
from sparring.tables.state.clock_events import (
    MIN_CHOICES_FOR_DRAW,
    bot_agrees,
    check_playing,
    clock_change,
    is_running,
    waiting_for,
    with_due_time,
)
from sparring.tables.state.clock_state import MAX_FAILED_PROPOSALS, RETURN_TIME, Proposal, What
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.table import NotAllowed, Table, TableChanged
from sparring.tables.state.table_settings import IS_RANDOM

from .bot_turns import BotTurns
from .commits import TableCommits

#: The rule, for players.
RULE = (
    "You can ask to take back your last choice until another player chooses, unless it led to a result, used chance "
    "or showed you something hidden. All other players must agree."
)
#: Why a player can't propose something again.
TOO_OFTEN: dict[What, str] = {
    "draw": "You have already proposed a draw {n} times, the limit for one match.",
    "pause": "You have already proposed a pause {n} times, the limit for one match.",
    "take-back": "You have already proposed a take-back {n} times, the limit for one match.",
}
#: How many states that fit the player's view are tried before the others are asked, and before the button is offered.
#: If none of 64 states contradicts something, the player could be almost certain of it anyway. The button is drawn with
#: every event, where each state costs as much as the whole scene; a button too many is refused in a sentence.
WORLDS, QUICK_WORLDS = 64, 1


class Proposals:
    """What the players of a match decide together."""

    def __init__(self, commits: TableCommits, bots: BotTurns) -> None:
        self.commits = commits
        self.bots = bots

    async def propose(self, table: Table, person: Person, what: What) -> int:
        """Propose a draw, a pause or a take-back, which all others must accept; return the person's new version."""
        async with self.commits.locked(table):
            seat = check_playing(table, person)
            if table.clocks.proposal:
                raise NotAllowed(say("There is already an open proposal. Answer or withdraw it first."))
            if table.shown.paused:
                raise NotAllowed(say("The match is paused. Resume it first."))
            if not table.clocks.may_propose(what, seat):
                raise NotAllowed(say(TOO_OFTEN[what], n=MAX_FAILED_PROPOSALS))
            if what == "draw":
                _ask_bots(table)
            if what == "take-back" and not await asyncio.to_thread(steps_to_ask_for, table, seat):
                raise NotAllowed(
                    say("You can't take back a choice in a rated match." if table.settings.rated else RULE)
                )
            agreed = _shared_seats(table, person, seat)
            await self._resolve_proposal(table, Proposal(what, seat, agreed, id=random_id(6), since=table.now()))
            return table.feed(seat).version

    async def answer(self, table: Table, person: Person, agrees: bool, number: str) -> int:
        """Accept or decline the proposal with an id, or withdraw one's own; return the person's new version.

        Raise TableChanged if it is no longer open, whether or not another one has come in since.
        """
        async with self.commits.locked(table):
            seat = check_playing(table, person)
            proposal = table.clocks.proposal
            if proposal is None or proposal.id != number:
                raise TableChanged(say("This proposal is no longer open."))
            if not agrees:
                await self.commits.commit(table, clock_change(table, table.clocks.proposal_failed()))
                await self.bots.continue_match(table)
            elif seat != proposal.by and seat not in proposal.agreed:
                await self._resolve_proposal(
                    table, replace(proposal, agreed=(*proposal.agreed, seat, *_shared_seats(table, person, seat)))
                )
            return table.feed(seat).version

    async def go_on(self, table: Table, person: Person) -> int:
        """End a pause; return the person's new version of the table.

        Another player whose turn it is gets time to come back.
        """
        async with self.commits.locked(table):
            seat = check_playing(table, person)
            if not table.shown.paused:
                raise TableChanged(say("The match isn't paused."))
            since = table.now() + (0 if seat == table.shown.turn_seat else RETURN_TIME)
            await self.commits.commit(table, clock_change(table, replace(table.clocks, paused=False, since=since)))
            await self.bots.continue_match(table)
            return table.feed(seat).version

    async def new_deal(self, table: Table, person: Person) -> int:
        """Deal everything hidden at a table with a known deal again; return the person's new version of the table.

        Secret choices that are not revealed yet are taken back. The turn begins again, with a fresh clock.
        """
        async with self.commits.locked(table):
            seat = check_playing(table, person)
            if not table.known_deal:
                raise NotAllowed(say(IS_RANDOM))
            deal = await asyncio.to_thread(table.match.new_deal, table.transitions)
            undone = table.transitions[deal.after :]
            turn_seat = int(undone[0].before.player) + 1 if undone else table.shown.turn_seat
            kept = tuple(each for each in table.clocks.take_backs if each.left <= deal.after)
            timing = replace(table.clocks, proposal=None, take_backs=kept)
            timing = with_due_time(
                table, timing.turn_begun(table.settings, turn_seat, table.now()), table.ended, turn_seat
            )
            change = TableChange("taken back", left=deal.after, agreed=True, timing=timing, deal=deal, seats=(seat,))
            await self.commits.commit(table, change)
            await self.bots.continue_match(table)
            return table.feed(seat).version

    async def _resolve_proposal(self, table: Table, proposal: Proposal) -> None:
        """Carry out a proposal that everyone has agreed to; otherwise record who has agreed so far."""
        timing, turn_seat, ended = table.clocks, table.shown.turn_seat, None
        if waiting_for(table, proposal):
            timing = replace(timing, proposal=proposal)
        elif proposal.what == "take-back":
            await self._take_back(table, proposal.by)
            return
        elif proposal.what == "draw":
            timing, ended = replace(timing, proposal=None), replace(table.ended, how="draw")
        else:
            if is_running(table, timing, table.ended, turn_seat):
                timing = timing.stopped(turn_seat, table.now())
            timing = replace(timing, proposal=None, paused=True)
        await self.commits.commit(table, clock_change(table, timing, ended))

    async def _take_back(self, table: Table, seat: int) -> None:
        """Take back a seat's last choice, as all have agreed. Bots always agree."""
        steps = await asyncio.to_thread(steps_to_ask_for, table, seat)
        if not steps:  # something that the seat can't see has happened since it asked
            await self.commits.commit(table, clock_change(table, table.clocks.proposal_failed()))
            await self.bots.continue_match(table)
            raise TableChanged(say("This choice can't be taken back any more."))
        left = len(table.match.history) - steps
        timing = table.clocks.taken_back(table.settings, seat, table.shown.turn_seat, left, table.now())
        timing = with_due_time(table, timing, table.ended, seat)
        change = TableChange("taken back", left=left, agreed=True, timing=timing, seats=(seat,))
        await self.commits.commit(table, change)
        await self.bots.continue_match(table)


def _ask_bots(table: Table) -> None:
    """Raise NotAllowed unless every bot agrees to a draw."""
    stay = table.ended.staying(table.match.seats)
    against = [seat for seat in stay if table.players[seat - 1].bot and not bot_agrees(table, seat)]
    if against:
        names = listed([table.players[seat - 1].name for seat in against])
        raise NotAllowed(
            say(
                "{names} declined: a bot accepts a draw only when it isn't visibly ahead, and never in the first {n} "
                "choices.",
                names=names,
                n=MIN_CHOICES_FOR_DRAW * table.match.seats,
            )
        )


def _shared_seats(table: Table, person: Person, seat: int) -> tuple[int, ...]:
    """Return the other seats of a person, who agree too: people who share a screen talk to each other."""
    return tuple(other for other in table.seats_of(person) if other != seat)


def steps_to_ask_for(table: Table, seat: int, worlds: int = WORLDS, feed: PlayerFeed | None = None) -> int:
    """Return how many choices to undo for a seat that asks to take back its last one; 0 if it may not ask.

    This can take tens of milliseconds; hold the table's lock if it runs in a thread. With the seat's `feed`, what the
    seat saw isn't computed again.
    Later choices must be forced, or inside a moment that the seat can't see: no one can have learned anything from
    them, and the result doesn't tell the seat whether there were any. A new deal is never undone: its host would know
    the hidden cards again.
    """
    if table.shown.over or table.shown.paused or table.settings.rated or seat not in table.playing:
        return 0
    if seat == table.chooser and table.shown.may_take_back:
        return 0  # without asking
    for steps, transition in enumerate(reversed(table.transitions[table.match.last_deal :]), 1):
        if int(transition.before.player) + 1 == seat and not transition.forced_reason:
            return steps if _reveals_nothing(table, table.transitions[-steps:], seat, worlds, feed) else 0
        unseen = transition.after.moment == transition.before.moment and not table.match.beats(seat, transition)
        if not transition.forced_reason and not unseen:
            return 0
    return 0


def may_ask(table: Table, seat: int) -> bool:
    """Return whether to show a seat the button that asks for a take-back, as of the latest version that it sees.

    This is a quick check, once per version; `steps_to_ask_for` decides.
    """
    if table.clocks.proposal or not table.clocks.may_propose("take-back", seat):
        return False
    feed = table.feed(seat)
    return feed.once("may ask", lambda: bool(steps_to_ask_for(table, seat, QUICK_WORLDS, feed)))


def _reveals_nothing(
    table: Table, undone: Sequence[Transition], seat: int, worlds: int, feed: PlayerFeed | None
) -> bool:
    """Return whether choices decided nothing, used no chance, and showed a seat nothing hidden."""
    if (undone[0].before.rng != undone[-1].after.rng).any():
        return False
    if any(has_result(beat) for each in undone if each.marks for beat in table.match.beats(0, each)):
        return False
    first, setup = len(table.transitions) - len(undone), table.match.setup
    return all(
        _was_foreseeable(
            (feed and feed.view_after(number)) or view_of(setup, each.before, seat),
            (feed and feed.view_after(number + 1)) or view_of(setup, each.after, seat),
            each.action, worlds,
        )
        for number, each in enumerate(undone, first)
    )  # fmt: skip


def _was_foreseeable(before: View, after: View, action: int, worlds: int) -> bool:
    """Return whether a seat sees the same after an action, whatever is hidden from it.

    The rules play the action in `worlds` full states that fit the seat's view. Law 9 plays it in the view itself, which
    is exact, but after the end of a moment rules may read what is hidden there.
    """
    rules, params, seat = before.setup.game.rules, before.setup.params, before.seat
    view, seen = before.state, after.state.tobytes()
    if view.tobytes() == seen:
        return True
    g = np.zeros(4, np.int64)
    chance.seed(g, int(view.moment), chance.DETERMINIZATION)
    for _ in range(worlds):
        world = view.copy()
        rules.determinize(params, world, seat - 1, g)
        rules.step(params, world, action)
        rules.redact(params, world, seat - 1)
        if world.tobytes() != seen:
            return False
    return True
