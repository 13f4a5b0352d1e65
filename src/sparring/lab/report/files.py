"""Write the files of a report or a tuning into one folder."""

import json
import math
import platform
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.formats.spreadsheets import write_csv
from sparring.engine.plugins import MissingExtra
from sparring.lab.details.traces import table_of
from sparring.lab.experiments.comparison import Comparison, Table
from sparring.lab.experiments.config import ExperimentConfig, as_toml
from sparring.lab.speed import machine
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from .figures import ReportFigures
from .prose import format_figure, page, summary, tuning_summary

#: The format identifier in the JSON; `schema.json` describes it.
FORMAT = "sparring-lab-1"

#: The format identifier in the JSON of a tuning.
TUNING_FORMAT = "sparring-tuning-1"

FILES = ("report.html", "report.json", "lab.toml")


def open_folder(folder: Path) -> Path:
    """Create the folder if needed and check that it is writable, before any match is played.

    Raises SparringError if it is not, or if matplotlib is missing.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtra("Reports need matplotlib", "lab")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILES[0]).open("a").close()
    except OSError as problem:
        raise SparringError(f"Can't write a report to {folder}: {problem.strerror or problem}.") from None
    return folder


def write_report(
    comparison: Comparison, folder: Path, foreword: Sequence[str] = (), more: Mapping[str, Table] | None = None,
    back: str = "", set_name: str = "", beside: Mapping[str, str] | None = None,
) -> Path:  # fmt: skip
    """Write all files and return the path of the page.

    `foreword` (sentences) and `more` (tables by title) come before the rest; `back` is the address of the set that the
    page leads back to, `set_name` the set's name for the title. `beside` has the texts of more files by name. Raises
    SparringError if a file cannot be written.
    """
    from .plots import all_plots

    open_folder(folder)
    try:
        config, content_files = _reproducible(comparison, folder)
        plan = as_toml(config)
        texts = {"lab.toml": plan, "report.json": json.dumps(as_json(comparison, plan, foreword), indent=1) + "\n"}
        for name, text in {**texts, **(beside or {})}.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name, table in comparison.tables.items():
            csv = write_csv([tuple(table), *(map(_plain, row) for row in zip(*table.values(), strict=True))])
            (folder / f"{name}.csv").write_text(csv, encoding="utf-8", newline="")
        report, made = ReportFigures(comparison), facts(comparison)
        html = page(report, all_plots(report), plan, made, content_files, foreword, more or {}, back, set_name)
        (folder / FILES[0]).write_text(html, encoding="utf-8")
    except OSError as problem:
        raise SparringError(f"Can't write the report to {folder}: {problem.strerror or problem}.") from None
    return folder / FILES[0]


def as_json(comparison: Comparison, plan: str, foreword: Sequence[str] = ()) -> dict[str, Any]:
    """Return the whole comparison as plain data (`schema.json`)."""
    return {
        "form": FORMAT, "words": [*foreword, *summary(comparison)], "game": comparison.study.game.name,
        "game_version": comparison.study.game.version, "matches": comparison.matches,
        "fixed_in_advance": comparison.fixed_in_advance, "seconds": round(comparison.seconds, 3),
        "unfinished": comparison.unfinished, "plan": plan, "made_with": facts(comparison),
        "variants": [
            {"name": variant.name, "options": dict(variant.options), "changes": list(variant.changes)}
            for variant in comparison.variants
        ],
        "tables": {
            name: [dict(zip(table, map(_finite, row), strict=True)) for row in zip(*table.values(), strict=True)]
            for name, table in comparison.tables.items()
        },
    }  # fmt: skip


def facts(comparison: Comparison) -> dict[str, str]:
    """Return what is needed to reproduce it: versions, seeds, bots, machine."""
    game = comparison.study.game
    return {
        "game": f"{game.title}, version {game.version}", "matches": f"{comparison.matches:,} in each variant",
        "seeds": f"match number i uses seed {comparison.study.seed} + i", "bots": ", ".join(comparison.study.bots),
        "Sparring": version("sparring"), "Python": platform.python_version(), "NumPy": version("numpy"),
        "Numba": version("numba"), "machine": machine(), "time": f"{comparison.seconds:.1f} s",
        "time to compile": f"{comparison.preparation_seconds:.1f} s, not counted by sparring lab --at-most",
    }  # fmt: skip


def _reproducible(comparison: Comparison, folder: Path) -> tuple[ExperimentConfig, list[str]]:
    """Return the config that gives the same numbers, and its content files, which are copied into the folder."""
    files, study = [Path(file) for file in comparison.config.content or ()], comparison.study
    names = [file.name for file in files]
    content_files = [f"{n}-{name}" if names.count(name) > 1 else name for n, name in enumerate(names, 1)]
    for file, name in zip(files, content_files, strict=True):
        if file.resolve() != (folder / name).resolve():
            shutil.copyfile(file, folder / name)
    exact = replace(comparison.config, game=study.game.name, bots=list(study.bots), seats=study.seats, seed=study.seed)
    full = replace(exact, matches=comparison.matches, precision=comparison.stopping_rule.precision, at_most=None)
    return replace(full, content=content_files or None), content_files


def _plain(value: Any) -> Any:
    """Convert a NumPy scalar to plain Python, floats to twelve significant digits."""
    plain = value.item() if hasattr(value, "item") else value
    return float(f"{plain:.12g}") if isinstance(plain, float) else plain


def _finite(value: Any) -> Any:
    """Convert a value as `_plain` does, and an infinite bound (too few matches for an interval) to None."""
    plain = _plain(value)
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def write_tuning(result: TuningResult, folder: Path) -> Path:
    """Write the report of the final comparison and all candidates; return the path of the page."""
    beside = {"tuning.json": json.dumps(tuning_json(result), indent=1) + "\n", "tune.toml": result.tuning.text}
    tables = {"Objectives": objectives_table(result), "Candidates": candidates_table(result)}
    return write_report(result.final, folder, tuning_summary(result), tables, beside=beside)


def objectives_table(result: TuningResult) -> Table:
    """Tabulate the figures of each objective, one column per variant; a tick marks figures inside the range."""
    rows = []
    for number, aim in enumerate(result.tuning.objectives):
        of_variants = [{figure.name: figure for figure in readings[number]} for readings in result.readings]
        for name in dict.fromkeys(name for figures in of_variants for name in figures):
            rows += [(aim.text, name, *(_cell(aim, figures.get(name)) for figures in of_variants))]
    return table_of(("objective", "value", *(variant.name for variant in result.final.variants)), rows)


def _cell(aim: Objective, figure: ObjectiveValue | None) -> str:
    if figure is None:
        return ""
    return f"{format_figure(aim, figure)}{' ✓' if aim.low <= figure.value <= aim.high else ''}"


def candidates_table(result: TuningResult) -> Table:
    """Tabulate the candidates, best first; their costs come from the seeds that selected them."""
    columns = (*(parameter.name for parameter in result.tuning.ranges), "cost", "matches", "stopped")
    rows = [
        (*map(str, candidate.values), f"{candidate.cost:.4g}", candidate.matches, "yes" if candidate.stopped else "")
        for candidate in result.tried
    ]
    return table_of(columns, rows)


def tuning_json(result: TuningResult) -> dict[str, Any]:
    """Return the tuning as plain data."""
    return {
        "form": TUNING_FORMAT, "words": tuning_summary(result),
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
