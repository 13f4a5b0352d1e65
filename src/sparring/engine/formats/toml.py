"""Read TOML from untrusted sources, with limits, and write it so that people can read it.

Games validate the content and may rely on these limits. The running time is linear in the length of the text.

`tomli_w` would do too, but takes 55 ms instead of 5 ms to write a set with twenty pictures, which the studio does at
each edit, and it spreads short lists over many lines (median of seven, one core, 2026-11-24).
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent

from .card_pictures import PICTURE, QUOTED

#: The maximum length of a file without and with its pictures, of a text, of a word outside quotes, and of a number
#: (digits).
LONGEST_FILE = 64 * 1024
LONGEST_WITH_PICTURES = 1_000_000
LONGEST_TEXT = 1000
LONGEST_WORD = 100
DIGITS = 18
#: The maximum number of parts of a dotted key, depth of nested brackets, and number of entries of a list.
KEY_PARTS = 8
DEPTH = 8
ENTRIES = 500

_TOKEN = re.compile(r'"""|\'\'\'|["\']|#[^\n]*+|[\w+-]++|[.\[\]{}=,\n]')
#: The rest of a string, by its opening quotation mark. Only repeated characters are possessive: Python before 3.11.5
#: mismatches possessive groups, `(?:...)*+` (CPython issue 106052).
_STRING_REST = {
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*"'),
    "'": re.compile(r"[^'\n]*+'"),
    '"""': re.compile(r'[^"\\]*+(?:(?:\\.|"{1,2}(?!"))[^"\\]*+)*"{3,5}', re.DOTALL),
    "'''": re.compile(r"[^']*+(?:'{1,2}(?!')[^']*+)*'{3,5}"),
}


def read_toml_file(file: Path) -> dict[str, Any]:
    """Read and parse a TOML file. Raises BadContent, which names it."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadContent(f"Can't read {file}: {problem.strerror or problem}.") from None
    except UnicodeDecodeError as problem:
        raise BadContent(f"{file.name} is not TOML: {problem}.") from None
    return read_toml(text, file.name)


def read_toml(text: str, where: str) -> dict[str, Any]:
    """Parse a TOML text. Raises BadContent, which names the file as `where`."""
    if len(text) > LONGEST_WITH_PICTURES:
        raise BadContent(
            f"{where} is too long; a file must have at most {LONGEST_WITH_PICTURES} characters, including pictures."
        )
    if len(text) > LONGEST_FILE and len(QUOTED.sub("", text)) > LONGEST_FILE:
        raise BadContent(
            f"{where} is too long; a file must have at most {LONGEST_FILE} characters, not counting pictures."
        )
    _check_form(text, where)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadContent(f"{where} is not TOML: {problem}.") from None
    _check_size(data, where)
    return data


def _check_form(text: str, where: str) -> None:
    """Check the limits that protect the TOML parser, in one pass over the text."""
    depth = parts = position = 0
    dot = False
    while found := _TOKEN.search(text, position):
        token, position = found[0], found.end()
        if token in _STRING_REST:
            end = _STRING_REST[token].match(text, position)
            if end is None:
                line = text.count("\n", 0, position) + 1
                raise BadContent(
                    f"{where} is not TOML: the string that starts on line {line} has no closing quotation mark."
                )
            position = end.end()
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        elif token[0] != "#" and len(token) > DIGITS:
            _check_word(token, where)
        if token != ".":
            parts = parts + 1 if dot else 1
        dot = token == "."
        if parts > KEY_PARTS:
            raise BadContent(f"{where}: a key must have at most {KEY_PARTS} parts, separated by dots.")
        if depth > DEPTH:
            raise BadContent(f"{where}: brackets must be nested at most {DEPTH} deep.")


def _check_word(word: str, where: str) -> None:
    if len(word) > LONGEST_WORD:
        raise BadContent(f"{where}: {word[:20]}… is too long; a word must have at most {LONGEST_WORD} characters.")
    if sum(map(str.isdigit, word)) > DIGITS:
        raise BadContent(f"{where}: {word[:20]}… is too long; a number must have at most {DIGITS} digits.")


def _check_size(value: object, where: str) -> None:
    """Check the size limits of parsed data; its nesting is already limited."""
    if isinstance(value, str) and len(value) > LONGEST_TEXT and not PICTURE.fullmatch(value):
        raise BadContent(f"{where}: {value[:20]}… is too long; text must have at most {LONGEST_TEXT} characters.")
    if isinstance(value, int) and abs(value) >= 10**DIGITS:
        raise BadContent(f"{where}: a number must have at most {DIGITS} digits.")
    if isinstance(value, list | dict):
        if len(value) > ENTRIES:
            raise BadContent(f"{where}: a list or table must have at most {ENTRIES} entries, not {len(value)}.")
        for entry in value.values() if isinstance(value, dict) else value:
            _check_size(entry, where)
        if isinstance(value, dict):
            for key in value:
                _check_size(key, where)


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
