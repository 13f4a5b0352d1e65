"""Set balance: measured only while viewed, in turns, and visible only to those who may see the set."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

import msgspec
import pytest

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.lab.experiments.set_balance import Estimate, ItemBalance, SetBalance
from sparring.people.fair_queue import Who
from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.database import Database
from sparring.store.processes import SharedStates
from sparring.studio.jobs import balance_panel
from sparring.studio.jobs.job_messages import BOTS, REPORT_BOT, Measure, MeasuringStep, SetContent
from sparring.studio.jobs.job_service import StudioJobs
from sparring.studio.jobs.measuring import MeasuredSet, SetMeasuring, SetMeasurings
from web.app_server import AppServer, Client, StartServer, stream_blocks
from web.studio.sets import change, create_set, put, share_link
from wording import says

#: People at two addresses.
ANNA, BEN, DORA, EVE = [("home", name) for name in ("Anna", "Ben", "Dora", "Eve")]
CLEO = ("elsewhere", "Cleo")
A, B = SetContent("high-card", "values = [1]"), SetContent("high-card", "values = [2]")


def result(bot: str = REPORT_BOT, matches: int = 100, reach: float = 0.05) -> SetBalance:
    """Return a result: half of the seats with a Jab win, and no one plays a Feint."""
    even = Estimate(0.5, 0.5 - reach, 0.5 + reach)
    items = [
        ItemBalance("card", "Jab", 0.5, 0.25, Estimate(0.6, 0.6 - reach, 0.6 + reach), even),
        ItemBalance("card", "Hook", 0.5, 0.25, even, even),
        ItemBalance("card", "Feint", 0.5, 0.0, Estimate(0.4, 0.4 - reach, 0.4 + reach), None),
    ]
    long = Estimate(12.0, 11.9, 12.1)
    return SetBalance(bot, matches, [even, even], Estimate(0.0, 0.0, 0.01), long, long, items, reach < 0.02)


class FakeProcesses:
    """Processes that play nothing and finish after three steps; they can wait, or lack compiled code."""

    def __init__(self) -> None:
        self.steps: list[tuple[Measure, Who]] = []
        self.machine_code = True
        self.go = asyncio.Event()
        self.go.set()

    async def measure(self, order: Measure, who: Who, wanted: Callable[[], bool]) -> MeasuringStep:
        await self.go.wait()
        if not wanted():
            return MeasuringStep()
        self.steps.append((order, who))
        await asyncio.sleep(0)
        many = sum(step.content == order.content and step.bot == order.bot for step, _ in self.steps)
        return MeasuringStep(result(order.bot, 100 * many), enough=many >= 3)

    def is_compiled(self, game: str, bot: str) -> bool:
        return self.machine_code

    async def compiled(self, game: str, bot: str) -> bool:
        return self.machine_code


async def wait_until(done: Callable[[], bool]) -> None:
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0)
    raise AssertionError("the condition never became true")


def with_measurings(work: Callable[[SetMeasurings, FakeProcesses], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Make a test of measurings on such processes."""

    async def run() -> None:
        hands, database = FakeProcesses(), Database("sqlite+aiosqlite:///unopened.sqlite3")
        measurings = SetMeasurings(hands, Limits(measured_each=2, measured=3), SharedStates(database, "", MeasuredSet))
        await work(measurings, hands)
        await measurings.close()

    def test() -> None:
        asyncio.run(run())

    return test


@with_measurings
async def test_each_bot_is_measured_until_precise_enough(measurings: SetMeasurings, hands: FakeProcesses) -> None:
    with measurings.watch(ANNA, "set", A) as watch:
        await wait_until(lambda: watch.measuring.is_done)
    assert [order.bot for order, _ in hands.steps] == [bot for bot in BOTS for _ in range(3)]
    with measurings.watch(ANNA, "set", A) as watch:
        assert watch.measuring.is_done, "the result is cached"
    assert len(hands.steps) == 6


@with_measurings
async def test_measuring_stops_without_viewers(measurings: SetMeasurings, hands: FakeProcesses) -> None:
    hands.go.clear()
    with measurings.watch(ANNA, "set", A):
        await asyncio.sleep(0)
    hands.go.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert hands.steps == []


@with_measurings
async def test_a_newer_version_replaces_an_older_measurement(measurings: SetMeasurings, hands: FakeProcesses) -> None:
    hands.go.clear()
    with measurings.watch(ANNA, "set", A) as old, measurings.watch(ANNA, "set", B) as new:
        assert old.is_over
        assert not new.is_over
        hands.go.set()
        await wait_until(lambda: new.measuring.is_done)
    assert all(order.content == B for order, _ in hands.steps)


