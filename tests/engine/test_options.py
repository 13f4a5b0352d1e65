"""Options: valid values, and the messages for invalid ones."""

from typing import Any

import pytest

from sparring import BadOption
from sparring.engine.options import ChoiceOption, NumberOption, Value, grouped, read_options

DRAW = ChoiceOption("draw", ("yes", "no"), "May one draw", "R3")
SIDE = ChoiceOption("side", ("left", "right", "both"), "Where one sits")
SIZE = NumberOption("size", 5, 2, 9, "How many cards")
OPTIONS = (DRAW, SIDE, SIZE)


def test_defaults() -> None:
    assert read_options("toy", OPTIONS, {}) == {"draw": "yes", "side": "left", "size": 5}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"draw": "no"}, "no"), ({"draw": " No "}, "no"), ({"draw": False}, "no"), ({"draw": True}, "yes"),
        ({"side": "both"}, "both"), ({"size": 2}, 2), ({"size": "9"}, 9),
    ],
)  # fmt: skip
def test_valid_values(given: dict[str, Any], read: Value) -> None:
    assert read_options("toy", OPTIONS, given)[next(iter(given))] == read


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"colour": 1}, "toy has no option colour; its options are draw, side, size."),
        ({"draw": "maybe"}, "draw must be yes or no, not maybe."),
        ({"draw": 1}, "draw must be yes or no, not 1."),
        ({"side": "up"}, "side must be left, right or both, not up."),
        ({"side": True}, "side must be left, right or both, not True."),
        ({"side": None}, "side must be left, right or both, not None."),
        ({"size": 1}, "size must be a whole number from 2 to 9, not 1."),
        ({"size": 10}, "size must be a whole number from 2 to 9, not 10."),
        ({"size": "many"}, "size must be a whole number from 2 to 9, not many."),
        ({"size": 5.0}, "size must be a whole number from 2 to 9, not 5.0."),
        ({"size": True}, "size must be a whole number from 2 to 9, not True."),
        ({"size": None}, "size must be a whole number from 2 to 9, not None."),
    ],
)
def test_invalid_values(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_options("toy", OPTIONS, given)
    assert str(refused.value) == said


def test_values_in_the_params_record() -> None:
    assert [SIDE.number(value) for value in SIDE.values] == [0, 1, 2]
    assert SIZE.number(7) == 7


def test_labels_of_options() -> None:
    stay = ChoiceOption(
        "stay_in", ("at_once", "no"), "Who stays", title="Staying", words=("at once", "never"), group="The end"
    )
    assert (stay.heading, [stay.in_words(value) for value in stay.values]) == ("Staying", ["at once", "never"])
    assert (SIZE.heading, SIZE.in_words(5), DRAW.in_words("no")) == ("Size", "5", "no")
    assert NumberOption("turn_limit", 5, 2, 9, "Turns").heading == "Turn limit"


def test_options_are_grouped_under_headings() -> None:
    last = NumberOption("last", 5, 2, 9, "Turns", group="The end")
    first = ChoiceOption("first", ("a", "b"), "Who", group="The start")
    again = NumberOption("again", 5, 2, 9, "More", group="The end")
    assert grouped([last, first, again]) == {"The end": [last, again], "The start": [first]}
