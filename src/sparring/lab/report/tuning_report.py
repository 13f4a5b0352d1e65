"""Write the report of a tuning: the best candidates, measured again on fresh seeds next to the unchanged game."""

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.experiments.comparison import Table
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from .files import write_report
from .formats import capital, join_words

#: The format identifier in the JSON.
FORMAT = "sparring-tuning-1"


def write_tuning(result: TuningResult, folder: Path) -> Path:
    """Write the report of the final comparison and all candidates; return the path of the page."""
    page = write_report(
        result.final,
        folder,
        summary(result),
        {"Objectives": objectives_table(result), "Candidates": candidates_table(result)},
    )
    try:
        (folder / "tuning.json").write_text(json.dumps(as_json(result), indent=1) + "\n", encoding="utf-8")
        (folder / "tune.toml").write_text(result.tuning.text, encoding="utf-8")
    except OSError as problem:
        raise SparringError(f"Can't write the report to {folder}: {problem.strerror or problem}.") from None
    return page


def summary(result: TuningResult) -> list[str]:
    """Return the summary sentences; they use the final comparison only."""
    stopped = sum(candidate.stopped for candidate in result.tried)
    early = f"; {stopped} {'was' if stopped == 1 else 'were'} stopped early as clearly worse" if stopped else ""
    rejected = f" The game rejected {result.rejected} more as invalid." if result.rejected else ""
    tried = f"{len(result.tried)} different candidates were tried{early}.{rejected}"
    how = [tried, "The best ones were then measured again in new matches; only these results count."]
    order = sorted(range(len(result.costs)), key=lambda index: result.costs[index])
    names = [variant.name for variant in result.final.variants]
    best = order[0]
    if best == 0:
        return ["No candidate is closer to the objectives than the unchanged game.", *how]
    names_of_values = [parameter.name for parameter in result.tuning.ranges]
    words = zip(*(name.split()[:-1] for name in names_of_values), strict=False)
    common = " ".join(same[0] for same in takewhile(lambda same: len(set(same)) == 1, words))
    chosen = [f"{name.removeprefix(common).strip()} {value}"
              for name, value in zip(names_of_values, result.values[best], strict=True)]  # fmt: skip
    values = f"{join_words(chosen)}{f' ({common})' if common else ''}"
    sentences = [f"{capital(names[best])} is closest to the objectives: {values}."]
    for aim, unchanged, best_figures in zip(
        result.tuning.objectives, result.readings[0], result.readings[best], strict=True
    ):
        met = "met" if aim.is_met(best_figures) else "not met"
        before = f"the unchanged game is at {span(aim, unchanged)}"
        sentences.append(f"Objective {aim.text}: {met}, at {span(aim, best_figures)}; {before}.")
    return [*sentences, *how]


def span(aim: Objective, readings: list[ObjectiveValue] | Any) -> str:
    """Format the lowest and highest figure of an objective with its 95% interval, and with names if they differ."""
    ends = sorted(readings, key=lambda figure: figure.value)
    if len(ends) == 1:
        return _figure(aim, ends[0])
    return " to ".join(f"{_figure(aim, figure)} ({figure.name})" for figure in (ends[0], ends[-1]))


def _figure(aim: Objective, figure: ObjectiveValue) -> str:
    """Format a figure and its interval; one that should be between 0 and 1 is a share, in percent."""
    if aim.high <= 1:
        return f"{100 * figure.value:.1f}% ± {100 * figure.reach:.1f}"
    return f"{figure.value:.3g} ± {figure.reach:.2g}"


def objectives_table(result: TuningResult) -> Table:
    """Tabulate the figures of each objective, one column per variant; a tick marks figures inside the range."""
    rows = []
    for number, aim in enumerate(result.tuning.objectives):
        of_variants = [{figure.name: figure for figure in readings[number]} for readings in result.readings]
        for name in dict.fromkeys(name for figures in of_variants for name in figures):
            rows += [(aim.text, name, *(_cell(aim, figures.get(name)) for figures in of_variants))]
    return _table(("objective", "value", *(variant.name for variant in result.final.variants)), rows)


def _cell(aim: Objective, figure: ObjectiveValue | None) -> str:
    if figure is None:
        return ""
    return f"{_figure(aim, figure)}{' ✓' if aim.low <= figure.value <= aim.high else ''}"


def candidates_table(result: TuningResult) -> Table:
    """Tabulate the candidates, best first; their costs come from the seeds that selected them."""
    columns = (*(parameter.name for parameter in result.tuning.ranges), "cost", "matches", "stopped")
    rows = [
        (*map(str, candidate.values), f"{candidate.cost:.4g}", candidate.matches, "yes" if candidate.stopped else "")
        for candidate in result.tried
    ]
    return _table(columns, rows)


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    return {column: np.array([row[index] for row in rows], object) for index, column in enumerate(columns)}


def as_json(result: TuningResult) -> dict[str, Any]:
    """Return the tuning as plain data."""
    return {
        "form": FORMAT, "words": summary(result),
        "ranges": {parameter.name: list(parameter.values) for parameter in result.tuning.ranges},
        "refused": result.rejected,
        "candidates": [{**one._asdict(), "values": list(one.values)} for one in result.tried],
        "anew": [
            {
                "variant": variant.name, "values": list(values), "cost": cost,
                "aims": [
                    {"aim": aim.text, "met": aim.is_met(figures), "figures": [one._asdict() for one in figures]}
                    for aim, figures in zip(result.tuning.objectives, readings, strict=True)
                ],
            }
            for variant, values, cost, readings in zip(
                result.final.variants, result.values, result.costs, result.readings, strict=True
            )
        ],
    }  # fmt: skip
