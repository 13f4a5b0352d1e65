"""Reading what people write in positions."""

from typing import Any

import pytest

from sparring import BadPosition
from sparring.engine.readable import Reader, words_in


def test_every_kind_of_field() -> None:
    reader = Reader(
        {"turn": 3, "control": 2, "phase": "draw", "dodging": True, "points": [1, 0, 2], "hands": {"2": "x"},
         "out": [3, 1], "known": {"wilds": 2}, "left": 7},
        3,
    )  # fmt: skip
    assert reader.whole("turn", 1, 1, 9) == 3
    assert reader.whole("moment", 5, 0, 9) == 5
    assert (reader.seat("control", None), reader.seat("attacker", 0)) == (1, 0)
    assert reader.one_of("phase", ("lay", "draw"), "lay") == 1
    assert Reader({"phase": "MOVE CARD"}, 2).one_of("phase", ("lay", "move_card"), "lay") == 1
    assert (reader.flag("dodging"), reader.flag("over")) == (True, False)
    assert reader.whole_per_seat("points", 0, 0, 3) == [1, 0, 2]
    assert reader.per_seat("hands", None) == [None, "x", None]
    assert reader.seats_in("out") == [2, 0]
    known = reader.table("known")
    assert known.whole("wilds", 0, 0, 5) == 2
    known.done()
    with pytest.raises(BadPosition, match="no field left"):
        reader.done()


@pytest.mark.parametrize(
    ("call", "value", "said"),
    [
        ("whole", 10, "field is a whole number from 1 to 9, not 10"),
        ("whole", 1.5, "field is a whole number from 1 to 9, not 1.5"),
        ("whole", True, "field is a whole number"),
        ("whole", "3", "field is a whole number"),
        ("seat", 0, "field is a whole number from 1 to 3, not 0"),
        ("seat", None, "field is a whole number from 1 to 3, not None"),
        ("one_of", "tea", "field cannot be tea; it can be lay, draw"),
        ("flag", 1, "field is true or false, not 1"),
        ("per_seat", [1, 2], "field has one entry for each of the 3 seats"),
        ("per_seat", "abc", "field has one entry for each of the 3 seats"),
        ("per_seat", {4: 1}, "field is a whole number from 1 to 3, not 4"),
        ("per_seat", {"x": 1}, "field is a whole number from 1 to 3, not x"),
        ("seats_in", "12", "field is a list of seats"),
        ("seats_in", [4], "field is a whole number from 1 to 3, not 4"),
        ("table", [1], "field is a table of fields"),
    ],
)
def test_what_cannot_be_read(call: str, value: Any, said: str) -> None:
    more = {"whole": (1, 1, 9), "seat": (None,), "one_of": (("lay", "draw"), "lay"), "per_seat": (0,)}
    with pytest.raises(BadPosition, match=said):
        getattr(Reader({"field": value}, 3), call)("field", *more.get(call, ()))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Red1 Red2", ["Red1", "Red2"]),
        ("Arm Drag, Jab", ["Arm Drag", "Jab"]),
        ("Arm Drag; Jab;", ["Arm Drag", "Jab"]),
        (["Arm Drag", "Jab"], ["Arm Drag", "Jab"]),
        (("Jab",), ["Jab"]),
        ("", []),
        ([], []),
    ],
)
def test_words_in_a_text_or_a_list(value: Any, words: list[str]) -> None:
    assert words_in(value, "hands") == words


@pytest.mark.parametrize("value", [3, None, {"a": 1}, ["a", 1]])
def test_what_is_no_list_of_words(value: Any) -> None:
    with pytest.raises(BadPosition, match="hands is a list of words"):
        words_in(value, "hands")