@with_measurings
async def test_two_windows_on_the_same_set_see_the_same_measurement(
    measurings: SetMeasurings, hands: FakeProcesses
) -> None:
    with measurings.watch(ANNA, "set", A) as one, measurings.watch(ANNA, "set", A) as other:
        assert one.measuring is other.measuring
        assert not one.is_over
        await wait_until(lambda: one.measuring.is_done)
    assert len(hands.steps) == 6


@with_measurings
async def test_measurements_per_person_are_limited(measurings: SetMeasurings, hands: FakeProcesses) -> None:
    with measurings.watch(ANNA, "1", A) as first, measurings.watch(ANNA, "2", B) as newest:
        with pytest.raises(TooMany, match="2 of your sets are being measured"), measurings.watch(ANNA, "3", A):
            pass
        with measurings.watch(BEN, "4", A) as other, measurings.watch(DORA, "5", A) as third:
            assert newest.is_over, "of the people at an address, the one with the most sets makes room"
            with pytest.raises(TooMany, match="busy measuring"), measurings.watch(EVE, "6", A):
                pass
            measurings.check_room(ANNA, "1")
            with measurings.watch(CLEO, "7", A):
                assert third.is_over, "the newest at the largest address makes room for other addresses"
                assert [watch.is_over for watch in (first, other)] == [False, False]


@with_measurings
async def test_without_compiled_code_only_random_bots_are_measured(
    measurings: SetMeasurings, hands: FakeProcesses
) -> None:
    hands.machine_code = False
    with measurings.watch(ANNA, "set", A) as watch:
        await wait_until(lambda: watch.measuring.is_done)
    assert {(order.bot, order.compiled) for order, _ in hands.steps} == {(REPORT_BOT, False)}
    assert "Not measured" not in balance_panel.panel_html(watch.measuring, ())


@with_measurings
async def test_figures_of_compiled_bots_are_shown_once_they_are_as_precise(
    measurings: SetMeasurings, hands: FakeProcesses
) -> None:
    measuring = measurings._of(A)
    measuring.balances[REPORT_BOT] = result(matches=10_000)
    with measurings.watch(ANNA, "set", A) as watch:
        await wait_until(lambda: watch.measuring.is_done)
    assert measuring.balances[REPORT_BOT].matches == 10_000, "the interval never widens"


# Results


def known(*worths: SetBalance) -> SetMeasuring:
    measuring = SetMeasuring(A)
    measuring.balances = {one.bot: one for one in worths}
    return measuring


def test_nothing_is_reported_before_the_first_results() -> None:
    told = balance_panel.panel_html(known(), {"jab"})
    assert "Not measured yet." in told
    assert "%" not in told


def test_a_card_is_compared_with_the_median_card_per_bot() -> None:
    told = unescape(balance_panel.panel_html(known(result(), result("search:iterations=50", reach=0.2)), {"jab"}))
    assert "60.0% ± 5.0" in told
    assert says(told, "<b>Jab</b>, random bots against each other: seats that draw it win 60.0% ± 5.0",
                "10.0 points more than an even share (50.0%)",
                "10.0 points more than the median card (50.0%)")  # fmt: skip
    assert says(told, "search bots (50 iterations per choice) against each other",
                "60.0% ± 20.0, not yet distinguishable from an even share")  # fmt: skip
    assert '<th scope="col">played' in told
    assert "Win rates of search bots (50 iterations per choice)" in told
    assert "Never played by random bots: Feint." in told


def test_only_items_of_the_set_are_named_as_never_drawn() -> None:
    absent = [msgspec.structs.replace(result().items[0], name=name, drawn=0.0) for name in ("Jab", "Reorder")]
    measuring = SetMeasuring(msgspec.structs.replace(A, toml='[[cards]]\nname = "Jab"\n'))
    measuring.balances = {REPORT_BOT: msgspec.structs.replace(result(), items=absent)}
    assert "Never drawn by random bots: Jab." in balance_panel.panel_html(measuring, set())


def test_drawn_and_played_are_one_column_where_they_are_the_same() -> None:
    same = msgspec.structs.replace(result(), items=[item for item in result().items if item.name == "Hook"])
    same = msgspec.structs.replace(same, items=[msgspec.structs.replace(same.items[0], played=same.items[0].drawn)])
    told = balance_panel.panel_html(known(same), {"hook"})
    assert told.count('<th scope="col">drawn and played') == 2
    assert '<th scope="col">played' not in told


