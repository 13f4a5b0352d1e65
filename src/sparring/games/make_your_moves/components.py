"""Make Your Moves: cards and moves by name, what cards can change, how they look, what is printed, and previews."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.options import Value
from sparring.engine.schema import validate
from sparring.engine.types import CardPile
from sparring.scene import (
    CardCopies, Colour, CounterScale, Face, NamedMove, PaperCounter, PaperDeck, PaperInventory,
)  # fmt: skip
from sparring.scene.components import PreviewText, StatSheet
from sparring.scene.pictures import custom_picture
from sparring.scene.sentences import Text

from . import state as R
from .art import BACK, picture, ropes
from .moves import fits_attacker, fits_defender
from .params import BLUE, COLOURS, FORM, GREEN, RED, WILD, YELLOW, MoveCard

INKS = {
    "Red": Colour("red", "Red", "R", "diagonal"),
    "Green": Colour("green", "Green", "G", "dots"),
    "Blue": Colour("blue", "Blue", "B", "waves"),
    "Yellow": Colour("yellow", "Yellow", "Y", "cross"),
    "Wild": Colour("black", "Wild", "W", "solid"),
}


def card(setup: GameSetup, number: int) -> MoveCard:
    """Return a card of the deck by its number."""
    found: MoveCard = setup.content.cards[number]
    return found


def powers(setup: GameSetup, *piles: CardPile) -> list[int]:
    """Return the powers of all cards in some piles."""
    return [card(setup, number).power for pile in piles for number in in_order(pile)]


def totals(setup: GameSetup, s: R.State) -> tuple[int, int]:
    """Return the totals of attack and defence, with the cards of those who help."""
    return sum(powers(setup, s.attack, s.help_attack)), sum(powers(setup, s.defence, s.help_defence))


def as_sum(powers: list[int]) -> str:
    """Return powers as a sum: `2 + 3 = 5`; a single number is just that."""
    if len(powers) < 2:
        return str(sum(powers))
    return f"{' + '.join(map(str, powers))} = {sum(powers)}"


def move_name(setup: GameSetup, numbers: list[int]) -> Text | str:
    """Return the name of the move that some cards make, as a ring announcer calls it."""
    cards = [card(setup, n) for n in numbers]
    return compose_name([[one.name for one in cards if one.colour == colour] for colour in COLOURS])


def compose_name(names: list[list[str]]) -> Text | str:
    """Return the name of a move from the card names of each colour: how, body part, attack, gear, Wilds."""
    move: Text | str = " ".join(names[GREEN] + names[BLUE] + names[RED])
    if gear := names[YELLOW]:
        move = Text("{move} with the {gear}", move=move, gear=gear) if move else Text("{gear}", gear=gear)
    if wilds := names[WILD]:
        move = Text("{move} plus {wilds}", move=move, wilds=wilds) if move else Text("{wilds}", wilds=wilds)
    return move


def last_four(setup: GameSetup, s: R.State) -> list[str]:
    """Return the names of the last four cards that countered or dodged."""
    return [card(setup, n).name for n in in_order(s.fours)[-4:]]


#: Words of ours for descriptions at tables without free chat, where players compose them from these and their cards.
DESCRIPTION_WORDS = (
    "again", "and then", "from nowhere", "from the top rope", "in slow motion", "into the", "off the ropes", "on the",
    "right between the eyes", "to a roar from the crowd", "while the referee looks away", "with a smile", "with the",
)  # fmt: skip


def named_moves(setup: GameSetup, s: R.State, beat: str) -> tuple[NamedMove, ...]:
    """Return the moves on the table, their helpers' cards included, which players may describe (R35)."""
    own = in_order(s.fours)[-4:] if beat == "countered" else in_order(s.defence)
    sides = (s.attacker, in_order(s.attack), s.help_attack), (s.defender, own, s.help_defence)
    return tuple(_named(setup, int(seat), [*own, *in_order(helping)]) for seat, own, helping in sides if own)


def _named(setup: GameSetup, seat: int, numbers: list[int]) -> NamedMove:
    words = dict.fromkeys([*(card(setup, n).name for n in numbers), *DESCRIPTION_WORDS])
    return NamedMove(seat + 1, str(move_name(setup, numbers)), tuple(words))


@lru_cache(maxsize=512)
def face(name: str, colour: str, power: int, own: str = "") -> Face:
    """Return the face of a card, with a rope for each point of power; `own` is a designer's picture for it."""
    style = INKS[colour]
    return Face(name, style, str(power), custom_picture(own) or picture(name, colour), base=ropes(power, style.key))


# What cards can still change


def achieved(setup: GameSetup, margin: int) -> Text:
    """Return what a defence that is higher by `margin` achieves."""
    if margin == 0:
        return Text("enough to block")
    if margin == 1:
        return Text("enough to take control")
    if setup.options["match"] == "points":
        return Text("enough to take control and score")
    return Text("enough to take control and do damage")


