"""TOML that anybody may have written: read into plain data, within bounds that are looked at before reading further.

What a file says is checked by games, and their checks may rely on these bounds. Time grows with the length of the text
and with nothing else.
"""

import re
import tomllib
from typing import Any

from sparring.engine.errors import BadContent

from .card_pictures import PICTURE, QUOTED

#: The longest file without and with its pictures, the longest text and word, and how many digits a number may have.
LONGEST_FILE = 64 * 1024
LONGEST_DRAWN = 1_000_000
LONGEST_TEXT = 1000
LONGEST_WORD = 100
DIGITS = 18
#: How many names with dots between them make a key, how deeply brackets may be nested, how many entries a list has.
KEY_PARTS = 8
DEPTH = 8
ENTRIES = 500

_SIGN = re.compile(r'"""|\'\'\'|["\']|#[^\n]*+|[\w+-]++|[.\[\]{}=,\n]')
#: What a quoted text goes on with to its end, by the sign that opens it.
_REST = {
    '"': re.compile(r'(?:[^"\\\n]|\\.)*+"'),
    "'": re.compile(r"[^'\n]*+'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"(?:[^']|'{1,2}(?!'))*+'{3,5}"),
}


def read_toml(text: str, where: str) -> dict[str, Any]:
    """The data of a TOML text; BadContent says what is wrong with it, and names the file as `where`."""
    if len(text) > LONGEST_DRAWN:
        raise BadContent(f"{where} is too long; a file has at most {LONGEST_DRAWN} signs with its pictures.")
    if len(text) > LONGEST_FILE and len(QUOTED.sub("", text)) > LONGEST_FILE:
        raise BadContent(f"{where} is too long; a file has at most {LONGEST_FILE} signs besides its pictures.")
    _check_form(text, where)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadContent(f"{where} is not TOML: {problem}.") from None
    _check_size(data, where)
    return data


def _check_form(text: str, where: str) -> None:
    """The bounds that must hold before a reader of TOML may see the text."""
    depth = parts = place = 0
    dot = False
    while found := _SIGN.search(text, place):
        sign, place = found[0], found.end()
        if sign in _REST:
            end = _REST[sign].match(text, place)
            if end is None:
                line = text.count("\n", 0, place) + 1
                raise BadContent(f"{where} is not TOML: a text begins in line {line} and has no end.")
            place = end.end()
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign[0] != "#" and len(sign) > DIGITS:
            _check_word(sign, where)
        if sign != ".":
            parts = parts + 1 if dot else 1
        dot = sign == "."
        if parts > KEY_PARTS:
            raise BadContent(f"{where}: a key has at most {KEY_PARTS} parts with dots between them.")
        if depth > DEPTH:
            raise BadContent(f"{where}: brackets are nested more than {DEPTH} deep.")


def _check_word(word: str, where: str) -> None:
    if len(word) > LONGEST_WORD:
        raise BadContent(f"{where}: {word[:20]}… is too long; a word has at most {LONGEST_WORD} signs.")
    if sum(map(str.isdigit, word)) > DIGITS:
        raise BadContent(f"{where}: {word[:20]}… is too long; a number has at most {DIGITS} digits.")


def _check_size(value: Any, where: str) -> None:
    """The bounds of what was read; the nesting is bounded already."""
    if isinstance(value, str) and len(value) > LONGEST_TEXT and not PICTURE.fullmatch(value):
        raise BadContent(f"{where}: {value[:20]}… is too long; a text has at most {LONGEST_TEXT} signs.")
    if isinstance(value, int) and abs(value) >= 10**DIGITS:
        raise BadContent(f"{where}: a number has at most {DIGITS} digits.")
    if isinstance(value, list | dict):
        if len(value) > ENTRIES:
            raise BadContent(f"{where}: there are {len(value)} entries in a row; a list has at most {ENTRIES}.")
        for entry in value.values() if isinstance(value, dict) else value:
            _check_size(entry, where)
        if isinstance(value, dict):
            for key in value:
                _check_size(key, where)
