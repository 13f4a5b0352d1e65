"""The balance panel of the editor (`balance_panel.html`): win rates of the previewed item, the whole set, all items."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from sparring.engine.errors import Step
from sparring.engine.schema import RecordField
from sparring.engine.schema.field import along
from sparring.lab.experiments.set_balance import Estimate, ItemBalance, SetBalance

from .job_messages import BOTS
from .measuring import SetMeasuring

#: The cells of a row of a table.
Row = tuple[str, ...]

FAULTY = "Not measured: fix the problems in this set first."
SWITCHED_OFF = "Not measured: balance measuring is off on this server."


def names_on_path(form: RecordField, data: Any, at: Sequence[Step]) -> set[str]:
    """Return the lower-case names of the items on a path, in the file and in the editor."""
    parts = along(form, data, at)
    names = {part.field.title for part in parts if part.field}
    for holder, inside in pairwise(parts):
        if isinstance(holder.value, Mapping):
            names.add(str(inside.step))
        name = inside.value.get("name") if isinstance(inside.value, Mapping) else inside.value
        names |= {name} if isinstance(name, str) else set()
    return {name.casefold() for name in names if name}


def belongs_to(item: str, names: Collection[str]) -> bool:
    """Return whether an item is one of the named ones or part of one, such as the super of a fighter."""
    folded = item.casefold()
    return folded in names or any(
        folded.startswith(f"{name} from ") or folded.endswith(f" of {name}") for name in names
    )


def unmeasured_html(why: str) -> str:
    """Render the panel of a set that isn't measured."""
    return _filled(why, [], [])


def panel_html(measuring: SetMeasuring, names: Collection[str]) -> str:
    """Render the panel with the results so far, those of the previewed items first."""
    balances = [measuring.balances[bot] for bot in BOTS if bot in measuring.balances]
    previewed = [(balance, item) for balance in balances for item in balance.items if belongs_to(item.name, names)]
    tables = {
        name: [row for balance, item in previewed if item.name == name for row in _rows(balance, item)]
        for name in dict.fromkeys(item.name for _, item in previewed)
    }
    return _filled(
        _state(measuring, balances), balances, previewed, whole=_whole(balances),
        item_tables=[_columns(f"Win rate with {name}", rows) for name, rows in tables.items()],
        all_tables=[_columns(f"Win rates of {BOTS[one.bot].plural}", _all_rows(one)) for one in balances],
        unused=[each for balance in balances for each in _unused(measuring, balance)],
    )  # fmt: skip


def _filled(state: str, balances: Sequence[SetBalance], previewed: Sequence[object], **tables: object) -> str:
    """Fill the template; the page gets no line breaks, and other characters than ASCII as references."""
    filled = _template().render(
        state=state, balances=balances, previewed=previewed, bots=BOTS, percent=_percent,
        **{"item_tables": (), "all_tables": (), **tables},
    )  # fmt: skip
    return filled.replace("\n", "").encode("ascii", "xmlcharrefreplace").decode()


@cache
def _template() -> Template:
    loader = PackageLoader(__package__ or "", "")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("balance_panel.html")


def rates_json(measuring: SetMeasuring) -> str:
    """Return the win rate in percent and its half-width for each item by lower-case name, of the best bots so far."""
    rates: dict[str, tuple[float, float]] = {}
    for balance in (measuring.balances[bot] for bot in BOTS if bot in measuring.balances):
        rates |= {
            item.name.lower(): (100 * item.wins_drawn.value, 100 * item.wins_drawn.half_width)
            for item in balance.items if item.wins_drawn
        }  # fmt: skip
    return msgspec.json.encode(rates).decode()


def state_of(measuring: SetMeasuring) -> str:
    """Return the progress of measuring in a sentence."""
    return _state(measuring, [*measuring.balances.values()])


def _state(measuring: SetMeasuring, balances: Sequence[SetBalance]) -> str:
    if measuring.problem:
        return f"Measuring stopped. {measuring.problem}"
    if measuring.is_done:
        return "Measured." if all(balance.precise for balance in balances) else "Measured as far as time allowed."
    if measuring.compiling:
        start = "Measuring; more follows" if balances else "Measuring starts"
        return f"{start} when the rules are compiled (takes a minute, once)."
    return "Measuring." if balances else "Not measured yet."


def _percent(estimate: Estimate | None) -> str:
    return f"{100 * estimate.value:.1f}% ± {100 * estimate.half_width:.1f}" if estimate else "not yet"


def _share(value: float | None) -> str:
    return "not yet" if value is None else f"{100 * value:.1f}%"


def _columns(caption: str, rows: Sequence[Row]) -> tuple[str, Row, Sequence[Row]]:
    """Return a table of figures for drawn and played; one column does where they are the same in every row."""
    if all(drawn == played for _, drawn, played in rows):
        return caption, ("", "drawn and played"), [row[:2] for row in rows]
    return caption, ("", "drawn", "played"), rows


def _rows(balance: SetBalance, item: ItemBalance) -> list[Row]:
    """Return the rows of one kind of bot: the item's win rates, the median's, and the share of seats that had it."""
    short = BOTS[balance.bot].short
    return [
        (short, _percent(item.wins_drawn), _percent(item.wins_played)),
        (f"{short}, median {item.sort}", *map(_share, balance.medians(item.sort))),
        (f"{short}, share of seats", _share(item.drawn), _share(item.played)),
    ]


def _all_rows(balance: SetBalance) -> list[Row]:
    """Return a row of each item, by descending win rate."""
    order = sorted(balance.items, key=lambda one: -(one.wins_drawn.value if one.wins_drawn else 0.0))
    return [(f"{one.name} ({one.sort})", _percent(one.wins_drawn), _percent(one.wins_played)) for one in order]


def _whole(balances: Sequence[SetBalance]) -> tuple[Row, list[Row]]:
    """Return the table of win rates by seat, draws and match lengths, with a column for each kind of bot."""
    seats = [
        (f"seat {seat} wins", *map(_percent, wins))
        for seat, wins in enumerate(zip(*(balance.seats for balance in balances), strict=True), 1)
    ]
    return ("", *(BOTS[balance.bot].short for balance in balances)), [
        *seats,
        ("draws", *(_percent(balance.draws) for balance in balances)),
        ("actions", *(f"{balance.choices.value:.1f}" for balance in balances)),
        ("turns", *(f"{balance.turns.value:.1f}" for balance in balances)),
    ]


def _unused(measuring: SetMeasuring, balance: SetBalance) -> list[tuple[str, str, list[str]]]:
    """Return the items of the set that were never drawn, and those drawn but never played: by whom, what, which."""
    text = measuring.content.toml.casefold()  # a game also lists abilities that no card of the set has
    lists = {
        "drawn": [one.name for one in balance.items if not one.drawn and one.name.casefold() in text],
        "played": [one.name for one in balance.items if one.drawn and not one.played],
    }
    return [(BOTS[balance.bot].plural, event, names) for event, names in lists.items() if names]
