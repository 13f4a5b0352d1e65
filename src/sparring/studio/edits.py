"""Edits of a set, and how they change the data of its file."""

import re
from collections.abc import Sequence
from copy import deepcopy
from statistics import median
from typing import Annotated, Any, Literal

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.engine.formats.card_pictures import PICTURE, InvalidPicture, Photo, read_picture
from sparring.engine.formats.spelling import normalize
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.options import ChoiceOption, Option
from sparring.engine.schema import (
    Anything,
    Choice,
    Drawing,
    Field,
    Integer,
    ListField,
    Map,
    MapField,
    Pair,
    RecordField,
    Tally,
    Text,
    fields_on,
    with_article,
)
from sparring.engine.schema.columns import cell_value
from sparring.engine.set_file import OPTIONS

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

    do: Literal["set", "cell", "template", "add", "copy", "out", "up", "down", "anew", "rename", "option"]
    at: EditPath
    value: Annotated[str, msgspec.Meta(max_length=LONGEST)] | list[Annotated[str, msgspec.Meta(max_length=100)]] = ""


def apply(form: RecordField, data: dict[str, Any], options: dict[str, Any], edit: Edit) -> None:
    """Apply an edit to a set's data and options in place. Raises BadContent for an unknown path."""
    if edit.do == "option":
        name = str(edit.at[-1]) if edit.at else ""
        options.pop(name, None)
        if edit.value:
            options[name] = edit.value
        return None
    renamed = [edit.value] if edit.do == "rename" and len(edit.at) == 1 else []
    if not edit.at or OPTIONS in (edit.at[0], *renamed):  # the name of the table of options in the set's file
        raise BadContent(GONE)
    field = field_at(form, edit.at)
    if edit.do == "add":
        return _add(field, _reach(form, data, [*edit.at, 0]), str(edit.value))
    old = value_at(data, edit.at)
    _DO[edit.do](_reach(form, data, edit.at), edit.at[-1], field, edit.value)
    if edit.do in ("set", "cell") and len(edit.at) == 3 and edit.at[-1] == "name":
        _update_references(form, data, edit.at[0], old, str(value_at(data, edit.at)))
    return None


def field_at(form: RecordField, at: Sequence[Step]) -> Field | None:
    """Return the declared field at a path, or None."""
    fields = list(fields_on(form, at))
    return fields[-1] if len(fields) == len(at) + 1 else None


def describe_path(form: RecordField, data: Any, at: Sequence[Step]) -> str:
    """Describe a path: `Card 3 (Jab), power`."""
    words, value = list[str](), data
    for field, step in zip(fields_on(form, at), at, strict=False):
        value = _inside(value, step)
        if isinstance(field, ListField) and isinstance(step, int):
            name = value.get("name") if isinstance(value, dict) else None
            name = "".join(filter(str.isprintable, name)) if isinstance(name, str) else ""
            words = [f"{field.one} {step + 1}" + (f" ({name[:24]})" if name else "")]
        else:
            words.append(str(step).replace("_", " "))
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


def value_at(data: Any, at: Sequence[Step]) -> Any:
    """Return the value at a path, or None."""
    for step in at:
        data = _inside(data, step)
    return data


def _inside(value: Any, step: Step) -> Any:
    if isinstance(value, dict):
        return value.get(str(step))
    return value[step] if isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value) else None


def _update_references(form: RecordField, data: dict[str, Any], key: Step, old: Any, new: str) -> None:
    """Update references to a renamed item, unless the old or new name is ambiguous."""
    named = [row.get("name") for row in data[str(key)] if isinstance(row, dict)]
    if isinstance(old, str) and old and named.count(old) == 0 and named.count(new) == 1:
        for name, field in form.fields.items():
            _renamed(field, data.get(name), str(key), old, new)


