"""Render the report as one HTML page (`report.html`): summary, plots, tables, then how to run it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sparring.lab.experiments.variants import Variant

from . import plots
from .figures import Difference, ReportFigures
from .formats import VERDICTS, format_interval, format_p_value, format_signed, format_value, title
from .prose import findings, method, say, templates

#: How many variants get an item plot and table on the page; the files have all of them.
ITEM_PLOTS = 3

#: How the two kinds of intervals are labelled where they appear side by side.
KINDS = "fixed number of matches", "valid at any time"

#: What a group of measures means, in a few words.
MEANINGS = {
    "wins": "share of matches won; a shared win is split equally", "draws": "matches without a winner",
    "payoff": "payoff per match", "ends": "share of matches that end this way", "length": "mean per match",
    "decisions": "actions per match with at least two options",
    "width": "mean number of options in a decision",
    "lead changes": "how often the lead passes to another seat",
    "ahead": "share of matches with a leader at that point",
    "comeback": "share of matches in which the leader at that point loses",
    "drama": "how far behind the winner was, in the turns when it was behind",
    "behind": "share of turns in which the eventual winner was behind",
    "open": "share of the match before the winner took the decisive lead",
}  # fmt: skip

#: A cell of a table: a text, or a number and up to two more lines in small type.
Cell = str | tuple[str, ...]


@dataclass(frozen=True)
class ReportTable:
    """A table; the first cell of a row is its header. `kind` chooses its caption, and the first rows are `real`."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    kind: str = ""
    numbers: bool = True
    real: int = 0


@dataclass(frozen=True)
class ReportPlot:
    """A plot; `key` is its id on the page, `kind` chooses its caption, unless `meaning` is one."""

    key: str
    title: str
    svg: Markup
    kind: str = ""
    meaning: str = ""


