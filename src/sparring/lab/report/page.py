"""Render the report as one HTML page: summary, plots, tables, then how to run it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.stopping import REAL, FixedIntervals
from sparring.lab.experiments.variants import Variant
from sparring.lab.measures import MatchColumn

from . import plots
from .answers import judged_items
from .detail_plots import detail_plots
from .formats import (
    KINDS,
    MEANINGS,
    VERDICTS,
    format_interval,
    format_p_value,
    format_signed,
    format_value,
    rows_of,
    title,
)  # fmt: skip
from .prose import both_intervals, findings, main_columns, method, played

#: How many variants get an item plot and table on the page; the files have all of them.
ITEM_PLOTS = 3

ITEM_CAPTION = (
    "How much more often seats that drew an item win than seats that drew the average item of its sort. Chance decides "
    "what a seat draws, so this measures the item and not its player. Lines: 95% intervals, corrected for the number "
    "of items (Bonferroni)."
)


@dataclass(frozen=True)
class TableCell:
    """A cell of a table."""

    value: str
    #: Up to two more lines, in small type.
    small: str = ""
    smaller: str = ""
    number: bool = True


@dataclass(frozen=True)
class ReportLine:
    """A row of a table; its first cell is the row header."""

    cells: Sequence[TableCell]
    real: bool = False


@dataclass(frozen=True)
class ReportTable:
    """A table with its title and caption."""

    key: str
    title: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[ReportLine] = field(default_factory=list)
    numbers: bool = True


@dataclass(frozen=True)
class ReportPlot:
    """A plot with its title and caption; `key` is its id on the page."""

    key: str
    title: str
    caption: str
    svg: Markup


def page(
    comparison: Comparison, plan: str, facts: Mapping[str, str], files_beside: Sequence[str], foreword: Sequence[str],
    more: Mapping[str, Mapping[str, Any]], back: str = "", set_name: str = "",
) -> str:  # fmt: skip
    """Return the HTML page of a comparison.

    `plan` is the text of the `lab.toml` that reproduces it, `files_beside` the content files that plan needs. The
    sentences of `foreword` come before the summary, the tables of `more` (by title) before the other tables.
    `back` is the address of the set that the page leads back to, and `set_name` the set's name for the title.
    """
    package = files(__package__)
    template = Environment(autoescape=True).from_string((package / "report.html").read_text(encoding="utf-8"))
    variants, matches = len(comparison.variants), f"{comparison.matches:,} matches"
    return template.render(
        title=f"Lab report: {set_name or comparison.study.game.title}",
        css=Markup((package / "report.css").read_text(encoding="utf-8")),
        subtitle=f"{played(comparison)} {f'{variants} variants, {matches} each' if variants > 1 else matches}",
        findings=[*foreword, *findings(comparison)], method=method(comparison),
        plots=all_plots(comparison),
        tables=[*(plain_table(title, table) for title, table in more.items()), *all_tables(comparison)], plan=plan,
        facts=facts, back=back,
        files_beside=", ".join(files_beside),
        variants={
            variant.name: "; ".join(variant.changes) or options_of(comparison, variant)
            for variant in comparison.variants
        },
    )  # fmt: skip


def options_of(comparison: Comparison, variant: Variant) -> str:
    """Return the options of a variant that differ from the defaults, as text."""
    defaults = comparison.study.game.box().options
    changed = [f"{name} {value}" for name, value in variant.options.items() if value != defaults[name]]
    return ", ".join(changed) or "default options"


def all_plots(comparison: Comparison) -> list[ReportPlot]:
    """Return the plots that apply to this comparison."""
    report_plots = [
        ReportPlot("wins", "Wins", "Share of matches won, by seat and variant.", Markup(plots.wins(comparison))),
        ReportPlot("length", "Match length", "Matches by number of actions.", Markup(plots.lengths(comparison))),
    ]
    if sum(name.startswith("ends/") for name in _seen(comparison)) > 1:  # one way to end needs no plot
        report_plots.append(ReportPlot("endings", "Endings", "Why matches ended.", Markup(plots.endings(comparison))))
    if comparison.pairs and any(
        comparison.requested[c] and column.is_share for c, column in enumerate(comparison.columns)
    ):
        caption = "The first variant minus the second, for the requested measures."
        svg = Markup(plots.differences(comparison))
        report_plots.insert(1, ReportPlot("apart", "Differences between variants", caption, svg))
    for v, variant in enumerate(comparison.variants[:ITEM_PLOTS]):
        if judged_items(comparison, v):
            name = "Items" if len(comparison.variants) == 1 else f"Items, {variant.name}"
            svg = Markup(plots.items_plot(comparison, v))
            report_plots.append(ReportPlot(f"item-plot-{v}", name, ITEM_CAPTION, svg))
    for detail in comparison.details:
        where = f" Measured with {comparison.variants[0].name}." if comparison.pairs else ""
        detail_svgs = detail_plots(detail)
        for number, plot in enumerate(detail_svgs, 1):
            key = f"plot-{detail.name}-{number}"
            name = f"{detail.title} {number}" if len(detail_svgs) > 1 else detail.title
            report_plots.append(ReportPlot(key, name, f"{detail.meaning}{where}", Markup(plot)))
    if comparison.skill_run:
        stronger, weaker = comparison.skill_run.study.bots[:2]
        caption = f"How often {stronger} wins against {weaker}. The more often it wins, the less luck matters."
        report_plots.append(ReportPlot("ladder", "Luck or skill", caption, Markup(plots.ladder(comparison))))
    return report_plots


def _seen(comparison: Comparison) -> list[str]:
    """Return the names of the measures that are above 0 in a variant."""
    return [name for name, mean in zip(comparison.names, comparison.means.max(axis=0), strict=True) if mean > 0]


def all_tables(comparison: Comparison) -> list[ReportTable]:
    """Return the tables of the page; the CSV files have more digits."""
    tables = [measures(comparison)]
    if comparison.pairs:
        tables.append(differences(comparison))
    if comparison.skill_run:
        tables.append(skill(comparison.tables["skill"]))
    tables.append(choices(comparison))
    return [*tables, *(items(comparison, v) for v in range(len(comparison.variants[:ITEM_PLOTS])))]


def skill(table: Mapping[str, Any]) -> ReportTable:
    """Tabulate the gain from searching ten times as long, one row per variant."""
    rows = []
    for row in rows_of(table):
        figures = dict(zip(table, row, strict=True))
        wins, lead = _percent(figures, "wins", "low", "high"), _percent(figures, "skill", "skill_low", "skill_high")
        rows.append(ReportLine([TableCell(str(figures["variant"])), wins, lead, TableCell(f"{figures['matches']:,}")]))
    caption = (
        f"{table['bot'][0]} against {table['against'][0]}: the percentage of matches that it wins, and its lead over "
        "the average opponent (0: luck alone, 100: it always wins). In small type: 95% intervals."
    )
    return ReportTable("skill", "Luck or skill", caption, ["variant", "wins", "lead", "matches"], rows)


def choices(comparison: Comparison) -> ReportTable:
    """Tabulate the share of each kind of choice, one column per variant."""
    names = [variant.name for variant in comparison.variants]
    by_variant = {
        (str(row[0]), str(row[1])): row for row in rows_of(comparison.tables["figures"]) if row[1].startswith("kind/")
    }
    rows = []
    for kind in dict.fromkeys(figure for _, figure in by_variant):
        cells = [TableCell(kind.partition("/")[2], number=False)]
        for name in names:
            figures = by_variant.get((name, kind))
            ends = f"{100 * figures[4]:.1f} to {100 * figures[5]:.1f}" if figures else ""
            cells.append(TableCell(f"{100 * figures[3]:.1f}" if figures else "0", ends))
        rows.append(ReportLine(cells))
    caption = "How often each kind of action was taken, as a percentage of all actions, with 95% intervals."
    return ReportTable("choices", "Kinds of actions", caption, ["kind", *names], rows)


def items(comparison: Comparison, v: int) -> ReportTable:
    """Tabulate how often each item of a variant was drawn, held and played, and how often its seats won."""
    table, variant = comparison.tables["items"], comparison.variants[v].name
    rows = []
    item_rows = [dict(zip(table, row, strict=True)) for row in rows_of(table) if row[0] == variant]
    item_rows = [row for row in item_rows if row["drawn"]]  # an ability of no card has no wins
    for item in sorted(item_rows, key=lambda item: -float(item["lift_when_drawn"])):
        cells = [TableCell(f"{item['item']}", number=False), TableCell(str(item["sort"]), number=False)]
        for outcome in ("drawn", "kept", "played"):
            cells.append(TableCell(f"{100 * item[outcome]:.1f}"))
            cells.append(_percent(item, *(f"wins_when_{outcome}{end}" for end in ("", "_low", "_high"))))
        rows.append(ReportLine(cells))
    name = "Items" if len(comparison.variants) == 1 else f"Items, {variant}"
    caption = (
        "The percentage of seats that drew an item, held it at the end or played it, and the percentage of these seats "
        "that won, with 95% intervals. Items are sorted by the wins of the seats that drew them, which chance selects. "
        "Wins of seats that held or played an item mislead: players hold and play items when they are ahead or in "
        "trouble. To see what an item does to the game, play without it (--without NAME)."
    )
    columns = ["item", "type", "drawn", "wins", "held", "wins", "played", "wins"]
    return ReportTable(f"items-{v}", name, caption, columns, rows)


def _percent(row: Mapping[str, Any], value: str, low: str, high: str) -> TableCell:
    return TableCell(f"{100 * row[value]:.1f}", f"{100 * row[low]:.1f} to {100 * row[high]:.1f}")


def plain_table(name: str, table: Mapping[str, Any]) -> ReportTable:
    """Return a table of plain text cells."""
    rows = [ReportLine([TableCell(str(value), number=False) for value in row]) for row in rows_of(table)]
    return ReportTable(name.casefold().replace(" ", "-"), name, "", list(table), rows, numbers=False)


def measures(comparison: Comparison) -> ReportTable:
    """Tabulate the mean of each measure with both intervals, one column per variant."""
    rows = []
    for c, column in enumerate(comparison.columns):
        cells = [TableCell(title(column.name), MEANINGS.get(column.group, ""), number=False)]
        for v in range(len(comparison.variants)):
            fixed, anytime = (
                format_interval(intervals.low[v, c], intervals.high[v, c], partial(format_value, column=column))
                for intervals in both_intervals(comparison)
            )
            cells.append(TableCell(format_value(comparison.means[v, c], column), fixed, anytime))
        rows.append(ReportLine(cells))
    columns = ["measure", *(variant.name for variant in comparison.variants)]
    caption = (
        f"Means of {comparison.matches:,} matches in each variant. In small type: the ordinary 95% interval (valid for "
        "a fixed number of matches), then the 95% confidence sequence (an interval that is valid whenever you stop)."
    )
    return ReportTable("measures", "Measures", caption, columns, rows)


def differences(comparison: Comparison) -> ReportTable:
    """Tabulate differences, the real ones first, with the ordinary test and confidence sequences."""
    names = [variant.name for variant in comparison.variants]
    main, verdicts = main_columns(comparison), comparison.valid.verdicts
    indices = [(k, c) for k in range(len(comparison.pairs)) for c in range(len(comparison.columns))]
    listed = [index for index in indices if verdicts[index] == REAL or index[1] in main]
    rows = []
    for k, c in sorted(listed, key=lambda index: (verdicts[index] != REAL, index[1] not in main, index[1], index[0])):
        column, (first, second) = comparison.columns[c], comparison.pairs[k]
        words = [TableCell(word, number=False) for word in (title(column.name), names[first], names[second])]
        difference = TableCell(format_signed(float(comparison.differences[k, c]), column))
        both = [cell for intervals in both_intervals(comparison) for cell in _tested(intervals, column, k, c)]
        rows.append(ReportLine([*words, difference, *both], bool(verdicts[k, c] == REAL)))
    caption = (
        "The first variant minus the second, match by match: the requested measures, match length, and every real "
        "difference. Shares are in percentage points. p is the probability of a difference at least this large between "
        "equal variants, corrected for testing many differences at once; a difference is real if p is at most 0.05. "
        "First the ordinary 95% interval and paired t-test (for a fixed number of matches), then the 95% confidence "
        "sequence (valid whenever you stop)."
    )
    columns = [
        "measure",
        "variant",
        "other",
        "difference",
        *(head for kind in KINDS for head in (kind, "p", "verdict")),
    ]
    return ReportTable("differences", "Differences", caption, columns, rows, numbers=False)


def _tested(intervals: FixedIntervals, column: MatchColumn, k: int, c: int) -> list[TableCell]:
    """Return three cells: the interval of a difference, its p-value and its verdict."""
    low, high = (float(bound[k, c]) for bound in (intervals.differences_low, intervals.differences_high))
    p = format_p_value(float(intervals.corrected[k, c]))
    return [
        TableCell(format_interval(low, high, partial(format_signed, column=column))),
        TableCell(p),
        TableCell(VERDICTS[str(intervals.verdicts[k, c])], number=False),
    ]
