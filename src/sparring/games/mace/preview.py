"""MACE: the studio preview of a content file: start hexes on the board, and the pack."""

from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine import hexes
from sparring.engine.schema import validate
from sparring.engine.options import Value
from sparring.scene import Board, Token
from sparring.scene.preview import PreviewBar, PreviewBars, PreviewText

from .art import fighter
from .kit import FORM, SUITS
from .scene import ground, inside


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the board for the number of Fighters being edited (`at`), and figures about the pack."""
    content = validate(FORM, data)[0]
    number = str(at[1]) if len(at) > 1 and at[0] == "starts" else "2"
    radius = int(options["radius"])
    cells = tuple(ground(place, (), -1) for place in inside(radius))
    places = [place for place in content["starts"].get(number) or [] if place]
    tokens = tuple(Token(key=f"fighter {seat}", at=place, seat=seat, picture=fighter(seat), label=f"Fighter {seat}")
                   for seat, place in enumerate(places, 1))  # fmt: skip
    yield Board("board", f"Board with {number} Fighters", cells, tokens, hexes=True)
    yield PreviewText(f"{len(cells)} hexes, {radius} from the middle to the edge (option Board size).")
    apart = [hexes.size(one[0] - other[0], one[1] - other[1]) for n, one in enumerate(places) for other in places[:n]]
    if apart:
        nearest = f"{min(apart)} hex{'es' if min(apart) > 1 else ''}"
        yield PreviewText(f"With {number} Fighters, the nearest two start {nearest} apart.", "calm")
    values = {rank: value for rank, value in content["values"].items() if isinstance(value, int)}
    cards = len(SUITS) * len(values)
    yield PreviewText(f"{cards} cards and {options['jokers']} Jokers.", "strong")
    ranks = sorted(values.items(), key=lambda entry: entry[1])
    yield PreviewBars("Card values", tuple(PreviewBar(rank, value, str(value)) for rank, value in ranks))