def page(
    report: ReportFigures, plan: str, facts: Mapping[str, str], files_beside: Sequence[str], foreword: Sequence[str],
    more: Mapping[str, Mapping[str, Any]], back: str = "", set_name: str = "",
) -> str:  # fmt: skip
    """Return the HTML page of a comparison.

    `plan` is the text of the `lab.toml` that reproduces it, `files_beside` the content files that plan needs. The
    sentences of `foreword` come before the summary, the tables of `more` (by title) before the other tables.
    `back` is the address of the set that the page leads back to, and `set_name` the set's name for the title.
    """
    return templates().get_template("report.html").render(
        report=report, set_name=set_name, played=say(report, "played")[0],
        findings=[*foreword, *findings(report)], method=method(report), plots=all_plots(report),
        tables=[*(plain_table(title, table) for title, table in more.items()), *all_tables(report)], plan=plan,
        facts=facts, back=back, files_beside=files_beside,
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


def all_plots(report: ReportFigures) -> list[ReportPlot]:
    """Return the plots that apply to this comparison."""
    found = report.comparison
    shown = [ReportPlot("wins", "Wins", Markup(plots.wins(report)), "wins")]
    if any(each.requested and each.column.is_share for each in report.differences):
        shown.append(ReportPlot("apart", "Differences between variants", Markup(plots.differences(report)), "apart"))
    shown.append(ReportPlot("length", "Match length", Markup(plots.lengths(report)), "length"))
    ends = (each for name, each in report.measures.items() if name.startswith("ends/"))
    if sum(max(one.value for one in each) > 0 for each in ends) > 1:  # one way to end needs no plot
        shown.append(ReportPlot("endings", "Endings", Markup(plots.endings(report)), "endings"))
    for v, judged in enumerate(report.items[:ITEM_PLOTS]):
        if judged:
            svg = Markup(plots.item_plot(report, v))
            shown.append(ReportPlot(f"item-plot-{v}", _of_variant("Items", report, v), svg, "items"))
    for detail in found.details:
        where = f" Measured with {report.variants[0]}." if found.pairs else ""
        drawn = plots.detail_plots(detail)
        for number, svg in enumerate(map(Markup, drawn), 1):
            name = f"{detail.title} {number}" if len(drawn) > 1 else detail.title
            shown.append(ReportPlot(f"plot-{detail.name}-{number}", name, svg, meaning=f"{detail.meaning}{where}"))
    if found.skill_run:
        shown.append(ReportPlot("ladder", "Luck or skill", Markup(plots.ladder(report)), "skill"))
    return shown


def _of_variant(name: str, report: ReportFigures, v: int) -> str:
    return name if len(report.variants) == 1 else f"{name}, {report.variants[v]}"


def all_tables(report: ReportFigures) -> list[ReportTable]:
    """Return the tables of the page; the CSV files have more digits."""
    tables = [measures(report)]
    if report.differences:
        tables.append(differences(report))
    if report.skill:
        rows = [
            [row["variant"], _percent(row, "wins", "low", "high"), _percent(row, "skill", "skill_low", "skill_high"),
             (f"{row['matches']:,}",)]
            for row in report.skill
        ]  # fmt: skip
        tables.append(ReportTable("skill", "Luck or skill", ["variant", "wins", "lead", "matches"], rows, "skill"))
    return [*tables, choices(report), *(items(report, v) for v in range(len(report.variants[:ITEM_PLOTS])))]


def measures(report: ReportFigures) -> ReportTable:
    """Tabulate the mean of each measure with both intervals, one column per variant."""
    rows: list[list[Cell]] = []
    for column, estimates in zip(report.comparison.columns, report.measures.values(), strict=True):
        cells = [
            (format_value(each.value, column), *(format_interval(ends, column) for ends in each.both))
            for each in estimates
        ]
        rows.append([(title(column.name), MEANINGS.get(column.group, "")), *cells])
    return ReportTable("measures", "Measures", ["measure", *report.variants], rows, "measures")


def differences(report: ReportFigures) -> ReportTable:
    """Tabulate differences, the real ones first, with the ordinary test and confidence sequences."""
    listed = [each for each in report.differences if each.real or each.main]
    listed.sort(key=lambda each: (not each.real, not each.main))
    columns = ["measure", "variant", "other", "difference"]
    columns += [head for kind in KINDS for head in (kind, "p", "verdict")]
    rows = [_difference_cells(each) for each in listed]
    real = sum(each.real for each in listed)
    return ReportTable("differences", "Differences", columns, rows, "differences", numbers=False, real=real)


def _difference_cells(each: Difference) -> list[Cell]:
    """Return the cells of a difference: its size, and for both kinds the interval, the p-value and the verdict."""
    cells: list[Cell] = [title(each.column.name), each.first, each.second, (format_signed(each.value, each.column),)]
    for low, high, p, verdict in each.both:
        interval = format_interval((low, high), each.column, signed=True)
        cells += [(interval,), (format_p_value(p),), VERDICTS[verdict]]
    return cells


def choices(report: ReportFigures) -> ReportTable:
    """Tabulate the share of each kind of choice, one column per variant."""
    table = report.comparison.tables["figures"]
    by_kind: dict[str, dict[str, Cell]] = {}
    for row in (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)):
        group, _, kind = str(row["figure"]).partition("/")
        if group == "kind":
            by_kind.setdefault(kind, {})[str(row["variant"])] = _percent(row, "value", "low", "high")
    rows = [[kind, *(cells.get(name, ("0",)) for name in report.variants)] for kind, cells in by_kind.items()]
    return ReportTable("choices", "Kinds of actions", ["kind", *report.variants], rows, "choices")


def items(report: ReportFigures, v: int) -> ReportTable:
    """Tabulate how often each item of a variant was drawn, held and played, and how often its seats won."""
    table, rows = report.comparison.tables["items"], []
    item_rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    # An ability of no card is never drawn, and has no wins.
    drawn = [row for row in item_rows if row["variant"] == report.variants[v] and row["drawn"]]
    for item in sorted(drawn, key=lambda item: -float(item["lift_when_drawn"])):
        cells: list[Cell] = [str(item["item"]), str(item["sort"])]
        for outcome in ("drawn", "kept", "played"):
            cells.append((f"{100 * item[outcome]:.1f}",))
            cells.append(_percent(item, *(f"wins_when_{outcome}{end}" for end in ("", "_low", "_high"))))
        rows.append(cells)
    columns = ["item", "type", "drawn", "wins", "held", "wins", "played", "wins"]
    return ReportTable(f"items-{v}", _of_variant("Items", report, v), columns, rows, "items")


def _percent(row: Mapping[str, Any], value: str, low: str, high: str) -> Cell:
    return f"{100 * row[value]:.1f}", f"{100 * row[low]:.1f} to {100 * row[high]:.1f}"


def plain_table(name: str, table: Mapping[str, Any]) -> ReportTable:
    """Return a table of plain text cells."""
    rows = [[str(value) for value in row] for row in zip(*table.values(), strict=True)]
    return ReportTable(name.casefold().replace(" ", "-"), name, list(table), rows, numbers=False)
