"""Compare the parts of a text that carry meaning, so that tests survive better wording."""

import re
from collections.abc import Iterable

from sparring.engine.messages import AnyText, Text


def says(text: AnyText | Iterable[AnyText], *parts: object) -> bool:
    """Return whether one line of `text` contains every part as a whole word, in the order given.

    Parts are names, numbers and action words, compared without regard to case. Where order is a matter of wording,
    call this once for each part.
    """
    lines = [text] if isinstance(text, str | Text) else list(text)
    pattern = ".*?".join(rf"(?<!\w){re.escape(str(part))}(?!\w)" for part in parts)
    return any(re.search(pattern, str(line), re.IGNORECASE | re.DOTALL) for line in lines)
