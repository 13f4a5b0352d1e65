"""MACE: the options, and pack and start hexes as they are read from a content file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sparring.engine import hexes
from sparring.engine.form import Entries, Found, Many, Pair, Record, Whole, read
from sparring.engine.options import Choice, Number, Option

SEATS = 4
#: With fewer ranks a deck could run dry while every hand is full; more than 13 no pack has.
FEWEST_RANKS, RANKS = 9, 13
LARGEST_VALUE = 20
JOKERS = 4
#: A start hex lies on every board.
SMALLEST_RADIUS = 5

#: A card is 4 x its rank's place + its suit, so that the higher number comes first in the order of Turns.
SUITS = "CSDH"
CLUBS, SPADES, DIAMONDS, HEARTS = range(4)
#: The first Joker; the others follow.
JOKER = 4 * RANKS
CARDS = JOKER + JOKERS

#: As many Rounds without Damage as may be asked for: in trial play there were 20 at most, and matches are to end.
MOST_QUIET = 300

OPTIONS: tuple[Option, ...] = (
    Number("jokers", 2, 0, JOKERS, "How many Jokers are in the pack", "R2", group="Pack and board"),
    Number("radius", 6, SMALLEST_RADIUS, hexes.LARGEST, "How many hexes the board reaches from its middle", "R3",
           title="Size of the board", group="Pack and board"),
    Choice("discard_timing", ("at_once", "after_attack"), "When the cards of an attack reach the discard pile", "R8",
           title="Discarding", words=("at once", "after the attack"), group="Attack and Damage"),
    Choice("blast_cost", ("play_club", "reveal_only"), "What a Blast costs besides its Charge", "R20",
           title="Price of a Blast", words=("a Club", "nothing more"), group="Attack and Damage"),
    Choice("knockback_rounding", ("down", "up"), "How half of the Damage is rounded for Knock back", "R32",
           title="Knock back is rounded", words=("down", "up"), group="Attack and Damage"),
    Choice("knockback_reach", ("ignores", "stops"), "Does another Fighter's Reach stop a Knock back", "R35",
           title="Reach and Knock back", words=("Reach does not stop it", "Reach stops it"), group="Attack and Damage"),
    Choice("forfeits", ("on", "off"), "May Fighters be forfeited at the end of a Round", "R41",
           words=("allowed", "not allowed"), group="The end"),
    Number("stall_rounds", 30, 1, MOST_QUIET, "After so many Rounds without Damage the Combat ends", "R42",
           title="Rounds without Damage", group="The end"),
    Choice("stall_result", ("leader", "draw"), "Who wins a Combat that ends so: most cards in hand, or nobody", "R43",
           title="Without Damage wins", words=("who holds most cards", "nobody"), group="The end"),
)  # fmt: skip


@dataclass(frozen=True)
class Content:
    """The ranks with their values, the lowest first; the start hexes by number of Fighters."""

    values: dict[str, int]
    starts: dict[str, tuple[tuple[int, int], ...]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The cards by number as people write them: `10C`, `KS`, `X1`; nothing for a number that no card has."""
        pack = [f"{rank}{suit}" for rank in self.values for suit in SUITS]
        return (*pack, *[""] * (JOKER - len(pack)), *(f"X{number}" for number in range(1, JOKERS + 1)))

    def card(self, number: int) -> str:
        """A card by its name."""
        return self.names[number]


def _values_faults(values: dict[str, int]) -> Found:
    owner: dict[int, str] = {}
    for rank, value in values.items():
        if owner.setdefault(value, rank) != rank:
            yield (rank,), f"{owner[value]} has the value {value} already."


def _starts_faults(places: list[tuple[int, int]]) -> Found:
    if len(set(places)) < len(places):
        yield (), "two Fighters cannot begin on one hex."


#: The hexes that every board has, row by row.
EVERYWHERE = tuple((int(q), int(r)) for q, r in zip(hexes.Q, hexes.R, strict=True)
                   if hexes.size(q, r) <= SMALLEST_RADIUS)  # fmt: skip


def _starts(fighters: int) -> Many:
    return Many(
        Pair("hex", f"[q, r], at most {SMALLEST_RADIUS} from the middle",
             lambda q, r: hexes.size(q, r) <= SMALLEST_RADIUS, EVERYWHERE),
        "Fighter", f"start for {fighters}", fighters, fighters, title=f"{fighters} Fighters", check=_starts_faults,
    )  # fmt: skip


FORM = Record("content file", {
    "values": Entries(
        Whole(1, LARGEST_VALUE), "rank", FEWEST_RANKS, RANKS, re.compile(r"[0-9]{1,2}|[A-WYZ]"),
        "one or two digits or a capital but X", example="K = 13", check=_values_faults, title="The ranks of the pack",
        help="Each of the four suits has every rank once; the value is what a card counts.",
    ),
    "starts": Record("table starts", {str(number): _starts(number) for number in range(2, SEATS + 1)},
                     title="Where the Fighters begin", help="(0, 0) is the middle; q grows to the east, r to the "
                     "south-east."),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check a content file: a table `values` and a table `starts`."""
    checked = read(FORM, data, where)
    values = dict(sorted(checked["values"].items(), key=lambda entry: entry[1]))
    return Content(values, {number: tuple(places) for number, places in checked["starts"].items()})


def pack(content: Content, kit: Any) -> None:
    """Write pack, start hexes and board into the kit record."""
    kit.cards = 4 * len(content.values)
    for rank, value in enumerate(content.values.values()):
        kit.value[4 * rank : 4 * rank + 4] = value
    for fighters, places in content.starts.items():
        for seat, (q, r) in enumerate(places):
            kit.start[int(fighters) - 2, seat] = hexes.hex_at(q, r)
    hexes.mark_board(kit.board, int(kit.radius))
