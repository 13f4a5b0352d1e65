"""Edits of a set, and how they change the data of its file."""

import re
from collections.abc import Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.engine.formats.card_pictures import PICTURE, InvalidPicture, Photo, read_picture
from sparring.engine.options import OPTIONS_TABLE, ChoiceOption, Option
from sparring.engine.schema import Field, ListField, Map, RecordField
from sparring.engine.schema.containers import free_name
from sparring.engine.schema.field import along, move, position, put, reach, remove, value_at, walk, whole_number

#: The longest value in characters: more than a picture may have, so that the reader can report one that is too large.
LONGEST = 120_000

EditPath = Annotated[list[Annotated[str, msgspec.Meta(max_length=100)] | int], msgspec.Meta(max_length=8)]

#: The error for an edit of a field that no longer exists.
GONE = "The field you changed no longer exists. Reload the page."


class Edit(msgspec.Struct, frozen=True):
    """An edit of the value at a path: set, add, copy, move, remove, reset or rename it, or set an option.

    `cell` sets a value as a spreadsheet writes it: lists with commas, and an empty cell for the default. `template`
    starts a map again with a size, such as `8 x 10`.
    """

    do: Literal["set", "cell", "template", "add", "copy", "remove", "up", "down", "reset", "rename", "option"]
    at: EditPath
    value: Annotated[str, msgspec.Meta(max_length=LONGEST)] | list[Annotated[str, msgspec.Meta(max_length=100)]] = ""


def apply(form: RecordField, data: dict[str, Any], options: dict[str, Any], edit: Edit) -> None:
    """Apply an edit to a set's data and options in place. Raises BadContent for an unknown path."""
    if edit.do == "option":
        name = str(edit.at[-1]) if edit.at else ""
        options.pop(name, None)
        if edit.value:
            options[name] = edit.value
        return
    renamed = [edit.value] if edit.do == "rename" and len(edit.at) == 1 else []
    if not edit.at or OPTIONS_TABLE in (edit.at[0], *renamed):  # the name of the table of options in the set's file
        raise BadContent(GONE)
    _, field, old = along(form, data, edit.at)[-1]
    try:
        holder = reach(form, data, edit.at if edit.do == "add" else edit.at[:-1])
        _change(field, holder, edit.at[-1], edit)
    except LookupError:
        raise BadContent(GONE) from None
    if edit.do in ("set", "cell") and len(edit.at) == 3 and edit.at[-1] == "name":
        _update_references(form, data, str(edit.at[0]), old, str(value_at(data, edit.at)))


def _change(field: Field | None, holder: Any, step: Step, edit: Edit) -> None:
    """Change the value of a step, or with `add` the holder itself. Raises LookupError for what doesn't exist."""
    if edit.do in ("cell", "template", "reset") and not isinstance(holder, dict):
        raise LookupError(step)
    match edit.do:
        case "add" if field:
            field.insert(holder, str(edit.value))
        case "set":
            put(holder, step, field.parse(edit.value) if field else whole_number(edit.value))
        case "cell" if field and isinstance(edit.value, str):
            put(holder, step, field.cell_value(edit.value) if edit.value.strip() or field.required else None)
        case "template" if isinstance(field, Map):
            put(holder, step, _template(field, str(edit.value)))
        case "reset" if field:
            put(holder, step, deepcopy(field.blank()))
        case "copy":
            place = position(holder, step)
            row = deepcopy(holder[place])
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                row["name"] = free_name(row["name"], holder)
            holder.insert(place + 1, row)
        case "remove":
            remove(holder, step)
        case "up" | "down":
            move(holder, step, -1 if edit.do == "up" else 1)
        case "rename":
            _rename(holder, step, str(edit.value).strip())
        case _:
            raise LookupError(step)


def describe_path(form: RecordField, data: Any, at: Sequence[Step]) -> str:
    """Describe a path: `Card 3 (Jab), power`."""
    words = list[str]()
    for holder, inside in pairwise(along(form, data, at)):
        if isinstance(holder.field, ListField) and isinstance(inside.step, int):
            name = inside.value.get("name") if isinstance(inside.value, dict) else None
            name = "".join(filter(str.isprintable, name)) if isinstance(name, str) else ""
            words = [f"{holder.field.one} {inside.step + 1}" + (f" ({name[:24]})" if name else "")]
        elif holder.field:
            words.append(str(inside.step).replace("_", " "))
    description = ", ".join(words[-2:]) or "everything"
    return description[0].upper() + description[1:]


def read_path(text: str) -> EditPath:
    """Parse a path (JSON). Raises BadContent for anything else."""
    try:
        return msgspec.json.decode(text, type=EditPath)
    except msgspec.DecodeError:
        raise BadContent("This set has no such field.") from None


def looked_at(known: Sequence[Option], data: Any, at: Sequence[Step]) -> dict[str, Any]:
    """Return the options that name the item at a path: the board that is looked at is the board to play on."""
    name = value_at(data, [*at[:2], "name"]) if len(at) > 1 else None
    choices = (
        [option for option in known if isinstance(option, ChoiceOption) and option.names_of == at[0]] if name else []
    )
    return {option.name: name for option in choices}


def _update_references(form: RecordField, data: dict[str, Any], key: str, old: Any, new: str) -> None:
    """Update references to a renamed item, unless the old or new name is ambiguous."""
    named = [row.get("name") for row in data[key] if isinstance(row, dict)]
    if not isinstance(old, str) or not old or named.count(old) or named.count(new) != 1:
        return
    pattern = re.compile(rf"\A{re.escape(old)}(?= x\d+$|$)")
    for _, field, value in walk(form, data):
        if isinstance(field, ListField) and field.names_of == key and isinstance(value, list):
            value[:] = [pattern.sub(lambda _: new, one) if isinstance(one, str) else one for one in value]


def _template(field: Map, value: str) -> str:
    sizes = re.fullmatch(r"([0-9]{1,2}) x ([0-9]{1,2})", value)
    if not field.template or not sizes:
        raise LookupError(value)
    rows, columns = int(sizes[1]), int(sizes[2])
    if not field.low <= min(rows, columns) <= max(rows, columns) <= field.high:
        raise BadContent(f"A board has {field.low} to {field.high} rows and columns, not {value}.")
    return field.template(rows, columns)


def _rename(holder: Any, step: Step, name: str) -> None:
    """Rename an entry's key and keep its position."""
    if not isinstance(holder, dict) or str(step) not in holder:
        raise LookupError(step)
    if name != step and name in holder:
        raise BadContent(f"{name} already exists.")
    entries = [(name if key == step else key, entry) for key, entry in holder.items()]
    holder.clear()
    holder.update(entries)


def describe_value(value: Any) -> str:
    """Describe a picture; return any other value as text."""
    if not isinstance(value, str) or not PICTURE.match(value):
        return str(value)
    try:
        picture = read_picture(value)
    except InvalidPicture as problem:
        return str(problem).rstrip(".")
    if isinstance(picture, Photo):
        return "an image"
    count = len(picture.strokes)
    return f"a drawing of {count} stroke{'s' if count != 1 else ''}"
