"""Say what a comparison or a tuning found, in sentences that a designer without statistics can read.

The sentences are in templates, `findings.md` and `tuning.md`.
"""

import re
from functools import cache
from itertools import takewhile
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.tuner.objectives import Objective, ObjectiveValue
from sparring.lab.tuner.tuning import TuningResult

from . import formats
from .figures import ReportFigures

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
        interval=formats.with_interval, size=formats.format_size, signed=formats.format_signed,
        ends=formats.format_interval, p_value=formats.format_p_value, measure=formats.title, words=formats.join_words,
        capital=formats.capital, plural=formats.plural, duration=formats.duration,
    )  # fmt: skip
    environment.globals.update(too_few=formats.TOO_FEW, verdicts=formats.VERDICTS)
    return environment


def sentences(template: str, **values: Any) -> list[str]:
    """Fill a Markdown template and return its paragraphs, each on one line."""
    text = templates().get_template(template).render(values)
    return [part.replace("\n", " ") for part in re.split(r"\n{2,}", text.strip("\n")) if part]
