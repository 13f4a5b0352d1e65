"""Card Duel: the numbers of the rules as options, and the content file with the cards.

name = "Lantern Wars"       # optional: what the game is called
[[cards]]
name = "Lamp Keeper"
kind = "character"          # or "event"
cost = 2
attack = 1                  # of a character
health = 3
traits = ["Guard"]          # optional
effects = [{ when = "played", does = "draw", to = "you", number = 1 }]  # up to two
copies = 2                  # in each deck
deck = "both"               # or "first", "second": only in the deck of that seat
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.formats import normalize
from sparring.engine.game import GameSetup
from sparring.engine.schema import Choice, Drawing, Faults, Integer, ListField, RecordField, Text, read
from sparring.engine.state import Components, Parameters, array, choice_option, number_option, scalar, table

from .card_effects import ABOUT_DOES, ABOUT_WHEN, CHOSEN, DOES, MOST, PLAYED, TO, WHEN, CardEffect, effect_of, fault

SEATS = 2
#: The longest name of a game.
LONGEST_NAME = 40
#: The most different cards, effects on one card, and cards in one deck; the fewest cards in one deck.
DESIGNS = 60
EFFECTS = 2
CARDS = 60
FEWEST = 12
COPIES = 6
MOST_ENERGY = 12
SLOTS = 7
HAND_LIMIT = 10

KINDS = ("character", "event")
CHARACTER, EVENT = range(2)
TRAITS = ("Fast", "Guard")
DECKS = ("both", "first", "second")


class Params(Parameters):
    """What rules know besides the state: the options, and the cards by their numbers."""

    win = choice_option(
        ("life", "points"),
        "Whether hits on a player take life or score points",
        "R1",
        title="Hits on a player",
        words=("take life", "score points"),
        group="Winning",
    )
    life = number_option(8, 1, 60, "Life of each player at the start", "R1", group="Winning")
    points = number_option(10, 1, 60, "This many points win", "R2", group="Winning")
    rounds = number_option(25, 3, 60, "After this many rounds, life or points decide", "R3", group="Winning")
    hand = number_option(4, 1, 7, "Cards in each hand at the start", "R4", group="Cards")
    second_cards = number_option(
        2,
        0,
        3,
        "Extra cards at the start for the player who goes second",
        "R4",
        title="Extra cards for the second player",
        group="Cards",
    )
    draw = number_option(1, 0, 3, "Cards drawn at the start of a turn", "R5", title="Cards per turn", group="Cards")
    hand_limit = number_option(
        8, 3, HAND_LIMIT, "Cards beyond this number are discarded as they are drawn", "R6", group="Cards"
    )
    growth = choice_option(
        ("grows", "fixed"),
        "Whether energy grows by 1 each turn",
        "R7",
        title="Energy per turn",
        words=("grows by 1 each turn", "is always the same"),
        group="Energy",
    )
    energy = number_option(
        8, 1, MOST_ENERGY, "The most energy at the start of a turn", "R7", title="Highest energy", group="Energy"
    )
    second_energy = number_option(
        1,
        0,
        3,
        "Extra energy on the first turn of the player who goes second",
        "R7",
        title="Extra energy for the second player",
        group="Energy",
    )
    combat = choice_option(
        ("choose", "lanes"),
        "Whether attackers choose their targets or strike straight ahead",
        "R8",
        title="Attackers",
        words=("choose their targets", "strike straight ahead"),
        group="The board",
    )
    slots = number_option(5, 1, SLOTS, "Characters that a player can have in play", "R9", group="The board")
    first = choice_option(
        ("random", "seat1"),
        "Who goes first",
        "R10",
        title="First player",
        words=("random", "Seat 1"),
        group="The match",
    )
    cards = scalar()
    kind = array(DESIGNS)
    cost = array(DESIGNS)
    card_attack = array(DESIGNS)
    card_health = array(DESIGNS)
    fast = array(DESIGNS)
    guard = array(DESIGNS)
    copies = table(SEATS, DESIGNS)
    effects = array(DESIGNS)  # how many a card has; each with when it happens, what it does, to whom, and how much
    effect_when = table(DESIGNS, EFFECTS)
    effect_does = table(DESIGNS, EFFECTS)
    effect_to = table(DESIGNS, EFFECTS)
    effect_number = table(DESIGNS, EFFECTS)
    aims = array(DESIGNS)  # whether an effect is on a chosen enemy


#: The cards of each seat's deck.
DECK_CARDS = Components(
    lambda setup: {number: (card.name,) for number, card in enumerate(setup.content.cards)},
    copies=lambda setup: setup.params.copies.tolist(),
    own=True,
)


@dataclass(frozen=True)
class DuelCard:
    """A card of a duel; the attack, health and traits of an event are not used."""

    name: str
    kind: str
    cost: int
    attack: int = 0
    health: int = 1
    traits: tuple[str, ...] = ()
    effects: tuple[CardEffect, ...] = ()
    copies: int = 2
    deck: str = "both"
    #: A designer's own picture.
    picture: str = ""

    def copies_of(self, seat: int) -> int:
        """Return how many copies are in the deck of a seat (from 0)."""
        return self.copies if self.deck in ("both", DECKS[1 + seat]) else 0


@dataclass(frozen=True)
class DuelSet:
    """The cards of a duel, in the order of its file, and what the game is called; empty: Card Duel."""

    cards: tuple[DuelCard, ...]
    name: str = ""


#: Names no card may have: words of other choices, as typed, without their numbers.
RESERVED = {"slot", "enemy", "opponent", "done", "end", "endturn", "play", "attackwith", "attack", "player", "pass"}
#: Signs with a meaning in typed choices and positions.
SIGNS = ",;:#()"


def _name_fault(name: str) -> str:
    if not normalize(name) or set(name) & set(SIGNS):
        return f"a name must have a letter or digit, and none of {' '.join(SIGNS)}, so that it can be typed."
    if normalize(name).rstrip("0123456789") in RESERVED:
        return "this word already has a meaning at the table."
    return ""


def _card_faults(card: dict[str, Any]) -> Faults:
    for number, row in enumerate(card["effects"]):
        field, wrong = fault(effect_of(row), card["kind"])
        if wrong:
            yield ("effects", number, field), wrong
    if card["kind"] == "event":
        if not card["effects"]:
            yield ("effects",), "An event needs an effect; without one it would do nothing."
        if card["traits"]:
            yield ("traits",), "Only characters have traits."


def _set_faults(cards: list[dict[str, Any]]) -> Faults:
    for seat, owner in enumerate(("Seat 1", "Seat 2")):
        held = sum(card["copies"] for card in cards if card["deck"] in ("both", DECKS[1 + seat]))
        if not FEWEST <= held <= CARDS:
            yield (), f"the deck of {owner} must have {FEWEST} to {CARDS} cards, not {held}; change the copies."


FORM = RecordField("set", {
    "name": Text(max_length=LONGEST_NAME, default="", in_editor=False, help="What the game is called."),
    "cards": ListField(
        RecordField("card", {
            "name": Text(check=_name_fault),
            "kind": Choice(KINDS, "kind", about={
                "character": "Stays in play, attacks and is attacked.", "event": "Happens once, and is discarded.",
            }, help="A character stays in play; an event happens once."),
            "cost": Integer(0, MOST_ENERGY, "cost", help="The energy it takes to play this card."),
            "attack": Integer(0, 20, "attack", default=0, help="Damage per strike. Not used by events."),
            "health": Integer(1, 30, "health", default=1, help="Damage that defeats it. Not used by events."),
            "traits": ListField(Choice(TRAITS, "trait", about={
                "Fast": "Can attack on the turn in which it is played.",
                "Guard": "Must be attacked before other targets, if attackers choose their targets.",
            }), "trait", "card", 0, len(TRAITS), toggles=True, default=()),
            "effects": ListField(
                RecordField("effect", {
                    "when": Choice(WHEN, "time", about=ABOUT_WHEN),
                    "does": Choice(DOES, "effect", about=ABOUT_DOES),
                    "to": Choice(TO, "target"),
                    "number": Integer(1, MOST, "number", default=1),
                }, new={"when": "played", "does": "damage", "to": "opponent", "number": 1}),
                "effect", "card", 0, EFFECTS, default=(),
                help="Up to two: when it happens, what it does, to whom, and how much.",
            ),
            "copies": Integer(1, COPIES, "number of copies", default=2, help="Copies in each deck."),
            "deck": Choice(DECKS, "deck", default="both", help="Which seat's deck has it: both, first or second."),
            "picture": Drawing(inks=("ink", "paper", "red", "green", "blue", "yellow")),
        }, check=_card_faults, new={"kind": "character", "cost": 2, "attack": 2, "health": 2}),
        "card", "set", 1, DESIGNS, title="Cards", unique=True, check=_set_faults,
        help=f"Each seat's deck needs {FEWEST} to {CARDS} cards, counting copies.",
        like='a set is a list called cards, as in [[cards]] with name = "Lamp Keeper".',
    ),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> DuelSet:
    """Check and read a set of cards (`[[cards]]`) from file `where`."""
    checked = read(FORM, data, where)
    return DuelSet(tuple(
        DuelCard(**{**card, "traits": tuple(card["traits"]), "effects": tuple(map(effect_of, card["effects"]))})
        for card in checked["cards"]
    ), checked["name"])  # fmt: skip


def text_values(setup: GameSetup) -> dict[str, Any]:
    """Return what the rules say about the cards of the set, and cards of it for the examples in the rules.

    An example is left out where the set has no card for it. Its cards differ, so that one copy of each is enough.
    """
    cards, used = setup.content.cards, set[str]()

    def pick(seat: int, fits: Callable[[DuelCard], bool]) -> str:
        """Return the cheapest other card of a seat's deck, as a string in TOML holds it; empty without one."""
        found = [card for card in cards if card.copies_of(seat) and card.name not in used and fits(card)]
        name = min(found, key=lambda card: card.cost).name if found else ""
        used.add(name)
        return name.replace("\\", "\\\\").replace('"', '\\"')

    def fights(card: DuelCard) -> bool:
        return card.kind == "character" and card.attack > 0

    effects = [effect for card in cards for effect in card.effects]
    return {
        "events": any(card.kind == "event" for card in cards),
        "traits": {trait for card in cards for trait in card.traits}, "does": {effect.does for effect in effects},
        "when": {effect.when for effect in effects}, "mine": pick(0, fights), "theirs": pick(1, _is_unguarded),
        "guard": pick(1, lambda card: card.kind == "character" and "Guard" in card.traits), "body": pick(0, fights),
        "aimed": pick(0, lambda card: any(effect.to == TO[CHOSEN] for effect in card.effects)),
        "playable": pick(0, lambda card: card.cost <= 3),
    }  # fmt: skip


def _is_unguarded(card: DuelCard) -> bool:
    return card.kind == "character" and "Guard" not in card.traits


def pack(content: DuelSet, params: Params) -> None:
    """Write the cards into the parameters."""
    params.cards = len(content.cards)
    for number, card in enumerate(content.cards):
        params.kind[number] = KINDS.index(card.kind)
        params.cost[number] = card.cost
        params.card_attack[number] = card.attack if card.kind == "character" else 0
        params.card_health[number] = card.health if card.kind == "character" else 0
        params.fast[number], params.guard[number] = (trait in card.traits for trait in TRAITS)
        for seat in range(SEATS):
            params.copies[seat, number] = card.copies_of(seat)
        params.effects[number] = len(card.effects)
        for place, effect in enumerate(card.effects):
            when, does, to, amount = effect.numbers
            params.effect_when[number, place] = when
            params.effect_does[number, place] = does
            params.effect_to[number, place] = to
            params.effect_number[number, place] = amount
            params.aims[number] |= when == PLAYED and to == CHOSEN
