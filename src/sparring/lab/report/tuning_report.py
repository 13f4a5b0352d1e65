"""Write the report of a tuning: the best candidates, measured again on fresh seeds next to the unchanged game."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.experiments.comparison import Table
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from .files import write_report
from .prose import capital, join_words

#: The format identifier in the JSON.
FORMAT = "sparring-tuning-1"


def write_tuning(found: TuningResult, folder: Path) -> Path:
    """Write the report of the final comparison and all candidates; return the path of the page."""
    page = write_report(
        found.final,
        folder,
        summary(found),
        {"Objectives": objectives_table(found), "Candidates": candidates_table(found)},
    )
    try:
        (folder / "tuning.json").write_text(json.dumps(as_json(found), indent=1) + "\n", encoding="utf-8")
        (folder / "tune.toml").write_text(found.tuning.text, encoding="utf-8")
    except OSError as problem:
        raise SparringError(f"Can't write the report to {folder}: {problem.strerror or problem}.") from None
    return page


def summary(found: TuningResult) -> list[str]:
    """Return the summary sentences; they use the final comparison only."""
    stopped = sum(one.stopped for one in found.tried)
    refused = f" The game rejected {found.rejected} more as invalid." if found.rejected else ""
    early = f"{stopped} of them {'was' if stopped == 1 else 'were'} clearly worse and stopped early"
    sentences = [
        f"{len(found.tried)} different candidates were tried; {early}.{refused}",
        "The best ones were then measured again with new seeds; only these results count.",
    ]
    order = sorted(range(len(found.costs)), key=lambda place: found.costs[place])
    names = [variant.name for variant in found.final.variants]
    best = order[0]
    if best == 0:
        return [*sentences, "No candidate is closer to the objectives than the unchanged game."]
    values = join_words(
        [f"{one.name} {value}" for one, value in zip(found.tuning.ranges, found.values[best], strict=True)]
    )
    sentences.append(f"{capital(names[best])} is closest to the objectives: {values}.")
    for aim, now, then in zip(found.tuning.objectives, found.readings[0], found.readings[best], strict=True):
        met = "met" if aim.is_met(then) else "not met"
        sentences.append(f"Objective {aim.text}: {met}, at {span(then)}; the unchanged game is at {span(now)}.")
    return sentences


def span(readings: list[ObjectiveValue] | Any) -> str:
    """Format the lowest and highest figure of an objective, with name and 95% interval."""
    ends = sorted(readings, key=lambda one: one.value)
    ends = ends[:1] if len(ends) == 1 else [ends[0], ends[-1]]
    return " to ".join(f"{one.value:.3g} ± {one.reach:.2g} ({one.name})" for one in ends)


def objectives_table(found: TuningResult) -> Table:
    """Tabulate the figures of each objective, one column per variant; a tick marks figures inside the range."""
    rows = []
    for number, aim in enumerate(found.tuning.objectives):
        of_variants = [{one.name: one for one in readings[number]} for readings in found.readings]
        for name in dict.fromkeys(name for those in of_variants for name in those):
            rows += [(aim.text, name, *(_cell(aim, those.get(name)) for those in of_variants))]
    return _table(("objective", "value", *(variant.name for variant in found.final.variants)), rows)


def _cell(aim: Objective, one: ObjectiveValue | None) -> str:
    if one is None:
        return ""
    return f"{one.value:.3g} ± {one.reach:.2g}{' ✓' if aim.low <= one.value <= aim.high else ''}"


def candidates_table(found: TuningResult) -> Table:
    """Tabulate the candidates, best first; their costs come from the seeds that selected them."""
    heads = (*(one.name for one in found.tuning.ranges), "cost", "matches", "stopped")
    rows = [
        (*map(str, one.values), f"{one.cost:.4g}", one.matches, "yes" if one.stopped else "") for one in found.tried
    ]
    return _table(heads, rows)


def _table(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    return {head: np.array([row[place] for row in rows], object) for place, head in enumerate(heads)}


def as_json(found: TuningResult) -> dict[str, Any]:
    """Return the tuning as plain data."""
    return {
        "form": FORMAT, "words": summary(found), "ranges": {one.name: list(one.values) for one in found.tuning.ranges},
        "refused": found.rejected,
        "candidates": [{**one._asdict(), "values": list(one.values)} for one in found.tried],
        "anew": [
            {
                "variant": variant.name, "values": list(values), "cost": cost,
                "aims": [
                    {"aim": aim.text, "met": aim.is_met(those), "figures": [one._asdict() for one in those]}
                    for aim, those in zip(found.tuning.objectives, readings, strict=True)
                ],
            }
            for variant, values, cost, readings in zip(
                found.final.variants, found.values, found.costs, found.readings, strict=True
            )
        ],
    }  # fmt: skip
