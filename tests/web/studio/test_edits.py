"""Edits in the set editor, and their effect on the data."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.schema import (
    Anything,
    Choice,
    Field,
    Integer,
    ListField,
    Pair,
    RecordField,
    Tally,
    Text,
    validate,
)
from sparring.engine.schema.field import SchemaLocation
from sparring.lab.experiments.variants import apply_changes
from sparring.studio.edits import Edit, apply, describe_path
from sparring.studio.set_editor import editor_html

HEX = Pair("hex", "a hex", lambda q, r: True)

FORM = RecordField("file", {
    "cards": ListField(RecordField("card", {"name": Text(), "power": Choice((1, 2), "power")}), "card", "deck", 0, 3,
        unique=True),
    "decks": ListField(Text("card", names_of="cards"), "card", "deck", default=()),
    "odd": Anything(),
    "start": HEX,
})  # fmt: skip


def after(data: dict[str, Any], *edits: Edit) -> dict[str, Any]:
    for edit in edits:
        apply(FORM, data, {}, edit)
    return data


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (Integer(0, 9), " 7 ", 7), (Integer(0, 9), "x", "x"), (Integer(0, 9), "", ""),
        (Choice((1, 2), "power"), "2", 2),
        (Choice((1, 2), "power"), "3", "3"), (Text(), "7", "7"), (Tally(("Red",), 9, ""), "4", 4),
        (HEX, "3,-1", [3, -1]), (HEX, "4", 4),
        (HEX, "3,x", "3,x"), (ListField(HEX, "Fighter", "start"), ["0, 1", "-2,0"], [[0, 1], [-2, 0]]),
        (Anything(), "1.5", 1.5), (Anything(), "true", True), (Anything(), "[1, 2]", [1, 2]),
        (Anything(), "no value", "no value"), (Anything(), "1\nother = 2", "1\nother = 2"),
    ],
)  # fmt: skip
def test_input_is_parsed_by_its_field_or_kept_as_text(field: Any, text: str, value: Any) -> None:
    assert field.parse(text) == value
    assert type(field.parse(text)) is type(value)


def test_entries_are_added_copied_moved_and_removed() -> None:
    data = after(
        {"cards": []}, Edit("add", ["cards"]), Edit("copy", ["cards", 0]), Edit("set", ["cards", 0, "power"], "2")
    )
    assert data == {"cards": [{"name": "Card 1", "power": 2}, {"name": "Card 2", "power": 1}]}
    data = after(data, Edit("down", ["cards", 0]), Edit("remove", ["cards", 1]))
    assert data == {"cards": [{"name": "Card 2", "power": 1}]}
    full = after(data, Edit("add", ["cards"]), Edit("add", ["cards"]))
    assert after(deepcopy(full), Edit("up", ["cards", 0]), Edit("down", ["cards", 2])) == full
    with pytest.raises(BadContent, match=r"A deck has 0 to 3 cards\. Remove one first"):
        after(full, Edit("add", ["cards"]))


def test_numbers_of_a_missing_pair_are_set_one_by_one() -> None:
    assert after({}, Edit("set", ["start", 1], "-2")) == {"start": [0, -2]}


@dataclass(frozen=True)
class Dice(Field):
    """Dice such as `2d6`, declared by a game of another package."""

    def read(self, value: Any, location: SchemaLocation) -> Any:
        return value if isinstance(value, str) and "d" in value else location.report("dice must look like 2d6.")

    def blank(self) -> Any:
        return "1d6"


def test_a_field_of_another_package_is_read_shown_edited_and_exported() -> None:
    card = RecordField("card", {"name": Text(), "damage": Dice()})
    form = RecordField("file", {"cards": ListField(card, "card", "deck")})
    data: dict[str, Any] = {}
    for edit in (Edit("add", ["cards"]), Edit("set", ["cards", 0, "damage"], "six")):
        apply(form, data, {}, edit)
    (fault,) = validate(form, data)[1]
    assert fault.at == ("cards", 0, "damage")
    assert 'value="six"' in editor_html(form, data)
    assert apply_changes(form, data, {"cards": {"Card 1": {"damage": "2d6"}}}, [], "x")["cards"][0]["damage"] == "2d6"
    assert form.json_schema()["properties"]["cards"]["items"]["required"] == ["name", "damage"]


def test_renaming_updates_all_references() -> None:
    data = {"cards": [{"name": "Jab", "power": 1}, {"name": "Hook", "power": 1}], "decks": ["Jab x2", "Hook", "Jabber"]}
    assert after(data, Edit("set", ["cards", 0, "name"], "Slap"))["decks"] == ["Slap x2", "Hook", "Jabber"]
    assert after(data, Edit("set", ["cards", 0, "name"], "Hook"))["decks"] == ["Slap x2", "Hook", "Jabber"]


def test_a_path_is_labelled_by_its_entry() -> None:
    data = {"cards": [{"name": "Jab\x00", "power": 1}]}
    assert describe_path(FORM, data, ["cards", 0, "power"]) == "Card 1 (Jab), power"
    with pytest.raises(BadContent, match="no longer exists"):
        after(data, Edit("remove", ["cards", 7]))


@pytest.mark.parametrize("edit", [
    Edit("set", ["options"], "x"), Edit("set", ["options", "board"], "x"), Edit("rename", ["odd"], "options"),
])  # fmt: skip
def test_content_has_no_place_for_the_table_of_options(edit: Edit) -> None:
    """The set's file has that table already: a second one would make it invalid TOML."""
    data: dict[str, Any] = {"odd": 1}
    with pytest.raises(BadContent, match="no longer exists"):
        after(data, edit)
    assert data == {"odd": 1}
