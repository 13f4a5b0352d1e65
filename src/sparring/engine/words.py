"""From what somebody typed to a choice: understood, not legal now, or ambiguous."""

from typing import Any

from .errors import Ambiguous, IllegalChoice, NotUnderstood
from .game import Box
from .spelling import plain


def read_choice(box: Box, s: Any, legal: list[int], text: str) -> int:
    """The legal choice that the words name.

    Full words and aliases, legal or not, count before beginnings of words, and no beginning ends inside a number.
    Choices that share an alias are interchangeable, and the first of them is taken.
    """
    wanted = plain(text)
    spoken = {action: _spoken(box, s, action) for action in legal}
    found = [action for action in legal if wanted in spoken[action]]
    if not found:
        for action in box.game.rules.ACTIONS:
            if action not in spoken and wanted in _spoken(box, s, action):
                raise IllegalChoice(box.game.scene.why_not(box, s, action))
        found = [action for action in legal if any(_begins(word, wanted) for word in spoken[action])]
    if found:
        if len(found) == 1 or set.intersection(*(spoken[action] for action in found)):
            return found[0]
        names = " or ".join(box.game.scene.words(box, s, action) for action in found)
        raise Ambiguous(f"“{text.strip()}” can mean {names}.")
    possible = "; ".join(box.game.scene.words(box, s, action) for action in legal)
    raise NotUnderstood(f"“{text.strip()}” is no choice here; possible is: {possible or 'nothing, the match is over'}.")


def _begins(word: str, wanted: str) -> bool:
    inside_number = wanted[-1:].isdigit() and word[len(wanted) :][:1].isdigit()
    return bool(wanted) and word.startswith(wanted) and not inside_number


def _spoken(box: Box, s: Any, action: int) -> set[str]:
    table = box.game.scene
    return {plain(word) for word in (table.words(box, s, action), *table.aliases(box, s, action)) if word}
