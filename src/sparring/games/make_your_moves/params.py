"""Make Your Moves: options, and the content file with the deck."""

from dataclasses import dataclass
from typing import Any

from sparring.engine.formats import normalize
from sparring.engine.schema import Choice, Drawing, Faults, ListField, RecordField, Text
from sparring.engine.state import Components, Parameters, array, choice_option, number_option, option_value, scalar

#: Limits of a custom deck: with 30 cards, six seats can just be dealt five each.
CARDS = 120
FEWEST = 30

COLOURS = ("Red", "Green", "Blue", "Yellow", "Wild")
RED, GREEN, BLUE, YELLOW, WILD = range(5)


class Params(Parameters):
    """What rules know besides the state: the options, and the colour and power of each card."""

    match = choice_option(
        ("points", "elimination"),
        "Win with three points, or be the last one standing",
        "R25, R26",
        words=("first to three points", "last one standing"),
        group="The match",
    )
    pass_attack = choice_option(
        ("no", "yes", "keep"),
        "Whether the player in control may pass instead of attacking",
        "R2",
        title="Passing",
        words=("not allowed", "allowed, control goes clockwise", "allowed, control stays"),
        group="Attack and defence",
    )
    defence_wilds = choice_option(
        ("any", "one"),
        "How many Wilds a defence may have",
        "R14",
        title="Wilds in a defence",
        words=("any number", "one"),
        group="Attack and defence",
    )
    wild_fours = choice_option(
        ("no", "yes"),
        "Whether Wilds may complete the four cards of a Counter or Dodge",
        "R17",
        title="Wilds in four of a colour",
        words=("not allowed", "allowed"),
        group="Attack and defence",
    )
    assist_fit = choice_option(
        ("any", "match"),
        "Whether a helper's card must fit the side it helps",
        "R22",
        title="Helpers' cards",
        words=("any card", "only a card that fits"),
        group="Attack and defence",
    )
    point_cards = choice_option(
        ("deck", "marker"),
        "Whether points use up cards from the draw pile, or are only counted",
        "R7",
        title="Points",
        words=("cards from the draw pile", "counted only"),
        group="The match",
    )
    first_control = choice_option(
        ("random", "seat1"),
        "Who is in control first",
        "R4",
        title="First in control",
        words=("random", "Seat 1"),
        group="The match",
        ours=True,
    )
    turn_limit = number_option(
        200, 20, 1000, "After this many turns the points decide", "R30", group="The match", ours=True
    )
    cards = scalar()
    colour = array(CARDS)
    power = array(CARDS)


#: A player who passes stays in control.
KEEP = option_value(Params.pass_attack, "keep")


@dataclass(frozen=True)
class MoveCard:
    """A card of the deck."""

    name: str
    colour: str
    power: int
    #: A designer's own picture.
    picture: str = ""

    @property
    def kind(self) -> str:
        """Colour and power, such as `Red2`; cards of one kind are equal for every rule."""
        return f"{self.colour}{self.power}"


@dataclass(frozen=True)
class Content:
    """The deck, in the order of its file."""

    cards: tuple[MoveCard, ...]


#: The cards: by name, or by kind (`Red2`).
PACK = Components(lambda setup: {n: (card.name, card.kind) for n, card in enumerate(setup.content.cards)})

#: Names no card may have: words of other choices and of kinds, as typed, without their numbers.
RESERVED = {
    "target", "targets", "to", "s", "pass", "done", "counter", "dodge", "attacker", "defender", "helpattacker",
    "helpdefender", *(normalize(colour) for colour in COLOURS),
}  # fmt: skip


def _name_fault(name: str) -> str:
    if not normalize(name) or ";" in name:
        return "a name must have a letter or digit, and no semicolon, so that it can be typed."
    if normalize(name).rstrip("0123456789") in RESERVED:
        return "this word already has a meaning at the table."
    return ""


def _deck_faults(cards: list[dict[str, Any]]) -> Faults:
    if all(card["colour"] == "Wild" for card in cards):
        yield (), "a deck needs cards that are not Wild; with this one no player could attack."


FORM = RecordField("deck", {
    "cards": ListField(
        RecordField("card", {
            "name": Text(check=_name_fault, help="The names of an attack's cards make up the name of the move."),
            "colour": Choice(COLOURS, "colour", help="Wilds can be added to any colour."),
            "power": Choice((1, 2, 3), "power", help="The powers of a side add up; the higher total wins."),
            "picture": Drawing(inks=("ink", "paper", "red", "green", "blue", "yellow")),
        }),
        "card", "deck", FEWEST, CARDS, title="The deck", help="Everyone draws from this pile.", unique=True,
        check=_deck_faults, like='a deck is a list called cards, as in cards = [{ name = "Jab", ... }].',
    ),
})  # fmt: skip


def pack(content: Content, params: Params) -> None:
    """Write the deck into the parameters."""
    params.cards = len(content.cards)
    for number, card in enumerate(content.cards):
        params.colour[number] = COLOURS.index(card.colour)
        params.power[number] = card.power
