"""Make Your Moves: the studio preview of a content file: a card, moves made with it, and deck totals."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.schema import validate
from sparring.engine.options import Value
from sparring.scene.preview import PreviewText, StatSheet

from .kit import COLOURS, FORM, WILD
from .scene import face
from .log_sentences import compose_name

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
        found.append(compose_name([names.get(colour, []) for colour in COLOURS]))
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
