"""Reading the fields of positions."""

from typing import Any

import numpy as np
import pytest

from sparring import BadPosition
from sparring.engine.formats.position_reader import PositionReader, builtin, words_in


def test_every_kind_of_field() -> None:
    reader = PositionReader(
        {"turn": 3, "control": 2, "phase": "draw", "dodging": True, "points": [1, 0, 2], "hands": {"2": "x"},
         "out": [3, 1], "known": {"wilds": 2}, "left": 7},
        3,
    )  # fmt: skip
    assert reader.integer("turn", 1, 1, 9) == 3
    assert reader.integer("moment", 5, 0, 9) == 5
    assert (reader.seat("control", 2), reader.seat("attacker", 0)) == (1, 0)
    assert reader.one_of("phase", ("lay", "draw"), "lay") == 1
    assert PositionReader({"phase": "MOVE CARD"}, 2).one_of("phase", ("lay", "move_card"), "lay") == 1
    assert (reader.flag("dodging"), reader.flag("over")) == (True, False)
    assert reader.integer_per_seat("points", 0, 0, 3) == [1, 0, 2]
    assert reader.per_seat("hands", None) == [None, "x", None]
    assert reader.seats_in("out") == [2, 0]
    known = reader.table("known")
    assert known.integer("wilds", 0, 0, 5) == 2
    known.done()
    with pytest.raises(BadPosition, match="no field left"):
        reader.done()


def test_numpy_values_are_accepted_as_fields() -> None:
    row = np.array([1, 0], np.int16)
    reader = PositionReader({"dodging": np.True_, "turn": row[0], "flags": row == 1, "out": [np.int16(2)]}, 2)
    assert reader.flag("dodging") is True
    assert reader.integer("turn", 1, 0, 9) == 1
    assert reader.flag_per_seat("flags") == [True, False]
    assert reader.seats_in("out") == [1]
    assert reader.flag("over", row[0] == 0) is False
    assert reader.integer("left", row[1], 0, 9) == 0


@pytest.mark.parametrize(
    ("call", "value", "said"),
    [
        ("integer", 10, "field must be a whole number from 1 to 9, not 10"),
        ("integer", 1.5, "field must be a whole number from 1 to 9, not 1.5"),
        ("integer", True, "field must be a whole number"),
        ("integer", "3", "field must be a whole number"),
        ("seat", 0, "field: there is no seat 0; the seats are 1 to 3"),
        ("seat", True, "field: there is no seat True"),
        ("seat", "S4", "field: there is no seat S4"),
        ("one_of", "tea", "field must be one of lay, draw, not tea"),
        ("flag", 1, "field must be true or false, not 1"),
        ("per_seat", [1, 2], "field must have 3 values, one for each seat"),
        ("per_seat", "abc", "field must have 3 values, one for each seat"),
        ("per_seat", {4: 1}, "field: there is no seat 4; the seats are 1 to 3"),
        ("per_seat", {"x": 1}, "field: there is no seat x"),
        ("per_seat", {1: 1, "S1": 2}, "field contains seat 1 twice"),
        ("seats_in", "12", "field: there is no seat 12"),
        ("seats_in", [4], "field: there is no seat 4; the seats are 1 to 3"),
        ("table", [1], "field must be a table of fields"),
    ],
)
def test_invalid_fields(call: str, value: Any, said: str) -> None:
    more = {"integer": (1, 1, 9), "seat": (0,), "one_of": (("lay", "draw"), "lay"), "per_seat": (0,)}
    with pytest.raises(BadPosition, match=said):
        getattr(PositionReader({"field": value}, 3), call)("field", *more.get(call, ()))


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
def test_words_as_text_or_as_a_list(value: Any, words: list[str]) -> None:
    assert words_in(value, "hands") == words


@pytest.mark.parametrize("value", [3, None, {"a": 1}, ["a", 1]])
def test_an_invalid_list_of_words(value: Any) -> None:
    with pytest.raises(BadPosition, match="hands must be a list of words"):
        words_in(value, "hands")


@pytest.mark.parametrize("written", [2, "2", "S2", "s2", "seat 2", "Seat_2", "W", "w"])
def test_seats_are_spelled_as_in_choices(written: Any) -> None:
    def reader() -> PositionReader:
        return PositionReader({"who": written, "some": [written], "each": {written: "x"}}, 3, {"w": 2})

    assert reader().seat("who", 0) == 1
    assert reader().seats_in("some") == [1]
    assert reader().per_seat("each", None) == [None, "x", None]


def test_an_unknown_seat_is_refused_with_the_sides() -> None:
    with pytest.raises(BadPosition, match="hands: there is no seat N; the seats are 1 to 2, S, W"):
        PositionReader({"hands": {"N": "x"}}, 2, {"s": 1, "w": 2}).per_seat("hands", None)


def test_fields_accept_spaces_hyphens_or_underscores() -> None:
    reader = PositionReader({"Draw Pile": 1, "point-cards": 2, "known": {"old cards": 3}}, 2)
    assert (reader.take("draw_pile"), reader.take("point_cards"), reader.table("known").take("old_cards")) == (1, 2, 3)
    with pytest.raises(BadPosition, match="contains draw_pile twice"):
        PositionReader({"draw pile": 1, "draw_pile": 2}, 2)


def test_an_unknown_field_is_refused_with_the_known_ones() -> None:
    reader = PositionReader({"colour": 1, "known": {"suits": 1}}, 2)
    reader.integer("turn", 1, 1, 9)
    known = reader.table("known")
    known.take("wilds")
    with pytest.raises(BadPosition, match="The table known of a position has no field suits; its fields are wilds"):
        known.done()
    with pytest.raises(BadPosition, match="A position of this game has no field colour; its fields are known, turn"):
        reader.done()


def test_numpy_values_are_converted() -> None:
    written = {"over": np.bool_(True), "life": np.array([2, 3], np.int16), "rows": [np.int8(4), ("x",)]}
    read = builtin(written)
    assert read == {"over": True, "life": [2, 3], "rows": [4, ["x"]]}
    assert [type(entry) for entry in (read["over"], read["life"][0], read["rows"][0])] == [bool, int, int]
