"""World of Fighters: options, boards, and the content file with the fighters."""

import re
from dataclasses import dataclass

from sparring.engine.formats import normalize
from sparring.engine.schema import Choice, Drawing, Integer, ListField, RecordField, Text
from sparring.engine.squares import read_square
from sparring.engine.state import (
    Components, Parameters, array, choice_option, number_option, option_value, scalar, table,
)  # fmt: skip

SEATS = 2
#: The most fighters a content file may have.
FIGHTERS = 16
#: The highest stat, and the ranges that a super can require.
HIGHEST = 9
RANGES = (1, 2, 3)

#: The kinds of Action card. In the state they are 1 to 4, and 0 is no card.
KINDS = KIND_TEXTS = ("Punch", "Kick", "Grapple", "Block")
#: The number of cards of each kind in the Action deck (R1).
DECK = (10, 10, 10, 6)

REACHES = ("close", "long")


class Params(Parameters):
    """What rules know besides the state: the options, the ring, and the fighters by their numbers."""

    board = choice_option(
        ("7x5", "5x5", "7x7"),
        "Columns and rows of the ring",
        "R2",
        title="Ring",
        words=("7 by 5", "5 by 5", "7 by 7"),
        group="The ring",
        ours=True,
    )
    movement = choice_option(
        ("exact", "upto"),
        "How far a Movement card moves a fighter",
        "R7",
        words=("exactly the card's number", "up to the card's number"),
        group="The ring",
    )
    pass_through = choice_option(
        ("no", "yes"),
        "Whether a move may pass through the opponent's square",
        "R9",
        title="Moving through the opponent",
        words=("not allowed", "allowed"),
        group="The ring",
    )
    punch_ends = choice_option(
        ("fighter", "both"),
        "At which ranges a Punch scores",
        "R14",
        title="Range of Punches",
        words=("set by the fighter's reach", "every range"),
        group="Attacks",
    )
    settle = choice_option(
        ("order", "together"),
        "When two attacks hit",
        "R17, R31",
        title="Two attacks",
        words=("one after the other", "both at the same time"),
        group="Attacks",
    )
    super_call = choice_option(
        ("place", "reveal", "heard"),
        "Call a super with its card, to be heard later or at once, or claim it when cards are revealed",
        "R24",
        title="Announcing a super",
        words=("when both have played", "when cards are revealed", "as its card is played"),
        group="Supers",
    )
    super_score = choice_option(
        ("flat", "plus"),
        "What a super scores",
        "R26, R27",
        title="Score of a super",
        words=("6", "6 plus the fighter's stat"),
        group="Supers",
    )
    super_vs_block = choice_option(
        ("always", "ringout"),
        "When a super overrules a Block",
        "R28",
        title="A super overrules a Block",
        words=("always", "only in a ring-out"),
        group="Supers",
    )
    round_limit = number_option(
        100, 10, 1000, "After this many rounds the fighter with more health wins", "R33", group="The ring", ours=True
    )
    columns = scalar()
    rows = scalar()
    red = array(SEATS)  # where each seat's token starts
    fighters = scalar()
    long = array(FIGHTERS)  # whether the reach is long
    stat = table(FIGHTERS, len(KINDS) + 1)  # by kind
    super_kind = array(FIGHTERS)
    super_range = array(FIGHTERS)


UPTO = option_value(Params.movement, "upto")
BOTH = option_value(Params.punch_ends, "both")
TOGETHER = option_value(Params.settle, "together")
REVEAL, HEARD = option_value(Params.super_call, "reveal"), option_value(Params.super_call, "heard")
PLUS = option_value(Params.super_score, "plus")
RINGOUT = option_value(Params.super_vs_block, "ringout")

#: The Action cards, by kind.
ACTION_CARDS = Components(
    lambda _setup: {kind: (name,) for kind, name in enumerate(KINDS, 1)}, copies=lambda _setup: (0, *DECK)
)


@dataclass(frozen=True)
class Ring:
    """A board: its size, and each player's red start square (R2)."""

    columns: int
    rows: int
    red: tuple[str, str]


RINGS = {
    "7x5": Ring(7, 5, ("b2", "f4")),
    "5x5": Ring(5, 5, ("a2", "e4")),
    "7x7": Ring(7, 7, ("b4", "f4")),
}


@dataclass(frozen=True)
class Fighter:
    """A fighter's card."""

    name: str
    reach: str
    punch: int
    kick: int
    grapple: int
    block: int
    super: str
    requirement: str
    #: A custom portrait, or nothing.
    picture: str = ""

    @property
    def stats(self) -> tuple[int, int, int, int]:
        """The four stats: three are added to an attack, Block is subtracted from one."""
        return self.punch, self.kick, self.grapple, self.block

    @property
    def super_kind(self) -> int:
        """The kind of card that the super needs, 1 to 4."""
        return "PKGB".index(self.requirement[0]) + 1

    @property
    def super_range(self) -> int:
        """The range that the super needs."""
        return int(self.requirement[-1])


@dataclass(frozen=True)
class Content:
    """All fighters, in the order of their file."""

    fighters: tuple[Fighter, ...]


STATS = ("punch", "kick", "grapple", "block")
#: Words of other choices; no fighter or super can have one as its name.
RESERVED = {*STATS, "call", "claim", "no", "noclaim", "pass", "counter", "pick", "super"}
#: What a super can require: a kind of card, and an exact range.
REQUIREMENTS = tuple(f"{kind[0]}.R{number}" for kind in KINDS for number in RANGES)


def _name_fault(word: str) -> str:
    if ";" in word or not re.search(r"[^\W\d_]", word):
        return f"{word} can't be typed; a name has letters and no semicolon."
    if normalize(word) in RESERVED or re.fullmatch(r"(to|seat|move)?[a-l]?\d+", normalize(word)):
        return f"{word} already means something else at the table."
    return ""


FORM = RecordField("roster", {
    "fighters": ListField(
        RecordField("fighter", {
            "name": Text(check=_name_fault),
            "reach": Choice(REACHES, "reach", help="close: a Punch has a base of 1 at range 1 and 2 at "
                          "range 2; long: 2 at range 2 and 1 at range 3."),
            **{stat: Integer(0, HIGHEST, "stat", help=f"Added to a {stat.capitalize()}.") for stat in STATS[:3]},
            "block": Integer(0, HIGHEST, "stat", help="Subtracted from an attack by a Block."),
            "super": Text(check=_name_fault, help="The name of the super move."),
            "requirement": Choice(REQUIREMENTS, "requirement", help="The card that the super needs (P, K, G or B) "
                                "and the exact range: G.R3 is a Grapple at range 3."),
            "picture": Drawing(title="Portrait", inks=("ink", "skin", "brown", "red", "blue", "green", "yellow")),
        }, shared_budget=STATS, new={"super": "Super Move"}),
        "fighter", "roster", 2, FIGHTERS, title="The fighters", unique=True,
        like="a roster is a list called fighters, with a table [[fighters]] for each.",
    ),
})  # fmt: skip


def pack(content: Content, params: Params) -> None:
    """Write the fighters and the ring into the parameters, which already have the option `board`."""
    ring = tuple(RINGS.values())[params.board]
    params.columns, params.rows = ring.columns, ring.rows
    for seat, red in enumerate(ring.red):
        params.red[seat] = read_square(red)
    params.fighters = len(content.fighters)
    for number, fighter in enumerate(content.fighters):
        params.long[number] = fighter.reach == "long"
        params.stat[number][1:] = fighter.stats
        params.super_kind[number] = fighter.super_kind
        params.super_range[number] = fighter.super_range
