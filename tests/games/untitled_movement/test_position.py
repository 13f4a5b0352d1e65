"""Positions: defaults, ways to write them, and invalid ones."""

import random
import re
import tomllib
from textwrap import dedent
from typing import Any

import pytest

from games.untitled_movement.table import NAME, table
from sparring import BadPosition, Match
from sparring.games.untitled_movement import GAME


def test_hands_left_out_are_dealt_from_the_seed() -> None:
    one, again, other = (table(seed=seed).match.state for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes()
    assert one.hand.tolist() != other.hand.tolist()


def test_seats_by_side_or_by_number() -> None:
    by_side = table(2, player="E", first="W", tokens={"E": "7,5"}, hands={"W": "F L R"})
    by_number = table(2, player=2, first=1, tokens={"2": ["7,5"]}, hands=["F L R", None])
    small = table(2, player="e", first="w", tokens={"e": "7,5"}, hands={"w": "F L R"})
    assert by_side.match.state.tobytes() == by_number.match.state.tobytes() == small.match.state.tobytes()


@pytest.mark.parametrize(
    "written", ["7,5 8,4", "7, 5; 8, 4", "(7,5), (8,4)", ["7,5", "(8, 4)"], [[7, 5], (8, 4)], "7,5 off 8,4 off"]
)
def test_spaces_as_text_or_as_pairs(written: object) -> None:
    assert table(tokens={"S": written}).tokens("S") == "7,5 8,4"


def test_the_piles() -> None:
    t = table(draw_pile=["F", "B"])
    assert (t.deck, len(t.discards.split())) == (2, 36)
    t = table(draw_pile=["F", "B"], discard_pile=["L", "R", "..."])
    assert t.discards.startswith("L R ")
    assert len(t.discards.split()) == 36
    t = table(discard_pile=5)
    assert (t.deck, len(t.discards.split())) == (33, 5)


@pytest.mark.parametrize(("die", "dice"), [("d3", [3, 1, 2, 2, 3, 1, 1, 1, 3]), ("d6", [6, 2, 5, 1, 1, 4, 3, 6])])
def test_dice_fix_the_next_rolls(die: str, dice: list[int]) -> None:
    t = table(options={"die": die}, dice=dice, draw_pile=30)
    for face in dice:
        t.play("roll")
        assert t.match.state.face == face
        t.play("move; no move" if t.match.phase == "three" else "no move")
        t.match.choose(t.match.legal()[0])


def test_positions_of_every_phase_round_trip() -> None:
    """Check law 6 at every choice of a short match with all phases."""
    match, seen = Match.new(NAME, seats=4, seed=12, options={"stall_rounds": 8, "die": "d6"}), set()
    chance = random.Random(12)
    while not match.over:
        seen.add(match.phase)
        again = Match.from_position(match.position())
        assert again.state.tobytes() == match.state.tobytes()
        match.choose(chance.choice(match.legal()))
    assert Match.from_position(match.position()).state.tobytes() == match.state.tobytes()
    assert seen == set(match.game.rules.PHASES)


@pytest.mark.parametrize(
    ("position", "error"),
    [
        ({"tokens": {"S": "3,3"}}, "space 3,3 is closed"),
        ({"tokens": {"S": "12,3"}}, "space 12,3 is not on this board"),
        ({"tokens": {"S": "x"}}, "x is not a space"),
        ({"tokens": {"S": "7,5", "N": "7,5"}}, "two tokens can't be on 7,5"),
        ({"tokens": {"S": "4,0"}}, "seat 1 can't have a token on 4,0"),
        ({"tokens": {"S": "7,1 7,2 7,4 7,5 7,6"}}, "at most 4 spaces"),
        ({"tokens": {"S": "0,4 0,5 0,6 0,7"}}, "all tokens of seat 1 are home"),
        ({"hands": {"S": "F F"}}, "seat 1 must have 3 cards here, not 2"),
        ({"hands": {"S": "F F X"}}, "there is no card X"),
        ({"hands": {"S": "BR BR BR", "W": "BR F F"}}, "hands: there is no BR left"),
        ({"discard_pile": 39}, "discard_pile needs 39 cards, but only 38 are left"),
        ({"draw_pile": 30, "discard_pile": 3}, "Every card needs a place"),
        ({"moves": 2}, "In phase turn there can't be moves left"),
        ({"face": 2}, "In phase turn the die is not rolled yet"),
        ({"phase": "card"}, "In phase card there must be moves left"),
        ({"phase": "card", "face": 2, "moves": 3}, "moves must be a whole number from 0 to 2"),
        ({"phase": "three", "moves": 2}, "In phase three the roll must be a 3"),
        ({"phase": "place", "tokens": {"S": "7,1 7,2 7,4 7,5"}}, "a token off the board and a free start"),
        ({"phase": "token", "moves": 1, "hands": {"S": "F L R"}}, "a card in the player's hand"),
        ({"phase": "token", "moves": 1, "hands": {"S": "F L R"}, "card": "F"}, "can't move any token"),
        ({"card": "F"}, "in phase turn no card is picked"),
        ({"token": "7,5"}, "in phase turn no token is picked"),
        ({"phase": "start", "tokens": {"S": "11,4"}}, "in phase start, each seat before the player"),
        ({"phase": "sleep"}, "phase must be one of"),
        ({"idle": 100}, "idle must be a whole number from 0 to 99"),
        ({"dice": [4]}, "dice must be a whole number from 1 to 3"),
        ({"dice": [1] * 10}, "at most 9 faces"),
        ({"throws": [[5, 1]]}, "throws: there is no seat 5; the seats are 1 to 4, S, W, N, E"),
        ({"throws": [1]}, "is not a pair of seat and face"),
        ({"winner": 1}, "no field winner"),
        ({"ending": "stalled", "payoff": ["x", 0, 0, 0]}, "payoff must be a number"),
        ({"draw_pile": "F " * 10 + "L " * 10 + "R " * 10 + "FR " * 5 + "FL " * 5}, "needs 3 cards, but only 1 is left"),
    ],
)  # fmt: skip
def test_an_invalid_position(position: dict[str, Any], error: str) -> None:
    with pytest.raises(BadPosition) as refused:
        table(**position)
    assert error in str(refused.value)


def test_a_picked_token_that_the_card_cannot_move() -> None:
    with pytest.raises(BadPosition, match="the picked card can't move this token"):
        table(phase="space", moves=1, hands={"S": "F L R"}, card="F", token="4,4", tokens={"S": "4,4"})
    with pytest.raises(BadPosition, match="seat 1 has no token on 7,5"):
        table(phase="space", moves=1, hands={"S": "F L R"}, card="F", token="7,5", tokens={"S": "4,4"})


def example(page: str, beginning: str) -> str:
    """Return the indented example in a page of the game that begins like this."""
    blocks = re.findall(r"(?:^    .+\n|^\n(?=    ))+", (GAME.folder / page).read_text(encoding="utf-8"), re.MULTILINE)
    return next(found for block in blocks if (found := dedent(block).lstrip()).startswith(beginning))


def test_the_examples_of_the_docs() -> None:
    match = Match.from_position(tomllib.loads(example("positions.md", "game = ")))
    match.play("roll; F; 2,7; to 0,7")
    assert match.payoffs == {1: 3, 2: -1, 3: -1, 4: -1}
    board = GAME.content_from(tomllib.loads(example("rules.md", "[[boards]]")), "rules.md").boards[0]
    assert (board.name, len(board.map)) == ("courtyard", 10)
