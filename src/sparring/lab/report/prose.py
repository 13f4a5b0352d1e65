"""Say what a comparison or a tuning found, in sentences that a designer without statistics can read, and on one page.

The texts are templates: `findings.md`, `tuning.md` and `report.html`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from sparring.lab.experiments.comparison import Comparison, Table
from sparring.lab.experiments.variants import Variant
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from . import formats
from .figures import ReportFigures, rows_of

#: The sections that answer questions, and the questions that they answer completely; details answer the others.
ANSWERS = ("fair", "cards", "length", "tension")
ANSWERED = ("fair", "cards", "length")


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
    defaults = report.comparison.study.game.box().options
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
        interval=formats.with_interval, value=formats.format_value, size=formats.format_size,
        signed=formats.format_signed, ends=formats.format_interval, p_value=formats.format_p_value,
        measure=formats.title, words=formats.join_words, capital=formats.capital, plural=formats.plural,
        duration=formats.duration, rows=rows_of,
    )  # fmt: skip
    environment.globals.update(too_few=formats.TOO_FEW, verdicts=formats.VERDICTS)
    return environment


def sentences(template: str, **values: Any) -> list[str]:
    """Fill a Markdown template and return its paragraphs, each on one line."""
    text = templates().get_template(template).render(values)
    return [part.replace("\n", " ") for part in re.split(r"\n{2,}", text.strip("\n")) if part]
