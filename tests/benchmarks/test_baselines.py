"""Baselines to compare bots with, and the head-to-head benchmark."""

import json
from typing import Any

import numpy as np
import pytest

from benchmarks.baselines import _determinized_with_policy, player, with_rules
from benchmarks.head_to_head import (
    Duel,
    DuelResult,
    _rescaled,
    assign_seats,
    duel,
    lines,
    match_cpu_time,
    play_line,
)
from benchmarks.head_to_head import main as main_of_rivals
from sparring import Game, Match, bots, games
from sparring.bots import Bot
from sparring.bots.search import search_rule
from sparring.engine.errors import BadBot
from sparring.engine.game import GameSetup
from sparring.engine.views import View, view_of
from sparring.games.high_card import GAME as HIGH_CARD

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled("world-of-fighters")]


def test_opponents_play_every_seat_in_turn() -> None:
    assert [assign_seats(2, number) for number in range(3)] == [[0, 1], [1, 0], [0, 1]]
    four = [assign_seats(4, number) for number in range(8)]
    assert four[0] == [0, 1, 1, 1]
    assert four[5] == [0, 1, 0, 0]
    assert np.sum(four, axis=0).tolist() == [4, 4, 4, 4]


def test_baselines_finish_matches_and_beat_random_play() -> None:
    """World of Fighters, since other tests in this process have compiled most of it."""
    setup = games()["world-of-fighters"].setup()
    for baseline in ("cheat:100", "uct:200", "reads:200:search:iterations=5", "greedy:5"):
        outcome = duel(setup, 2, baseline, "random", 20)
        assert outcome.won > 0.75, baseline
        assert outcome.matches == 20 == sum(outcome.endings.values())


def test_a_greedy_baseline_needs_a_value_model_and_others_a_number() -> None:
    with pytest.raises(BadBot, match="has none for these options"):
        player("greedy:5", HIGH_CARD.setup(), 2)
    with pytest.raises(BadBot, match="cheat:NUMBER"):
        player("cheat:x", HIGH_CARD.setup(), 2)
    with pytest.raises(BadBot, match="reads:NUMBER:BOT"):
        player("reads:100", HIGH_CARD.setup(), 2)


class HighestCard(Bot):
    """Take the last choice."""

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        return view.legal[-1]


def test_a_bot_model_samples_the_secret_choices_of_its_bot() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    truths = [_determinized_with_policy(HighestCard("boldest", ""), view, g) for _ in range(5)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(truth.player == 1 and truth.hand[1].tolist() == view.state.hand[1].tolist() for truth in truths)
    assert len({tuple(truth.hand[0].tolist()) for truth in truths}) > 1


def test_the_peeking_baseline_knows_all_cards_but_not_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheating baseline knows the draws too; both are interpreted here."""
    match, sights = Match.new("world-of-fighters", seed=3), list[Any]()

    def seeing(game: Game, sight: Any) -> Any:
        sights.append(sight)
        return search_rule(with_rules(game, determinize=sight))

    monkeypatch.setattr("benchmarks.baselines.cheating_search", seeing)
    for kind in ("cheat:5", "peek:5"):
        assert player(kind, match.setup, 2)(match, bots.stream(1, 1)) in match.view(1).legal
    decks = set()
    for sight in sights:
        truth = match.state.copy()
        sight(match.setup.params, truth, 0, bots.stream(1, 1))
        assert truth.hand.tolist() == match.state.hand.tolist()
        assert sorted(truth.deck.tolist()) == sorted(match.state.deck.tolist())
        decks.add(truth.deck.tobytes())
    assert match.state.deck.tobytes() in decks, "the cheating baseline sees the order of the deck"
    assert len(decks) == 2, "the peeking baseline doesn't"


#: The histories that it received.
REMEMBERED: list[View] = []


class RecordsHistory(HighestCard):
    """Take the last choice, and record the history received."""

    remembers = True

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        REMEMBERED.append(view)
        return view.legal[-1]


def test_a_bot_model_passes_on_the_history_that_its_bot_needs() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    REMEMBERED.clear()
    truths = [_determinized_with_policy(RecordsHistory("mindful", ""), view, g) for _ in range(20)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(view_of(match.setup, truth, 2).state == view.state for truth in truths)
    asked = [seen for seen in REMEMBERED if seen.seat == 1]
    assert {len(seen.memory) for seen in asked} >= {2, 3}  # both secret choices, from the start of the match on
    for seen in (seen for seen in asked if len(seen.memory) == 3):
        before = seen.memory[-1].state
        assert set(seen.state.hand[0].tolist()) <= {0, *before.hand[0].tolist()}, "its own hand in this determinization"
        assert before.hand[1].tolist() != view.state.hand[1].tolist(), "and no other hand"


def test_a_duel_at_equal_time_is_reported_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.head_to_head.find_game", lambda name: HIGH_CARD)
    asked = ["high-card", "search:iterations=40", "plain:iterations=20", "--seats", "3", "--matches", "6", "--even"]
    main_of_rivals([*asked, "--option", "hand=4"])
    told = json.loads(capsys.readouterr().out)
    assert [words.partition("=")[0] for words in told["rivals"]] == ["search:iterations", "plain:iterations"]
    assert (told["seats"], told["matches"], sum(told["endings"].values())) == (3, 6, 6)
    assert 0 <= told["won"] <= 1


def test_equal_time_is_converted_to_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fake clock: an iteration of the first search takes three seconds, the other search takes 600 in total."""

    def timed(setup: GameSetup, seats: int, first: str, second: str, matches: int, seed: int) -> DuelResult:
        seconds = 3.0 * bots.parse(first).iterations, 600.0
        return DuelResult("high-card", seats, (first, second), matches, 0.5, (0, 1), 0, seconds, 6, {})

    monkeypatch.setattr("benchmarks.head_to_head.duel", timed)
    assert (
        match_cpu_time(HIGH_CARD.setup(), 2, "search:iterations=4000", "plain:iterations=200")
        == "search:iterations=200"
    )


def test_the_benchmark_plays_every_built_in_game_but_templates() -> None:
    server = HIGH_CARD.folder.parent  # other tests install games
    built_in = {name for name, found in games().items() if found.folder.parent == server and not found.template}
    assert {line.game for line in lines()} == built_in
    assert [line.second for line in lines() if line.even] == ["plain:iterations=5000"] * 6


def test_an_opponent_that_cannot_play_gets_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.head_to_head.find_game", lambda name: HIGH_CARD)
    answer = play_line(Duel("high-card", 2, {}, "random", "greedy:5", 1, even=False), 1)
    assert answer["rivals"] == ("random", "greedy:5")
    assert "has none for these options" in answer["problem"]


def test_shares_of_many_seats_are_scaled_to_two() -> None:
    """One of four seats that wins a quarter is even; one that wins everything has 1, whatever its group."""
    alone, many = [0, 1, 1, 1], [1, 0, 0, 0]
    assert [_rescaled(share, alone) for share in (0.0, 0.25, 1.0)] == [0.0, 0.5, 1.0]
    assert [_rescaled(share, many) for share in (0.0, 0.75, 1.0)] == [0.0, 0.5, 1.0]