def best_defence(setup: GameSetup, s: R.State) -> int:
    """Return the highest total the Defender can reach: the cards played plus the best ones in hand (R10 to R14)."""
    held = [card(setup, n) for n in in_order(s.hand[s.defender])]
    total, units = sum(powers(setup, s.defence)), list[int]()
    for number in (RED, GREEN, BLUE, YELLOW):
        if not s.attack_colours >> number & 1:
            continue
        own = [one.power for one in held if one.colour == COLOURS[number]]
        units += [power for power in own if power > 1]
        if s.single_colours >> number & 1:
            total += own.count(1)
        elif 1 in own:
            units.append(own.count(1))
    wilds = sorted((one.power for one in held if one.colour == COLOURS[WILD]), reverse=True)
    if setup.options["defence_wilds"] == "one":
        wilds = wilds[: 0 if s.wilds else 1]
    room = max(0, int(s.ceiling) - int(s.units))
    return total + sum(sorted(units, reverse=True)[:room]) + sum(wilds)


def can_decide(setup: GameSetup, s: R.State) -> bool:
    """Return whether a card in a bystander's hand can change who scores or who has control."""
    attack, defence = totals(setup, s)
    margin = defence - attack
    return any(
        (fits_attacker(setup.params, s, n) and _result(margin - card(setup, n).power) != _result(margin))
        or (fits_defender(setup.params, s, n) and _result(margin + card(setup, n).power) != _result(margin))
        for n in in_order(s.hand[s.player])
    )


def _result(margin: int) -> int:
    """Return the margin, capped so that equal numbers mean the same point and control."""
    return max(-1, min(2, margin))


# The printed game: the deck and counters


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return the components of a table for this many seats."""
    cards = tuple(
        CardCopies(face=face(card.name, card.colour, card.power, card.picture), components=(card.name,))
        for card in setup.content.cards
    )
    title = "Damage" if setup.options["match"] == "elimination" else "Points"
    return PaperInventory(
        decks=(PaperDeck(title="Moves", cards=cards, back=BACK),),
        counters=(
            *(PaperCounter(title=title, seat=seat + 1, more=1) for seat in range(seats)),
            PaperCounter(title="In control", text="★", more=1),
        ),
        scales=tuple(CounterScale(title=title, top=R.NEEDED, seat=seat + 1) for seat in range(seats)),
        turn=_turn(setup),
    )


def _turn(setup: GameSetup) -> tuple[str, ...]:
    wilds = "any Wilds" if setup.options["defence_wilds"] == "any" else "one Wild"
    passing = "" if setup.options["pass_attack"] == "no" else " or pass"
    elimination = setup.options["match"] == "elimination"
    hit, goal = ("does damage", "3 damage: you're out.") if elimination else ("scores", f"{R.NEEDED} points win.")
    return (
        "Everyone draws back up to 5 cards.",
        f"Attack{passing}: choose a target, play 1 to 3 colours, one card or stack of singles of each, plus any Wilds.",
        f"Defend: play up to as many cards as the attack has colours, in those colours, plus {wilds}.",
        "Or play four cards of one colour: counter, or dodge so that another player faces the attack.",
        "Everyone else may help a side with one card.",
        f"A higher attack {hit}. An equal defence blocks; 1 higher takes control; 2 or more also {hit}. {goal}",
        "Discard any cards you don't want.",
    )


# The studio's preview: a card, moves made with it, and the deck

#: Number of example moves.
EXAMPLES = 4
POWERS = (1, 2, 3)


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the card being edited (`at`), some moves with it, and the deck by colour and power."""
    cards = [card for card in validate(FORM, data)[0]["cards"] if _is_complete(card)]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    rows = data.get("cards")
    row = rows[number] if isinstance(rows, list) and number < len(rows) else None
    edited = next((card for card in cards if isinstance(row, Mapping) and card["name"] == _name_of(row)), None)
    if edited:
        yield face(edited["name"], edited["colour"], edited["power"], edited["picture"])
        yield PreviewText("Moves with this card:", "strong")
        yield from map(PreviewText, moves(edited, cards))
    yield deck_table(cards)


def moves(card: Mapping[str, Any], cards: list[dict[str, Any]]) -> list[str]:
    """Return some moves that include a card, combined with cards of other colours."""
    others = {colour: [one["name"] for one in cards if one["colour"] == colour and one != card] for colour in COLOURS}
    found = []
    for example in range(EXAMPLES):
        colours = [colour for place, colour in enumerate(COLOURS[:WILD]) if colour != card["colour"]
                 and (place + example) % 3 != 0]  # fmt: skip
        names = {colour: [others[colour][example * 5 % len(others[colour])]] for colour in colours if others[colour]}
        names[card["colour"]] = [card["name"]]
        found.append(str(compose_name([names.get(colour, []) for colour in COLOURS])))
    return list(dict.fromkeys(found))


def deck_table(cards: list[dict[str, Any]]) -> StatSheet:
    """Return how many cards there are of each colour and power."""
    count = Counter((card["colour"], card["power"]) for card in cards)
    rows = [
        (colour, *(str(count[colour, power]) for power in POWERS), str(sum(count[colour, power] for power in POWERS)))
        for colour in COLOURS
    ]
    sums = [str(sum(count[colour, power] for colour in COLOURS)) for power in POWERS]
    return StatSheet("The deck", ("Colour", "Power 1", "2", "3", "Total"), (*rows, ("Total", *sums, str(len(cards)))))


def _is_complete(card: object) -> bool:
    return isinstance(card, dict) and all(card.get(key) is not None for key in ("name", "colour", "power"))


def _name_of(row: Mapping[str, Any]) -> Any:
    name = row.get("name")
    return name.strip() if isinstance(name, str) else name
