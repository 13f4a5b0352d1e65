"""World of Fighters: the studio preview of a fighter: card, budget, and scores at each range."""

from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.schema import validate
from sparring.engine.options import Value
from sparring.engine.rule import blank
from sparring.scene.preview import PreviewText, StatSheet

from . import moves, rules
from . import state as R
from .faces import roster_face, super_rule
from .kit import FORM, KINDS, OPTIONS, RANGES, STATS, Fighter, Roster, pack


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the card of the fighter being edited (`at`), its budget next to the others', and its scores."""
    rows = validate(FORM, data)[0]["fighters"]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    whole = [row for row in rows if row and None not in row.values()]
    if number < len(rows) and rows[number] in whole:
        fighter = Fighter(**rows[number])
        yield roster_face(fighter)
        budgets = sorted(sum(row[stat] for stat in STATS) for row in whole)
        theirs = f"{budgets[0]} to {budgets[-1]}" if budgets[0] < budgets[-1] else f"{budgets[0]} each"
        yield PreviewText(f"Budget {sum(fighter.stats)}; fighters in this set have {theirs}.")
        yield StatSheet("Scores", ("Action", *(f"Range {number}" for number in RANGES)),
                    tuple(scores(fighter, options)))  # fmt: skip
        yield PreviewText(f"A Block subtracts {fighter.block} from an attack.", "calm")
        yield PreviewText(f"{super_rule(fighter)}.", "calm")


def scores(fighter: Fighter, options: Mapping[str, Value]) -> Iterator[tuple[str, ...]]:
    """Yield each kind of attack with its score at each range; a dash where it is out of range."""
    kit = blank(rules.KIT)
    for option in OPTIONS:
        kit[option.name] = option.number(options[option.name])
    pack(Roster((fighter,)), kit)
    for kind in (R.PUNCH, R.KICK, R.GRAPPLE):
        bases = (int(moves.base_value(kit, 0, kind, number)) for number in RANGES)
        yield KINDS[kind - 1], *(str(base + fighter.stats[kind - 1]) if base else "–" for base in bases)
