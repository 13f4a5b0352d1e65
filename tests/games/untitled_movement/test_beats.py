"""Beats: the steps that each seat sees between one choice and the next."""

from typing import Any

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import Match
from sparring.scene import Board, Card, Group, Pile, Row, things
from sparring.scene.html import render
from sparring.scene.sentences import importance_of, is_result
from wording import says


def log_by_beat(t: Table, words: str, seat: int = 0) -> dict[str, list[str]]:
    """Make a choice and return a seat's log lines by beat; the last key, empty, is the table at rest."""
    t.play(words)
    return {beat.view.beat: [*map(str, beat.lines)] for beat in t.match.beats(seat)}


def at(t: Table, name: str, seat: int = 0) -> Any:
    """Return the scene of a beat of the last choice."""
    (found,) = [beat.view.scene for beat in t.match.beats(seat) if beat.view.beat == name]
    return found


def tokens_of(scene: Any, seat: int) -> list[tuple[str, str]]:
    """Return the spaces and states of a seat's tokens."""
    board = next(part for part in things(scene) if isinstance(part, Board))
    return [(token.label.partition(", ")[0], token.state) for token in board.tokens if token.seat == seat]


def piles(scene: Any) -> list[int]:
    return [part.count for part in things(scene) if isinstance(part, Pile)]


# The rolls for the first turn


def test_every_roll_for_the_first_turn_has_a_beat() -> None:
    t = table(2, phase="start", dice=[2, 2, 1, 3]).play("to l5")
    t.play(t.choices.split(", ")[0])
    beats = t.match.beats(1)
    assert [beat.view.beat for beat in beats] == ["thrown", "thrown", ""]
    opening, tie, rest = (beat.lines[-1] for beat in beats)
    assert says(opening, "first", "you roll 2", "Seat 2 rolls 2")
    assert says(tie, "tie", "you roll 1", "Seat 2 rolls 3")
    assert says(rest, "Seat 2", "first")
    first, second, _ = t.match.beats(0)
    assert [dice(beat.view.scene) for beat in (first, second)] == [["2", "2"], ["1", "3"]]
    assert first.view.scene.right[0] == first.view.scene.exchange
    assert first.view.scene.prompt.sentence == ""


def dice(scene: Any) -> list[str]:
    """Return the faces of the dice in an exchange."""
    assert isinstance(scene.exchange, Group)
    cards = [card for part in scene.exchange.parts if isinstance(part, Row) for card in part.cards]
    return [card.label.removeprefix("the die shows ") for card in cards]


def test_the_die_is_shown_until_the_turn_ends() -> None:
    t = rolled(5, ["7,5"], "F L R", options={"die": "d6"})
    (die,) = [part for part in things(t.match.view(2).scene) if isinstance(part, Row) and part.key == "die"]
    assert [card.face.lines for card in die.cards if isinstance(card, Card) and card.face] == [("= 2",)]
    t.play("L; 7,5; to d8")
    assert not [part for part in things(t.match.view(2).scene) if isinstance(part, Row) and part.key == "die"]


# The turn


def test_the_last_move_has_a_beat_before_the_draw() -> None:
    t = rolled(1, ["7,5"], "F L R", draw_pile=["B", "..."]).play("F; 7,5")
    log = log_by_beat(t, "to f7", 2)
    assert list(log) == ["moved", ""]
    assert says(log["moved"], "Seat 1", "forward", "f8", "f7")
    drawn, heading = log[""]
    assert drawn == "Seat 1 draws Backward."
    assert says(heading, "Your turn")
    moved = at(t, "moved", 2)
    assert ("f7", "picked") in tokens_of(moved, 1)
    assert moved.exchange is None
    assert [len(part.cards) for part in moved.seats[0].parts] == [2]
    assert importance_of(t.match.beats(2)[-1].lines[0]) == "aside"


def test_a_move_with_moves_left_has_no_beat_and_can_be_taken_back() -> None:
    t = rolled(3, ["7,5"], "F L R").play("move; F; 7,5")
    log = log_by_beat(t, "to f7", 2)
    assert list(log) == [""]
    assert says(log[""], "Seat 1", "forward", "f8", "f7")
    assert t.match.can_take_back


