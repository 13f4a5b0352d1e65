"""Clean text that people wrote, so that it can be shown anywhere as one line."""

import re
import unicodedata

#: Characters that count as printable but are invisible: fillers, blanks, joiners, variation selectors.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")

#: The most combining marks (accents) on one letter: more would run over the lines above and below.
MARKS = 3


def one_line(text: str) -> str:
    """Return text as one line without control, invisible or direction-changing characters."""
    visible = (char for char in text if (char.isprintable() or char.isspace()) and not INVISIBLE.match(char))
    return re.sub(r"\s+", " ", "".join(visible)).strip()


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
