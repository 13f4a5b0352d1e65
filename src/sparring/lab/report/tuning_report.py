"""The report of a tuning: which candidates are best, measured anew beside the game as it is."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.experiments.comparison import Table
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from .files import write_report
from .prose import listed

#: What the JSON calls its form.
FORM = "sparring-tuning-1"


def write_tuning(found: TuningResult, folder: Path) -> Path:
    """Write the report of what was measured anew, and beside it all candidates; the path of the page."""
    page = write_report(found.anew, folder, words(found), {"Aims": aims(found), "Candidates": candidates(found)})
    try:
        (folder / "tuning.json").write_text(json.dumps(as_json(found), indent=1) + "\n", encoding="utf-8")
        (folder / "tune.toml").write_text(found.tuning.text, encoding="utf-8")
    except OSError as problem:
        raise SparringError(f"The report cannot be written to {folder}: {problem.strerror or problem}.") from None
    return page


def words(found: TuningResult) -> list[str]:
    """What was found, in sentences: only of what was measured anew."""
    stopped = sum(one.stopped for one in found.tried)
    refused = f", {found.refused} were refused by the game" if found.refused else ""
    lost = f"{stopped} of them lost clearly and {'was' if stopped == 1 else 'were'} stopped early{refused}"
    tried = f"{len(found.tried)} different candidates were tried; {lost}."
    told = [f"{tried} What follows was measured anew, on fresh seeds."]
    order = sorted(range(len(found.costs)), key=lambda place: found.costs[place])
    names = [variant.name for variant in found.anew.variants]
    best = order[0]
    if best == 0:
        return [*told, "None of the candidates is closer to the aims than the game as it is."]
    values = listed([f"{one.name} {value}" for one, value in zip(found.tuning.ranges, found.values[best], strict=True)])
    told.append(f"Closest to the aims is {names[best]}: {values}.")
    for aim, now, then in zip(found.tuning.aims, found.readings[0], found.readings[best], strict=True):
        met = "met" if aim.is_met(then) else "not met"
        told.append(f"{aim.text}: {span(then)}, which is {met}; as it is {span(now)}.")
    return told


def span(readings: list[ObjectiveValue] | Any) -> str:
    """The least and the most of the figures of an aim, with their names and intervals."""
    ends = sorted(readings, key=lambda one: one.value)
    ends = ends[:1] if len(ends) == 1 else [ends[0], ends[-1]]
    return " to ".join(f"{one.value:.3g} ± {one.reach:.2g} ({one.name})" for one in ends)


def aims(found: TuningResult) -> Table:
    """Each figure of each aim, a column for each variant; what lies within the range has a tick."""
    rows = []
    for number, aim in enumerate(found.tuning.aims):
        of_variants = [{one.name: one for one in readings[number]} for readings in found.readings]
        for name in dict.fromkeys(name for those in of_variants for name in those):
            rows += [(aim.text, name, *(_told(aim, those.get(name)) for those in of_variants))]
    return _table(("aim", "figure", *(variant.name for variant in found.anew.variants)), rows)


def _told(aim: Objective, one: ObjectiveValue | None) -> str:
    if one is None:
        return ""
    return f"{one.value:.3g} ± {one.reach:.2g}{' ✓' if aim.low <= one.value <= aim.high else ''}"


def candidates(found: TuningResult) -> Table:
    """What was tried, the best first; what these cost is of the seeds that they were chosen by."""
    heads = (*(one.name for one in found.tuning.ranges), "cost", "matches", "stopped")
    rows = [
        (*map(str, one.values), f"{one.cost:.4g}", one.matches, "yes" if one.stopped else "") for one in found.tried
    ]
    return _table(heads, rows)


def _table(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    return {head: np.array([row[place] for row in rows], object) for place, head in enumerate(heads)}


def as_json(found: TuningResult) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "form": FORM, "words": words(found), "ranges": {one.name: list(one.values) for one in found.tuning.ranges},
        "refused": found.refused,
        "candidates": [{**one._asdict(), "values": list(one.values)} for one in found.tried],
        "anew": [
            {
                "variant": variant.name, "values": list(values), "cost": cost,
                "aims": [
                    {"aim": aim.text, "met": aim.is_met(those), "figures": [one._asdict() for one in those]}
                    for aim, those in zip(found.tuning.aims, readings, strict=True)
                ],
            }
            for variant, values, cost, readings in zip(
                found.anew.variants, found.values, found.costs, found.readings, strict=True
            )
        ],
    }  # fmt: skip