def test_picking_a_card_and_a_token_adds_no_log_line() -> None:
    t = rolled(2, ["7,5"], "F FR L")
    assert log_by_beat(t, "FR", 2) == log_by_beat(t, "7,5", 2) == {"": []}
    assert says(t.match.view(2).scene.prompt.sentence, "Seat 1", "moving")
    assert says(log_by_beat(t, "to h6", 2)["moved"], "Seat 1", "forward-right", "f8", "h6")


def test_a_token_coming_home_is_shown_with_its_card() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6")
    held = [card.face for card in t.match.view(2).scene.seats[0].parts[0].cards]
    assert says(log_by_beat(t, "to g1", 2)["moved"], "Seat 1", "forward", "g2", "g1", "1 of 4 home")
    assert is_result(t.match.beats(2)[0].lines[0])
    shown = at(t, "moved", 2).exchange
    assert (shown.title, [card.face.name for card in shown.cards]) == ("Seat 1: 1 of 4 home", ["Forward"])
    assert shown.cards[0].face in held, "it points where it points in the open hand"


def test_the_last_token_home_has_a_beat_before_the_end() -> None:
    t = table(tokens={"S": "0,4 0,5 0,6 1,7"}, hands={"S": "F L R"}, dice=[3]).play("roll; F; 1,7")
    log = log_by_beat(t, "to h1")
    assert list(log) == ["moved", ""]
    assert says(log["moved"], "Seat 1", "h2", "h1", "4 of 4 home")
    assert says(log[""], "Seat 1 wins", "home")
    assert not at(t, "moved").over
    assert t.match.over


@pytest.mark.parametrize(
    ("play", "words", "discarded", "drawn", "count"),
    [
        (
            "",
            "discard hand",
            ("You discard", "hand", "Forward, Left and Right"),
            "You draw Forward, Backward and Forward-left.",
            3,
        ),
        ("roll; no move", "L", ("You discard Left",), "You draw Forward.", 1),
    ],
)
def test_a_discard_has_a_beat_before_the_draw(
    play: str, words: str, discarded: tuple[str, ...], drawn: str, count: int
) -> None:
    t = table(tokens={"S": "7,5"}, hands={"S": "F L R"}, dice=[1], draw_pile=["F", "B", "FL", "..."], discard_pile=[])
    t.play(play)
    before = piles(t.match.view(1).scene)[1]
    log = log_by_beat(t, words, 1)
    assert list(log) == ["discarded", ""]
    assert says(log["discarded"], *discarded)
    assert log[""][0] == drawn
    assert says(log[""][1], "Seat 2's turn")
    assert piles(at(t, "discarded", 1))[1] == before + count


def test_a_reshuffle_has_a_beat() -> None:
    t = table(tokens={"S": "7,5"}, hands={"S": "F L R"}, draw_pile=[])
    log = log_by_beat(t, "discard hand")
    assert list(log) == ["discarded", "reshuffled", ""]
    assert says(log["reshuffled"], "discards", "shuffled", "draw pile")
    deck, discards = piles(at(t, "reshuffled"))
    assert (deck > 30, discards) == (True, 0)


# Hidden information


@pytest.mark.parametrize("seed", [1, 2])
def test_no_beat_reveals_the_draw_pile_or_the_generator(seed: int) -> None:
    match = Match.new("untitled-movement", seats=2 * seed, seed=seed, options={"stall_rounds": 3})
    beats = 0
    while not match.over:
        match.choose(match.legal()[len(match.history) * 7 % len(match.legal())])
        for seat in range(match.seats + 1):
            for beat in match.beats(seat):
                state = beat.view.state
                assert not state.rng.any()
                assert set(state.deck[1 : state.deck[0] + 1].tolist()) <= {-1}
                beats += bool(beat.view.beat)
    assert beats >= 20


def test_every_beat_can_be_drawn() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6; to g1")
    for seat in range(5):
        assert [len(str(render(beat.view.scene))) > 5000 for beat in t.match.beats(seat)] == [True, True]
