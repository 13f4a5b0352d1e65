"""Chat phrases: presets and reactions by key, and cleaning of free text to one plain line."""

import unicodedata

from sparring.engine.errors import SparringError
from sparring.web.identity import one_line

#: Preset phrases, by the key that is stored.
QUICK = {
    "hello": "Hello", "luck": "Good luck", "played": "Well played", "thinking": "Thinking …", "oops": "Oops",
    "thanks": "Thank you", "again": "Rematch?",
}  # fmt: skip
#: Reactions shown as icons, with their texts.
REACTIONS = {"smile": "Smile", "laugh": "Laugh", "wow": "Wow", "ouch": "Ouch", "heart": "Love it"}

#: The most combining marks (accents) on one letter: more would run over the lines above and below.
MARKS = 3


class LineRefused(SparringError):
    """The text can't be posted."""


def text_of(key: str) -> str:
    """Return the text of a preset phrase or a reaction."""
    return QUICK.get(key) or REACTIONS.get(key) or key


def parse_key(key: str) -> str:
    """Return the key of a preset phrase or a reaction; raise LineRefused if it doesn't exist."""
    if key not in QUICK and key not in REACTIONS:
        raise LineRefused(f"There is no phrase {key}. Phrases: {', '.join([*QUICK, *REACTIONS])}.")
    return key


def parse_message(text: str, longest: int) -> str:
    """Return free text as one plain line; raise LineRefused if it is empty or too long."""
    line = plain(text)
    if not line:
        raise LineRefused("Write a message first.")
    if len(line) > longest:
        raise LineRefused(f"A message can have at most {longest} characters, not {len(line)}.")
    return line


def plain(text: str) -> str:
    """Return text as one line, with no more combining marks on a letter than any language needs."""
    line = one_line(unicodedata.normalize("NFC", text))
    kept, marks = [], 0
    for char in line:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= MARKS:
            kept.append(char)
    visible = any(unicodedata.category(char)[0] not in "MZ" for char in kept)
    return "".join(kept) if visible else ""
