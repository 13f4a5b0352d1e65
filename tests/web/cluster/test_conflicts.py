"""Two processes act at one table at the same moment: what the second one wrote against is checked again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.settings import Settings
from sparring.store.database import Database
from sparring.store.person import Person
from sparring.store.schema import TableRow
from sparring.tables.action_requests import ChooseRequest
from sparring.tables.actions import TABLE_ACTIONS, AtTable, carry_out
from sparring.tables.state.clock_events import after_absence, clock_change
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table, TableChanged, WriteConflict
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables
from web.app_server import RandomBots, settings
from web.cluster.test_several_processes import share_sqlite

ANNA, BEN = PEOPLE = Person("Anna", "Anna"), Person("Ben", "Ben")


def at_two(**more: Any) -> Callable[[Callable[[Tables, Tables, Table, Table], Awaitable[None]]], Callable[..., None]]:
    """Make a test of two processes, which have a table of Anna and Ben with these settings in memory."""

    def make(play: Callable[[Tables, Tables, Table, Table], Awaitable[None]]) -> Callable[..., None]:
        async def both(common: Settings) -> None:
            one, two = (Tables(common, Database(common.database), RandomBots()) for _ in range(2))
            players = [Player(who.id, who.name) for who in PEOPLE]
            table = await one.creation.create(game("make-your-moves"), players, seed=1, settings=TableSettings(**more))
            await play(one, two, table, await two.registry.get(table.id))
            for tables in (one, two):
                await tables.close()
                await tables.store.close()

        def test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
            share_sqlite(monkeypatch)
            asyncio.run(both(settings(tmp_path)))

        return test

    return make


@at_two()
async def test_players_who_want_a_rematch_at_once_get_one(one: Tables, two: Tables, here: Table, there: Table) -> None:
    await one.clocks.give_up(here, ANNA)
    there = await two.registry.get(here.id)
    first, second = await asyncio.gather(
        one.commits.retrying(here, lambda now: one.creation.rematch(now, ANNA, Requester("Anna"))),
        two.commits.retrying(there, lambda now: two.creation.rematch(now, BEN, Requester("Ben"))),
    )
    assert first == second
    assert await one.store.count(TableRow) == 2
    assert {player.person for player in (await two.registry.get(first)).players} == {"Anna", "Ben"}


@at_two()
async def test_both_players_sit_if_one_creates_the_rematch_and_the_other_links_it(
    one: Tables, two: Tables, here: Table, there: Table
) -> None:
    await one.clocks.give_up(here, ANNA)
    there, create, invited = await two.registry.get(here.id), one.creation.create, list[str]()

    async def invite(people: Sequence[str], *_: object) -> None:
        invited.extend(people)

    async def create_and_wait(*given: Any, **more: Any) -> Table:
        created = await create(*given, **more)
        await two.commits.retrying(there, lambda now: two.creation.rematch(now, BEN, Requester("Ben")))
        return created

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one.creation, "create", create_and_wait)
        patch.setattr(two.registry.outgoing, "invite", invite)
        rematch = await one.commits.retrying(here, lambda now: one.creation.rematch(now, ANNA, Requester("Anna")))
    assert {player.person for player in (await two.registry.get(rematch)).players} == {"Anna", "Ben"}
    assert invited == [], "Anna has asked for it, and Ben doesn't invite himself"


@at_two(away=60)
async def test_a_bot_does_not_choose_for_a_person_who_is_back(
    one: Tables, two: Tables, here: Table, there: Table
) -> None:
    for seat in (1, 2):
        await one.clocks.arrive(here, seat)
    seat = here.shown.turn_seat
    async with one.commits.locked(here):
        await one.commits.commit(here, clock_change(here, after_absence(here, seat, here.now())))
    there = await two.registry.get(here.id)
    assert there.bot
    await one.clocks.arrive(here, seat)
    async with two.commits.locked(there):
        with pytest.raises(WriteConflict):
            await two.commits.commit(there, there.choice(there.match.legal()[0]))
    assert (there.bot, there.match.history) == ("", [])


@at_two()
async def test_a_tap_that_another_process_interrupts_says_what_was_made(
    one: Tables, two: Tables, here: Table, there: Table
) -> None:
    seat, commit = here.shown.turn_seat, one.commits.commit
    who, other = PEOPLE[seat - 1], PEOPLE[2 - seat]

    async def interrupted(table: Table, change: Any, *rest: Any) -> None:
        await commit(table, change, *rest)
        patch.undo()
        there = await two.registry.get(here.id)
        await two.proposals.propose(there, other, "pause")
        await two.proposals.answer(there, who, True, there.clocks.proposal.id)  # type: ignore[union-attr]

    first = here.match.clone()
    first.choose(action := first.legal()[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one.commits, "commit", interrupted)
        with pytest.raises(TableChanged, match="only your first choices were made"):
            async with one.commits.locked(here):
                await one.choices._commit_all(here, [action, first.legal()[0]], more=False)
    assert here.match.history == [action]
    assert here.shown.paused


@at_two()
async def test_a_process_that_is_behind_catches_up_before_it_refuses_a_choice(
    one: Tables, two: Tables, here: Table, there: Table
) -> None:
    async def choose(tables: Tables, table: Table, version: int) -> int:
        seat = here.shown.turn_seat
        at: Any = AtTable(tables, None, None, table, PEOPLE[seat - 1], Requester(""), str)  # type: ignore[arg-type]
        made = await carry_out(TABLE_ACTIONS[0], at, ChooseRequest(version, here.match.legal()[0]))
        return int(made.version)

    first = here.shown.turn_seat
    while here.shown.turn_seat == first:
        seen = await choose(one, here, here.feed(first).version)
    assert there.match.history == []
    await choose(two, there, here.feed(here.shown.turn_seat).version)
    await one.registry.refresh([here.id])
    assert there.match.history == here.match.history
    with pytest.raises(TableChanged, match="changed"):
        await choose(two, there, seen - 1)


@at_two(minutes=5)
async def test_a_choice_counts_that_waited_while_its_process_caught_up_a_little(
    one: Tables, two: Tables, here: Table, there: Table
) -> None:
    seat = here.shown.turn_seat
    await one.clocks.arrive(here, seat)
    older = await two.registry.changes.after(here.id, there.row_version)
    await one.clocks.arrive(here, 3 - seat)  # all are here now, and the player sees it at the other process
    at: Any = AtTable(two, None, None, there, PEOPLE[seat - 1], Requester(""), str)  # type: ignore[arg-type]
    request = ChooseRequest(here.feed(seat).version, here.match.legal()[0])
    async with there.lock:
        choosing = asyncio.create_task(carry_out(TABLE_ACTIONS[0], at, request))
        await asyncio.sleep(0.05)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(two.registry.changes, "after", lambda *_: asyncio.sleep(0, older))
            await two.registry.catch_up(there, 1)
    await choosing
    assert there.match.history == [request.choice]
