"""Make Your Moves on the bench: the card, the moves that come of it, and how the deck is spread."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.form import look
from sparring.engine.options import Value
from sparring.scene.bench import Said, Sheet

from .kit import COLOURS, FORM, WILD
from .scene import face
from .telling import composed

#: How many moves are told as examples.
EXAMPLES = 4
POWERS = (1, 2, 3)


def beside(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """The card that somebody looks at with some of its moves, and the spread of the deck."""
    cards = [card for card in look(FORM, data)[0]["cards"] if _is_whole(card)]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    rows = data.get("cards")
    row = rows[number] if isinstance(rows, list) and number < len(rows) else None
    here = next((card for card in cards if isinstance(row, Mapping) and card["name"] == _stripped(row)), None)
    if here:
        yield face(here["name"], here["colour"], here["power"], here["picture"])
        yield Said("Moves with it:", "strong")
        yield from map(Said, moves(here, cards))
    yield spread(cards)


def moves(card: Mapping[str, Any], cards: list[dict[str, Any]]) -> list[str]:
    """Some moves with a card, as an announcer calls them: with one more card each of other colours."""
    others = {colour: [one["name"] for one in cards if one["colour"] == colour and one != card] for colour in COLOURS}
    found = []
    for turn in range(EXAMPLES):
        kinds = [colour for place, colour in enumerate(COLOURS[:WILD]) if colour != card["colour"]
                 and (place + turn) % 3 != 0]  # fmt: skip
        said = {colour: [others[colour][turn * 5 % len(others[colour])]] for colour in kinds if others[colour]}
        said[card["colour"]] = [card["name"]]
        found.append(composed([said.get(colour, []) for colour in COLOURS]))
    return list(dict.fromkeys(found))


def spread(cards: list[dict[str, Any]]) -> Sheet:
    """How many cards there are of each colour and power."""
    count = Counter((card["colour"], card["power"]) for card in cards)
    rows = [
        (colour, *(str(count[colour, power]) for power in POWERS), str(sum(count[colour, power] for power in POWERS)))
        for colour in COLOURS
    ]
    sums = [str(sum(count[colour, power] for colour in COLOURS)) for power in POWERS]
    return Sheet("The deck", ("Colour", "Power 1", "2", "3", "All"), (*rows, ("All", *sums, str(len(cards)))))


def _is_whole(card: Any) -> bool:
    return isinstance(card, dict) and all(card.get(key) is not None for key in ("name", "colour", "power"))


def _stripped(row: Mapping[str, Any]) -> Any:
    name = row.get("name")
    return name.strip() if isinstance(name, str) else name
