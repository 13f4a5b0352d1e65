"""Chat phrases: presets and reactions by key, composed descriptions, and free text as one plain line."""

from collections.abc import Collection, Sequence

from sparring.engine.errors import SparringError
from sparring.scene.plain_text import plain

#: Preset phrases, by the key that is stored.
QUICK = {
    "hello": "Hello", "luck": "Good luck", "played": "Well played", "thinking": "Thinking …", "oops": "Oops",
    "thanks": "Thank you", "again": "Rematch?",
}  # fmt: skip
#: Reactions shown as icons, with their texts.
REACTIONS = {"smile": "Smile", "laugh": "Laugh", "wow": "Wow", "ouch": "Ouch", "heart": "Love it"}

#: The most parts of a composed description.
MOST_PARTS = 6


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


def compose(parts: Sequence[str], words: Collection[str], longest: int) -> str:
    """Return a description composed of a move's words; raise LineRefused for other words or too many."""
    if len(parts) > MOST_PARTS:
        raise LineRefused(f"A description can have at most {MOST_PARTS} parts, not {len(parts)}.")
    if any(part not in words for part in parts):
        raise LineRefused("Compose the description only from words on the move's cards and in the list.")
    return parse_message(" ".join(parts), longest)
