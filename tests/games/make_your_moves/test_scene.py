"""Make Your Moves as players see it: words of choices, log, and reasons why a choice is not legal."""

from typing import Any

import pytest

from sparring.engine.errors import AmbiguousChoice, IllegalChoice, InvalidChoice
from sparring.engine.match import Match
from sparring.games.make_your_moves.components import face, move_name
from sparring.scene import Banner, Card, Group, Row, things
from sparring.scene.html import render
from wording import says

HANDS = [
    ["Piledriver", "Thunderous", "Elbow", "Jab", "Finisher"],
    ["Table", "Suplex", "Dropkick", "Knee", "Sneaky"],
    ["Popcorn", "Grit", "Swagger", "Chop", "Slap"],
]


def table(seats: int = 2, hands: list[list[str]] = HANDS, **more: Any) -> Match:
    """Return a match at the start of seat 1's turn 5."""
    position = {"game": "make-your-moves", "seats": seats, "seed": 3, "turn": 5, "hands": hands[:seats], **more}
    return Match.from_position(position)


def log_lines(match: Match, words: str, seat: int) -> list[str]:
    """Make choices and return the log lines of a seat."""
    lines: list[str] = []
    for part in words.split(";"):
        match.choose(part)
        lines += match.sentences(seat)
    return lines


def reason(match: Match, words: str) -> str:
    """Return why a choice is refused."""
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
    with pytest.raises(AmbiguousChoice, match="Jab or Chop or Piledriver"):
        table(hands=[["Piledriver", "Jab", "Elbow", "Knee", "Chop"], ["Table"]]).play("target 2; red")
    with pytest.raises(InvalidChoice, match="Moonsault"):
        table().choose("Moonsault")


def test_a_move_is_named_as_by_a_ring_announcer() -> None:
    setup = table().setup
    numbers = {card.name: i for i, card in enumerate(setup.content.cards)}

    def called(*names: str) -> str:
        return str(move_name(setup, [numbers[name] for name in names]))

    assert called("Piledriver", "Elbow", "Thunderous") == "Thunderous Elbow Piledriver"
    assert called("Folding Chair", "Jab", "Flying") == "Flying Jab with the Folding Chair"
    assert called("Skull", "Fury", "Grit") == "Skull plus Fury and Grit"
    assert called("Ladder", "Table", "Belt") == "Ladder, Table and Belt"


def test_log_lines_are_written_from_the_seats_side() -> None:
    play = "target 2; Piledriver; Elbow; done; Suplex; done"
    lines = log_lines(table(), play, 1)
    parts: list[list[object]] = [
        ["only one target", "you attack Seat 2"],
        ["you play Piledriver", 3],
        ["you play Elbow", "3 + 2 = 5"],
        ["Elbow Piledriver", "you attack Seat 2", 5],
        ["Seat 2 defends with Suplex", "2 against 5"],
        ["your 5 beats Seat 2's 2", "you keep control"],
        ["you score", "1 of 3"],
    ]
    assert len(lines) == len(parts)
    assert all(says(line, *part) for line, part in zip(lines, parts, strict=True))
    *_, compared, scored = log_lines(table(), play, 2)
    assert says(compared, "your 2 loses to Seat 1's 5", "Seat 1 keeps control")
    assert says(scored, "Seat 1 scores", "1 of 3")
    watched = log_lines(table(), play, 0)
    assert watched[0] == "Seat 1 attacks Seat 2."
    assert says(watched, "attack 5, defence 2", "Seat 1 keeps control")


def test_results_show_the_numbers_that_decide() -> None:
    blocked = log_lines(table(), "target 2; Elbow; done; Knee; done", 2)[-1]
    assert says(blocked, "your 2", "Seat 1's 2", "blocked", "Seat 1 keeps control")
    won_by_1 = "target 2; Jab; done; Suplex; done"
    assert says(
        log_lines(table(), won_by_1, 1)[-1], "your 1 loses to Seat 2's 2", "Seat 2 takes control", "by 1", "no point"
    )
    assert says(log_lines(table(), won_by_1, 2)[-1], "your 2 beats Seat 1's 1", "you take control", "by 1", "no point")
    assert says(log_lines(table(), won_by_1, 0)[-1], "attack 1, defence 2", "Seat 2 takes control")
    elimination = table(options={"match": "elimination"})
    assert says(log_lines(elimination, won_by_1, 0)[-1], "Seat 2 takes control", "by 1", "no damage")


def test_an_attack_without_a_defence_goes_through() -> None:
    *_, compared, damaged, ended = log_lines(
        table(points=[0, 2], options={"match": "elimination"}), "target 2; Jab; done; done", 2
    )
    assert says(compared, "Seat 1's 1", "goes through", "Seat 1 keeps control")
    assert says(damaged, "you take damage", "3 of 3", "out")
    assert says(ended, "Seat 1 wins", "last")


