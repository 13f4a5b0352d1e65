"""Content schemas: valid values, the places of faults, inferred schemas, and TOML output."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import games
from sparring.engine.schema import Anything, Choice, Integer, ListField, RecordField, Text, inferred, read, validate
from sparring.engine.schema.field import along, walk

CARD = RecordField(
    "card", {"name": Text(), "power": Integer(1, 3, "power"), "suit": Choice(("Red", "Blue"), "suit", default="Red")}
)
DECK = RecordField("deck", {"cards": ListField(CARD, "card", "deck", 1, 3, unique=True)})


def faults(data: Any) -> list[tuple[tuple[str | int, ...], str, str]]:
    return [(fault.at, fault.sentence, str(fault)) for fault in validate(DECK, data, "mine")[1]]


def test_optional_fields_have_defaults() -> None:
    assert read(DECK, {"cards": [{"name": " Jab ", "power": 2}]}, "mine") == {
        "cards": [{"name": "Jab", "power": 2, "suit": "Red"}]
    }


def test_a_fault_names_its_field_and_reason() -> None:
    rows = [{"name": "Jab", "power": 9}, {"name": "jab", "suit": "Pink", "power": 1, "speed": 1}]
    assert faults({"cards": rows}) == [
        (("cards", 0, "power"), "a power must be a whole number from 1 to 3, not 9.",
         "mine: card 1 (Jab): power: a power must be a whole number from 1 to 3, not 9."),
        (("cards", 1, "suit"), "a suit must be Red or Blue, not Pink.",
         "mine: card 2 (jab): suit: a suit must be Red or Blue, not Pink."),
        (("cards", 1, "speed"), "there is no field speed; a card has name, power and suit.",
         "mine: card 2 (jab): there is no field speed; a card has name, power and suit."),
        (("cards", 1, "name"), "jab is already the name of card 1.",
         "mine: card 2: name: jab is already the name of card 1."),
    ]  # fmt: skip


def test_a_wrong_number_of_entries_is_a_fault_of_their_list() -> None:
    assert faults({"cards": []}) == [
        (("cards",), "a deck must have 1 to 3 cards, not 0.", "mine: a deck must have 1 to 3 cards, not 0.")
    ]


@pytest.mark.parametrize("name", ["five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"])
def test_default_content_fits_its_schema_and_round_trips(name: str) -> None:
    game = games()[name]
    data = read_toml(game.content_text, "own")
    assert validate(game.form, data)[1] == []
    written = write_toml(data)
    again = read_toml(written, "own")
    assert again == data
    assert list(again) == list(data)
    assert write_toml(again) == written
    assert game.content_from(again, "own") == game.content


@pytest.mark.parametrize("name", ["five-circles", "mace", "untitled-movement", "world-of-fighters"])
def test_a_walk_reaches_every_value_with_its_field(name: str) -> None:
    form, data = games()[name].form, read_toml(games()[name].content_text, "own")
    places = {at: (field, value) for at, field, value in walk(form, data)}
    assert all(along(form, data, at)[-1][1:] == place for at, place in places.items() if place[1] is not None)
    assert {at for at, value in values(data) if not isinstance(value, list | dict)} <= set(places)


def values(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield at, value
    entries = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for step, inner in entries:
        yield from values(inner, (*at, step))


def test_a_missing_schema_is_inferred_from_the_content_file() -> None:
    form = inferred({"title": "x", "values": [1, 2], "odd": 1.5, "rows": [{"a": 1}, {"b": "y"}]})
    kinds = {key: type(field) for key, field in form.fields.items()}
    assert kinds == {"title": Text, "values": ListField, "odd": Anything, "rows": ListField}
    rows = form.fields["rows"]
    assert isinstance(rows, ListField)
    assert isinstance(rows.of, RecordField)
    assert set(rows.of.fields) == {"a", "b"}
    assert validate(form, {"title": "", "more": 1})[1][-1].at == ("more",)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=30)
VALUE = st.recursive(
    st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXT, VALUE, max_size=4))
def test_written_toml_reads_back_unchanged(data: dict[str, Any]) -> None:
    assert tomllib.loads(write_toml(data)) == data
