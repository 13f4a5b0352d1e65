"""Set files: content with the options of its variant, for every command; older files have no options."""

from pathlib import Path

import pytest

from sparring.cli.common import settings
from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.engine.options import split_options, with_options
from sparring.lab.experiments.variants import variants
from wording import says

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