def test_help_counter_and_dodge_are_in_the_log() -> None:
    match = table(3)
    *_, passed, helped, compared = log_lines(match, "target 2; Jab; done; done; Chop; help defender", 3)
    assert says(passed, "Seat 2 doesn't defend")
    assert says(helped, "you help Seat 2", "Chop", "+1")
    assert says(compared, "attack 1, defence 1", "blocked", "Seat 1 keeps control")
    greens = [["Jab", "Chop", "Elbow"], ["Quick", "Sneaky", "Rolling", "Flying", "Slap"], ["Knee", "Table"]]
    countered = log_lines(table(3, greens), "target 2; Jab; done; counter", 3)[-1]
    assert says(countered, "Seat 2 counters", "takes control", "Quick, Sneaky, Rolling and Flying")
    *_, dodged, targeted = log_lines(table(3, greens), "target 2; Jab; done; dodge; target 3", 3)
    assert says(dodged, "Seat 2 dodges", "Quick, Sneaky, Rolling and Flying")
    assert says(targeted, "attack", "you")


def test_cards_picked_for_a_four_are_secret_until_they_are_played() -> None:
    hands = [["Jab", "Elbow"], ["Quick", "Sneaky", "Rolling", "Flying", "Thunderous"]]
    match = table(2, hands)
    match.play("target 2; Jab; done; counter")
    assert log_lines(match, "Flying; Quick; Sneaky", 1) == []
    assert says(log_lines(match, "Rolling", 1)[0], "Seat 2 counters")


def test_a_new_turn_shows_who_is_in_control_and_what_you_drew() -> None:
    match = table()
    lines = log_lines(match, "target 2; Jab; Elbow; done; done; done; done", 1)
    assert says(lines[-2], "turn 6", "you", "in control")
    assert lines[-1].startswith("You draw ")
    assert match.state.turn == 6


def test_a_pass_and_a_turn_without_an_attack_say_who_gets_control() -> None:
    match = table(3, options={"pass_attack": "yes"})
    assert log_lines(match, "pass", 2) == ["Seat 1 passes control to you."]
    wilds = [HANDS[0], ["Grit", "Swagger", "Momentum", "Fury", "Adrenaline"]]
    match = table(2, wilds, options={"pass_attack": "yes"})
    lines = log_lines(match, "pass; done; done", 1)
    assert says(lines, "Seat 2", "only Wilds", "can't attack")


def test_refusals_name_what_is_missing() -> None:
    match = table(3)
    assert says(reason(match, "target 1"), "target yourself")
    assert says(reason(match, "Jab"), "target", "first")
    assert says(reason(match, "pass"), "must attack")
    match.play("target 2; Finisher")
    assert says(reason(match, "done"), "coloured card", "Wilds")
    assert says(reason(match, "Table"), "not in your hand")
    match.choose("Piledriver")
    assert says(reason(match, "Jab"), "already", "Red", "power 1")
    match.choose("done")
    assert says(reason(match, "Table"), "no Yellow", "Red or Wild")
    assert says(reason(match, "counter"), "four cards of one colour", "counter")
    match.choose("Suplex")
    assert says(reason(match, "Dropkick"), "one card", "stack", "Wilds")
    assert says(reason(match, "counter"), "counter", "only before")
    without_3 = table(3, [*HANDS[:2], []], out=[3], points=[0, 0, 3], options={"match": "elimination"})
    assert says(reason(without_3, "target 3"), "Seat 3 is out")


def test_a_target_has_a_button_with_a_verb() -> None:
    match = table(3, [HANDS[0], ["Quick", "Sneaky", "Rolling", "Flying"], HANDS[2]])
    assert [(seat.words, seat.text) for seat in match.view(1).scene.seats[1:]] == [
        ("target 2", "Attack"), ("target 3", "Attack"),
    ]  # fmt: skip
    assert '<span class="words">Attack</span>' in render(match.view(1).scene)
    match.play("target 2; Jab; done; dodge")
    assert match.view(2).scene.seats[2].text == "New target"


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
    assert says(scene.prompt.sentence, "Seat 1 attacks with 8", "you have 2", "6 more", "add only 4")
    assert [seat.tags for seat in scene.seats] == [("Attacker",), ("Defender",), ()]
    assert sorted(scene.actions()) == sorted(match.view(2).legal)
    assert match.view(3).scene.actions() == []


def test_face_down_cards_are_identified_only_by_their_place() -> None:
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
    drawings = {face(card.name, card.colour, card.power).picture for card in table().setup.content.cards}
    assert len({picture.svg for picture in drawings if picture}) == 80
    unknown, own = face("Moonsault", "Red", 1).picture, face("Jab", "Red", 1).picture
    assert unknown is not None
    assert own is not None
    assert unknown.svg == own.svg
