"""Parallel searches: merged trees, repeatable results for a number of threads, and independent searches in order."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from sparring import Match, bots
from sparring.bots.bot import Workspace, nodes_for, run_search
from sparring.bots.parallel import ALL_LEVELS, merge_trees, side_by_side
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees
from sparring.engine.chance import seed
from sparring.engine.errors import BadBot
from sparring.engine.game import games
from sparring.engine.views import View
from sparring.games.high_card import GAME as HIGH_CARD

Array = np.ndarray[Any, Any]
Path = tuple[int, ...]


@pytest.fixture
def view() -> View:
    return Match.new(HIGH_CARD, seats=2, seed=3, options={"hand": 4}).view(1)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run searches interpreted: the results are the same, and nothing has to be compiled."""
    monkeypatch.setattr("sparring.bots.bot._compiled", search_rule)


def grown(view: View, start: int, iterations: int) -> Workspace:
    """Return the workspace of a search with its own generator."""
    ws = Workspace(view.setup.game, nodes_for(2, iterations))
    ws.work[0] = view.state
    seed(ws.fields.g, start, 0)
    init_trees(ws.nodes, ws.fields, 2)
    search_rule(view.setup.game)(
        view.setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, view.seat - 1, iterations
    )
    return ws


def counts(nodes: Array, node: int, path: Path = ()) -> dict[Path, tuple[int, Any]]:
    """Return the visits and the sum of returns of each node in a tree, by its path."""
    found: dict[Path, tuple[int, Any]] = {path: (int(nodes[node]["visits"]), float(nodes[node]["value"]))}
    child = int(nodes[node]["child"])
    while child:
        assert nodes[child]["parent"] == node
        found |= counts(nodes, child, (*path, int(nodes[child]["label"])))
        child = int(nodes[child]["next"])
    return found


@pytest.mark.parametrize("root", [1, 2])
def test_merged_trees_have_the_sums_of_visits_and_returns(view: View, root: int) -> None:
    first, second = grown(view, 1, 60), grown(view, 2, 90)
    expected = counts(first.nodes, root)
    for path, (visits, value) in counts(second.nodes, root).items():
        before = expected.get(path, (0, 0.0))
        expected[path] = before[0] + visits, before[1] + value
    used = merge_trees(first.nodes, first.fields.used, second.nodes[: second.fields.used], 3, ALL_LEVELS)
    merged = counts(first.nodes, root)
    assert merged == {path: (visits, pytest.approx(value)) for path, (visits, value) in expected.items()}
    assert merged[()][0] == 150
    assert used == 1 + sum(len(counts(first.nodes, each)) for each in (1, 2))


def test_one_level_is_enough_for_a_choice(view: View) -> None:
    found = []
    for levels in (ALL_LEVELS, 1):
        first, second = grown(view, 1, 60), grown(view, 2, 90)
        used = merge_trees(first.nodes, first.fields.used, second.nodes[: second.fields.used], 3, levels)
        found.append((used, counts(first.nodes, 1)))
    whole, top = found
    assert top[0] < whole[0]
    assert {path: each for path, each in top[1].items() if len(path) < 2} == {
        path: each for path, each in whole[1].items() if len(path) < 2
    }


@pytest.mark.usefixtures("interpreted")
def test_a_choice_in_threads_is_that_of_the_whole_trees(view: View) -> None:
    bot = bots.parse("plain:iterations=100:threads=2")
    assert bot.choose(view, bots.stream(4, 1)) == bot.answer(view, bots.stream(4, 1)).action


def test_nodes_without_room_are_left_out(view: View) -> None:
    first, second = grown(view, 1, 60), grown(view, 2, 90)
    used, room = int(first.fields.used), int(first.fields.used) + 4
    nodes = first.nodes[:room].copy()
    assert merge_trees(nodes, used, second.nodes[: second.fields.used], 3, ALL_LEVELS) == room
    assert sum(len(counts(nodes, root)) for root in (1, 2)) == room - 1
    assert nodes[1]["visits"] == 150


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("threads", [2, 3])
def test_a_search_in_threads_is_repeatable_and_shares_its_iterations(view: View, threads: int) -> None:
    bot = bots.parse(f"plain:iterations=100:threads={threads}")
    streams = [bots.stream(4, 1) for _ in range(2)]
    first, again = (run_search(bot, view, stream, False) for stream in streams)
    assert first.used_nodes.tobytes() == again.used_nodes.tobytes()
    assert streams[0].tolist() == streams[1].tolist() != bots.stream(4, 1).tolist()
    assert first.nodes[1]["visits"] == 100
    assert {path[0] for path in counts(first.nodes, 1) if path} == set(view.legal)


@pytest.mark.usefixtures("interpreted")
def test_one_thread_searches_as_without_threads(view: View) -> None:
    one, usual = (
        run_search(bots.parse(text), view, bots.stream(4, 1), False)
        for text in ("plain:iterations=50:threads=1", "plain:iterations=50")
    )
    assert one.used_nodes.tobytes() == usual.used_nodes.tobytes()


@pytest.mark.usefixtures("interpreted")
def test_a_hint_from_threads_counts_all_iterations(view: View) -> None:
    hint = bots.parse("search:iterations=90:threads=2").advise(view)
    assert sum(choice.tried for choice in hint.choices) == 90


@pytest.mark.parametrize("text", [
    "search:iterations=5:threads=0", "search:level=strong:threads=many", "search:threads=2",
    "mix:iterations=5:threads=2", "search:iterations=5:cores=2",
])  # fmt: skip
def test_a_wrong_number_of_threads_is_refused(text: str) -> None:
    with pytest.raises(BadBot):
        bots.parse(text)


def test_results_keep_their_order() -> None:
    def wait(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    tasks: list[Callable[[], float]] = [partial(wait, seconds) for seconds in (0.02, 0.0, 0.01)]
    for threads in (1, 2, 3):
        assert side_by_side(tasks, threads) == [0.02, 0.0, 0.01]


@pytest.mark.compiled("make-your-moves")
def test_compiled_threads_give_the_same_trees_as_interpreted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()["make-your-moves"]
    match = Match.new(game, seats=2, seed=5)
    while len(match.legal()) == 1:
        match.choose(match.legal()[0])
    bot, asked = bots.parse("plain:iterations=60:threads=2"), match.view(match.seat or 0)
    fast = run_search(bot, asked, bots.stream(4, 1), False)
    monkeypatch.setattr("sparring.bots.bot._compiled", search_rule)
    slow = run_search(bot, asked, bots.stream(4, 1), False)
    assert fast.used_nodes.tobytes() == slow.used_nodes.tobytes()
