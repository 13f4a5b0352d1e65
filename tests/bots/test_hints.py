"""Hints: estimates, the expected line, and that a hint reveals nothing hidden from its seat."""

import random
from typing import Any

import msgspec
import pytest

from bots.positions import GAMES, determinized, leduc, match_after, own_view
from sparring import BadBot, Hint, IllegalChoice, Match, SparringError, bots, games
from sparring.bots.hint_reader import mean_interval
from sparring.engine.hints import ActionEstimate, ExpectedChoice
from wording import says

pytestmark = pytest.mark.compiled("make-your-moves")

SEARCH = "search:iterations=400"


def hint_for(match: Match, bot: str = SEARCH) -> Hint:
    """Return the hint for the seat to choose."""
    return match.hint(match.seat or 0, bot)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("start", range(5))
@pytest.mark.parametrize("which", ["fewest", "most"])
def test_hidden_information_does_not_change_a_hint(game: str, start: int, which: str) -> None:
    seats = games()[game].seats
    match = match_after(game, 2 + 3 * start, seats=seats[0 if which == "fewest" else -1], start=start)
    others = [determinized(match, number) for number in range(3)]
    if match.game.hidden:
        assert any(other.state.tobytes() != match.state.tobytes() for other in others)
    assert [hint_for(other) for other in others] == [hint_for(match)] * 3


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_lists_every_choice_once_and_its_line_starts_with_the_best(game: str) -> None:
    match = match_after(game, 7)
    hint = hint_for(match)
    kept = [choice for choice in match.choices() if choice.action not in match.game.conceding]
    assert sorted((prospect.action, prospect.words) for prospect in hint.choices) == kept
    assert sum(prospect.tried for prospect in hint.choices) == hint.imagined <= 400
    assert [prospect.tried for prospect in hint.choices] == sorted((p.tried for p in hint.choices), reverse=True)
    assert hint.line[0] == (match.seat, hint.choices[0].words, hint.choices[0].tried / hint.imagined)
    assert all(p.low <= p.value <= p.high for p in hint.choices if p.value is not None)


def test_the_expected_line_is_playable() -> None:
    """Untitled Movement hides only the order of a deck, so the expected moves of the other seat have words too."""
    match = Match.new("untitled-movement", seed=3)
    line = hint_for(match, "search:iterations=3000").line
    assert len(line) > 2
    match.choose(line[0].words)
    assert line[1].seat == match.seat
    assert line[1].words in [choice.words for choice in match.choices()]


def test_secret_choices_of_others_are_marked_as_secret() -> None:
    """World of Fighters: both commit a card face down before anyone moves."""
    match = Match.new("world-of-fighters", seed=5)
    while match.phase != "move_card":
        match.choose(match.legal()[0])
    hint = hint_for(match, "search:iterations=3000")
    assert [(step.seat, step.words) for step in hint.line[2:4]] == [(2, ""), (2, "")]
    assert all(step.words for step in hint.line[:2])
    assert "Seat 2: a secret choice, a secret choice" in str(hint)


def test_a_winning_choice_is_estimated_as_a_win() -> None:
    """Two points and three strong cards against an empty hand: playing them wins the match."""
    match = Match.from_position({
        "game": "make-your-moves", "seats": 2, "seed": 4, "phase": "attack", "player": 1, "control": 1, "attacker": 1,
        "defender": 2, "points": [2, 0], "attack": "Red3 Green3 Blue3", "hands": ["Wild1 Red1", "Yellow1"],
    })  # fmt: skip
    best = hint_for(match, "search:iterations=2000").choices[0]
    assert best.value is not None
    assert best.value > 0.95
    assert best.high == pytest.approx(1.0, abs=0.03)


def test_the_reason_says_what_the_best_choice_leads_to() -> None:
    """The same position: whatever Seat 2 has, the attack wins."""
    match = Match.from_position({
        "game": "make-your-moves", "seats": 2, "seed": 4, "phase": "attack", "player": 1, "control": 1, "attacker": 1,
        "defender": 2, "points": [2, 0], "attack": "Red3 Green3 Blue3", "hands": ["Wild1 Red1", "Yellow1"],
    })  # fmt: skip
    hint = hint_for(match, "search:iterations=2000")
    assert hint.reason.endswith("Then you win with 3 points.")
    assert hint.reason in hint.lines()


