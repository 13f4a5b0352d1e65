"""Outsiders to compare bots with, and duels of two kinds of bots."""

import json
from typing import Any

import numpy as np
import pytest

from sparring import Game, Match, bots, games
from sparring.bots import Bot
from sparring.bots.search import search_rule
from sparring.engine.errors import BadBot
from sparring.engine.game import Box
from sparring.engine.views import View, view_of
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab.benchmarks.baselines import _determinized_with_policy, player, with_rules
from sparring.lab.benchmarks.head_to_head import (
    Duel,
    DuelResult,
    _rescaled,
    assign_seats,
    duel,
    lines,
    match_cpu_time,
    play_line,
)
from sparring.lab.benchmarks.head_to_head import main as main_of_rivals

pytestmark = pytest.mark.usefixtures("own_judgements")


def test_rivals_take_every_seat_in_turn() -> None:
    assert [assign_seats(2, number) for number in range(3)] == [[0, 1], [1, 0], [0, 1]]
    four = [assign_seats(4, number) for number in range(8)]
    assert four[0] == [0, 1, 1, 1]
    assert four[5] == [0, 1, 0, 0]
    assert np.sum(four, axis=0).tolist() == [4, 4, 4, 4]


def test_outsiders_play_whole_matches_and_beat_chance() -> None:
    """In the game of which other tests of this process compile most already."""
    box = games()["world-of-fighters"].box()
    for outsider in ("cheat:100", "uct:200", "reads:200:search:iterations=5", "greedy:5"):
        outcome = duel(box, 2, outsider, "random", 20)
        assert outcome.won > 0.75, outsider
        assert outcome.matches == 20 == sum(outcome.endings.values())


def test_a_greedy_rival_needs_a_judgement_and_a_rival_a_number() -> None:
    with pytest.raises(BadBot, match="has none for these options"):
        player("greedy:5", HIGH_CARD.box(), 2)
    with pytest.raises(BadBot, match="cheat:NUMBER"):
        player("cheat:x", HIGH_CARD.box(), 2)
    with pytest.raises(BadBot, match="reads:NUMBER:BOT"):
        player("reads:100", HIGH_CARD.box(), 2)


class Boldest(Bot):
    """It takes the last of its choices."""

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        return view.legal[-1]


def test_who_reads_a_bot_imagines_the_secret_choices_that_it_would_make() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    truths = [_determinized_with_policy(Boldest("boldest", ""), view, g) for _ in range(5)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(truth.player == 1 and truth.hand[1].tolist() == view.state.hand[1].tolist() for truth in truths)
    assert len({tuple(truth.hand[0].tolist()) for truth in truths}) > 1


def test_who_peeks_knows_all_cards_but_not_what_will_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """As against the cheat, who knows that too; interpreted here."""
    match, sights = Match.new("world-of-fighters", seed=3), list[Any]()

    def seeing(game: Game, sight: Any) -> Any:
        sights.append(sight)
        return search_rule(with_rules(game, determinize=sight))

    monkeypatch.setattr("sparring.lab.benchmarks.baselines.cheating_search", seeing)
    for kind in ("cheat:5", "peek:5"):
        assert player(kind, match.box, 2)(match, bots.stream(1, 1)) in match.view(1).legal
    decks = set()
    for sight in sights:
        truth = match.state.copy()
        sight(match.box.kit, truth, 0, bots.stream(1, 1))
        assert truth.hand.tolist() == match.state.hand.tolist()
        assert sorted(truth.deck.tolist()) == sorted(match.state.deck.tolist())
        decks.add(truth.deck.tobytes())
    assert match.state.deck.tobytes() in decks, "who cheats sees the order"
    assert len(decks) == 2, "who peeks does not"


#: What it was shown.
REMEMBERED: list[View] = []


class Mindful(Boldest):
    """It takes the last of its choices too, and keeps what it remembered then."""

    remembers = True

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        REMEMBERED.append(view)
        return view.legal[-1]


def test_who_reads_a_bot_that_remembers_hands_it_what_it_would_remember() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    REMEMBERED.clear()
    truths = [_determinized_with_policy(Mindful("mindful", ""), view, g) for _ in range(20)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(view_of(match.box, truth, 2).state == view.state for truth in truths)
    asked = [seen for seen in REMEMBERED if seen.seat == 1]
    assert {len(seen.memory) for seen in asked} >= {2, 3}  # both secret choices, remembered from the match's first on
    for seen in (seen for seen in asked if len(seen.memory) == 3):
        before = seen.memory[-1].state
        assert set(seen.state.hand[0].tolist()) <= {0, *before.hand[0].tolist()}, "its own hand in this truth"
        assert before.hand[1].tolist() != view.state.hand[1].tolist(), "and nobody else's"


def test_a_duel_at_equal_time_is_told_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.lab.benchmarks.head_to_head.find_game", lambda name: HIGH_CARD)
    asked = ["high-card", "search:iterations=40", "plain:iterations=20", "--seats", "3", "--matches", "6", "--even"]
    main_of_rivals([*asked, "--option", "hand=4"])
    told = json.loads(capsys.readouterr().out)
    assert [words.partition("=")[0] for words in told["rivals"]] == ["search:iterations", "plain:iterations"]
    assert (told["seats"], told["matches"], sum(told["endings"].values())) == (3, 6, 6)
    assert 0 <= told["won"] <= 1


def test_at_equal_time_the_first_search_gets_the_iterations_that_take_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of the test's own: an iteration of the first takes three seconds, the other takes 600 in all."""

    def timed(box: Box, seats: int, first: str, second: str, matches: int, seed: int) -> DuelResult:
        seconds = 3.0 * bots.parse(first).iterations, 600.0
        return DuelResult("high-card", seats, (first, second), matches, 0.5, (0, 1), 0, seconds, 6, {})

    monkeypatch.setattr("sparring.lab.benchmarks.head_to_head.duel", timed)
    assert (
        match_cpu_time(HIGH_CARD.box(), 2, "search:iterations=4000", "plain:iterations=200") == "search:iterations=200"
    )


def test_the_table_plays_every_game_of_the_house() -> None:
    house = HIGH_CARD.folder.parent  # other tests bring games of their own
    assert {line.game for line in lines()} == {name for name, found in games().items() if found.folder.parent == house}
    assert [line.second for line in lines() if line.even] == ["plain:iterations=5000"] * 6


def test_a_rival_that_cannot_play_is_told_in_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.lab.benchmarks.head_to_head.find_game", lambda name: HIGH_CARD)
    answer = play_line(Duel("high-card", 2, {}, "random", "greedy:5", 1, even=False), 1)
    assert answer["rivals"] == ("random", "greedy:5")
    assert "has none for these options" in answer["problem"]


def test_a_share_among_many_is_brought_to_the_scale_of_two() -> None:
    """One of four that wins a quarter is even; one that wins all has won, whoever it sits with."""
    alone, many = [0, 1, 1, 1], [1, 0, 0, 0]
    assert [_rescaled(share, alone) for share in (0.0, 0.25, 1.0)] == [0.0, 0.5, 1.0]
    assert [_rescaled(share, many) for share in (0.0, 0.75, 1.0)] == [0.0, 0.5, 1.0]
