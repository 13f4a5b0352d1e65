"""What a set is worth, as its page tells it: the thing that somebody looks at, the whole set, and all its items."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sparring.engine.errors import Step
from sparring.engine.schema import RecordField, fields_on
from sparring.lab.experiments.set_balance import Estimate, ItemBalance, SetBalance
from sparring.scene.markup import NOTHING, el, join

from .job_messages import BOTS
from .measuring import SetMeasuring

#: So many are named that nobody plays; the table has all.
NAMED = 8

FAULTY = "Not measured: something in this set is to be mended first."
LEFT_OUT = "Not measured: this server leaves that out."


def names_at(form: RecordField, data: Any, at: Sequence[Step]) -> set[str]:
    """What the things on a way into the data are called, in the file and on the bench; in small letters."""
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


def is_of(item: str, names: Collection[str]) -> bool:
    """Whether an item is one of these things, or a part of one: a board from a side, the super of a fighter."""
    called = item.casefold()
    return called in names or any(
        called.startswith(f"{name} from ") or called.endswith(f" of {name}") for name in names
    )


def unmeasured(why: str) -> str:
    """What is told of a set that is not measured."""
    return str(_parts(state=Markup.escape(why)))


def told(measuring: SetMeasuring, names: Collection[str]) -> str:
    """All that is known by now, with what somebody looks at first."""
    worths = [measuring.worths[bot] for bot in BOTS if bot in measuring.worths]
    looked = [(worth, item) for worth in worths for item in worth.items if is_of(item.name, names)]
    return str(_parts(
        state=Markup.escape(_state(measuring, worths)), said=_said(looked), one=_one(looked), whole=_whole(worths),
        every=_every(worths),
        matches=Markup("; ").join(f"{worth.matches:,} matches of {BOTS[worth.bot].called}" for worth in worths),
    ))  # fmt: skip


def _parts(**parts: Markup) -> Markup:
    names = "state", "said", "one", "whole", "every", "matches"
    shown = {"matches": Markup("no match yet"), **{name: part for name, part in parts.items() if part}}
    return join(el("div", shown.get(name, NOTHING), data_part=name) for name in names)


def state_of(measuring: SetMeasuring) -> str:
    """How far it has come, in a sentence."""
    return _state(measuring, [*measuring.worths.values()])


def _state(measuring: SetMeasuring, worths: Sequence[SetBalance]) -> str:
    if measuring.problem:
        return f"Not measured any further. {measuring.problem}"
    if measuring.is_done:
        return "Measured." if all(worth.precise for worth in worths) else "Measured as far as there is time for."
    if measuring.compiling:
        return f"{'Being measured' if worths else 'Not measured yet'}; the rules are being made fast (a minute, once)."
    return "Being measured." if worths else "Not measured yet."


def _percent(estimate: Estimate | None) -> str:
    return f"{100 * estimate.value:.1f}% ± {100 * estimate.reach:.1f}" if estimate else "not yet"


Looked = Sequence[tuple[SetBalance, ItemBalance]]


def _said(looked: Looked) -> Markup:
    """What somebody looks at, against the median thing of its kind, in a sentence for each kind of bot."""
    return join(
        el("p", el("b", item.name), f", {BOTS[worth.bot].short}: {_verdict(worth, item)}") for worth, item in looked
    )


def _one(looked: Looked) -> Markup:
    """The same in numbers."""
    names = dict.fromkeys(item.name for _, item in looked)
    return join(
        _table(f"Wins with {name}", ("", "drawn", "played"),
               [row for worth, item in looked if item.name == name for row in _rows(worth, item)])
        for name in names
    )  # fmt: skip


def _rows(worth: SetBalance, item: ItemBalance) -> list[tuple[str, str, str]]:
    """By one kind of bot: its wins, those of the median thing of its kind, and on how many seats it was."""
    drawn, played = (_share(value) for value in worth.medians(item.sort))
    short = BOTS[worth.bot].short
    return [
        (short, _percent(item.wins_drawn), _percent(item.wins_played)),
        (f"{short}, the median {item.sort}", drawn, played),
        (f"{short}, of all seats", f"{100 * item.drawn:.1f}%", f"{100 * item.played:.1f}%"),
    ]


def _share(value: float | None) -> str:
    return "not yet" if value is None else f"{100 * value:.1f}%"


def _verdict(worth: SetBalance, item: ItemBalance) -> str:
    """Whether who draws it wins more than who draws the median thing of its kind."""
    middle, wins = worth.medians(item.sort)[0], item.wins_drawn
    if wins is None or middle is None:
        return "nobody drew it yet."
    if wins.low <= middle <= wins.high:
        apart = "not told apart from" if worth.precise else "not told apart yet from"
    else:
        apart = f"{100 * abs(wins.value - middle):.1f} points {'more' if wins.value > middle else 'less'} than"
    return f"who draws it wins {_percent(wins)}, {apart} the median {item.sort}."


def _whole(worths: Sequence[SetBalance]) -> Markup:
    """Seats, draws and length, a column for each kind of bot; and what nobody plays."""
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
    """What nobody played, of that which somebody drew, and what nobody drew."""
    lists = {
        "drawn": [one.name for one in worth.items if not one.drawn],
        "played": [one.name for one in worth.items if one.drawn and not one.played],
    }
    return [f"Never {what} by {BOTS[worth.bot].called}: {_listed(names)}." for what, names in lists.items() if names]


def _listed(names: Sequence[str]) -> str:
    more = [f"and {len(names) - NAMED} more"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])


def _every(worths: Sequence[SetBalance]) -> Markup:
    """All items of each kind of bot, those first with which one wins most."""
    tables = []
    for worth in worths:
        order = sorted(worth.items, key=lambda one: -(one.wins_drawn.value if one.wins_drawn else 0.0))
        rows = [(f"{one.name} ({one.sort})", _percent(one.wins_drawn), _percent(one.wins_played)) for one in order]
        tables.append(_table(f"Wins by {BOTS[worth.bot].called}", ("who", "drew it", "played it"), rows))
    return join(tables)


def _table(caption: str | Markup, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """Rows of words under a caption; the first of each says what it is about."""
    body = join(el("tr", el("th", row[0], scope="row"), join(el("td", cell) for cell in row[1:])) for row in rows)
    heads = el("tr", join(el("th", word, scope="col") if word else el("td") for word in head))
    return el("table", el("caption", caption), el("thead", heads), el("tbody", body))
