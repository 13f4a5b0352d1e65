"""MACE: how cards, hexes and choices look and are called, the components to print, and the studio's preview."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.options import Value
from sparring.engine.schema import validate
from sparring.scene import (
    Board, CardCopies, Cell, Colour, Face, PaperCounter, PaperDeck, PaperInventory, Picture, Token,
)  # fmt: skip
from sparring.scene.components import PreviewBar, PreviewBars, PreviewText
from sparring.scene.patterns import fill, seat_pattern
from sparring.scene.playing_cards import INK, card_name, card_text, drawing, playing, signed
from sparring.scene.sentences import AnyText, Text, Voice, say

from .moves import value_of
from .params import FORM, JOKER, JOKERS, PACK, SUITS, write_hex
from .state import ACTIONS, STAY, State

#: Card names as read aloud.
SPOKEN = {
    **{name: card_text(name) for card in range(JOKER) for name in (card_name(card), signed(card_name(card)))},
    **{f"X{number}": Text("Joker {number}", number=number) for number in range(1, JOKERS + 1)},
}

WILD = Colour("yellow", "Joker", "", "solid")

JESTER = (
    '<path class="t" d="M31.500 41Q17 43 15.500 30q-4-1-4 5-1-14 11-13 1-9 9-9t9 9q12-1 11 13 0-6-4-5Q46 43 31.500 41z"/>'
    '<path class="k" d="M31.500 41Q17 43 15.500 30q6 2 8.500-6.500 2 9 7.500 9z"/><circle class="gold" cx="11.500" cy="36" r="2.600"/><circle class="gold" cx="51.500" cy="36" r="2.600"/>'
    '<circle class="gold" cx="31.500" cy="13" r="2.600"/><path class="skin" d="M22 40q9.500-3 19 0v9q-2 10-9.500 10T22 49z"/>'
    '<path class="line" d="M27.500 45.500h.1M35.500 45.500h.1M26 51q5.500 5.500 11 0M31.500 46.500v3"/>'
    '<path class="gold" d="M20 58l5 2 2.500-1.500 4 3.500 4-3.500 2.500 1.500 5-2-2.500 8-4-2-5 6-5-6-4 2z"/><path class="k" d="M24 68q7.500 4 15 0l3 9H21z"/>'
)


#: What a suit does, printed on its cards.
USE_TEXTS = {"S": "STRIKE", "C": "CHARGE · BLAST", "D": "BLOCK", "H": "DODGE", "": "ANY SUIT"}


def draw_use(suit: str) -> str:
    """Draw what a suit does, along the card's upper edge."""
    words = say(USE_TEXTS[suit])
    width = min(39.0, 6.3 * 0.6 * len(words))
    return f'<text class="suit-use" x="16" y="7.500" font-size="6.300" textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">{words}</text>'


@cached_by_language(16)
def joker(number: int) -> Picture:
    """Draw a Joker with its number in the corners."""
    sign = f'<text class="rank" x="8.200" y="14.500" font-size="12" textLength="11.500" lengthAdjust="spacingAndGlyphs">X{number}</text>'
    return playing(f"X{number}", f'{JESTER}{sign}<g transform="rotate(180 31.500 44)">{sign}</g>{draw_use("")}')


@cached_by_language(256)
def _face(name: str, rank: str, suit: str) -> Face:
    said = str(SPOKEN.get(name, ""))
    if suit:
        return Face(name, INK[suit], picture=drawing(rank, suit, draw_use(suit)), layout="pack", spoken_name=said)
    return Face(name, WILD, picture=joker(int(rank)), layout="pack", spoken_name=said)


def face(setup: GameSetup, card: int) -> Face:
    """Return the face of a card."""
    name = setup.content.card(card)
    return _face(name, name[1:], "") if card >= JOKER else _face(name, name[:-1], name[-1])


