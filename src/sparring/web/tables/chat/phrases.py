"""What can be said: quick words and reactions by their keys, and what people write, as one plain line."""

import unicodedata

from sparring.engine.errors import SparringError
from sparring.web.identity import one_line

#: What is said often, by the key under which it is stored.
QUICK = {
    "hello": "Hello", "luck": "Good luck", "played": "Well played", "thinking": "Thinking …", "oops": "Oops",
    "thanks": "Thank you", "again": "Once more?",
}  # fmt: skip
#: What is shown by a face, and that in words.
REACTIONS = {"smile": "Smile", "laugh": "Laugh", "wow": "Wow", "ouch": "Ouch", "heart": "Love it"}

#: How many marks (accents) may stand on one letter: more of them run over the lines above and below.
MARKS = 3


class LineRefused(SparringError):
    """Something that cannot be said."""


def in_words(key: str) -> str:
    """A quick word or a reaction as it is read."""
    return QUICK.get(key) or REACTIONS.get(key) or key


def read_word(key: str) -> str:
    """The key of a quick word or a reaction, if there is one."""
    if key not in QUICK and key not in REACTIONS:
        raise LineRefused(f"There is no quick word {key}; there is {', '.join([*QUICK, *REACTIONS])}.")
    return key


def read_line(text: str, longest: int) -> str:
    """What somebody wrote, as it is shown: one plain line that is not too long."""
    line = plain(text)
    if not line:
        raise LineRefused("Please write something first.")
    if len(line) > longest:
        raise LineRefused(f"A line has at most {longest} letters; this one has {len(line)}.")
    return line


def plain(text: str) -> str:
    """What somebody wrote in one line, with no more marks on a letter than any language needs."""
    line = one_line(unicodedata.normalize("NFC", text))
    kept, marks = [], 0
    for sign in line:
        marks = marks + 1 if unicodedata.category(sign)[0] == "M" else 0
        if marks <= MARKS:
            kept.append(sign)
    standing = any(unicodedata.category(sign)[0] not in "MZ" for sign in kept)
    return "".join(kept) if standing else ""