def test_a_comparison_is_the_whole_reason() -> None:
    """What follows is a forecast: it says nothing about why the suggested action is better."""
    match = Match.new("untitled-movement", seed=3)
    while match.phase != "card":
        match.choose(match.legal()[0])
    reason = hint_for(match, "search:iterations=3000").reason
    assert says(reason, "none of the cards", "closer to a goal")
    assert "Then" not in reason


def test_an_unlikely_result_is_no_reason() -> None:
    """At the first discard of a match nobody knows how the next exchange ends."""
    match = match_after("make-your-moves", 0)
    while match.phase != "discard":
        match.choose(match.legal()[-1])
    assert not any(word in hint_for(match).reason for word in ("beats", "score"))


def test_payoffs_in_chips_are_shown_in_chips() -> None:
    """Folding always costs the blind; a King that meets a bet is worth more than that."""
    match = leduc(4, 0, 2)
    match.play("check; bet")
    hint = hint_for(match, "search:iterations=2000")
    worth = {prospect.words: prospect for prospect in hint.choices}
    assert hint.unit == "chips"
    assert worth["fold"].value == pytest.approx(-1.0)
    assert worth["fold"].low < -1.0 < worth["fold"].high
    assert (worth["call"].value or -9.0) > 0
    assert "fold   -1.00 chips" in str(hint)


def test_a_bots_answer_includes_its_hint_and_equals_its_choice() -> None:
    view, bot = own_view(match_after("make-your-moves", 8)), bots.parse(SEARCH)
    streams = [bots.stream(3, view.seat) for _ in range(2)]
    answer = bot.answer(view, streams[0])
    assert answer.action == bot.choose(view, streams[1])
    assert answer.hint == answer.hint
    assert answer.hint is not None
    assert answer.hint.choices[0].action == answer.action
    assert streams[0].tolist() == streams[1].tolist(), "explaining doesn't advance any stream"


def test_a_random_bot_gives_no_hint() -> None:
    match = match_after("make-your-moves", 8)
    assert bots.parse("random").answer(own_view(match), bots.stream(1, 1)).hint is None
    with pytest.raises(BadBot, match="Random bot can't give hints"):
        hint_for(match, "random")


def test_only_the_seat_to_choose_gets_a_hint() -> None:
    match = Match.new("make-your-moves", seats=3, seed=4)
    other = 1 + (match.seat or 0) % 3
    with pytest.raises(IllegalChoice, match=f"Only seat {match.seat} can get a hint"):
        match.hint(other)
    with pytest.raises(SparringError, match="There is no seat 4"):
        match.hint(4)
    while not match.over:
        match.choose(match.legal()[0])
    with pytest.raises(IllegalChoice, match="The match is over"):
        match.hint(1)


def test_a_hint_is_serializable() -> None:
    hint = hint_for(match_after("mace", 5))
    assert msgspec.json.decode(msgspec.json.encode(hint), type=Hint) == hint


def test_hint_sentences() -> None:
    hint = Hint(
        2, (ActionEstimate(4, "Red1", 0.5, 0.4, 0.625, 900), ActionEstimate(9, "done", None, 0, 1, 0)), imagined=1000,
        line=(ExpectedChoice(2, "Red1", 0.9), ExpectedChoice(2, "done", 0.5), ExpectedChoice(1, "", 1.0),
            ExpectedChoice(2, "Red2", 0.4)),
    )  # fmt: skip
    assert hint.lines() == [
        "Given what you know, in 1,000 simulated matches:",
        "  Red1  50% to win (40% to 62%)",
        "  done  never tried",
        "Expected line: you: Red1, done; Seat 1: a secret choice; you: Red2.",
    ]


@pytest.mark.parametrize("values", [(0.0, 1.0), (0.0, 0.25, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)])
@pytest.mark.parametrize("seen", [1, 5, 60])
def test_intervals_have_their_nominal_coverage(values: tuple[float, ...], seen: int) -> None:
    rng, truth = random.Random(7), sum(values) / len(values)
    ends: list[Any] = [mean_interval(sum(rng.choices(values, k=seen)) / seen, seen) for _ in range(400)]
    assert sum(low <= truth <= high for low, high in ends) >= 0.95 * 400


def test_an_interval_narrows_with_visits() -> None:
    wide, narrow = mean_interval(0.3, 20), mean_interval(0.3, 2000)
    assert wide[0] < narrow[0] < 0.3 < narrow[1] < wide[1]
    assert narrow[1] - narrow[0] < 0.07
