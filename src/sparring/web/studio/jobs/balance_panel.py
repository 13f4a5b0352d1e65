"""The balance panel of the editor: win rates of the previewed item, the whole set and all items."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sparring.engine.errors import Step
from sparring.engine.schema import RecordField, fields_on
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
    found = {getattr(field, "title", "") for field in fields_on(form, at)}
    for step in at:
        if isinstance(data, Mapping):
            data = data.get(str(step))
            found.add(str(step))
        else:
            data = data[step] if isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data) else None
        name = data.get("name") if isinstance(data, Mapping) else data
        found |= {name} if isinstance(name, str) else set()
    return {name.casefold() for name in found if name}


def belongs_to(item: str, names: Collection[str]) -> bool:
    """Return whether an item is one of the named ones or part of one, such as the super of a fighter."""
    called = item.casefold()
    return called in names or any(
        called.startswith(f"{name} from ") or called.endswith(f" of {name}") for name in names
    )


def unmeasured_html(why: str) -> str:
    """Render the panel of a set that isn't measured."""
    return str(_parts(state=Markup.escape(why)))


def panel_html(measuring: SetMeasuring, names: Collection[str]) -> str:
    """Render the panel with the results so far, those of the previewed items first."""
    worths = [measuring.balances[bot] for bot in BOTS if bot in measuring.balances]
    looked = [(worth, item) for worth in worths for item in worth.items if belongs_to(item.name, names)]
    return str(_parts(
        state=Markup.escape(_state(measuring, worths)), said=_said(looked), one=_one(looked), whole=_whole(worths),
        every=_every(worths),
        matches=Markup("; ").join(f"{worth.matches:,} matches of {BOTS[worth.bot].called}" for worth in worths),
    ))  # fmt: skip


def _parts(**parts: Markup) -> Markup:
    names = "state", "said", "one", "whole", "every", "matches"
    shown = {"matches": Markup("no matches"), **{name: part for name, part in parts.items() if part}}
    return join(el("div", shown.get(name, NOTHING), data_part=name) for name in names)


def state_of(measuring: SetMeasuring) -> str:
    """Return the progress of measuring in a sentence."""
    return _state(measuring, [*measuring.balances.values()])


def _state(measuring: SetMeasuring, worths: Sequence[SetBalance]) -> str:
    if measuring.problem:
        return f"Measuring stopped. {measuring.problem}"
    if measuring.is_done:
        return "Measured." if all(worth.precise for worth in worths) else "Measured as far as time allowed."
    if measuring.compiling:
        return f"{'Measuring' if worths else 'Not measured yet'}; compiling the rules (takes a minute, once)."
    return "Measuring." if worths else "Not measured yet."


def _percent(estimate: Estimate | None) -> str:
    return f"{100 * estimate.value:.1f}% ± {100 * estimate.reach:.1f}" if estimate else "not yet"


Looked = Sequence[tuple[SetBalance, ItemBalance]]


def _said(looked: Looked) -> Markup:
    """Compare the previewed items with the median of their kind, in a sentence for each kind of bot."""
    return join(
        el("p", el("b", item.name), f", {BOTS[worth.bot].short}: {_verdict(worth, item)}") for worth, item in looked
    )


def _one(looked: Looked) -> Markup:
    """Render the previewed items' figures as tables."""
    names = dict.fromkeys(item.name for _, item in looked)
    return join(
        _table(f"Win rate with {name}", ("", "drawn", "played"),
               [row for worth, item in looked if item.name == name for row in _rows(worth, item)])
        for name in names
    )  # fmt: skip


def _rows(worth: SetBalance, item: ItemBalance) -> list[tuple[str, str, str]]:
    """Return the rows of one kind of bot: the item's win rates, the median's, and the share of seats that had it."""
    drawn, played = (_share(value) for value in worth.medians(item.sort))
    short = BOTS[worth.bot].short
    return [
        (short, _percent(item.wins_drawn), _percent(item.wins_played)),
        (f"{short}, median {item.sort}", drawn, played),
        (f"{short}, share of seats", f"{100 * item.drawn:.1f}%", f"{100 * item.played:.1f}%"),
    ]


def _share(value: float | None) -> str:
    return "not yet" if value is None else f"{100 * value:.1f}%"


def _verdict(worth: SetBalance, item: ItemBalance) -> str:
    """Compare the win rate of seats that drew an item with that of the median item of its kind."""
    middle, wins = worth.medians(item.sort)[0], item.wins_drawn
    if wins is None or middle is None:
        return "not drawn yet."
    if wins.low <= middle <= wins.high:
        apart = "no different from" if worth.precise else "not yet distinguishable from"
    else:
        apart = f"{100 * abs(wins.value - middle):.1f} points {'more' if wins.value > middle else 'less'} than"
    return f"seats that draw it win {_percent(wins)}, {apart} the median {item.sort}."


def _whole(worths: Sequence[SetBalance]) -> Markup:
    """Render win rates by seat, draws, match lengths and unplayed items, with a column for each kind of bot."""
    if not worths:
        return NOTHING
    rows = [(f"seat {seat} wins", *(_percent(worth.seats[seat - 1]) for worth in worths))
            for seat in range(1, len(worths[0].seats) + 1)]  # fmt: skip
    rows += [
        ("draws", *(_percent(worth.draws) for worth in worths)),
        ("choices", *(_length(worth.choices) for worth in worths)),
        ("turns", *(_length(worth.turns) for worth in worths)),
    ]
    table = _table("The whole set", ("", *(BOTS[worth.bot].short for worth in worths)), rows)
    return join([table, *(el("p", words, class_="said") for worth in worths for words in _never(worth))])


def _length(estimate: Estimate) -> str:
    return f"{estimate.value:.1f}"


def _never(worth: SetBalance) -> list[str]:
    """Name the items never drawn, and those drawn but never played."""
    lists = {
        "drawn": [one.name for one in worth.items if not one.drawn],
        "played": [one.name for one in worth.items if one.drawn and not one.played],
    }
    return [f"Never {what} by {BOTS[worth.bot].called}: {_listed(names)}." for what, names in lists.items() if names]


def _listed(names: Sequence[str]) -> str:
    more = [f"and {len(names) - NAMED} more"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])


def _every(worths: Sequence[SetBalance]) -> Markup:
    """Render a table of all items for each kind of bot, by descending win rate."""
    tables = []
    for worth in worths:
        order = sorted(worth.items, key=lambda one: -(one.wins_drawn.value if one.wins_drawn else 0.0))
        rows = [(f"{one.name} ({one.sort})", _percent(one.wins_drawn), _percent(one.wins_played)) for one in order]
        tables.append(_table(f"Win rates of {BOTS[worth.bot].called}", ("", "drawn", "played"), rows))
    return join(tables)


def _table(caption: str | Markup, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """Render a table; the first cell of each row is its header."""
    body = join(el("tr", el("th", row[0], scope="row"), join(el("td", cell) for cell in row[1:])) for row in rows)
    heads = el("tr", join(el("th", word, scope="col") if word else el("td") for word in head))
    return el("table", el("caption", caption), el("thead", heads), el("tbody", body))
