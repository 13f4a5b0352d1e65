"""World of Fighters: the options, the boards, and the fighters as they are read from a content file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.form import Drawing, Many, Pick, Record, Text, Whole, read
from sparring.engine.options import Choice, Number, Option
from sparring.engine.squares import read_square
from sparring.engine.spelling import plain

#: As many fighters as a designer's file may hold.
FIGHTERS = 16
#: The highest stat, and the ranges at which a super move can be required.
HIGHEST = 9
RANGES = (1, 2, 3)

#: The kinds of Action card as people write them; in the rules they are 1 to 4, and 0 is no card.
KINDS = ("Punch", "Kick", "Grapple", "Block")
#: How many cards of each kind the Action deck has (R1).
DECK = (10, 10, 10, 6)

REACHES = ("close", "long")

OPTIONS: tuple[Option, ...] = (
    Choice("board", ("7x5", "5x5", "7x7"), "Columns and rows of the ring", "R2",
           title="Ring", words=("7 by 5", "5 by 5", "7 by 7"), group="The ring"),
    Choice("movement", ("exact", "upto"), "Move exactly the card's number, or as far as you like up to it", "R7",
           words=("exactly the number", "up to the number"), group="The ring"),
    Choice("pass_through", ("no", "yes"), "May a move cross the opponent's square", "R9",
           title="Moving through the opponent", words=("no", "yes"), group="The ring"),
    Choice("punch_ends", ("fighter", "both"), "Punches reach as the fighter's reach says, or at every range", "R14",
           title="Reach of punches", words=("as the fighter's reach says", "every range"), group="Blows"),
    Choice("settle", ("order", "together"), "Attacks hit one after the other, or both at once", "R17, R31",
           title="Two attacks", words=("one after the other", "both at once"), group="Blows"),
    Choice("super_call", ("place", "reveal"), "Call supers when cards are laid, or claim them when shown", "R24",
           title="Supers are called", words=("when cards are laid", "when cards are shown"), group="Supers"),
    Choice("super_score", ("flat", "plus"), "A super counts 6, or 6 and the fighter's stat", "R26, R27",
           title="A super counts", words=("6", "6 and the fighter's stat"), group="Supers"),
    Choice("super_vs_block", ("always", "ringout"), "A super overrules a Block always, or in ring-outs only", "R28",
           title="A super overrules a Block", words=("always", "in ring-outs only"), group="Supers"),
    Number("round_limit", 100, 10, 1000, "After so many rounds the higher health wins", "R33", group="The ring"),
)  # fmt: skip


@dataclass(frozen=True)
class Ring:
    """A board: its size, and the red square of each player (R2)."""

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
    #: What somebody drew in place of the portrait.
    picture: str = ""

    @property
    def stats(self) -> tuple[int, int, int, int]:
        """What is added to a Punch, Kick and Grapple, and taken off by a Block."""
        return self.punch, self.kick, self.grapple, self.block

    @property
    def super_kind(self) -> int:
        """The kind of card the super move is played with, 1 to 4."""
        return "PKGB".index(self.requirement[0]) + 1

    @property
    def super_range(self) -> int:
        """The range at which the super move works."""
        return int(self.requirement[-1])


@dataclass(frozen=True)
class Roster:
    """All fighters, in the order of their file."""

    fighters: tuple[Fighter, ...]


STATS = ("punch", "kick", "grapple", "block")
#: Words of other choices, which neither a fighter nor a super may be called.
RESERVED = {*STATS, "call", "claim", "no", "noclaim", "pass", "counter", "pick", "super"}
#: The card a super is played with, and the exact range.
REQUIREMENTS = tuple(f"{kind[0]}.R{apart}" for kind in KINDS for apart in RANGES)


def _name_fault(word: str) -> str:
    if ";" in word or not re.search(r"[^\W\d_]", word):
        return f"{word} cannot be typed; a name has letters, and no semicolon."
    if plain(word) in RESERVED or re.fullmatch(r"(to|seat|move)?[a-l]?\d+", plain(word)):
        return f"{word} means something else at the table."
    return ""


FORM = Record("roster", {
    "fighters": Many(
        Record("fighter", {
            "name": Text(check=_name_fault),
            "reach": Pick(REACHES, "reach", help="close: a Punch has 1 at range 1, 2 at range 2; "
                          "long: 2 at range 2, 1 at range 3."),
            **{stat: Whole(0, HIGHEST, "stat", help=f"Added to a {stat.capitalize()}.") for stat in STATS[:3]},
            "block": Whole(0, HIGHEST, "stat", help="Taken off an attack by a Block."),
            "super": Text(check=_name_fault, help="What the super move is called."),
            "requirement": Pick(REQUIREMENTS, "requirement", help="The card that the super is played with (P, K, G or "
                                "B) and the exact range: G.R3 is a Grapple at range 3."),
            "picture": Drawing(title="Portrait", inks=("ink", "skin", "brown", "red", "blue", "green", "yellow")),
        }, keeps=STATS),
        "fighter", "roster", 2, FIGHTERS, title="The fighters", unique=True,
        like="a roster is a list called fighters, one table [[fighters]] for each.",
    ),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Roster:
    """Check a roster: a table `[[fighters]]` for each fighter."""
    return Roster(tuple(Fighter(**row) for row in read(FORM, data, where)["fighters"]))


def pack(content: Roster, kit: Any) -> None:
    """Write the fighters and the ring into the kit record; the option `board` stands in it already."""
    ring = tuple(RINGS.values())[int(kit.board)]
    kit.columns, kit.rows = ring.columns, ring.rows
    for seat, red in enumerate(ring.red):
        kit.red[seat] = read_square(red)
    kit.fighters = len(content.fighters)
    for number, fighter in enumerate(content.fighters):
        kit.long[number] = fighter.reach == "long"
        kit.stat[number, 1:] = fighter.stats
        kit.super_kind[number] = fighter.super_kind
        kit.super_range[number] = fighter.super_range
