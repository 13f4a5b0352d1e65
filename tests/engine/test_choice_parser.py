"""Parsing typed words into choices: unknown, illegal, ambiguous."""

from typing import Any

import pytest

from engine.toy_game import TOY
from sparring import AmbiguousChoice, IllegalChoice, InvalidChoice, Match
from sparring.engine.formats import normalize
from sparring.engine.formats.choice_parser import summarized


def attack(*hand: str) -> Match:
    """Return a match in which seat 1 attacks with this hand of Make Your Moves."""
    position = {"game": "make-your-moves", "hands": [list(hand), None], "phase": "attack"}
    return Match.from_position(position)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Arm Drag", "armdrag"),
        ("Top-Rope", "TOP ROPE"),
        ("target 2", "Target_2"),
        ("Hai Wu's", "hai wu’s"),
        ("to (2,-1)", "to 2,-1"),
        ("to 2,\N{MINUS SIGN}1", "to 2,-1"),
    ],
)
def test_spelling_variants_are_equal(one: str, other: str) -> None:
    assert normalize(one) == normalize(other)


def test_the_sign_of_a_number_matters() -> None:
    assert normalize("to 1,-2") != normalize("to 1,2")
    assert normalize("to-1,0") == normalize("to -1,0") != normalize("to 1,0")


@pytest.mark.parametrize("words", ["Piledriver", "piledriver", " PILEDRIVER ", "pile", "Red3", "red 3", "r"])
def test_words_aliases_and_prefixes_are_recognized(words: str) -> None:
    match = attack("Piledriver", "Elbow")
    match.choose(words)
    assert match.position()["attack"] == ["Piledriver"]


def test_whole_words_take_precedence_over_prefixes() -> None:
    match = attack("Hip Toss", "Hip")
    match.choose("hip")
    assert match.position()["attack"] == ["Hip"]


def test_the_full_name_of_another_choice_is_not_a_prefix() -> None:
    with pytest.raises(IllegalChoice, match="not in your hand"):
        attack("Hip Toss").choose("hip")


@pytest.mark.parametrize("words", ["1", "Red", "target"])
def test_a_prefix_does_not_end_inside_a_number(words: str) -> None:
    twelve = Match.from_position(
        {"game": "high-card", "seats": 2, "hands": [[10, 11], [1, 2]]},
        content={"values": [*range(2, 12), 12, 13, *range(30, 38)]},
        game=TOY,
    )
    assert [choice.words for choice in twelve.choices()] == ["lay 12", "lay 13"]
    with pytest.raises(InvalidChoice):
        twelve.choose(words)
    twelve.choose("12")


def test_ambiguous_words_list_the_candidates() -> None:
    with pytest.raises(AmbiguousChoice, match="“S” could mean Slap or Suplex or Skull"):
        attack("Slap", "Suplex", "Skull", "Jab").choose("S")


def test_equal_cards_are_interchangeable_and_not_ambiguous() -> None:
    match = attack("Slap", "Shove", "Stomp")
    match.play("s; red1; Red 1")
    assert match.position()["attack"] == ["Slap", "Shove", "Stomp"]


@pytest.mark.parametrize(
    ("words", "why"), [("Jaw", "not in your hand"), ("counter", "no attack on you"), ("done", "coloured card first")]
)
def test_an_illegal_choice_gets_its_reason(words: str, why: str) -> None:
    with pytest.raises(IllegalChoice, match=why):
        attack("Slap").choose(words)


@pytest.mark.parametrize("words", ["", "   ", "Slapp", "ap", "?", "9", "-", "target", "slap; jab"])
def test_unknown_words_list_the_legal_choices(words: str) -> None:
    with pytest.raises(InvalidChoice, match="choose Jab or Slap"):
        attack("Jab", "Slap").choose(words)


def test_choices_can_be_typed_as_numbers() -> None:
    match = attack("Jab")
    number = match.choices()[0].action
    with pytest.raises(IllegalChoice, match=r"The number of a choice must be 0 to \d+, not 999"):
        match.choose(999)
    with pytest.raises(IllegalChoice, match=r"The number of a choice must be 0 to \d+, not -1"):
        match.choose(-1)
    with pytest.raises(IllegalChoice, match="not in your hand"):
        match.choose(number + 1)
    match.choose(number)
    assert match.history == [number]


def test_no_choice_is_legal_after_the_end() -> None:
    match = Match.new(TOY, seats=2, seed=1, options={"hand": 1})
    for _ in range(2):
        match.choose(match.choices()[0].action)
    assert match.over
    for choice in ("1", 0, "lay 1", 99):
        with pytest.raises(IllegalChoice, match="The match is over"):
            match.choose(choice)


@pytest.mark.parametrize(
    ("position", "words", "said"),
    [
        ({"game": "mace"}, "pass", "“pass” isn't a choice here; type “end”"),
        ({"game": "mace", "phase": "move", "steps": 1}, "done", "“done” isn't a choice here; type “stay”"),
        ({"game": "world-of-fighters", "phase": "counter", "movement": [1, 1], "action": ["Block", "Kick"]},
         "done", "“done” isn't a choice here; type “pass”"),
        ({"game": "untitled-movement", "phase": "card", "moves": 1}, "pass", "type “no move”"),
        ({"game": "five-circles", "hands": [[], []]}, "Pass", "“Pass” isn't a choice here; type “done”"),
    ],
)  # fmt: skip
def test_synonyms_of_done_suggest_the_right_word(position: dict[str, Any], words: str, said: str) -> None:
    with pytest.raises(IllegalChoice, match=said):
        Match.from_position(position).choose(words)


def test_many_places_are_summarized() -> None:
    match = Match.from_position({"game": "mace", "phase": "move", "steps": 4})
    with pytest.raises(InvalidChoice, match=r"choose to -2,-4 \.\.\. to -3,4 \(51 choices\) or stay") as said:
        match.choose("fly")
    assert len(str(said.value)) < 120
    assert summarized(["to a1", "to a2", "end"]) == [("to a1", 1), ("to a2", 1), ("end", 1)]
