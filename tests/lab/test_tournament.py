"""Tournaments: all bots meet on every seat, ratings recover strengths, and no match is played twice."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring import SparringError
from sparring.cli import main
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab.executors import SerialExecutor
from sparring.lab.standings import bradley_terry, plackett_luce, standings
from sparring.lab.tournament import (
    Tournament,
    TournamentEvent,
    TournamentScores,
    TournamentTask,
    play_task,
    read_tournament,
    run,
)

SLOW = pytest.mark.compiled("high-card")
PAIR = TournamentEvent(HIGH_CARD, HIGH_CARD.setup().options, None, 2)


def tournament(*bots: str, seats: int = 2, matches: int = 30) -> Tournament:
    return Tournament(bots, (TournamentEvent(HIGH_CARD, HIGH_CARD.setup().options, None, seats),), matches)


def play_tournament(wanted: Tournament, folder: Path) -> TournamentScores:
    return run(wanted, folder, SerialExecutor(), lambda more, missing: None)


def test_with_two_seats_every_pair_meets() -> None:
    assert tournament("a", "b", "c").line_ups(PAIR) == [(0, 1), (0, 2), (1, 2)]


def test_with_more_seats_all_bots_meet_each_other() -> None:
    wanted = tournament("a", "b", "c", "d", seats=3)
    sittings = wanted.line_ups(wanted.events[0])
    assert len(sittings) == 4 * 2
    beside = Counter((one[n], one[(n + 1) % 3]) for one in sittings for n in range(3))
    assert set(beside.values()) == {2}
    assert len(beside) == 12


def test_few_bots_fill_a_table_in_every_mixture_of_at_least_two() -> None:
    wanted = tournament("a", "b", seats=4)
    mixtures = {tuple(sorted(one)) for one in wanted.line_ups(wanted.events[0])}
    assert mixtures == {(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)}


@SLOW
def test_wins_are_counted_by_bot_on_any_seat() -> None:
    """The bot on seat k of match i is number (k + i) of its line-up."""
    from sparring.lab.measures import columns, measure

    wanted = tournament("random", "search:iterations=5")
    plan = wanted.plan(PAIR, (0, 1))
    names = [column.name for column in columns(plan)]
    _, won, _ = play_task(wanted, TournamentTask(0, (0, 1), 3, 10))
    rows = measure(plan, 3, 10).rows
    for place, bot in enumerate(("random", "search:iterations=5")):
        noted = [bool(bits >> place & 1) for bits in won]
        assert noted == (rows[:, names.index(f"wins/bot {bot}")] > 0).tolist()


@SLOW
def test_an_interrupted_tournament_resumes(tmp_path: Path) -> None:
    wanted = tournament("random", "search:iterations=5", "search:iterations=9", matches=12)
    whole = play_tournament(wanted, tmp_path / "a")
    play_tournament(tournament(*wanted.bots, matches=5), tmp_path / "b")
    begun = TournamentScores(wanted, tmp_path / "b")
    assert [(task.line_up, task.first, task.matches) for task in begun.missing_tasks()] == [
        ((0, 1), 5, 7), ((0, 2), 5, 7), ((1, 2), 5, 7),
    ]  # fmt: skip
    resumed = play_tournament(wanted, tmp_path / "b")
    assert resumed.won == whole.won
    assert standings(resumed) == standings(whole)
    assert list(TournamentScores(wanted, tmp_path / "b").missing_tasks()) == []


@SLOW
def test_a_larger_budget_ranks_higher_and_shares_add_up(tmp_path: Path) -> None:
    options = HIGH_CARD.setup({"hand": 5, "call": "leader"}).options
    wanted = Tournament(("random", "search:iterations=60"), (TournamentEvent(HIGH_CARD, options, None, 2),), 120)
    (found,) = standings(play_tournament(wanted, tmp_path))
    assert [one.bot for one in found.standings] == ["search:iterations=60", "random"]
    best, last = found.standings
    assert best.rating.low < best.rating.rating < best.rating.high
    assert best.rating.rating + last.rating.rating == pytest.approx(3000)
    assert found.cross["random"]["search:iterations=60"] + found.cross["search:iterations=60"]["random"] == 1
    assert best.matches == 120


def test_bradley_terry_recovers_the_strengths() -> None:
    """Odds of ten to one are 400 points; winning everything gives a finite rating; the interval is binomial."""
    ratings = bradley_terry(np.array([[0.0, 1000.0], [100.0, 0.0]]))
    assert ratings[0].rating - ratings[1].rating == pytest.approx(400, abs=2)
    share = 1000.5 / 1101
    error = 1.96 * (400 / np.log(10)) / np.sqrt(1101 * share * (1 - share)) / 2  # of one bot, around the mean
    assert ratings[0].high - ratings[0].rating == pytest.approx(error, rel=0.01)
    assert bradley_terry(np.array([[0.0, 20.0], [0.0, 0.0]]))[0].rating < 2200
    three = bradley_terry(np.array([[0, 60, 90], [40, 0, 80], [10, 20, 0]], float))
    assert three[0].rating > three[1].rating > three[2].rating


def test_plackett_luce_rates_tables_of_more_than_two() -> None:
    first, second = ((0, 1, 2), (True, False, False)), ((0, 1, 2), (False, True, False))
    matches = [first, first, second, first] * 10
    ratings = plackett_luce(3, matches)
    assert ratings[0].rating > ratings[1].rating > ratings[2].rating


def test_a_tournament_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(
        'bots = ["random", "search:iterations=9"]\nmatches = 7\nseed = 3\n[[games]]\nname = "mace"\n'
        '[[games]]\nname = "make-your-moves"\nseats = 3\noptions = { match = "elimination" }\n'
    )
    read = read_tournament(tmp_path / "t.toml")
    assert (read.bots, read.matches, read.seed) == (("random", "search:iterations=9"), 7, 3)
    assert [event.title for event in read.events] == [
        "MACE, 2 seats", "Make Your Moves Lite, 3 seats, match elimination"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('bots = ["random"]', "at least two different bots"), ('bots = ["random", "random"]', "two different bots"),
        ('games = ["mace"]', "bots must be a list"), ('bots = ["random", "search"]', "games must be a list of names"),
        ('bots = ["random", "clever"]\ngames = ["mace"]', "There is no bot called clever"),
        ('bots = ["random", "search"]\ngames = ["chess"]', "There is no game called chess"),
        ('bots = ["random", "search"]\nmatches = 0\ngames = ["mace"]', "matches must be a whole number"),
        ('bots = ["random", "search"]\nrounds = 3', 'unknown field "rounds"; .* bots, matches, seed, games'),
        ('bots = ["random", "search"]\n[[games]]\nseats = 2', "game 1 needs a name"),
        ('bots = ["random", "search"]\n[[games]]\nname = "mace"\nseats = 9', "MACE needs 2"),
        ('bots = ["random", "search"]\n[[games]]\nname = "mace"\nseats = "two"', "seats must be a whole number"),
        ('bots = ["random", "search"]\n[[games]]\nname = "mace"\noptions = 3', "options must be a table"),
        ('bots = ["random", "search"]\n[[games]]\nname = "mace"\ncontent = "no.toml"', "Can't read .*no.toml"),
        ("bots =", "is not TOML"),
    ],
)  # fmt: skip
def test_an_invalid_tournament_file_gets_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(text)
    with pytest.raises(SparringError, match=said):
        read_tournament(tmp_path / "t.toml")


def command(*words: Any) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["tournament", *map(str, words)])
    return int(ended.value.code or 0)


@pytest.mark.usefixtures("plugin_bots")
def test_the_command_prints_a_cross_table_and_stores_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text(
        'bots = ["random", "raises"]\nmatches = 2\ngames = ["make-your-moves", "world-of-fighters"]'
    )
    assert command("cup.toml") == 0
    told = capsys.readouterr().out
    assert told.startswith("raises failed in every match, so its results are mostly those of random play.")
    assert "Make Your Moves Lite, 2 seats (Bradley-Terry, Elo points)" in told
    assert "all games" in told
    assert command("cup.toml", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads((tmp_path / "cup/standings.json").read_text())
    assert [one["matches"] for one in data["events"][0]["standings"]] == [2, 2]
    with (tmp_path / "cup/cross.csv").open(newline="") as file:
        assert sum(float(row["share"]) for row in csv.DictReader(file)) == 3


def test_an_invalid_tournament_file_is_left_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cup.toml").write_text('bots = ["random", "search:iterations=4"]\ngames = ["make-your-moves"]')
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup/matches.json").write_text("{}")
    assert command(tmp_path / "cup.toml", "--to", tmp_path / "cup") == 2
    assert "is not a tournament file" in capsys.readouterr().err
    assert (tmp_path / "cup/matches.json").read_text() == "{}"
    assert command(tmp_path / "cup.toml", "--to", "/dev/null/cup") == 2
    assert "save results in /dev/null/cup" in capsys.readouterr().err