def _renamed(field: Field, value: Any, key: str, old: str, new: str) -> None:
    if isinstance(field, ListField) and isinstance(value, list):
        if isinstance(field.of, Text) and field.of.names_of == key:
            pattern = re.compile(re.escape(old) + r"(?= x\d+$|$)")
            value[:] = [pattern.sub(lambda _: new, one, count=1) if isinstance(one, str) and pattern.match(one) else one
                        for one in value]  # fmt: skip
        for one in value:
            _renamed(field.of, one, key, old, new)
    elif isinstance(field, RecordField) and isinstance(value, dict):
        for name, inner in field.fields.items():
            _renamed(inner, value.get(name), key, old, new)


def _reach(form: RecordField, data: Any, at: Sequence[Step]) -> Any:
    """Return the container of a path's last step. Create missing containers on the way."""
    for depth, step in enumerate(at[:-1]):
        if isinstance(data, dict) and str(step) not in data:
            field = field_at(form, at[: depth + 1])
            if field is None:
                raise BadContent(GONE)
            data[str(step)] = [] if isinstance(field, ListField) else {}
        data = _inside(data, step)
        if data is None:
            raise BadContent(GONE)
    return data


def _add(field: Field | None, holder: Any, key: str) -> None:
    if isinstance(field, ListField) and isinstance(holder, list):
        if len(holder) >= field.high:
            whole = with_article(field.whole)
            raise BadContent(f"{whole[0].upper()}{whole[1:]} has {field.count}. Remove one first.")
        item = typed(field.of, key) if key else _new_item(field, holder)
        if isinstance(item, dict) and "name" in item:
            item["name"] = free_name(f"{field.one.capitalize()} {len(holder) + 1}", holder)
        holder.append(item)
    elif isinstance(field, MapField) and isinstance(holder, dict):
        key = key.strip()
        if not key or key in holder:
            raise BadContent(f"{key} already exists." if key else f"Enter a {field.key} first.")
        holder[key] = field.of.blank()
    else:
        raise BadContent(GONE)


def _new_item(field: ListField, rows: list[Any]) -> Any:
    """Return a new item. It begins legal: a copy of the most typical item, without its name and picture.

    The most ordinary item has the numbers nearest the medians. Without numbers to compare, the item is blank.
    """
    record = field.of
    keys = [key for key, one in record.fields.items() if _is_numeric(one)] if isinstance(record, RecordField) else []
    whole = [row for row in rows if isinstance(row, dict) and all(type(row.get(key)) is int for key in keys)]
    if not isinstance(record, RecordField) or not keys or not whole:
        return deepcopy(record.blank())
    medians = {key: median(row[key] for row in whole) for key in keys}
    ordinary = min(whole, key=lambda row: sum(abs(row[key] - medians[key]) for key in keys))
    kept = {key: deepcopy(value) for key, value in ordinary.items()
            if key != "name" and not isinstance(record.fields.get(key), Drawing)}  # fmt: skip
    return {"name": "", **kept} if "name" in record.fields else kept


def _is_numeric(field: Field) -> bool:
    return isinstance(field, Integer) or (isinstance(field, Choice) and all(type(one) is int for one in field.values))


def _set(holder: Any, step: Step, field: Field | None, value: Any) -> None:
    if isinstance(field, Drawing) and isinstance(holder, dict) and not value:
        holder.pop(str(step), None)
    elif isinstance(holder, dict):
        holder[str(step)] = typed(field, value)
    elif isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder):
        holder[step] = typed(field, value)
    else:
        raise BadContent(GONE)


def _cell(holder: Any, step: Step, field: Field | None, value: Any) -> None:
    if field is None or not isinstance(holder, dict) or not isinstance(value, str):
        raise BadContent(GONE)
    if not value.strip() and not field.required:
        holder.pop(str(step), None)
    else:
        holder[str(step)] = cell_value(field, value)


