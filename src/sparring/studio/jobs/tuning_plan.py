"""What a tuning of a set may change, and its plan: a tuning file of the lab, made from a form."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import write_toml
from sparring.engine.game import game as find_game
from sparring.engine.schema import RecordField
from sparring.engine.schema.columns import ItemTable, item_tables
from sparring.engine.schema.field import get

from .job_messages import BOTS, REPORT_BOT, SetContent

#: How far a number may move from its present value unless the form says otherwise.
REACH = 2
#: How far from the target a win rate may be, as a share, and the lowest and highest target in percent.
TOLERANCE, LOWEST, HIGHEST = 0.02, 1.0, 99.0
#: How many candidates a tuning tries.
CANDIDATES = 20


class TunedField(NamedTuple):
    """A number of an item: its key, its title, its present value, and the values that its field allows."""

    key: str
    title: str
    value: int
    low: int
    high: int

    @property
    def near(self) -> tuple[int, int]:
        """The values around the present one that a tuning tries."""
        return max(self.low, self.value - REACH), min(self.high, self.value + REACH)


class TunedItem(NamedTuple):
    """An item that can be tuned: its place in the set, its sort and name, and its numbers."""

    at: tuple[str, int]
    one: str
    name: str
    fields: tuple[TunedField, ...]
    #: The fields whose sum should stay the same, because they share a budget.
    budget: tuple[str, ...]


class TuningPlan(msgspec.Struct, frozen=True):
    """A tuning of one item toward a win rate (`target`, a share) with one kind of bot on all seats.

    `start` has the present values, `ranges` the lowest and highest value of each field that may change.
    """

    key_of_list: str
    name: str
    target: float
    bot: str
    start: dict[str, int]
    ranges: dict[str, tuple[int, int]]
    total: int | None = None

    @property
    def percent(self) -> str:
        """The target in percent."""
        return percent(self.target)

    def toml(self, content: SetContent) -> str:
        """Return the plan as a tuning file without the content."""
        low, high = max(self.target - TOLERANCE, 0.0), min(self.target + TOLERANCE, 1.0)
        ranges: dict[str, Any] = {key: list(ends) for key, ends in self.ranges.items()}
        if self.total is not None:
            ranges["sum"] = self.total
        return write_toml({
            "bots": [self.bot], "candidates": CANDIDATES, "matches": BOTS[self.bot].tuning,
            "by-lot": list(getattr(find_game(content.game).items, "BY_LOT", ())),
            "aims": [f"{self.name} within {low:.4f}..{high:.4f}"], "options": content.options,
            "ranges": {self.key_of_list: {self.name: ranges}},
        })  # fmt: skip

    def key(self, content: SetContent) -> str:
        """Return a key of this plan for this content, to name the job in an address."""
        return hashlib.blake2b(content.digest + msgspec.json.encode(self), digest_size=12).hexdigest()


def percent(share: float) -> str:
    """Return a share in percent, without needless zeros."""
    return f"{100 * share:.1f}".removesuffix(".0")


def tunable_word(form: RecordField) -> str:
    """Return what a game calls the items that can be tuned, such as `card`; empty if it has none."""
    tables = item_tables(form).values()
    return next((table.one for table in tables if any(column.field.number_range for column in table.columns)), "")


def tunable_items(form: RecordField, data: Mapping[str, Any]) -> list[TunedItem]:
    """Return the items of a set that have unique names and numbers to tune, in the order of the file."""
    return [item for table in item_tables(form).values() for item in _items(table, data.get(table.key))]


def _items(table: ItemTable, rows: Any) -> Iterator[TunedItem]:
    rows = rows if isinstance(rows, list) else []
    names = [get(row, "name") for row in rows]
    for number, (row, name) in enumerate(zip(rows, names, strict=True)):
        fields = tuple(
            TunedField(str(key), field.heading(key), value, *field.number_range)
            for key, field, value in table.record.children(row)
            if field and field.number_range and type(value) is int
        )
        if fields and isinstance(name, str) and name and names.count(name) == 1:
            yield TunedItem((table.key, number), table.one, name, fields, table.record.shared_budget)


def read_plan(item: TunedItem, form: Mapping[str, str]) -> TuningPlan:
    """Read a plan from a form; without ranges in it, every number may move a little. Raises BadContent."""
    try:
        target = float(form.get("target", "").replace(",", ".").removesuffix("%"))
    except ValueError:
        target = -1.0
    if not LOWEST <= target <= HIGHEST:
        raise BadContent(f"The target must be a win rate from {LOWEST:g} to {HIGHEST:g} percent.")
    bot = form.get("bot", REPORT_BOT)
    if bot not in BOTS:
        raise BadContent("The bots must be one of those in the list.")
    chosen = {field.key: _ends(field, form) for field in item.fields}
    ranges = {key: ends for key, ends in chosen.items() if ends[0] < ends[1]}
    if not ranges:
        raise BadContent(f"Nothing may change. Give a number of {item.name} a lowest and a highest value.")
    values = {field.key: field.value for field in item.fields}
    keeps = ("total" in form or "chosen" not in form) and bool(item.budget)
    if keeps:
        ranges = {key: ends for key, ends in ranges.items() if key in item.budget}
        if len(ranges) < 2:
            raise BadContent("To keep the total, at least two numbers of the same budget must be free to change.")
    total = sum(values[key] for key in ranges) if keeps else None
    start = {key: values[key] for key in ranges}
    return TuningPlan(item.at[0], item.name, target / 100, bot, start, ranges, total)


def _ends(field: TunedField, form: Mapping[str, str]) -> tuple[int, int]:
    """Read the lowest and highest value of a field."""
    if "chosen" not in form:
        return field.near
    ends = []
    for end in ("low", "high"):
        text = form.get(f"{end}.{field.key}", str(field.value)).strip()
        if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 9):
            raise BadContent(f"{field.title} must be a whole number, not {text[:20] or 'nothing'}.")
        ends.append(int(text))
    if not field.low <= ends[0] <= ends[1] <= field.high:
        raise BadContent(f"{field.title} can go from {field.low} to {field.high}; put the smaller number first.")
    return ends[0], ends[1]
