"""World of Fighters on the bench: the fighter's card, its budget, and what each Action scores at each range."""

from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.form import look
from sparring.engine.options import Value
from sparring.engine.rule import blank
from sparring.scene.bench import Said, Sheet

from . import moves, rules
from . import state as R
from .faces import roster_face
from .kit import FORM, KINDS, OPTIONS, RANGES, STATS, Fighter, Roster, pack


def beside(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """The fighter that somebody looks at, and how its budget compares with that of the others."""
    rows = look(FORM, data)[0]["fighters"]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    whole = [row for row in rows if row and None not in row.values()]
    if number < len(rows) and rows[number] in whole:
        fighter = Fighter(**rows[number])
        yield roster_face(fighter)
        budgets = sorted(sum(row[stat] for stat in STATS) for row in whole)
        theirs = f"{budgets[0]} to {budgets[-1]}" if budgets[0] < budgets[-1] else f"{budgets[0]} each"
        yield Said(f"Budget {sum(fighter.stats)}; the fighters of this set have {theirs}.")
        yield Sheet("What its cards score", ("Action", *(f"Range {apart}" for apart in RANGES)),
                    tuple(scores(fighter, options)))  # fmt: skip
        yield Said(f"A Block takes {fighter.block} off.", "calm")
        yield Said(f"{fighter.super}: a {KINDS[fighter.super_kind - 1]} at range {fighter.super_range}.", "calm")


def scores(fighter: Fighter, options: Mapping[str, Value]) -> Iterator[tuple[str, ...]]:
    """For each attack what it scores at each range; a dash where it does not reach."""
    kit = blank(rules.KIT)
    for option in OPTIONS:
        kit[option.name] = option.number(options[option.name])
    pack(Roster((fighter,)), kit)
    for kind in (R.PUNCH, R.KICK, R.GRAPPLE):
        bases = (int(moves.base(kit, 0, kind, apart)) for apart in RANGES)
        yield KINDS[kind - 1], *(str(base + fighter.stats[kind - 1]) if base else "–" for base in bases)
