"""Say what a comparison or a tuning found, in sentences without statistics, and write the files of its report.

The texts are templates: `findings.md`, `tuning.md` and `report.html`.
"""

import json
import math
import platform
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from sparring.engine.errors import SparringError
from sparring.engine.formats.spreadsheets import write_csv
from sparring.engine.plugins import MissingExtra
from sparring.lab.experiments.comparison import Comparison, Table
from sparring.lab.experiments.config import ExperimentConfig, as_toml
from sparring.lab.experiments.variants import Variant
from sparring.lab.objectives import Objective, ObjectiveValue
from sparring.lab.speed import machine
from sparring.lab.traces import table_of
from sparring.lab.tuning import TuningResult

from . import figures_in_words as words
from .figures import ReportFigures, rows_of

#: The sections that answer questions, and the questions that they answer completely; details answer the others.
ANSWERS = ("fair", "cards", "length", "tension")
ANSWERED = ("fair", "cards", "length")

#: The format identifier in the JSON; `schema.json` describes it.
FORMAT = "sparring-lab-1"

#: The format identifier in the JSON of a tuning.
TUNING_FORMAT = "sparring-tuning-1"

#: The files of a report.
FILES = ("report.html", "report.json", "lab.toml")


def say(report: ReportFigures, *order: str) -> list[str]:
    """Return the sentences of these sections of `findings.md`."""
    return sentences("findings.md", report=report, order=order)


def summary(comparison: Comparison) -> list[str]:
    """Return the summary of a comparison, sentence by sentence: what was played, what was found, then how."""
    report = ReportFigures(comparison)
    return [*say(report, "played"), *findings(report), *method(report)]


def findings(report: ReportFigures) -> list[str]:
    """Say what was found; what was asked comes first."""
    asked = report.comparison.config.ask or ()
    answers = dict.fromkeys([*(name for name in asked if name in ANSWERS), *ANSWERS])
    details_first = bool(asked) and not {*asked} & {*ANSWERED}
    order = ("details", *answers) if details_first else (*answers, "details")
    return say(report, *order, "differences", "skill")


def method(report: ReportFigures) -> list[str]:
    """Say how it was measured, and why the run stopped early if it did."""
    return say(report, "setup", "model", "intervals", "unfinished")


def page(
    report: ReportFigures, plots: Sequence[object], plan: str, facts: Mapping[str, str], files_beside: Sequence[str],
    foreword: Sequence[str], more: Mapping[str, Table], back: str = "", set_name: str = "",
) -> str:  # fmt: skip
    """Return the HTML page of a comparison with these plots.

    `plan` is the text of the `lab.toml` that reproduces it, `files_beside` the content files that plan needs. The
    sentences of `foreword` come before the summary, the tables of `more` (by title) before the other tables.
    `back` is the address of the set that the page leads back to, and `set_name` the set's name for the title.
    """
    return templates().get_template("report.html").render(
        report=report, set_name=set_name, played=say(report, "played")[0],
        findings=[*foreword, *findings(report)], method=method(report), plots=plots,
        more=more, plan=plan, facts=facts, back=back, files_beside=files_beside,
        variants={
            variant.name: "; ".join(variant.changes) or options_of(report, variant)
            for variant in report.comparison.variants
        },
    )  # fmt: skip


def options_of(report: ReportFigures, variant: Variant) -> str:
    """Return the options of a variant that differ from the defaults, as text."""
    defaults = report.comparison.study.game.setup().options
    changed = [f"{name} {value}" for name, value in variant.options.items() if value != defaults[name]]
    return ", ".join(changed) or "default options"


def tuning_summary(result: TuningResult) -> list[str]:
    """Return the summary of a tuning; it uses the final comparison only."""
    best = min(range(len(result.costs)), key=lambda index: result.costs[index])
    names = [parameter.name for parameter in result.tuning.ranges]
    words = zip(*(name.split()[:-1] for name in names), strict=False)
    common = " ".join(same[0] for same in takewhile(lambda same: len(set(same)) == 1, words))
    chosen = [
        f"{name.removeprefix(common).strip()} {value}" for name, value in zip(names, result.values[best], strict=False)
    ]
    return sentences("tuning.md", result=result, best=best, chosen=chosen, common=common, figure=format_figure)


def format_figure(aim: Objective, figure: ObjectiveValue) -> str:
    """Format a figure and its interval; one that should be between 0 and 1 is a share, in percent."""
    if aim.high <= 1:
        return f"{100 * figure.value:.1f}% ± {100 * figure.reach:.1f}"
    return f"{figure.value:.3g} ± {figure.reach:.2g}"


@cache
def templates() -> Environment:
    """Return the environment of the templates in this folder; only HTML is escaped."""
    environment = Environment(
        loader=PackageLoader(__package__ or "", ""), autoescape=select_autoescape(["html"]), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        interval=words.with_interval, value=words.format_value, size=words.format_size,
        signed=words.format_signed, ends=words.format_interval, p_value=words.format_p_value,
        measure=words.title, words=words.join_words, capital=words.capital, plural=words.plural,
        duration=words.duration, rows=rows_of,
    )  # fmt: skip
    environment.globals.update(too_few=words.TOO_FEW, verdicts=words.VERDICTS)
    return environment


def sentences(template: str, **values: Any) -> list[str]:
    """Fill a Markdown template and return its paragraphs, each on one line."""
    text = templates().get_template(template).render(values)
    return [part.replace("\n", " ") for part in re.split(r"\n{2,}", text.strip("\n")) if part]


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
