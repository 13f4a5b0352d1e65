"""Make Your Moves as people see it: the words of choices, what the log tells, and why something cannot be chosen."""

from typing import Any

import pytest

from sparring.engine.errors import Ambiguous, IllegalChoice, NotUnderstood
from sparring.engine.match import Match
from sparring.games.make_your_moves.scene import face
from sparring.games.make_your_moves.telling import move_name
from sparring.scene import Banner, Card, Group, Row, things

HANDS = [
    ["Piledriver", "Thunderous", "Elbow", "Jab", "Finisher"],
    ["Table", "Suplex", "Dropkick", "Knee", "Sneaky"],
    ["Popcorn", "Grit", "Swagger", "Chop", "Slap"],
]


def table(seats: int = 2, hands: list[list[str]] = HANDS, **more: Any) -> Match:
    """A match at the start of seat 1's turn 5."""
    position = {"game": "make-your-moves", "seats": seats, "seed": 3, "turn": 5, "hands": hands[:seats], **more}
    return Match.from_position(position)


def told(match: Match, words: str, seat: int) -> list[str]:
    """Play, and what a seat is told of it."""
    lines: list[str] = []
    for part in words.split(";"):
        match.choose(part)
        lines += match.told(seat)
    return lines


def reason(match: Match, words: str) -> str:
    """Why a choice is refused."""
    with pytest.raises(IllegalChoice) as refused:
        match.choose(words)
    return str(refused.value)


def test_the_worked_cases_can_be_typed() -> None:
    for words in ("target 2; Red3; Blue2; done", "target S2; piledriver; elbow; done", "to 2; Red 3; blue 2; DONE"):
        match = table()
        match.play(words)
        assert match.seat == 2
        assert [choice.words for choice in match.choices()] == ["Dropkick", "Suplex", "Knee", "done"]


def test_equal_cards_are_not_ambiguous_and_different_ones_are() -> None:
    match = table()
    match.play("target 2; Red3; done; Red2")
    assert [choice.words for choice in match.choices()] == ["done"]
    with pytest.raises(Ambiguous, match="Jab or Chop or Piledriver"):
        table(hands=[["Piledriver", "Jab", "Elbow", "Knee", "Chop"], ["Table"]]).play("target 2; red")
    with pytest.raises(NotUnderstood, match="Moonsault"):
        table().choose("Moonsault")


def test_a_move_is_called_as_an_announcer_would() -> None:
    box = table().box
    numbers = {card.name: i for i, card in enumerate(box.content.cards)}

    def called(*names: str) -> str:
        return move_name(box, [numbers[name] for name in names])

    assert called("Piledriver", "Elbow", "Thunderous") == "Thunderous Elbow Piledriver"
    assert called("Folding Chair", "Jab", "Flying") == "Flying Jab with the Folding Chair"
    assert called("Skull", "Fury", "Grit") == "Skull plus Fury and Grit"
    assert called("Ladder", "Table", "Belt") == "Ladder, Table and Belt"


def test_a_turn_is_told_to_each_in_their_own_words() -> None:
    play = "target 2; Piledriver; Elbow; done; Suplex; done"
    assert told(table(), play, 1) == [
        "Only one target: you attack Seat 2.",
        "You lay Piledriver: 3.",
        "You lay Elbow: 3 + 2 = 5.",
        "Elbow Piledriver! 5 against Seat 2.",
        "Seat 2 defends with Suplex: 2 against 5.",
        "5 against 2: you hit Seat 2 and keep control.",
        "You score: 1 of 3 points.",
    ]
    assert told(table(), play, 2)[-2:] == [
        "5 against 2: Seat 1 hits you and keeps control.",
        "Seat 1 scores: 1 of 3 points.",
    ]
    assert told(table(), play, 0)[0] == "Seat 1 attacks Seat 2."


def test_outcomes_are_told_with_the_numbers_that_decide() -> None:
    assert told(table(), "target 2; Jab; Elbow; done; Suplex; done", 2)[-2:] == [
        "3 against 2: Seat 1 hits you and keeps control.",
        "Seat 1 scores: 1 of 3 points.",
    ]
    assert told(table(), "target 2; Elbow; done; Knee; done", 2)[-1] == "2 against 2: blocked. Seat 1 stays in control."
    stolen = "1 against 2: Seat 2 steals control, but 1 more is no point."
    assert told(table(), "target 2; Jab; done; Suplex; done", 1)[-1] == stolen
    hit = told(table(points=[0, 2], options={"match": "elimination"}), "target 2; Jab; done; done", 2)
    assert hit[-3:] == [
        "1 against 0: Seat 1 hits you and keeps control.",
        "You take the third hit and are out.",
        "Seat 1 wins the match: last one in.",
    ]


