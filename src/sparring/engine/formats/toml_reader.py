"""Read TOML from untrusted sources, with limits that are checked before parsing.

Games validate the content and may rely on these limits. The running time is linear in the length of the text.
"""

import re
import tomllib
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
