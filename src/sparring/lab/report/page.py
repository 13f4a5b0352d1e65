"""The report as one page: words first, then plots, then tables, then what it takes to run it again."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from jinja2 import Environment
from markupsafe import Markup

from sparring.lab.comparison import REAL, Comparison
from sparring.lab.measures import Column
from sparring.lab.variants import Variant

from . import plots
from .words import number, paragraph, share, title


@dataclass(frozen=True)
class Cell:
    """What stands in a table."""

    value: str
    small: str = ""
    number: bool = True


@dataclass(frozen=True)
class Row:
    """A row of a table; its first cell is its head."""

    cells: Sequence[Cell]
    real: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its words."""

    key: str
    title: str
    says: str
    heads: Sequence[str]
    rows: Sequence[Row] = field(default_factory=list)
    numbers: bool = True


@dataclass(frozen=True)
class Plot:
    """A plot with its words."""

    title: str
    says: str
    svg: Markup


def page(found: Comparison, plan: str, facts: Mapping[str, str], files_beside: Sequence[str]) -> str:
    """The page."""
    room = files(__package__)
    template = Environment(autoescape=True).from_string((room / "report.html").read_text(encoding="utf-8"))
    variants = len(found.variants)
    return template.render(
        title=f"The lab: {found.study.game.title}", css=Markup((room / "report.css").read_text(encoding="utf-8")),
        subtitle=f"{variants} {'variants' if variants > 1 else 'variant'}, {found.matches:,} matches each",
        words=paragraph(found), plots=all_plots(found), tables=all_tables(found), plan=plan, facts=facts,
        besides=f" (beside it {', '.join(files_beside)})" if files_beside else "",
        variants={each.name: "; ".join(each.changes) or options_of(found, each) for each in found.variants},
    )  # fmt: skip


def options_of(found: Comparison, variant: Variant) -> str:
    """The options of a variant that are not as the rules have them."""
    usual = found.study.game.box().options
    changed = [f"{name} {value}" for name, value in variant.options.items() if value != usual[name]]
    return ", ".join(changed) or "every option as the rules have it"


def all_plots(found: Comparison) -> list[Plot]:
    """The plots that say something of this comparison."""
    drawn = [
        Plot("Who wins", "Each seat in each variant.", Markup(plots.wins(found))),
        Plot("How long it lasts", "Matches by their number of choices.", Markup(plots.lengths(found))),
        Plot("How it ends", "What ended the matches.", Markup(plots.endings(found))),
    ]
    if found.pairs and any(found.asked[c] and share(column) for c, column in enumerate(found.columns)):
        drawn.insert(
            1,
            Plot(
                "What differs",
                "The first variant minus the second, in what was asked for.",
                Markup(plots.differences(found)),
            ),
        )
    return drawn


def all_tables(found: Comparison) -> list[Table]:
    """The tables of the page; the files beside it have more digits."""
    tables = [measures(found)]
    if found.pairs:
        tables.append(differences(found))
    return tables


def measures(found: Comparison) -> Table:
    """A row for each measure, a column for each variant."""
    rows = []
    for c, column in enumerate(found.columns):
        cells = [Cell(title(column.name), number=False)]
        for v in range(len(found.variants)):
            ends = f"{number(found.low[v, c], column)} to {number(found.high[v, c], column)}"
            cells.append(Cell(number(found.means[v, c], column), ends))
        rows.append(Row(cells))
    heads = ["measure", *(variant.name for variant in found.variants)]
    says = f"Means of {found.matches:,} matches in each variant, with 95% intervals."
    return Table("measures", "Measures", says, heads, rows)


def differences(found: Comparison) -> Table:
    """The real ones first, the rest of what was asked for after them."""
    names = [variant.name for variant in found.variants]
    places = [(k, c) for k in range(len(found.pairs)) for c in range(len(found.columns))]
    shown = [one for one in places if found.verdicts[one] == REAL or found.asked[one[1]]]
    rows = []
    for k, c in sorted(shown, key=lambda one: (found.verdicts[one] != REAL, not found.asked[one[1]], one[1], one[0])):
        column, (one, other) = found.columns[c], found.pairs[k]
        low, high = (signed(float(of[k, c]), column) for of in (found.differences_low, found.differences_high))
        difference = Cell(signed(float(found.differences[k, c]), column), f"{low} to {high}")
        real = found.verdicts[k, c] == REAL
        words = [Cell(word, number=False) for word in (title(column.name), names[one], names[other])]
        p, verdict = probability(float(found.corrected[k, c])), Cell(str(found.verdicts[k, c]), number=False)
        rows.append(Row([*words, difference, Cell(p), verdict], bool(real)))
    says = (
        "The first variant minus the second, match by match; all that are real, and what was asked for. The p is "
        "corrected for all differences together."
    )
    heads = ["measure", "variant", "other", "difference", "p", "which is"]
    return Table("differences", "Differences", says, heads, rows, numbers=False)


def signed(value: float, column: Column) -> str:
    """A difference with its sign."""
    return f"{100 * value:+.1f}" if share(column) else f"{value:+,.2f}"


def probability(p: float) -> str:
    """A p as people read it."""
    return "under 0.001" if p < 0.001 else "1" if math.isclose(p, 1) else f"{p:.3f}"
