"""World of Fighters: the options, the boards, and the fighters as they are read from a content file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeGuard

from sparring.engine.errors import BadContent
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


FIELDS = tuple(field.name for field in fields(Fighter))
STATS = ("punch", "kick", "grapple", "block")
#: Words of other choices, which neither a fighter nor a super may be called.
RESERVED = {*STATS, "call", "claim", "no", "noclaim", "pass", "counter", "pick", "super"}


def read_content(data: Mapping[str, Any], where: str) -> Roster:
    """Check a roster: a table `[[fighters]]` for each fighter."""
    rows = data.get("fighters")
    if not isinstance(rows, list) or set(data) != {"fighters"}:
        raise BadContent(f"{where}: a roster is a list called fighters, one table [[fighters]] for each.")
    if not 2 <= len(rows) <= FIGHTERS:
        raise BadContent(f"{where}: a roster has 2 to {FIGHTERS} fighters; this one has {len(rows)}.")
    roster: list[Fighter] = []
    names: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        fighter = _read_fighter(row, f"{where}: fighter {number}")
        first = names.setdefault(plain(fighter.name), number)
        if first != number:
            raise BadContent(f"{where}: fighter {number}: name: {fighter.name} is the name of fighter {first} already.")
        roster.append(fighter)
    return Roster(tuple(roster))


def _read_fighter(row: Any, where: str) -> Fighter:
    if not isinstance(row, dict):
        raise BadContent(f"{where} is not a table with {', '.join(FIELDS)}.")
    name = row.get("name")
    if _is_name(name):
        where = f"{where} ({name.strip()})"
    for key in row:
        if key not in FIELDS:
            raise BadContent(f"{where}: there is no field {key}; a fighter has {', '.join(FIELDS)}.")
    for key in FIELDS:
        if key not in row:
            raise BadContent(f"{where}: {key} is missing.")
    stats = {key: _read_stat(row[key], f"{where}: {key}") for key in STATS}
    if row["reach"] not in REACHES:
        raise BadContent(f"{where}: reach: {row['reach']} is none; a reach is close or long.")
    return Fighter(
        name=_read_name(name, f"{where}: name"), reach=row["reach"], **stats,
        super=_read_name(row["super"], f"{where}: super"),
        requirement=_read_requirement(row["requirement"], f"{where}: requirement"),
    )  # fmt: skip


def _is_name(name: Any) -> TypeGuard[str]:
    return isinstance(name, str) and 1 <= len(name.strip()) <= 24 and name.isprintable()


def _read_name(name: Any, where: str) -> str:
    if not _is_name(name):
        raise BadContent(f"{where}: a name has 1 to 24 characters.")
    word = name.strip()
    if ";" in word or not re.search(r"[^\W\d_]", word):
        raise BadContent(f"{where}: {word} cannot be typed; a name has letters, and no semicolon.")
    if plain(word) in RESERVED or re.fullmatch(r"(to|seat|move)?[a-l]?\d+", plain(word)):
        raise BadContent(f"{where}: {word} means something else at the table.")
    return word


def _read_stat(stat: Any, where: str) -> int:
    if isinstance(stat, bool) or not isinstance(stat, int) or not 0 <= stat <= HIGHEST:
        raise BadContent(f"{where}: {stat} is none; a stat is a whole number from 0 to {HIGHEST}.")
    return stat


def _read_requirement(written: Any, where: str) -> str:
    if not isinstance(written, str) or not re.fullmatch(r"[PKGB]\.R[1-3]", written.strip()):
        raise BadContent(f"{where}: {written} is none; it is P, K, G or B and a range from 1 to 3, as in G.R3.")
    return written.strip()


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
