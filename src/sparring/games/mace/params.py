"""MACE: options, the content file with pack and start hexes, and hexes as people write them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from sparring.engine import hexes
from sparring.engine.errors import BadPosition
from sparring.engine.game import GameSetup
from sparring.engine.schema import Faults, Integer, ListField, MapField, Pair, RecordField, read
from sparring.engine.state import Components, Parameters, array, choice_option, number_option, scalar, table

SEATS = 4
#: With fewer than 9 ranks the deck could run dry while every hand is full.
FEWEST_RANKS, RANKS = 9, 13
LARGEST_VALUE = 20
JOKERS = 4
#: Start hexes must fit on the smallest board.
SMALLEST_RADIUS = 5

#: A card is 4 x the place of its rank + its suit, so that higher numbers come first in the turn order.
SUITS = "CSDH"
CLUBS, SPADES, DIAMONDS, HEARTS = range(4)
#: The first Joker; the others follow.
JOKER = 4 * RANKS
CARDS = JOKER + JOKERS

#: The highest quiet Round limit, so that matches end; test matches never had more than 20 quiet Rounds.
MOST_QUIET = 300


class Params(Parameters):
    """What rules know besides the state: the options, the cards and the board."""

    jokers = number_option(2, 0, JOKERS, "Number of Jokers in the pack", "R2", group="Pack and board")
    radius = number_option(
        6,
        SMALLEST_RADIUS,
        hexes.LARGEST,
        "Hexes from the middle of the board to its edge",
        "R3",
        title="Board size",
        group="Pack and board",
        ours=True,
    )
    discard_timing = choice_option(
        ("at_once", "after_attack"),
        "When an attack's cards go to the discard pile",
        "R8",
        title="Discarding",
        words=("at once", "after the attack"),
        group="Attack and Damage",
    )
    blast_cost = choice_option(
        ("play_club", "reveal_only"),
        "What a Blast costs besides its Charge",
        "R20",
        title="Cost of a Blast",
        words=("a Club", "nothing else"),
        group="Attack and Damage",
    )
    knockback_rounding = choice_option(
        ("down", "up"),
        "How to round half the Damage for the Knockback",
        "R32",
        title="Knockback rounding",
        words=("down", "up"),
        group="Attack and Damage",
    )
    knockback_reach = choice_option(
        ("ignores", "stops"),
        "Whether another Fighter's Reach stops a Knockback",
        "R35",
        title="Reach and Knockback",
        words=("Reach doesn't stop it", "Reach stops it"),
        group="Attack and Damage",
    )
    forfeits = choice_option(
        ("on", "off"),
        "Whether players may forfeit at the end of a Round",
        "R41",
        words=("allowed", "not allowed"),
        group="The end",
    )
    stall_rounds = number_option(
        30,
        1,
        MOST_QUIET,
        "The Combat ends after this many Rounds in a row without Damage",
        "R42",
        title="Quiet Round limit",
        group="The end",
        ours=True,
    )
    stall_result = choice_option(
        ("leader", "draw"),
        "Who wins when the quiet Round limit is reached",
        "R43",
        title="When the Combat stalls",
        words=("the most cards in hand wins", "draw"),
        group="The end",
        ours=True,
    )
    cards = scalar()  # without Jokers
    value = array(CARDS)
    start = table(SEATS - 1, SEATS)
    board = cast(hexes.Array, array(hexes.SET_SIZE, "i4"))  # a set of hexes


@dataclass(frozen=True)
class Content:
    """The ranks with their CVs, lowest first; the start hexes by number of Fighters."""

    values: dict[str, int]
    starts: dict[str, tuple[tuple[int, int], ...]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of cards by number, such as `10C`, `KS`, `X1`; empty for a number without a card."""
        pack = [f"{rank}{suit}" for rank in self.values for suit in SUITS]
        return (*pack, *[""] * (JOKER - len(pack)), *(f"X{number}" for number in range(1, JOKERS + 1)))

    def card(self, number: int) -> str:
        """Return the name of a card."""
        return self.names[number]


