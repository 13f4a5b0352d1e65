"""The balance panel of the editor: win rates of the previewed item, the whole set and all items."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from markupsafe import Markup

from sparring.engine.errors import Step
from sparring.engine.schema import RecordField
from sparring.engine.schema.field import along
from sparring.lab.experiments.set_balance import Estimate, ItemBalance, SetBalance
from sparring.scene.markup import NOTHING, el, join

from .job_messages import BOTS
from .measuring import SetMeasuring

#: The most unplayed items named in a sentence; the table lists all.
NAMED = 8

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
    return str(_parts(state=Markup.escape(why)))


def panel_html(measuring: SetMeasuring, names: Collection[str]) -> str:
    """Render the panel with the results so far, those of the previewed items first."""
    balances = [measuring.balances[bot] for bot in BOTS if bot in measuring.balances]
    previewed = [(balance, item) for balance in balances for item in balance.items if belongs_to(item.name, names)]
    return str(_parts(
        state=Markup.escape(_state(measuring, balances)), said=_sentences(previewed), one=_item_tables(previewed),
        whole=_set_table(measuring, balances), every=_all_items(balances),
        matches=Markup("; ").join(f"{balance.matches:,} matches of {BOTS[balance.bot].plural}" for balance in balances),
    ))  # fmt: skip


def rates_json(measuring: SetMeasuring) -> str:
    """Return the win rate in percent and its half-width for each item by lower-case name, of the best bots so far."""
    rates: dict[str, tuple[float, float]] = {}
    for balance in (measuring.balances[bot] for bot in BOTS if bot in measuring.balances):
        rates |= {
            item.name.lower(): (100 * item.wins_drawn.value, 100 * item.wins_drawn.half_width)
            for item in balance.items if item.wins_drawn
        }  # fmt: skip
    return msgspec.json.encode(rates).decode()


def _parts(**parts: Markup) -> Markup:
    names = "state", "said", "one", "whole", "every", "matches"
    filled = {"matches": Markup("no matches"), **{name: part for name, part in parts.items() if part}}
    return join(el("div", filled.get(name, NOTHING), data_part=name) for name in names)


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


PreviewedItems = Sequence[tuple[SetBalance, ItemBalance]]


def _sentences(previewed: PreviewedItems) -> Markup:
    """Compare the previewed items with the median of their kind, in a sentence for each kind of bot."""
    return join(
        el("p", el("b", item.name), f", {BOTS[balance.bot].plural} against each other: {_verdict(balance, item)}")
        for balance, item in previewed
    )


def _item_tables(previewed: PreviewedItems) -> Markup:
    """Render the previewed items' figures as tables."""
    names = dict.fromkeys(item.name for _, item in previewed)
    return join(
        _columns_table(f"Win rate with {name}",
                       [row for balance, item in previewed if item.name == name for row in _rows(balance, item)])
        for name in names
    )  # fmt: skip


def _columns_table(caption: str, rows: Sequence[tuple[str, str, str]]) -> Markup:
    """Render figures for drawn and played; one column does where they are the same in every row."""
    if all(drawn == played for _, drawn, played in rows):
        return _table(caption, ("", "drawn and played"), [(label, drawn) for label, drawn, _ in rows])
    return _table(caption, ("", "drawn", "played"), rows)


def _rows(balance: SetBalance, item: ItemBalance) -> list[tuple[str, str, str]]:
    """Return the rows of one kind of bot: the item's win rates, the median's, and the share of seats that had it."""
    drawn, played = (_share(value) for value in balance.medians(item.sort))
    short = BOTS[balance.bot].short
    return [
        (short, _percent(item.wins_drawn), _percent(item.wins_played)),
        (f"{short}, median {item.sort}", drawn, played),
        (f"{short}, share of seats", f"{100 * item.drawn:.1f}%", f"{100 * item.played:.1f}%"),
    ]


def _share(value: float | None) -> str:
    return "not yet" if value is None else f"{100 * value:.1f}%"


def _verdict(balance: SetBalance, item: ItemBalance) -> str:
    """Compare the win rate of seats that drew an item with an even share and with the median item of its kind."""
    median, wins = balance.medians(item.sort)[0], item.wins_drawn
    if wins is None or median is None:
        return "not drawn yet."
    even = 1 / len(balance.seats)
    return (
        f"seats that draw it win {_percent(wins)}, {_difference(wins, even, precise=balance.precise)} an even share "
        f"({_share(even)}) and {_difference(wins, median, precise=balance.precise)} the median {item.sort} "
        f"({_share(median)})."
    )


def _difference(wins: Estimate, other: float, *, precise: bool) -> str:
    if wins.low <= other <= wins.high:
        return "no different from" if precise else "not yet distinguishable from"
    return f"{100 * abs(wins.value - other):.1f} points {'more' if wins.value > other else 'less'} than"


def _set_table(measuring: SetMeasuring, balances: Sequence[SetBalance]) -> Markup:
    """Render win rates by seat, draws, match lengths and unplayed items, with a column for each kind of bot."""
    if not balances:
        return NOTHING
    rows = [(f"seat {seat} wins", *(_percent(balance.seats[seat - 1]) for balance in balances))
            for seat in range(1, len(balances[0].seats) + 1)]  # fmt: skip
    rows += [
        ("draws", *(_percent(balance.draws) for balance in balances)),
        ("actions", *(_length(balance.choices) for balance in balances)),
        ("turns", *(_length(balance.turns) for balance in balances)),
    ]
    table = _table("The whole set", ("", *(BOTS[balance.bot].short for balance in balances)), rows)
    return join(
        [table, *(el("p", words, class_="said") for balance in balances for words in _unused_items(measuring, balance))]
    )


def _length(estimate: Estimate) -> str:
    return f"{estimate.value:.1f}"


def _unused_items(measuring: SetMeasuring, balance: SetBalance) -> list[str]:
    """Name the items of the set never drawn, and those drawn but never played."""
    text = measuring.content.toml.casefold()  # a game also lists abilities that no card of the set has
    lists = {
        "drawn": [one.name for one in balance.items if not one.drawn and one.name.casefold() in text],
        "played": [one.name for one in balance.items if one.drawn and not one.played],
    }
    return [
        f"Never {event} by {BOTS[balance.bot].plural}: {_listed(names)}." for event, names in lists.items() if names
    ]


def _listed(names: Sequence[str]) -> str:
    more = [f"and {len(names) - NAMED} more"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])


def _all_items(balances: Sequence[SetBalance]) -> Markup:
    """Render a table of all items for each kind of bot, by descending win rate."""
    tables = []
    for balance in balances:
        order = sorted(balance.items, key=lambda one: -(one.wins_drawn.value if one.wins_drawn else 0.0))
        rows = [(f"{one.name} ({one.sort})", _percent(one.wins_drawn), _percent(one.wins_played)) for one in order]
        tables.append(_columns_table(f"Win rates of {BOTS[balance.bot].plural}", rows))
    return join(tables)


def _table(caption: str | Markup, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """Render a table; the first cell of each row is its header."""
    body = join(el("tr", el("th", row[0], scope="row"), join(el("td", cell) for cell in row[1:])) for row in rows)
    heads = el("tr", join(el("th", word, scope="col") if word else el("td") for word in head))
    return el("table", el("caption", caption), el("thead", heads), el("tbody", body))