def test_help_counter_and_dodge_are_told() -> None:
    match = table(3)
    assert told(match, "target 2; Jab; done; done; Chop; help defender", 3)[-4:] == [
        "Seat 2 lays nothing in defence.",
        "You help with Chop.",
        "Chop adds 1 for Seat 2.",
        "1 against 1: blocked. Seat 1 stays in control.",
    ]
    greens = [["Jab", "Chop", "Elbow"], ["Quick", "Sneaky", "Rolling", "Flying", "Slap"], ["Knee", "Table"]]
    assert told(table(3, greens), "target 2; Jab; done; counter", 3)[-1] == (
        "Seat 2 counters with Quick, Sneaky, Rolling and Flying, and takes control."
    )
    assert told(table(3, greens), "target 2; Jab; done; dodge; target 3", 3)[-2:] == [
        "Seat 2 dodges with Quick, Sneaky, Rolling and Flying.",
        "The attack goes to you instead.",
    ]


def test_a_picked_four_is_not_told_to_others_before_it_lies_there() -> None:
    hands = [["Jab", "Elbow"], ["Quick", "Sneaky", "Rolling", "Flying", "Thunderous"]]
    match = table(2, hands)
    match.play("target 2; Jab; done; counter")
    assert told(match, "Flying; Quick; Sneaky", 1) == []
    assert told(match, "Rolling", 1)[0].startswith("Seat 2 counters with ")


def test_a_new_turn_says_who_is_in_control_and_what_one_drew() -> None:
    match = table()
    lines = told(match, "target 2; Jab; Elbow; done; done; done; done", 1)
    assert lines[-2] == "Turn 6: you are in control."
    assert lines[-1].startswith("You draw ")
    assert match.state.turn == 6


def test_every_refusal_says_why() -> None:
    match = table(3)
    assert reason(match, "target 1") == "You cannot target yourself."
    assert reason(match, "Jab") == "First choose who is attacked."
    assert reason(match, "pass") == "At this table the player in control must attack."
    match.play("target 2; Finisher")
    assert reason(match, "done") == "Lay a coloured card first; Wilds alone are no attack."
    assert reason(match, "Table") == "That card is not in your hand."
    match.choose("Piledriver")
    assert reason(match, "Jab") == "Your attack has its Red already; only cards of power 1 stack."
    match.choose("done")
    assert reason(match, "Table") == "The attack has no Yellow: defend with Red, or a Wild."
    assert reason(match, "counter") == "To counter takes four cards of one colour."
    match.choose("Suplex")
    assert (
        reason(match, "Dropkick")
        == "Your defence has room for one card (a stack of singles counts as one), and any Wilds."
    )
    assert reason(match, "counter") == "To counter comes before the first card of a defence."
    without_3 = table(3, [*HANDS[:2], []], out=[3], points=[0, 0, 3], options={"match": "elimination"})
    assert reason(without_3, "target 3") == "Seat 3 is out."


def test_the_scene_shows_the_moves_and_their_powers() -> None:
    match = table(3)
    match.play("target 2; Piledriver; Thunderous; Elbow; done; Suplex")
    scene = match.view(2).scene
    (fight,) = scene.middle
    assert isinstance(fight, Group)
    attack, defence = fight.parts
    assert isinstance(attack, Row)
    assert isinstance(defence, Row)
    assert (attack.total, defence.total) == ("3 + 3 + 2 = 8", "2")
    assert scene.banner == Banner("move 5", "Thunderous Elbow Piledriver", seat=1)
    assert scene.prompt.sentence == "Seat 1 attacks with 8, you hold 2: 6 more to block, your cards add 4 at most."
    assert [seat.tags for seat in scene.seats] == [("Attacker",), ("Defender",), ()]
    assert sorted(scene.actions()) == sorted(match.view(2).legal)
    assert match.view(3).scene.actions() == []


def test_face_down_cards_are_known_by_their_place_alone() -> None:
    scene = table(3).view(1).scene
    cards = [thing for thing in things(scene) if isinstance(thing, Card)]
    down = [card for card in cards if card.face is None]
    assert len(down) == 10
    assert {card.key.split()[0] for card in down} == {"seat"}
    assert len({card.key for card in cards}) == len(cards)


def test_power_is_drawn_as_ropes_and_every_named_card_has_its_own_drawing() -> None:
    for power in (1, 2, 3):
        base = face("Jab", "Red", power).base
        assert base is not None
        assert base.svg.count("Q31.5") == power
    drawings = {face(card.name, card.colour, card.power).picture for card in table().box.content.cards}
    assert len({picture.svg for picture in drawings if picture}) == 80
    unknown, own = face("Moonsault", "Red", 1).picture, face("Jab", "Red", 1).picture
    assert unknown is not None
    assert own is not None
    assert unknown.svg == own.svg