def _values_faults(values: dict[str, int]) -> Faults:
    owner: dict[int, str] = {}
    for rank, value in values.items():
        if owner.setdefault(value, rank) != rank:
            yield (rank,), f"{owner[value]} already has the value {value}; each rank needs its own."


def _starts_faults(places: list[tuple[int, int]]) -> Faults:
    if len(set(places)) < len(places):
        yield (), "two Fighters can't start on the same hex."


#: The hexes of the smallest board, row by row.
EVERYWHERE = tuple((int(q), int(r)) for q, r in zip(hexes.Q, hexes.R, strict=True)
                   if hexes.size(q, r) <= SMALLEST_RADIUS)  # fmt: skip


def _starts(fighters: int) -> ListField:
    return ListField(
        Pair("hex", f"[q, r], at most {SMALLEST_RADIUS} from the middle",
             lambda q, r: hexes.size(q, r) <= SMALLEST_RADIUS, EVERYWHERE),
        "Fighter", f"start for {fighters}", fighters, fighters, title=f"{fighters} Fighters", check=_starts_faults,
    )  # fmt: skip


FORM = RecordField("content file", {
    "values": MapField(
        Integer(1, LARGEST_VALUE), "rank", FEWEST_RANKS, RANKS, re.compile(r"[0-9]{1,2}|[A-WYZ]"),
        "one or two digits or a capital letter except X", example="K = 13", check=_values_faults,
        title="Ranks of the pack", help="Each of the four suits has every rank once; the value is the card value (CV).",
    ),
    "starts": RecordField("table starts", {str(number): _starts(number) for number in range(2, SEATS + 1)},
                     title="Start hexes", help="(0, 0) is the middle; q grows to the east, r to the "
                     "south-east."),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check and read a content file with the tables `values` and `starts`; `where` names it in errors."""
    checked = read(FORM, data, where)
    values = dict(sorted(checked["values"].items(), key=lambda entry: entry[1]))
    return Content(values, {number: tuple(places) for number, places in checked["starts"].items()})


def pack(content: Content, params: Params) -> None:
    """Write the pack, start hexes and board into the parameters."""
    params.cards = 4 * len(content.values)
    for rank, value in enumerate(content.values.values()):
        params.value[4 * rank : 4 * rank + 4] = value
    for fighters, places in content.starts.items():
        for seat, (q, r) in enumerate(places):
            params.start[int(fighters) - 2, seat] = hexes.hex_at(q, r)
    hexes.mark_board(params.board, int(params.radius))


def _names(setup: GameSetup) -> dict[int, tuple[str]]:
    """Return the names of the cards in play."""
    numbers = (*range(int(setup.params.cards)), *range(JOKER, JOKER + int(setup.params.jokers)))
    return {number: (setup.content.card(number),) for number in numbers}


PACK = Components(_names)


# Hexes as people write them

_HEX = re.compile(r"\s*\(?\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*\)?\s*")


def write_hex(number: int) -> str:
    """Return a hex in words: `2,-1`."""
    return f"{hexes.Q[number]},{hexes.R[number]}"


def read_hex(text: object, key: str, radius: int) -> int:
    """Read a hex on the board from `2,-1`, `(2,-1)` or two numbers; `key` names the field in errors."""
    written = _HEX.fullmatch(text.replace("\N{MINUS SIGN}", "-")) if isinstance(text, str) else None
    if written:
        q, r = int(written[1]), int(written[2])
    elif isinstance(text, list | tuple) and len(text) == 2 and all(type(number) is int for number in text):
        q, r = text
    else:
        raise BadPosition(f"{key}: {text} is not a hex; write a hex as 2,-1.")
    if hexes.size(q, r) > radius:
        raise BadPosition(f"{key}: {text} is off the board, which reaches {radius} hexes from its middle.")
    return int(hexes.hex_at(q, r))
