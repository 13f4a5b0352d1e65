"""Parse what a player typed as a choice, or explain why it is unknown, illegal or ambiguous."""

import re
from collections.abc import Sequence
from itertools import groupby

from sparring.engine.errors import AmbiguousChoice, IllegalChoice, InvalidChoice
from sparring.engine.game import GameSetup
from sparring.engine.messages import say
from sparring.engine.types import AnyState

from . import normalize

#: Words with which a player declines or finishes; each game uses some of them.
FINISHING = {"pass", "done", "end", "finish", "skip", "stay", "none", "no", "hold", "nomove", "nothing"}
#: Words that end in a place, such as `to 2,-1` or `to c4`, and the maximum number of consecutive ones listed singly.
PLACE = re.compile(r"(\D*?)\(?(?:-?\d+,-?\d+|[a-z]\d+)\)?")
MAX_CONSECUTIVE = 8


def read_choice(setup: GameSetup, s: AnyState, legal: Sequence[int], text: str) -> int:
    """Return the legal action that `text` names in the view `s`. Raises ChoiceError.

    Full words and aliases, of legal or illegal actions, take precedence over prefixes; a prefix never ends inside a
    number. Among actions that share an alias, the first one is taken.
    """
    typed = normalize(text)
    spellings = {action: _spellings(setup, s, action) for action in legal}
    matches = [action for action in legal if typed in spellings[action]]
    if not matches:
        for action in setup.game.rules.ACTIONS:
            if action not in spellings and typed in _spellings(setup, s, action):
                raise IllegalChoice(setup.why_not(s, action))
        matches = [action for action in legal if any(_is_prefix(word, typed) for word in spellings[action])]
    if matches:
        if len(matches) == 1 or set.intersection(*(spellings[action] for action in matches)):
            return matches[0]
        names = [setup.game.scene.words(setup, s, action) for action in matches]
        raise AmbiguousChoice(say("“{typed}” could mean {choices}.", typed=text.strip(), choices=_or_listed(names)))
    words = [setup.game.scene.words(setup, s, action) for action in legal]
    if typed in FINISHING and (ways := [word for word in words if normalize(word) in FINISHING]):
        quoted = _or_listed([f"“{way}”" for way in ways])
        raise IllegalChoice(say("“{typed}” isn't a choice here; type {choices}.", typed=text.strip(), choices=quoted))
    values = {"typed": text.strip(), "choices": _or_listed([shown for shown, _ in summarized(words)])}
    if ";" in text:
        raise InvalidChoice(
            say("“{typed}” isn't a choice here; choose {choices}. Name one choice at a time.", **values)
        )
    raise InvalidChoice(say("“{typed}” isn't a choice here; choose {choices}.", **values))


def _or_listed(words: Sequence[str]) -> str:
    return say(" or ").join(words)


def summarized(words: Sequence[str]) -> list[tuple[str, int]]:
    """Return choices as (words, count); a long run of consecutive places is summarized in one entry.

    >>> summarized(["end", *(f"to {place},0" for place in range(-4, 5))])
    [('end', 1), ('to -4,0 ... to 4,0 (9 choices)', 9)]
    """
    lines: list[tuple[str, int]] = []
    for verb, run in groupby(words, lambda word: place[1] if (place := PLACE.fullmatch(word)) else None):
        consecutive = list(run)
        if verb is not None and len(consecutive) > MAX_CONSECUTIVE:
            ends = {"first": consecutive[0], "last": consecutive[-1], "n": len(consecutive)}
            run_text = say("{first} ... {last} ({n} choice)", "{first} ... {last} ({n} choices)", **ends)
            lines.append((run_text, len(consecutive)))
        else:
            lines += [(word, 1) for word in consecutive]
    return lines


def _is_prefix(word: str, typed: str) -> bool:
    inside_number = typed[-1:].isdigit() and word[len(typed) :][:1].isdigit()
    return bool(typed) and word.startswith(typed) and not inside_number


def _spellings(setup: GameSetup, s: AnyState, action: int) -> set[str]:
    table = setup.game.scene
    return {normalize(word) for word in (table.words(setup, s, action), *table.aliases(setup, s, action)) if word}
