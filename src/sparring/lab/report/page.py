"""The report as one page: words first, then plots, then tables, then what it takes to run it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.variants import Variant
from sparring.lab.measures import MatchColumn
from sparring.lab.stats.fixed_sample import REAL, FixedIntervals

from . import plots
from .prose import KINDS, how_sure, kinds, number, paragraph, probability, rows_of, signed, title, told_columns

#: Items are drawn and told of so many variants at most; the files have all.
ITEM_PLOTS = 3

ITEMS_SAY = "How often it is played, against how much more those win who play it; lines are 95% intervals."


@dataclass(frozen=True)
class TableCell:
    """What stands in a table."""

    value: str
    small: str = ""
    #: A second line in small type.
    smaller: str = ""
    number: bool = True


@dataclass(frozen=True)
class ReportLine:
    """A row of a table; its first cell is its head."""

    cells: Sequence[TableCell]
    real: bool = False


@dataclass(frozen=True)
class ReportTable:
    """A table with its words."""

    key: str
    title: str
    says: str
    heads: Sequence[str]
    rows: Sequence[ReportLine] = field(default_factory=list)
    numbers: bool = True


@dataclass(frozen=True)
class ReportPlot:
    """A plot with its words."""

    title: str
    says: str
    svg: Markup


def page(
    found: Comparison, plan: str, facts: Mapping[str, str], files_beside: Sequence[str], foreword: Sequence[str],
    more: Mapping[str, Mapping[str, Any]],
) -> str:  # fmt: skip
    """The page."""
    room = files(__package__)
    template = Environment(autoescape=True).from_string((room / "report.html").read_text(encoding="utf-8"))
    variants = len(found.variants)
    return template.render(
        title=f"The lab: {found.study.game.title}", css=Markup((room / "report.css").read_text(encoding="utf-8")),
        subtitle=f"{variants} {'variants' if variants > 1 else 'variant'}, {found.matches:,} matches each",
        words=[*foreword, *paragraph(found)], how_sure=how_sure(found), plots=all_plots(found),
        tables=[*(plain_table(title, table) for title, table in more.items()), *all_tables(found)], plan=plan,
        facts=facts,
        besides=f" (beside it {', '.join(files_beside)})" if files_beside else "",
        variants={one.name: "; ".join(one.changes) or options_of(found, one) for one in found.variants},
    )  # fmt: skip


def options_of(found: Comparison, variant: Variant) -> str:
    """The options of a variant that are not as the rules have them."""
    usual = found.study.game.box().options
    changed = [f"{name} {value}" for name, value in variant.options.items() if value != usual[name]]
    return ", ".join(changed) or "every option as the rules have it"


def all_plots(found: Comparison) -> list[ReportPlot]:
    """The plots that say something of this comparison."""
    drawn = [
        ReportPlot("Who wins", "Each seat in each variant.", Markup(plots.wins(found))),
        ReportPlot("How long it lasts", "Matches by their number of choices.", Markup(plots.lengths(found))),
        ReportPlot("How it ends", "What ended the matches.", Markup(plots.endings(found))),
    ]
    if found.pairs and any(found.asked[c] and column.is_share for c, column in enumerate(found.columns)):
        drawn.insert(
            1,
            ReportPlot(
                "What differs",
                "The first variant minus the second, in what was asked for.",
                Markup(plots.differences(found)),
            ),
        )
    if found.ladder:
        stronger, weaker = found.ladder.study.bots[:2]
        says = f"How often {stronger} wins against {weaker}: the more, the less luck decides."
        drawn.append(ReportPlot("Luck or skill", says, Markup(plots.ladder(found))))
    for v, variant in enumerate(found.variants[:ITEM_PLOTS]):
        called = "Items" if len(found.variants) == 1 else f"Items, {variant.name}"
        drawn.append(ReportPlot(called, ITEMS_SAY, Markup(plots.items_plot(found, v))))
    return drawn


def all_tables(found: Comparison) -> list[ReportTable]:
    """The tables of the page; the files beside it have more digits."""
    tables = [measures(found)]
    if found.pairs:
        tables.append(differences(found))
    if found.ladder:
        tables.append(skill(found.tables["skill"]))
    tables.append(choices(found))
    return [*tables, *(items(found, v) for v in range(len(found.variants[:ITEM_PLOTS])))]


def skill(table: Mapping[str, Any]) -> ReportTable:
    """What thinking ten times as long is worth, a row for each variant."""
    rows = []
    for row in rows_of(table):
        one = dict(zip(table, row, strict=True))
        wins, more = _percent(one, "wins", "low", "high"), _percent(one, "skill", "skill_low", "skill_high")
        rows.append(ReportLine([TableCell(str(one["variant"])), wins, more, TableCell(f"{one['matches']:,}")]))
    says = (
        f"{table['bot'][0]} against {table['against'][0]}: its wins, and how much more that is than of each other, in "
        "percent (0: luck alone, 100: it wins always)."
    )
    return ReportTable("skill", "Luck or skill", says, ["variant", "wins", "more than the others", "matches"], rows)


def choices(found: Comparison) -> ReportTable:
    """The share of each kind in all choices, a column for each variant."""
    names = [variant.name for variant in found.variants]
    told = {(str(row[0]), str(row[1])): row for row in rows_of(found.tables["figures"]) if row[1].startswith("kind/")}
    rows = []
    for kind in dict.fromkeys(figure for _, figure in told):
        cells = [TableCell(kind.partition("/")[2], number=False)]
        for name in names:
            one = told.get((name, kind))
            ends = f"{100 * one[4]:.1f} to {100 * one[5]:.1f}" if one else ""
            cells.append(TableCell(f"{100 * one[3]:.1f}" if one else "0", ends))
        rows.append(ReportLine(cells))
    says = "The percent of all choices that were of each kind, with 95% intervals."
    return ReportTable("choices", "What is chosen", says, ["kind", *names], rows)


def items(found: Comparison, v: int) -> ReportTable:
    """What became of each item in a variant; what is played with the largest gain first."""
    table, variant = found.tables["items"], found.variants[v].name
    rows = []
    those = [dict(zip(table, row, strict=True)) for row in rows_of(table) if row[0] == variant]
    for one in sorted(those, key=lambda one: -float(one["lift_when_played"])):
        cells = [TableCell(f"{one['item']}", number=False), TableCell(str(one["sort"]), number=False)]
        for fate in ("drawn", "kept", "played"):
            cells.append(TableCell(f"{100 * one[fate]:.1f}"))
            cells.append(_percent(one, *(f"wins_when_{fate}{end}" for end in ("", "_low", "_high"))))
        rows.append(ReportLine(cells))
    called = "Items" if len(found.variants) == 1 else f"Items, {variant}"
    says = (
        "Of all seats the percent that drew an item, held it to the end, played it, and the wins of those, in percent."
    )
    heads = ["item", "sort", "drawn", "wins", "held", "wins", "played", "wins"]
    return ReportTable(f"items-{v}", called, says, heads, rows)


def _percent(one: Mapping[str, Any], value: str, low: str, high: str) -> TableCell:
    return TableCell(f"{100 * one[value]:.1f}", f"{100 * one[low]:.1f} to {100 * one[high]:.1f}")


def plain_table(called: str, table: Mapping[str, Any]) -> ReportTable:
    """A table of texts as it is."""
    rows = [ReportLine([TableCell(str(value), number=False) for value in row]) for row in rows_of(table)]
    return ReportTable(called.casefold().replace(" ", "-"), called, "", list(table), rows, numbers=False)


def measures(found: Comparison) -> ReportTable:
    """A row for each measure, a column for each variant."""
    rows = []
    for c, column in enumerate(found.columns):
        cells = [TableCell(title(column.name), number=False)]
        for v in range(len(found.variants)):
            ends = [(number(by.low[v, c], column), number(by.high[v, c], column)) for by in kinds(found)]
            fixed, anytime = map(" to ".join, ends)
            cells.append(TableCell(number(found.means[v, c], column), fixed, anytime))
        rows.append(ReportLine(cells))
    heads = ["measure", *(variant.name for variant in found.variants)]
    says = (
        f"Means of {found.matches:,} matches in each variant. Below each first its ordinary 95% interval (for a fixed "
        "number of matches), then its 95% confidence sequence (whenever one looks)."
    )
    return ReportTable("measures", "Measures", says, heads, rows)


def differences(found: Comparison) -> ReportTable:
    """Return what differs, the real differences first, by the ordinary test and as confidence sequences."""
    names = [variant.name for variant in found.variants]
    main, verdicts = told_columns(found), found.valid.verdicts
    places = [(k, c) for k in range(len(found.pairs)) for c in range(len(found.columns))]
    shown = [one for one in places if verdicts[one] == REAL or one[1] in main]
    rows = []
    for k, c in sorted(shown, key=lambda one: (verdicts[one] != REAL, one[1] not in main, one[1], one[0])):
        column, (one, other) = found.columns[c], found.pairs[k]
        words = [TableCell(word, number=False) for word in (title(column.name), names[one], names[other])]
        difference = TableCell(signed(float(found.differences[k, c]), column))
        both = [cell for by in kinds(found) for cell in _tested(by, column, k, c)]
        rows.append(ReportLine([*words, difference, *both], bool(verdicts[k, c] == REAL)))
    says = (
        "The first variant minus the second, match by match: what was asked for, how long matches are, and all that "
        "are real. First the ordinary 95% interval and paired t-test, for a fixed number of matches; then the 95% "
        "confidence sequence, which holds whenever one looks. Every p is corrected for all differences together."
    )
    heads = ["measure", "variant", "other", "difference", *(head for name in KINDS for head in (name, "p", "which is"))]
    return ReportTable("differences", "Differences", says, heads, rows, numbers=False)


def _tested(by: FixedIntervals, column: MatchColumn, k: int, c: int) -> list[TableCell]:
    """Return an interval of a difference, its p and its verdict."""
    low, high = (signed(float(of[k, c]), column) for of in (by.differences_low, by.differences_high))
    p = probability(float(by.corrected[k, c]))
    return [TableCell(f"{low} to {high}"), TableCell(p), TableCell(str(by.verdicts[k, c]), number=False)]