def _template(holder: Any, step: Step, field: Field | None, value: Any) -> None:
    sizes = re.fullmatch(r"([0-9]{1,2}) x ([0-9]{1,2})", str(value))
    if not isinstance(field, Map) or field.template is None or not isinstance(holder, dict) or not sizes:
        raise BadContent(GONE)
    rows, columns = int(sizes[1]), int(sizes[2])
    if not field.low <= min(rows, columns) <= max(rows, columns) <= field.high:
        raise BadContent(f"A board has {field.low} to {field.high} rows and columns, not {value}.")
    holder[str(step)] = field.template(rows, columns)


def _anew(holder: Any, step: Step, field: Field | None, _: Any) -> None:
    if field is None or not isinstance(holder, dict):
        raise BadContent(GONE)
    holder[str(step)] = deepcopy(field.blank())


def _copy(holder: Any, step: Step, *_: Any) -> None:
    row = deepcopy(_one(holder, step))
    if isinstance(row, dict) and isinstance(row.get("name"), str):
        row["name"] = free_name(row["name"], holder)
    holder.insert(int(step) + 1, row)


def _out(holder: Any, step: Step, *_: Any) -> None:
    if isinstance(holder, dict) and str(step) in holder:
        del holder[str(step)]
    else:
        _one(holder, step)
        del holder[step]


def _up(holder: Any, step: Step, *_: Any) -> None:
    _one(holder, step)
    other = max(int(step) - 1, 0)
    holder[step], holder[other] = holder[other], holder[step]


def _down(holder: Any, step: Step, *_: Any) -> None:
    _one(holder, step)
    _up(holder, min(int(step) + 1, len(holder) - 1))


def _rename(holder: Any, step: Step, _: Any, value: Any) -> None:
    """Rename an entry's key and keep its position."""
    name = str(value).strip()
    if not isinstance(holder, dict) or str(step) not in holder:
        raise BadContent(GONE)
    if name != step and name in holder:
        raise BadContent(f"{name} already exists.")
    entries = [(name if key == step else key, entry) for key, entry in holder.items()]
    holder.clear()
    holder.update(entries)


def _one(holder: Any, step: Step) -> Any:
    if not isinstance(holder, list) or not isinstance(step, int) or not 0 <= step < len(holder):
        raise BadContent(GONE)
    return holder[step]


_DO = {
    "set": _set,
    "cell": _cell,
    "template": _template,
    "anew": _anew,
    "copy": _copy,
    "out": _out,
    "up": _up,
    "down": _down,
    "rename": _rename,
}


def typed(field: Field | None, value: Any) -> Any:
    """Convert typed text to the field's type. Text that doesn't fit is kept and reported as a fault."""
    if isinstance(field, ListField) and isinstance(value, list):
        return [typed(field.of, one) for one in value]
    if not isinstance(value, str):
        return value
    if isinstance(field, Anything):
        return _toml_value(value)
    if isinstance(field, Drawing):
        read_picture(value)  # refuse an invalid picture: the editor could neither show nor repair it
    if isinstance(field, Choice):
        return next((known for known in field.values if str(known) == value), value)
    if isinstance(field, Pair) and (two := re.fullmatch(r"\s*(-?[0-9]{1,3}),\s*(-?[0-9]{1,3})\s*", value)):
        return [int(two[1]), int(two[2])]
    if isinstance(field, Integer | Tally | Pair) or field is None:
        return int(value) if re.fullmatch(r"\s*-?[0-9]{1,17}\s*", value) else value
    return value


def _toml_value(text: str) -> Any:
    """Parse a TOML value; return anything else as text."""
    try:
        data = read_toml(f"value = {text}", "")
    except BadContent:
        return text
    return data["value"] if len(data) == 1 else text


def free_name(name: str, rows: list[Any]) -> str:
    """Return a name that no item of a list has, with the next free number if needed."""
    taken = {normalize(row["name"]) for row in rows if isinstance(row, dict) and isinstance(row.get("name"), str)}
    stem, number = re.sub(r" \d+$", "", name), 2
    while normalize(name) in taken:
        name, number = f"{stem[:20]} {number}", number + 1
    return name


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
