"""Options: valid values, the messages for invalid ones, and set files: content with the options of its variant."""

from pathlib import Path
from typing import Any

import pytest

from sparring import BadOption
from sparring.cli.common import settings
from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.engine.options import (
    ChoiceOption,
    NumberOption,
    Value,
    grouped,
    read_options,
    split_options,
    with_options,
)
from sparring.lab.experiments.variants import variants
from wording import says

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


FIVE = game("five-circles")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return the file of a set in which players have 3 life."""
    file = tmp_path / "mine.toml"
    file.write_text(with_options(FIVE.content_text, {"life": 3}), encoding="utf-8")
    return file


def test_options_come_back_and_the_content_stays_as_it_is(whole: Path) -> None:
    assert whole.read_text(encoding="utf-8").startswith(FIVE.content_text.rstrip())
    assert FIVE.file_options(whole) == {"life": 3}
    assert FIVE.read_content(whole) == FIVE.content


def test_a_set_without_changed_options_still_says_so() -> None:
    text = with_options(FIVE.content_text, {})
    assert split_options(read_toml(text, "x"), FIVE.options(), "x")[1] == {}
    assert split_options(read_toml(FIVE.content_text, "x"), FIVE.options(), "x")[1] is None


def test_commands_take_the_options_of_a_file_unless_others_are_given(whole: Path, tmp_path: Path) -> None:
    assert settings(FIVE, None, None, whole) == {"life": 3}
    assert settings(FIVE, ["life=5"], None, whole) == {"life": "5"}
    assert settings(FIVE, None, "longer", whole) == FIVE.preset("longer")
    old = tmp_path / "old.toml"
    old.write_text(FIVE.content_text, encoding="utf-8")
    assert settings(FIVE, None, None, old) == FIVE.preset("longer")


def test_the_lab_measures_a_file_with_its_options(whole: Path) -> None:
    named = {"changed": {"cards": {"Kite Archer": {"attack": 1}}}}
    found = variants(FIVE, {}, {}, [whole], named, each=False)
    assert [variant.options["life"] for variant in found] == [3, 3]
    assert variants(FIVE, {"life": 4}, {}, [whole], {}, each=False)[0].options["life"] == 4


@pytest.mark.parametrize(
    ("options", "words"), [("x", "must be a table"), ({"colour": 1}, "no option colour"), ({"life": -1}, "life")]
)
def test_wrong_options_are_refused_by_name(options: object, words: str) -> None:
    with pytest.raises(BadContent) as problem:
        split_options({"options": options}, FIVE.options(), "mine.toml")
    assert says(str(problem.value), "mine.toml", words)
