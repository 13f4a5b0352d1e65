"""Make Your Moves: the options, and the deck as it is read from a content file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.form import Drawing, Found, Many, Pick, Record, Text, read
from sparring.engine.options import Choice, Number, Option
from sparring.engine.spelling import plain

#: As many cards as a designer's deck may hold; and as few, so that six seats can be dealt five.
CARDS = 120
FEWEST = 30

COLOURS = ("Red", "Green", "Blue", "Yellow", "Wild")
RED, GREEN, BLUE, YELLOW, WILD = range(5)

OPTIONS: tuple[Option, ...] = (
    Choice("match", ("points", "elimination"), "Win by three points, or be the last one in", "R25, R26",
           words=("three points win", "the last one in wins"), group="The match"),
    Choice("pass_attack", ("no", "yes"), "May the Attacker pass, and control with it", "R2",
           title="Passing the attack", words=("no", "yes"), group="Attack and answer"),
    Choice("defence_wilds", ("any", "one"), "How many Wilds a defence may hold", "R14",
           title="Wilds in a defence", words=("any number", "one"), group="Attack and answer"),
    Choice("wild_fours", ("no", "yes"), "May Wilds complete the four cards of a Counter or Dodge", "R17",
           title="Wilds among four of a colour", words=("no", "yes"), group="Attack and answer"),
    Choice("assist_fit", ("any", "match"), "Must a helper's card fit the colours of the attack", "R22",
           title="Helpers' cards", words=("any card", "only one that fits"), group="Attack and answer"),
    Choice("point_cards", ("deck", "marker"), "Points are cards from the draw pile, or only counted", "R7",
           title="Points", words=("cards from the draw pile", "only counted"), group="The match"),
    Choice("first_control", ("random", "seat1"), "Who is in control first", "R4",
           title="First in control", words=("drawn by lot", "Seat 1"), group="The match"),
    Number("turn_limit", 200, 20, 1000, "After so many turns the points decide", "R30", group="The match"),
)  # fmt: skip


@dataclass(frozen=True)
class Card:
    """A card of the deck."""

    name: str
    colour: str
    power: int
    #: What somebody drew for it.
    picture: str = ""

    @property
    def kind(self) -> str:
        """Colour and power, as in `Red2`: equal for every rule."""
        return f"{self.colour}{self.power}"


@dataclass(frozen=True)
class Deck:
    """A deck, in the order of its file."""

    cards: tuple[Card, ...]


#: Words of other choices and of kinds, as they are typed without their numbers; no card may be called so.
RESERVED = {
    "target", "targets", "to", "s", "pass", "done", "counter", "dodge", "attacker", "defender", "helpattacker",
    "helpdefender", *(plain(colour) for colour in COLOURS),
}  # fmt: skip


def _name_fault(name: str) -> str:
    if not plain(name) or ";" in name:
        return "a name that can be typed has a letter or digit, and no semicolon."
    if plain(name).rstrip("0123456789") in RESERVED:
        return "this word means something else at the table."
    return ""


def _deck_faults(cards: list[dict[str, Any]]) -> Found:
    if all(card["colour"] == "Wild" for card in cards):
        yield (), "a deck needs cards that are not Wild; nobody could attack with this one."


FORM = Record("deck", {
    "cards": Many(
        Record("card", {
            "name": Text(check=_name_fault, help="Names of an attack are read one after the other."),
            "colour": Pick(COLOURS, "colour", help="Wilds go with every colour."),
            "power": Pick((1, 2, 3), "power", help="The higher power wins."),
            "picture": Drawing(inks=("ink", "paper", "red", "green", "blue", "yellow")),
        }),
        "card", "deck", FEWEST, CARDS, title="The deck", help="From this pile everybody draws.", unique=True,
        check=_deck_faults, like='a deck is a list called cards, as in cards = [{ name = "Jab", ... }].',
    ),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Deck:
    """Check a deck: `cards = [{ name = "Jab", colour = "Red", power = 1 }, ...]`."""
    return Deck(tuple(Card(**card) for card in read(FORM, data, where)["cards"]))


def pack(content: Deck, kit: Any) -> None:
    """Write the deck into the kit record."""
    kit.cards = len(content.cards)
    for number, card in enumerate(content.cards):
        kit.colour[number] = COLOURS.index(card.colour)
        kit.power[number] = card.power