@pytest.mark.parametrize(
    ("name", "at", "called"),
    [
        ("five-circles", ["cards", 0, "attack"], "matchstick imp"),
        ("five-circles", ["decks", 0, "resources", "Red"], "red"),
        ("make-your-moves", ["cards", 2], "slap"),
        ("mace", ["values", "K"], "k"),
        ("untitled-movement", ["decks", "pnp", "FR"], "forward-right"),
    ],
)
def test_the_open_entry_is_matched_to_its_item_by_name(name: str, at: list[str | int], called: str) -> None:
    own = game(name)
    names = balance_panel.names_on_path(own.form, read_toml(own.content_text, "own"), at)
    assert called in names
    assert names & {item.name.casefold() for item in own.items.names(own.setup())}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("item", "name", "told"),
    [("Jab", "jab", True), ("mirror-gate from the left", "mirror-gate", True), ("Jab of Art", "jab", False),
     ("Rising Elbow of Kenji Aoki", "kenji aoki", True), ("Jab Cross", "jab", False)],
)  # fmt: skip
def test_parts_of_the_open_entry_are_reported_too(item: str, name: str, *, told: bool) -> None:
    assert balance_panel.belongs_to(item, {name, "cards"}) is told


# Streams


@contextmanager
def streamed(client: Client, address: str) -> Iterator[Iterator[bytes]]:
    with client.http.stream("GET", f"{address}/card-values") as response:
        assert response.status_code == 200, response.read()
        yield stream_blocks(response)


@pytest.mark.server
def test_a_set_is_measured_in_a_process_and_streamed(start_server: StartServer) -> None:
    server = start_server(measuring=True)
    anna = server.person("Anna")
    with streamed(anna, create_set(anna)) as told:
        first = next(told).decode()
        assert "Not measured yet" in first
        later = next(block for block in told if b"seat 1 wins" in block).decode()
    assert "matches of random bots" in later
    jobs: StudioJobs = server.app.state.studio_jobs
    assert jobs.processes._measuring.worker.running, "and not in the server's own process"


def test_a_set_with_faults_is_not_measured(anna: Client) -> None:
    address = create_set(anna)
    change(anna, address, put("100", "values", 2))
    with streamed(anna, address) as told:
        assert balance_panel.FAULTY in next(told).decode()
        assert b"event: done" in next(told)


def test_the_page_reports_too_many_measurements(start_server: StartServer) -> None:
    server = start_server(limits=Limits(measured_each=1), measuring=True)
    anna = server.person("Anna")
    first, second = create_set(anna), create_set(anna, title="Second")
    with streamed(anna, first) as told, streamed(server.person("Anna"), second) as refused:
        next(told)
        assert "1 of your sets are being measured in other windows" in next(refused).decode()
        assert b"event: later" in next(refused)


def test_the_stream_of_a_set_counts_once_and_says_when_there_are_too_many(start_server: StartServer) -> None:
    server = start_server(limits=Limits(streams_each=2), measuring=True)
    anna = server.person("Anna")
    first, second, table = create_set(anna), create_set(anna, title="Second"), server.table("Anna", "Ben")
    with streamed(anna, first) as told, anna.stream(table) as events, streamed(anna, second) as refused:
        next(told)
        next(events)
        assert "Not measured: You have too many tables open" in next(refused).decode()
        assert b"event: later" in next(refused)


def test_a_server_without_measuring_says_so(server: AppServer, anna: Client) -> None:
    with streamed(anna, create_set(anna)) as told:
        assert balance_panel.SWITCHED_OFF in next(told).decode()
    assert server.app.state.studio_jobs.processes._measuring.worker.running is False


def test_balance_is_visible_to_the_owner_and_by_the_link_only(server: AppServer, anna: Client) -> None:
    address = create_set(anna, title="Most secret")
    share = share_link(anna, address)
    for other in (server.person("Ben"), server.stranger()):
        for method, what in (("GET", "card-values"), ("GET", "report"), ("POST", "report"), ("POST", "print")):
            assert other.http.request(method, f"{address}/{what}").status_code == 404
        with streamed(other, share):
            pass
        assert "Create report" in other.get(f"{share}/report").text


@pytest.mark.parametrize("at", ["{", "[[]]", '["' + "x" * 200 + '"]', "9", "[" * 900])
def test_an_invalid_path_is_refused(at: str, anna: Client) -> None:
    response = anna.http.get(f"{create_set(anna)}/card-values", params={"at": at})
    assert response.status_code == 422
