"""Write a game's `redact` from what its state declares about who sees each pile and slot."""

import linecache
from collections.abc import Callable
from inspect import signature
from itertools import groupby
from typing import Any

from .cards import UNKNOWN
from .chance import forget
from .rule import rule
from .state import CHOOSER, EVERYONE, NO_ONE, OWNER, Header, PileField, SlotField, Viewers


def default_redact(state: type[Header]) -> Callable[[Any, Any, int], None]:
    """Return a `redact` that hides the generator, and each pile and slot from those who may not see it.

    It is compiled from source, like a rule written by hand. A game whose hidden information is elsewhere, or depends
    on more than `seen_by` can say, writes its own.
    """
    hidden = [
        field for field in state.declared.values() if isinstance(field, PileField) and field.seen_by is not EVERYONE
    ]
    rules = [*(field.hidden_as for field in hidden), *_rules(hidden)]
    scope = {"__name__": state.__module__, "forget": forget, **{one.__name__: one for one in rules}}
    lines = ["def redact(params, state, seat):", "    forget(state.rng)"]
    # Before anything is hidden, because these rules look at the cards.
    lines += [f"    holds_{seen.__name__} = {seen.__name__}(state)" for seen in _rules(hidden)]
    for is_per_seat, fields in groupby(hidden, lambda field: field.is_per_seat):
        if is_per_seat:
            lines.append("    for other in range(state.seats):")
            lines += ["        " + line for field in fields for line in _hide(field, f"state.{field.name}[other]")]
        else:
            lines += ["    " + line for field in fields for line in _hide(field, f"state.{field.name}")]
    return _compiled(state, "\n".join([*lines, ""]), scope)


def _rules(hidden: list[PileField]) -> list[Callable[[Any], bool]]:
    """Return the rules that say when piles are seen, each once."""
    return list(dict.fromkeys(field.seen_by for field in hidden if not isinstance(field.seen_by, Viewers)))


def _hide(field: PileField, pile: str) -> list[str]:
    """Return the lines that hide a pile, from those who don't see it."""
    conditions = {NO_ONE: "True", OWNER: "other != seat", CHOOSER: "state.player != seat"}
    if isinstance(field.seen_by, Viewers):
        condition = conditions[field.seen_by]
    else:
        owner = f"{conditions[OWNER]} and " if field.is_per_seat else ""
        condition = f"{owner}not holds_{field.seen_by.__name__}"
    # `hide` itself, not a rule (state, pile) around it: in Make Your Moves that one costs a tenth of a search.
    arguments = pile if len(signature(field.hidden_as).parameters) == 1 else f"state, {pile}"
    hide = f"{field.hidden_as.__name__}({arguments})"
    if isinstance(field, SlotField):
        hide = f"{pile} = {UNKNOWN} if {pile} != {field.none} else {field.none}"
    return [hide] if condition == "True" else [f"if {condition}:", f"    {hide}"]


def _compiled(state: type[Header], source: str, scope: dict[str, Any]) -> Callable[[Any, Any, int], None]:
    """Return the rule with this source, whose lines tracebacks can show."""
    file = f"<redact of {state.__module__}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), scope)  # nosec B102 - only names that a game's modules declare
    redact: Callable[[Any, Any, int], None] = rule(scope["redact"])
    return redact
