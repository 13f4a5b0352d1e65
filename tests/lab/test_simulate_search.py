"""Simulations with search bots: a larger budget wins from every seat, independent of the number of workers."""

import json

import pytest
from typer.testing import CliRunner

from lab.summaries import timeless
from sparring import games
from sparring.cli import app
from sparring.lab import simulate

pytestmark = pytest.mark.compiled("world-of-fighters")

GAME = games()["world-of-fighters"]


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    bots = ["search:iterations=3", "search:iterations=9"]
    alone, together = (simulate(GAME, 30, bots=bots, seed=5, workers=workers) for workers in (1, 2))
    assert timeless(alone) == timeless(together)


def test_the_command_writes_only_json_to_standard_output() -> None:
    def run(*more: str) -> dict[str, object]:
        words = ["simulate", GAME.name, "--matches", "40", "--bots", "random,search:iterations=2", "--seed", "9"]
        result = CliRunner().invoke(app, [*words, "--json", *more], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert "Preparing 40 matches" in result.stderr
        told: dict[str, object] = json.loads(result.stdout)
        return {**told, "seconds": 0, "choices_per_second": 0}

    told = run()
    assert told["matches"] == 40
    assert told["wins_by_bot"].keys() == {"random", "search:iterations=2"}  # type: ignore[attr-defined]
    assert run("--workers", "2") == told


def test_bots_change_seats_from_match_to_match() -> None:
    """Over two matches each bot has each seat once, so the better one wins both."""
    result = simulate(GAME, 2, bots=["search:iterations=500", "random"], seed=4)
    assert result.wins_by_bot == {"search:iterations=500": 2.0, "random": 0.0}
    assert result.wins_by_seat == {"1": 1.0, "2": 1.0}


def test_search_beats_random_and_a_larger_budget_beats_a_smaller_one() -> None:
    assert simulate(GAME, 60, bots=["search:iterations=300", "random"]).wins_by_bot["search:iterations=300"] >= 55
    for kind, least in (("plain", 125), ("search", 95)):  # a prior makes few iterations strong
        more, less = (f"{kind}:iterations={iterations}" for iterations in (400, 10))
        assert simulate(GAME, 150, bots=[more, less]).wins_by_bot[more] >= least


def test_a_search_by_time_plays() -> None:
    result = simulate(GAME, 1, bots=["search:seconds=0.01", "random"])
    assert sum(result.wins_by_bot.values()) == 1