#: The Fighters' headgear by seat: a headband, a hood, a topknot, a crested helmet.
HEADGEAR = (
    '<path class="gear" d="M-3.100-4.900q3.100-1.500 6.200 0v1.500q-3.100-1.300-6.200 0z"/><path class="gear" d="M3-4.400l3.200-1.200-.9 1.700 1.700.8-3.800.3z"/>',
    '<path class="gear" d="M-4.300-.7Q-4.900-8.200 0-8.200T4.300-.7L2.700-2.500Q2.900-5.800 0-5.800T-2.700-2.500z"/>',
    '<path class="gear" d="M-3.200-4.200Q-3-6.900 0-6.900T3.200-4.200Q0-5.700-3.200-4.200z"/><circle class="gear" cy="-7.900" r="1.500"/>',
    '<path class="gear" d="M-3.500-2.900v-1.300Q-3.300-7.100 0-7.100T3.500-4.200v1.300h-1.600v-1.300h-3.800v1.300z"/><path class="gear" d="M-.8-6.800Q-.2-9.600 3.600-9 1.900-8.200 1.300-6.700z"/>',
)  # fmt: skip


@lru_cache(maxsize=8)
def fighter(seat: int) -> Picture:
    """Draw the Fighter of a seat (from 1) with its fists up, on a numbered base in the seat's colour."""
    body = '<path class="body" d="M-5.200 4.600q-.4-5.300 3.300-5.900L0-.3l1.900-1q3.700.6 3.300 5.900z"/><path class="belt" d="M-4.900 2.700q4.900 1.600 9.800 0v1.600H-5z"/>'
    fists = (
        '<circle class="skin" cx="-5.300" cy="-.9" r="1.700"/><circle class="skin" cx="5.300" cy="-1.700" r="1.700"/>'
    )
    head = '<circle class="skin" cy="-4" r="3.200"/><path class="eyes" d="M-1.100-3.700h.1M1.300-3.700h.1"/>'
    return Picture(
        f"fighter {seat}",
        f'<circle r="9.400" class="rim"/><circle r="8.700" class="disc"/><circle r="8.700" fill="{fill(seat_pattern(seat))}"/>'
        f'<g class="figure">{body}{fists}{head}{HEADGEAR[(seat - 1) % len(HEADGEAR)]}</g>'
        f'<circle cx="5.400" cy="5.800" r="3.600" class="plate"/><text x="5.400" y="7.900" font-size="5.800">{seat}</text>',
    )


LATTICE = "".join(f"M{x} 5V83" for x in range(9, 58, 5)) + "".join(f"M5 {y}H58" for y in range(9, 83, 5))
BACK = Picture(
    "lattice",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3.500" y="3.500" width="56" height="81" rx="2.500" class="field"/>'
    f'<clipPath id="lattice-edge"><rect x="5.500" y="5.500" width="52" height="77" rx="1.500"/></clipPath>'
    f'<g clip-path="url(#lattice-edge)"><path class="grid" transform="rotate(45 31.500 44) translate(-31.500 -44) scale(2)" d="{LATTICE}"/></g>'
    '<path class="medal" d="M31.500 27l14.700 8.500v17L31.500 61l-14.700-8.500v-17z"/><path class="medal" d="M31.500 33l9.500 5.500v11L31.500 55 22 49.500v-11z"/>',
)


# The hexes of a board


@lru_cache(maxsize=16)
def inside(radius: int) -> tuple[int, ...]:
    """Return the hexes of a board."""
    return tuple(n for n in range(hexes.HEXES) if hexes.size(hexes.Q[n], hexes.R[n]) <= radius)


@lru_cache(maxsize=1024)
def neighbours(number: int, radius: int) -> tuple[int, ...]:
    """Return the neighbours of a hex on the board."""
    found = (int(hexes.neighbour(number, direction, radius)) for direction in range(6))
    return tuple(there for there in found if there != hexes.NOWHERE)


@cached_by_language(1024)
def floor(radius: int, fighters: tuple[tuple[int, int], ...], seat: int) -> dict[int, Cell]:
    """Return the cells of a board with its `fighters` (pairs of seat and hex), labelled for `seat`."""
    reach: dict[int, tuple[int, ...]] = {}
    for i, at in fighters:
        for there in neighbours(at, radius):
            reach[there] = (*reach.get(there, ()), i)
    return {n: ground(n, reach.get(n, ()), seat) for n in inside(radius)}


