"""Write TOML that people can read and that `read_toml` reads back as the same data.

`tomli_w` would do too, but takes 55 ms instead of 5 ms to write a set with twenty pictures, which the studio does at
each edit, and it spreads short lists over many lines (median of seven, one core, 2026-11-24).
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .card_pictures import PICTURE

_BARE = re.compile(r"[A-Za-z0-9_-]+")
#: The maximum length of a list on one line.
MAX_LINE = 100
#: A text that can be written as a multi-line string, because it needs no escapes.
_LINES = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f\\]*\n")


def write_toml(data: Mapping[str, Any]) -> str:
    """Return data as the text of a file: values first, then tables; each entry of a list of tables is a [[table]]."""
    return "\n".join(_table(data, ())).lstrip("\n") + "\n"


def value_toml(value: object) -> str:
    """Return a value as TOML."""
    if isinstance(value, str):
        if PICTURE.fullmatch(value):
            return f"'{value}'"  # a literal string is read fast, however long
        if value.count("\n") > 1 and _LINES.fullmatch(value) and '"""' not in value:
            return f'"""\n{value}"""'
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {value_toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list | tuple):
        written = [value_toml(entry) for entry in value]
        line = f"[{', '.join(written)}]"
        long = len(line) > MAX_LINE or any(isinstance(entry, Mapping) for entry in value)
        return "[\n" + "".join(f"  {entry},\n" for entry in written) + "]" if long else line
    return str(value)  # dates and times


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    for key, value in data.items():
        if not _is_table(value) and not _is_tables(value):
            yield f"{_key(key)} = {value_toml(value)}"
    for key, value in data.items():
        name = ".".join(map(_key, (*path, key)))
        if _is_table(value):
            if not value or not all(_is_table(entry) for entry in value.values()):
                yield f"\n[{name}]"
            yield from _table(value, (*path, key))
        elif _is_tables(value):
            for row in value:
                yield f"\n[[{name}]]"
                yield from _row(row)


def _row(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an entry of a list of tables; tables inside it are written inline."""
    for key, value in row.items():
        yield f"{_key(key)} = {value_toml(value)}"


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")
