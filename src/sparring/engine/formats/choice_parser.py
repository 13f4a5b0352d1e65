"""Parse what a player typed into a choice, or explain why it is unknown, illegal or ambiguous."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from sparring.engine.errors import AmbiguousChoice, IllegalChoice, InvalidChoice
from sparring.engine.game import Box

from .spelling import plain

#: Words for finishing; each game uses some of them.
FINISHING = {"pass", "done", "end", "finish", "skip", "stay", "none", "no", "hold", "nomove", "nothing"}
#: Words that end in a place, such as `to 2,-1` or `to c4`, and how many consecutive ones are listed individually.
PLACE = re.compile(r"(\D*?)\(?(?:-?\d+,-?\d+|[a-z]\d+)\)?")
FEW = 8


def read_choice(box: Box, s: Any, legal: list[int], text: str) -> int:
    """Return the legal action that the words name. Raises ChoiceError.

    Full words and aliases, legal or not, take precedence over prefixes; a prefix never ends inside a number. Among
    actions that share an alias, the first one counts.
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
        raise AmbiguousChoice(f"“{text.strip()}” can mean {names}.")
    words = [box.game.scene.words(box, s, action) for action in legal]
    if wanted in FINISHING and (ways := [word for word in words if plain(word) in FINISHING]):
        raise IllegalChoice(f"“{text.strip()}” is not a choice here; say “{'” or “'.join(ways)}”.")
    possible = "; ".join(shown for shown, _ in summarized(words))
    raise InvalidChoice(f"“{text.strip()}” is not a choice here; choose {possible or 'nothing, the match is over'}.")


def read_command(text: str, commands: Mapping[str, str], choices: Collection[str]) -> tuple[str, str] | None:
    """Return the command that was typed and the rest of the text; None if a choice was typed.

    If one of the `choices` (as `plain` words) has the name of a command, the choice takes precedence, unless the text
    starts with a slash.
    """
    word, _, rest = re.sub(r"^\?(?=[^ ])", "? ", text.removeprefix("/")).partition(" ")
    command = commands.get(word.lower())
    return (command, rest.strip()) if command and (text.startswith("/") or plain(text) not in choices) else None


def summarized(words: Sequence[str]) -> list[tuple[str, int]]:
    """Return words of choices with their numbers; many consecutive places are summarized in one line.

    >>> summarized(["end", *(f"to {place},0" for place in range(-4, 5))])
    [('end', 1), ('to -4,0 ... to 4,0 (9 places)', 9)]
    """
    found: list[tuple[str, int]] = []
    for verb, run in groupby(words, lambda word: place[1] if (place := PLACE.fullmatch(word)) else None):
        same = list(run)
        if verb is not None and len(same) > FEW:
            found.append((f"{same[0]} ... {same[-1]} ({len(same)} places)", len(same)))
        else:
            found += [(word, 1) for word in same]
    return found


def _begins(word: str, wanted: str) -> bool:
    inside_number = wanted[-1:].isdigit() and word[len(wanted) :][:1].isdigit()
    return bool(wanted) and word.startswith(wanted) and not inside_number


def _spoken(box: Box, s: Any, action: int) -> set[str]:
    table = box.game.scene
    return {plain(word) for word in (table.words(box, s, action), *table.aliases(box, s, action)) if word}