@cached_by_language(8192)
def ground(number: int, reach: tuple[int, ...], seat: int) -> Cell:
    """Return the cell of a hex in the Reach of some seats, without a choice, labelled for `seat`."""
    name = write_hex(number)
    label = say("hex {hex}", hex=name)
    if reach == (seat,):
        label = say("hex {hex}, within your Reach", hex=name)
    elif reach:
        label = say("hex {hex}, within Reach of {seats}", hex=name, seats=[Voice(seat).item(i) for i in reach])
    tone = "floor" if not reach else "reach" if len(reach) == 1 else "contested"
    return Cell(at=place(number), name=name, tone=tone, seat=reach[0] + 1 if len(reach) == 1 else 0, label=label)


def place(number: int) -> tuple[int, int]:
    """Return the coordinates of a hex."""
    return int(hexes.Q[number]), int(hexes.R[number])


# Cards, hexes and ways in words


def value(setup: GameSetup, s: State, card: int) -> int:
    """Return the CV of a card if played now."""
    return int(value_of(setup.params, s, card))


def with_value(setup: GameSetup, s: State, card: int, *, first: bool = False) -> AnyText:
    """Return a card with its CV unless its name shows it: `K♠ (13)`, `7♦`, `a Joker (12)`."""
    name, cv = named(setup, card, first=first), value(setup, s, card)
    shown = card < JOKER and str(name)[:-1] == str(cv)
    return name if shown else Text("{card} ({value})", card=name, value=cv)


def named(setup: GameSetup, card: int, *, first: bool = False) -> AnyText:
    """Return a card's name in sentences, such as `K♠`, or as the `first` word; Jokers have no names.

    Choices are typed as `KS`.
    """
    if card < JOKER:
        return signed(str(setup.content.card(card)))
    return Text("A Joker") if first else Text("a Joker")


def charge_from_row(setup: GameSetup, before: State, card: int, after: State) -> Text:
    """Return which Charge of a row was revealed or lost: `a Charge (9♣)`, `the 2nd of 3 Charges (9♣)`."""
    laid, left = (in_order(s.laid[before.player]) for s in (before, after))
    if len(laid) == 1:
        return Text("a Charge ({card})", card=named(setup, card))
    nth = next(n for n, number in enumerate(laid, 1) if number not in left)
    return Text("the {nth} of {n} Charges ({card})", nth=_ordinal(nth), n=len(laid), card=named(setup, card))


ORDINAL_TEXTS = {1: "1st", 2: "2nd", 3: "3rd"}


def _ordinal(number: int) -> Text:
    """Return `1st`, `2nd`, `3rd`, `4th` and so on, up to the 17 Charges a row can hold."""
    return Text(ORDINAL_TEXTS[number]) if number in ORDINAL_TEXTS else Text("{number}th", number=number)


def cards_counted(number: int) -> Text:
    """Return `1 card`, `2 cards`."""
    return Text("{n} card", "{n} cards", n=number)


def hexes_counted(number: int) -> Text:
    """Return `1 hex`, `2 hexes`."""
    return Text("{n} hex", "{n} hexes", n=number)


#: The directions of the board, by the steps in q and r.
WAY_TEXTS = {
    (1, 0): "right", (-1, 0): "left", (0, 1): "down-right", (0, -1): "up-left", (1, -1): "up-right",
    (-1, 1): "down-left",
}  # fmt: skip


@lru_cache(maxsize=8192)
def way(start: int, end: int) -> Text:
    """Return the way from a hex to another one as distances: `2 hexes left`, `2 hexes left and 1 up-left`."""
    q, r = (int(axis[end] - axis[start]) for axis in (hexes.Q, hexes.R))
    diagonal = min(abs(q), abs(r)) if q * r < 0 else 0  # steps to the upper right or lower left
    legs = [
        (diagonal, (_sign(q), -_sign(q))),
        (abs(q) - diagonal, (_sign(q), 0)),
        (abs(r) - diagonal, (0, _sign(r))),
    ]
    first, *more = [{"n": n, "way": Text(WAY_TEXTS[direction])} for n, direction in sorted(legs, reverse=True) if n]
    longest = Text("{n} hex {way}", "{n} hexes {way}", **first)
    return Text("{legs}", legs=[longest, *(Text("{n} {way}", **leg) for leg in more)])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# Choices in words

