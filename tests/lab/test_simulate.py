"""Simulations: independent of the number of workers, and counted correctly."""

import io
from dataclasses import asdict
from typing import Any

import pytest
from rich.console import Console

from lab.summaries import timeless
from sparring import BadBot, BadOption, SparringError, bots, games
from sparring.bots import external_bot
from sparring.cli.simulation import summary_table
from sparring.engine.match import Match
from sparring.engine.tiered_rules import TieredRules
from sparring.lab import simulate
from sparring.lab.measures import counts
from sparring.lab.measures.match_plan import line_up

pytestmark = pytest.mark.compiled("make-your-moves")

GAME = games()["make-your-moves"]


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    alone, together = (simulate(GAME, 30, bots=["random"], seed=5, workers=workers) for workers in (1, 2))
    assert timeless(alone) == timeless(together)


@pytest.mark.parametrize("name", ["make-your-moves", "Make Your Moves Lite"])
def test_a_name_stands_for_its_game(name: str) -> None:
    by_name, by_game = simulate(name, 10, seed=5), simulate(GAME, 10, seed=5)
    assert timeless(by_name) == timeless(by_game)


def test_options_and_content_are_used() -> None:
    result = simulate(GAME, 20, bots=["random"], seats=3, options={"match": "elimination"})
    assert result.endings == {"points": 0, "last one in": 20, "turn limit": 0}


def test_all_counts_are_reported_and_add_up() -> None:
    result = simulate(GAME, 50, bots=["random"], seats=4)
    assert list(asdict(result)) == [
        "game", "variant", "matches", "choices", "seconds", "choices_per_second", "wins_by_bot", "wins_by_seat",
        "payoffs_by_bot",
        "payoffs_by_seat", "unit", "draws", "mean_choices", "sd_choices", "longest", "choices_by_phase", "endings",
        "lost_clocks", "without_value_model",
    ]  # fmt: skip
    assert sum(result.wins_by_seat.values()) + result.draws == result.matches == sum(result.endings.values()) == 50
    assert sum(result.wins_by_bot.values()) + result.draws == 50
    assert sum(result.choices_by_phase.values()) == result.choices == round(result.mean_choices * 50)
    assert result.sd_choices > 0
    assert result.mean_choices < result.longest


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ({"bots": ["clever"]}, BadBot, "There is no bot called clever"),
        ({"bots": ["random", "random"], "seats": 3}, BadBot, "one bot for all seats or 3 bots"),
        ({"bots": ["random"] * 7}, BadOption, "needs 2 to 6 seats, not 7"),
        ({"seats": 1}, BadOption, "not 1"), ({"options": {"match": "chess"}}, BadOption, "points or elimination"),
        ({"matches": 0}, SparringError, "at least 1, not 0"), ({"workers": 0}, SparringError, "at least 1, not 0"),
        ({"seed": -1}, SparringError, "The seed must be"),
        ({"seed": (1 << 63) - 2}, SparringError, "The seed must be"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(wrong: dict[str, Any], kind: type[SparringError], message: str) -> None:
    with pytest.raises(kind, match=message) as refused:
        simulate(GAME, **{"matches": 3, **wrong})
    assert type(refused.value) is kind


def test_equal_bots_are_distinguished() -> None:
    assert [bot.text for bot in line_up(GAME, ["random"], 3)] == ["random"] * 3
    assert bots.parse("search") in line_up(GAME, ["search", "random"], None)


@pytest.mark.usefixtures("plugin_bots")
def test_plugin_bots_play_reproducibly() -> None:
    once, again = (timeless(simulate(GAME, 6, bots=["lottery", "first", "random"], seed=3, workers=n)) for n in (1, 2))
    assert once == again
    assert once.lost_clocks == {}
    assert sum(once.wins_by_bot.values()) + once.draws == 6


@pytest.mark.usefixtures("plugin_bots")
def test_code_for_bots_in_python_is_compiled_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def deal_noted(*given: Any) -> Match:
        seen.append("match")
        return deal(*given)

    deal = Match.deal
    monkeypatch.setattr(counts, "compile_searches", lambda game, searches: seen.append(searches))
    monkeypatch.setattr(TieredRules, "compile", lambda rules, state: seen.append("rules"))
    monkeypatch.setattr(Match, "deal", deal_noted)
    simulate(GAME, 2, bots=["first", "search:seconds=0.01"])
    assert seen == [{"search"}, "match", "rules", "match", "match"]


@pytest.mark.usefixtures("plugin_bots")
def test_random_moves_replace_a_failed_bot() -> None:
    result = simulate(GAME, 4, bots=["raises", "nonsense", "random"], seed=3)
    assert sum(result.endings.values()) == 4
    assert sum(result.choices_by_phase.values()) == result.choices
    assert {name: lost.matches for name, lost in result.lost_clocks.items()} == {"raises": 4, "nonsense": 4}
    assert result.lost_clocks["nonsense"].first == "chose an illegal action: number 99999"
    random_play = simulate(GAME, 4, bots=["random", "random", "random"], seed=3)
    assert result.endings == random_play.endings


@pytest.mark.usefixtures("plugin_bots")
def test_the_error_of_a_failed_bot_is_reported() -> None:
    console = Console(file=io.StringIO(), width=150)
    console.print(summary_table(simulate(GAME, 2, bots=["raises", "random"])))
    told = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert told.startswith("raises failed in every match, so its results are mostly those of random play.")
    assert told.count("in every match") == 1
    assert "the first time it stopped with an error: ValueError: I hold" in told
    assert "[bold]and" in told


@pytest.mark.usefixtures("plugin_bots")
def test_a_hanging_bot_costs_its_time_limit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_bot, "STARTUP_SECONDS", 1.0)
    monkeypatch.setenv(external_bot.SECONDS, "0.1")
    result = simulate(GAME, 1, bots=["hangs", "random"])
    assert result.lost_clocks["hangs"].first == "did not answer in time"
    assert sum(result.endings.values()) == 1
