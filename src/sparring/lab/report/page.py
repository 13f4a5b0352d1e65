"""Render the report as one HTML page: summary, plots, tables, then how to run it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.fixed_sample import REAL, FixedIntervals
from sparring.lab.experiments.variants import Variant
from sparring.lab.measures import MatchColumn

from . import plots
from .prose import (
    KINDS,
    MEANINGS,
    VERDICTS,
    both_intervals,
    format_p_value,
    format_signed,
    format_value,
    interval_note,
    main_columns,
    rows_of,
    summary,
    title,
)

#: How many variants get an item plot and table on the page; the files have all of them.
ITEM_PLOTS = 3

ITEM_CAPTION = "How often each item is played, and how much more often its players win. Lines: 95% intervals."


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
    """A plot with its title and caption."""

    title: str
    caption: str
    svg: Markup


def page(
    found: Comparison, plan: str, facts: Mapping[str, str], files_beside: Sequence[str], foreword: Sequence[str],
    more: Mapping[str, Mapping[str, Any]],
) -> str:  # fmt: skip
    """Return the HTML page of a comparison.

    `plan` is the text of the `lab.toml` that reproduces it, `files_beside` the content files that plan needs. The
    sentences of `foreword` come before the summary, the tables of `more` (by title) before the other tables.
    """
    package = files(__package__)
    template = Environment(autoescape=True).from_string((package / "report.html").read_text(encoding="utf-8"))
    variants = len(found.variants)
    return template.render(
        title=f"Lab report: {found.study.game.title}", css=Markup((package / "report.css").read_text(encoding="utf-8")),
        subtitle=f"{variants} {'variants' if variants > 1 else 'variant'}, {found.matches:,} matches each",
        summary=[*foreword, *summary(found)], how_sure=interval_note(found), plots=all_plots(found),
        tables=[*(plain_table(title, table) for title, table in more.items()), *all_tables(found)], plan=plan,
        facts=facts,
        files_beside=", ".join(files_beside),
        variants={one.name: "; ".join(one.changes) or options_of(found, one) for one in found.variants},
    )  # fmt: skip


def options_of(found: Comparison, variant: Variant) -> str:
    """Return the options of a variant that differ from the defaults, as text."""
    usual = found.study.game.box().options
    changed = [f"{name} {value}" for name, value in variant.options.items() if value != usual[name]]
    return ", ".join(changed) or "default options"


def all_plots(found: Comparison) -> list[ReportPlot]:
    """Return the plots that apply to this comparison."""
    drawn = [
        ReportPlot("Wins", "Share of matches won, by seat and variant.", Markup(plots.wins(found))),
        ReportPlot("Match length", "How many matches took how many choices.", Markup(plots.lengths(found))),
        ReportPlot("Endings", "Why matches ended.", Markup(plots.endings(found))),
    ]
    if found.pairs and any(found.requested[c] and column.is_share for c, column in enumerate(found.columns)):
        drawn.insert(
            1,
            ReportPlot(
                "Differences between variants",
                "The first variant minus the second, for the requested measures.",
                Markup(plots.differences(found)),
            ),
        )
    if found.skill_run:
        stronger, weaker = found.skill_run.study.bots[:2]
        caption = f"How often {stronger} wins against {weaker}. The more often it wins, the less luck matters."
        drawn.append(ReportPlot("Luck or skill", caption, Markup(plots.ladder(found))))
    for v, variant in enumerate(found.variants[:ITEM_PLOTS]):
        name = "Items" if len(found.variants) == 1 else f"Items, {variant.name}"
        drawn.append(ReportPlot(name, ITEM_CAPTION, Markup(plots.items_plot(found, v))))
    return drawn


def all_tables(found: Comparison) -> list[ReportTable]:
    """Return the tables of the page; the CSV files have more digits."""
    tables = [measures(found)]
    if found.pairs:
        tables.append(differences(found))
    if found.skill_run:
        tables.append(skill(found.tables["skill"]))
    tables.append(choices(found))
    return [*tables, *(items(found, v) for v in range(len(found.variants[:ITEM_PLOTS])))]


def skill(table: Mapping[str, Any]) -> ReportTable:
    """Tabulate the gain from searching ten times as long, one row per variant."""
    rows = []
    for row in rows_of(table):
        one = dict(zip(table, row, strict=True))
        wins, more = _percent(one, "wins", "low", "high"), _percent(one, "skill", "skill_low", "skill_high")
        rows.append(ReportLine([TableCell(str(one["variant"])), wins, more, TableCell(f"{one['matches']:,}")]))
    caption = (
        f"{table['bot'][0]} against {table['against'][0]}, in percent: how often it wins, and its lead over each other "
        "bot (0: luck alone, 100: it always wins). In small type: 95% intervals."
    )
    return ReportTable("skill", "Luck or skill", caption, ["variant", "wins", "lead", "matches"], rows)


def choices(found: Comparison) -> ReportTable:
    """Tabulate the share of each kind of choice, one column per variant."""
    names = [variant.name for variant in found.variants]
    by_variant = {
        (str(row[0]), str(row[1])): row for row in rows_of(found.tables["figures"]) if row[1].startswith("kind/")
    }
    rows = []
    for kind in dict.fromkeys(figure for _, figure in by_variant):
        cells = [TableCell(kind.partition("/")[2], number=False)]
        for name in names:
            one = by_variant.get((name, kind))
            ends = f"{100 * one[4]:.1f} to {100 * one[5]:.1f}" if one else ""
            cells.append(TableCell(f"{100 * one[3]:.1f}" if one else "0", ends))
        rows.append(ReportLine(cells))
    caption = "How often each kind of choice was made, in percent of all choices, with 95% intervals."
    return ReportTable("choices", "Kinds of choices", caption, ["kind", *names], rows)


def items(found: Comparison, v: int) -> ReportTable:
    """Tabulate how often each item of a variant was drawn, held and played, and how often its seats won."""
    table, variant = found.tables["items"], found.variants[v].name
    rows = []
    those = [dict(zip(table, row, strict=True)) for row in rows_of(table) if row[0] == variant]
    for one in sorted(those, key=lambda one: -float(one["lift_when_played"])):
        cells = [TableCell(f"{one['item']}", number=False), TableCell(str(one["sort"]), number=False)]
        for fate in ("drawn", "kept", "played"):
            cells.append(TableCell(f"{100 * one[fate]:.1f}"))
            cells.append(_percent(one, *(f"wins_when_{fate}{end}" for end in ("", "_low", "_high"))))
        rows.append(ReportLine(cells))
    name = "Items" if len(found.variants) == 1 else f"Items, {variant}"
    caption = (
        "How many seats drew an item, held it at the end or played it, and how often these seats won, all in percent "
        "with 95% intervals. Items are sorted by the wins of seats that played them."
    )
    columns = ["item", "type", "drawn", "wins", "held", "wins", "played", "wins"]
    return ReportTable(f"items-{v}", name, caption, columns, rows)


def _percent(one: Mapping[str, Any], value: str, low: str, high: str) -> TableCell:
    return TableCell(f"{100 * one[value]:.1f}", f"{100 * one[low]:.1f} to {100 * one[high]:.1f}")


def plain_table(name: str, table: Mapping[str, Any]) -> ReportTable:
    """Return a table of plain text cells."""
    rows = [ReportLine([TableCell(str(value), number=False) for value in row]) for row in rows_of(table)]
    return ReportTable(name.casefold().replace(" ", "-"), name, "", list(table), rows, numbers=False)


def measures(found: Comparison) -> ReportTable:
    """Tabulate the mean of each measure with both intervals, one column per variant."""
    rows = []
    for c, column in enumerate(found.columns):
        cells = [TableCell(title(column.name), MEANINGS.get(column.group, ""), number=False)]
        for v in range(len(found.variants)):
            ends = [
                (format_value(by.low[v, c], column), format_value(by.high[v, c], column))
                for by in both_intervals(found)
            ]
            fixed, anytime = map(" to ".join, ends)
            cells.append(TableCell(format_value(found.means[v, c], column), fixed, anytime))
        rows.append(ReportLine(cells))
    columns = ["measure", *(variant.name for variant in found.variants)]
    caption = (
        f"Means of {found.matches:,} matches in each variant. In small type: the ordinary 95% interval (valid for a "
        "fixed number of matches), then the 95% confidence sequence (an interval that is valid whenever you stop)."
    )
    return ReportTable("measures", "Measures", caption, columns, rows)


def differences(found: Comparison) -> ReportTable:
    """Tabulate differences, the real ones first, with the ordinary test and confidence sequences."""
    names = [variant.name for variant in found.variants]
    main, verdicts = main_columns(found), found.valid.verdicts
    places = [(k, c) for k in range(len(found.pairs)) for c in range(len(found.columns))]
    shown = [one for one in places if verdicts[one] == REAL or one[1] in main]
    rows = []
    for k, c in sorted(shown, key=lambda one: (verdicts[one] != REAL, one[1] not in main, one[1], one[0])):
        column, (one, other) = found.columns[c], found.pairs[k]
        words = [TableCell(word, number=False) for word in (title(column.name), names[one], names[other])]
        difference = TableCell(format_signed(float(found.differences[k, c]), column))
        both = [cell for by in both_intervals(found) for cell in _tested(by, column, k, c)]
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


def _tested(by: FixedIntervals, column: MatchColumn, k: int, c: int) -> list[TableCell]:
    """Return three cells: the interval of a difference, its p-value and its verdict."""
    low, high = (format_signed(float(of[k, c]), column) for of in (by.differences_low, by.differences_high))
    p = format_p_value(float(by.corrected[k, c]))
    return [TableCell(f"{low} to {high}"), TableCell(p), TableCell(VERDICTS[str(by.verdicts[k, c])], number=False)]