SEAT_LETTERS = "ABCD"
#: Blocks whose words are the card alone; in all others the block comes first.
BARE = ("momentum", "club")


def words(setup: GameSetup, s: State, action: int) -> str:
    """Return the words of a choice: `7D` (Momentum, Club of a Blast), `strike KS`, `target 2`, `to 2,-1`, `stay`."""
    block, number = ACTIONS.name_of(action)
    if block == "target":
        return f"target {number + 1}" if number < s.seats else ""
    if block == "to":
        return f"to {write_hex(number)}"
    if action >= STAY:
        return block
    card = setup.content.card(number)
    return card if block in BARE or not card else f"{block} {card}"


def aliases(setup: GameSetup, s: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `B` for a target, `(2,-1)` for a hex, just the card to pay, lose or defend."""
    block, number = ACTIONS.name_of(action)
    if block == "target":
        letter = SEAT_LETTERS[number]
        return (f"target {letter}", letter, f"seat {number + 1}") if number < s.seats else ()
    if block == "to":
        at = write_hex(number)
        return at, f"({at})", f"to ({at})", f"move {at}"
    if block in BARE:
        return (f"{block} {setup.content.card(number)}",)
    if block in ("pay", "drop") or (block in ("block", "dodge") and number < JOKER):
        return (setup.content.card(number),)
    return ()


# The components to print


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return all components for a number of Fighters."""
    numbers = PACK.names_in(setup)
    cards = tuple(CardCopies(face=face(setup, number), components=(setup.content.card(number),)) for number in numbers)
    return PaperInventory(
        decks=(PaperDeck(title="The pack", cards=cards, back=BACK),),
        boards=(_board(setup, seats),),
        counters=tuple(
            PaperCounter(title=f"Fighter {seat + 1}", picture=fighter(seat + 1), seat=seat + 1,
                    components=(f"Fighter {seat + 1}",), stands=True)
            for seat in range(seats)
        ),
        turn=_turn(setup),
    )  # fmt: skip


def _board(setup: GameSetup, seats: int) -> Board:
    """Return the hex paper; each start hex has the number of its Fighter (R4)."""
    starts = {place: seat for seat, place in enumerate(setup.content.starts[str(seats)], 1)}
    cells = [ground(number, (), -1) for number in inside(int(setup.params.radius))]
    marked = [replace(cell, text=str(starts.get(cell.at, "")), seat=starts.get(cell.at, 0)) for cell in cells]
    return Board("board", "Hex paper", tuple(marked), hexes=True)


def _turn(setup: GameSetup) -> tuple[str, ...]:
    reveal_only = setup.options["blast_cost"] == "reveal_only"
    blast = "its value is range and attack" if reveal_only else "its value is the range; play a Club to attack"
    return (
        "Highest Momentum goes first. Your Turn: one Action and one Boost.",
        "Strike: play a Spade against a Fighter next to you.",
        f"Charge: play a Club face down. Blast: reveal it; {blast}.",
        "Boost: replace your Momentum and move up to the difference.",
        "Defend: a Diamond subtracts its value; a Heart at least as high as the attack dodges it.",
        "Damage: pay with cards, lose a Charge, get knocked back half as many hexes. No cards left: you're out.",
        "Draw a card whenever you play one, but not when you pay.",
    )


# The studio's preview of a content file: start hexes on the board, and the pack


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
        yield PreviewText(f"With {number} Fighters, the nearest two start {hexes_counted(min(apart))} apart.", "note")
    values = {rank: value for rank, value in content["values"].items() if isinstance(value, int)}
    cards = len(SUITS) * len(values)
    yield PreviewText(f"{cards} cards and {options['jokers']} Jokers.", "strong")
    ranks = sorted(values.items(), key=lambda entry: entry[1])
    yield PreviewBars("Card values", tuple(PreviewBar(rank, value, str(value)) for rank, value in ranks))
