"""Draw boards as SVG: squares or hexes, tokens, lines and labels."""

from collections.abc import Mapping
from functools import lru_cache
from math import atan2, cos, degrees, hypot, pi, radians, sin, sqrt
from typing import NamedTuple

from markupsafe import Markup

from sparring.engine.glossary import NO_WORDS, Glossary
from sparring.engine.messages import cached_by_language, say

from .card_faces import measure
from .markup import NOTHING, SeatNames, el, join
from .model import Board, Cell, Choosable, Label, Place, Stroke, Token, replace, terms
from .objects import value_of
from .patterns import fill, seat_pattern

#: The side of a square, and a hex's distance from centre to corner.
SQUARE, HEX = 20.0, 12.0
#: The minimum width of a space in pixels, for touch screens.
TOUCH_SIZE = 30

Point = tuple[float, float]
#: The class of a mark for each action to be marked in a picture.
Marks = Mapping[int | None, str]


def centre(board: Board, at: Place | Point) -> Point:
    """Return the centre of a space in the drawing, with y downwards."""
    return _space_centre(board.hexes, board.turns, *at)


# Most parts of a board are the same at all tables and from beat to beat, so their drawings are cached.


@lru_cache(maxsize=8192)
def _space_centre(hexes: bool, turns: int, x: float, y: float) -> Point:
    if hexes:
        return _turned((HEX * sqrt(3) * (x + y / 2), HEX * 1.5 * y), turns * pi / 3)
    return _turned((SQUARE * x, SQUARE * y), turns * pi / 2)


def _turned(point: Point, angle: float) -> Point:
    x, y = point
    return round(x * cos(angle) - y * sin(angle), 2), round(x * sin(angle) + y * cos(angle), 2)


def board_svg(board: Board, names: SeatNames, glossary: Glossary = NO_WORDS) -> Markup:
    """Draw a board. Its choices are buttons, and its other named spaces and tokens can have the focus.

    On an occupied space, the token gets the focus, unless the space can be chosen.
    """
    left, top, width, height = _frame(board)
    occupied = {token.at for token in board.tokens}
    choosable = {cell.at for cell in board.cells if cell.action is not None}
    # Draw choosable spaces last, so that their outlines are above their neighbours.
    ground = [cell for cell in board.cells if cell.action is None]
    ground += [cell for cell in board.cells if cell.action is not None]
    return el(
        "svg",
        join([_cell(cell, board.hexes, board.turns, _words(cell, names), glossary, cell.at not in occupied)
              for cell in ground]),
        _coordinates(board) if board.coordinates else NOTHING,
        _labels(board.labels, board.hexes, board.turns, names),
        join([_stroke(board, stroke) for stroke in board.strokes]),
        join([_token(token, board.hexes, centre(board, token.at), _words(token, names), glossary,
                     token.at not in choosable)
              for token in board.tokens]),
        join([_stroke_text(board, stroke) for stroke in board.strokes if stroke.text]),
        class_="squares" if not board.hexes else "hexes", viewBox=f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}",
        role="group", aria_label=board.title,
    )  # fmt: skip


def minimum_size(board: Board) -> tuple[int, int]:
    """Return the width and height in pixels at which spaces are large enough for touch screens."""
    _, _, width, height = _frame(board)
    scale = TOUCH_SIZE / (HEX * sqrt(3) if board.hexes else SQUARE)
    return round(width * scale), round(height * scale)


def _frame(board: Board) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the drawing."""
    return _bounds(board.hexes, board.turns, tuple([cell.at for cell in board.cells]))


@lru_cache(maxsize=64)
def _bounds(hexes: bool, turns: int, places: tuple[Place, ...]) -> tuple[float, float, float, float]:
    points = [_space_centre(hexes, turns, *at) for at in places]
    across, down = (HEX * sqrt(3) / 2, HEX) if hexes else (SQUARE / 2, SQUARE / 2)
    left, top = min(x for x, _ in points) - across, min(y for _, y in points) - down
    return left, top, max(x for x, _ in points) + across - left, max(y for _, y in points) + down - top


def marked_board(board: Board, names: SeatNames, marks: Marks, seat: int = 0) -> Markup:
    """Draw a board with rings around the choices in `marks`, and an arrow to a space from the token that moves there.

    That is the picked token, or the only one of `seat` (from 1).
    """
    own = [token for token in board.tokens if token.seat == seat]
    mover = next((token for token in board.tokens if token.state == "picked"), own[0] if len(own) == 1 else None)
    over = []
    things: tuple[Cell | Token, ...] = (*board.cells, *board.tokens)
    for thing in things:
        if thing.action not in marks:
            continue
        x, y = point = centre(board, thing.at)
        kind = f"mark {marks[thing.action]}"
        if isinstance(thing, Token):
            over.append(el("circle", cx=x, cy=y, r=9, class_=kind))
            continue
        over.append(el("polygon", points=_outline(point, board.hexes), class_=kind))
        if mover and mover.at != thing.at:
            over.append(el("g", _arrow([centre(board, mover.at), point]), class_=f"{kind} arrow"))
    plain = {
        "cells": tuple(replace(cell, action=None, shortcuts=()) for cell in board.cells),
        "tokens": tuple(replace(token, action=None, shortcuts=()) for token in board.tokens),
    }
    drawn = str(board_svg(replace(board, **plain), names))
    return Markup(f"{drawn.removesuffix('</svg>')}{join(over)}</svg>")


#: The name of a space or token, why it can't be chosen now, and what its button does.
Words = tuple[str, str, str]


def _words(thing: Cell | Token, names: SeatNames) -> Words:
    label = thing.label or (names.of(thing.seat) if isinstance(thing, Token) else "")
    does = thing.words
    if thing.shortcuts and not does:
        does = say("several ways: asks which one") if value_of(thing) is None else thing.shortcuts[0].text
    return names.text(label) if label else "", names.text(thing.why_not) if thing.why_not else "", does


@lru_cache(maxsize=8192)
def _cell(cell: Cell, hexes: bool, turns: int, words: Words, glossary: Glossary, focusable: bool) -> Markup:
    x, y = point = _space_centre(hexes, turns, *cell.at)
    described_by = glossary.ids(terms(cell))
    side = f" s{cell.seat}" if cell.seat else ""
    outline = _outline(point, hexes)
    return el(
        "g",
        el("polygon", points=outline, class_="ground"),
        el("polygon", points=outline, class_="weave", fill=fill(seat_pattern(cell.seat))) if cell.seat else NOTHING,
        el("polygon", points=outline, class_=f"trail {cell.last}") if cell.last else NOTHING,
        _goal(cell.goal, point) if cell.goal else NOTHING,
        el("text", cell.text, x=x, y=y + 2.2, font_size=6) if cell.text else NOTHING,
        _button(cell, point, _radius(hexes), words, described_by),
        class_=f"cell {cell.tone}{side}{_offers(cell)}",
        data_at=f"{cell.at[0]},{cell.at[1]}",
        data_lit=" ".join(key.replace(" ", "-") for key in cell.lit_by) or None,
        **_aria_attributes(cell, words, described_by, focusable),
    )


def _radius(hexes: bool) -> float:
    """Return the radius of the largest circle in a space."""
    return round(HEX * sqrt(3) / 2, 2) if hexes else SQUARE / 2


def _goal(seat: int, point: Point) -> Markup:
    """Draw a goal in its seat's colour."""
    x, y = point
    return el("g", el("circle", cx=x, cy=y, r=6.6), el("circle", cx=x, cy=y, r=2.4), class_=f"goal s{seat}")


def _outline(point: Point, hexes: bool) -> str:
    x, y = point
    if hexes:
        corners = [(x + HEX * sin(radians(60 * i)), y + HEX * cos(radians(60 * i))) for i in range(6)]
    else:
        half = SQUARE / 2
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return " ".join(f"{a:.2f},{b:.2f}" for a, b in corners)


def _aria_attributes(thing: Choosable, words: Words, described_by: str | None, focusable: bool) -> dict[str, object]:
    """Return ARIA attributes for a space or token that isn't a button: its name and why it can't be chosen."""
    label, why_not, _ = words
    if thing.action is not None or thing.shortcuts or not label:
        return {}
    return {"role": "img", "aria_label": label, "aria_description": why_not, "aria_describedby": described_by,
            "tabindex": -1 if focusable else None}  # fmt: skip


def menu_id(thing: Cell | Token) -> str:
    """Return the id of the menu that asks which of several shortcuts to take."""
    return f"shortcuts-{'token' if isinstance(thing, Token) else 'cell'}-{thing.at[0]}-{thing.at[1]}"


def _offers(thing: Choosable) -> str:
    """Return the classes of a space or token: whether it can be chosen, or is the end of a shortcut."""
    return " can" if thing.action is not None else " direct" if thing.shortcuts else ""


def _button(thing: Cell | Token, point: Point, radius: float, words: Words, described_by: str | None) -> Markup:
    """Return an HTML button over a shape, which works by keyboard and without JavaScript; nothing if it has no choice.

    With several shortcuts it opens their menu.
    """
    x, y = point
    value = value_of(thing)
    if value is None and not thing.shortcuts:
        return NOTHING
    label, _, does = words
    kind: dict[str, object] = {"type": "submit", "name": "choice", "value": value}
    if value is None:
        kind = {"type": "button", "popovertarget": menu_id(thing)}
    button = el("button", **kind, aria_label=label or does, aria_description=does if label and does != label else None,
                aria_describedby=described_by)  # fmt: skip
    return el("foreignObject", button, x=x - radius, y=y - radius, width=2 * radius, height=2 * radius)


@lru_cache(maxsize=2048)
def _token(token: Token, hexes: bool, point: Point, words: Words, glossary: Glossary, focusable: bool) -> Markup:
    """Draw a token in its seat's colour and pattern. Its button is as large as a space, for fingers."""
    described_by = glossary.ids(terms(token))
    return el(
        "g",
        Markup(token.picture.svg) if token.picture else disc(token),
        _button(token, (0, 0), _radius(hexes), words, described_by),
        class_=f"token s{token.seat} {token.state}{_offers(token)}",
        transform=f"translate({point[0]} {point[1]})", data_key=token.key,
        **_aria_attributes(token, words, described_by, focusable),
    )  # fmt: skip


def disc(token: Token) -> Markup:
    """Draw a token without a picture: a disc in its seat's colour and pattern, with its text or seat number."""
    return join([
        el("circle", r=7.6, class_="rim"),
        el("circle", r=7, class_="disc"),
        el("circle", r=7, fill=fill(seat_pattern(token.seat))),
        el("circle", r=4.4, class_="plate"),
        el("text", token.text or str(token.seat), y=2.4, font_size=6.6),
    ])  # fmt: skip


def _stroke(board: Board, stroke: Stroke) -> Markup:
    drawn = _arrow([centre(board, at) for at in stroke.places], head=stroke.arrow)
    return el("g", drawn, class_=f"stroke s{stroke.seat}", data_key=stroke.key)


def _arrow(points: list[Point], *, head: bool = True) -> Markup:
    """Draw a line through some points, with an arrowhead at its end."""
    line = el("polyline", points=" ".join(f"{a},{b}" for a, b in points))
    return line + el("polygon", points="3,0 -4,-3.5 -4,3.5", transform=_heading(points)) if head else line


def _stroke_text(board: Board, stroke: Stroke) -> Markup:
    """Draw a line's text at its midpoint, above everything else."""
    (x, y), (a, b) = centre(board, stroke.places[0]), centre(board, stroke.places[-1])
    words = el("text", stroke.text, x=(x + a) / 2, y=(y + b) / 2 - 2, font_size=7)
    return el("g", words, class_=f"stroke s{stroke.seat}")


class EdgeNames(NamedTuple):
    """The names of the column and row of a square as drawn: below or above it, and beside it; empty off the edge."""

    below: str
    beside: str
    above: str
    across: str


@lru_cache(maxsize=64)
def edge_names(turns: int, places: tuple[Place, ...]) -> dict[Place, EdgeNames]:
    """Return the names of columns and rows for the squares along the edges of a board, as it is turned."""
    left, top, width, height = _bounds(False, turns, places)
    found = {}
    for at in places:
        (x, y), letter, number = _space_centre(False, turns, *at), chr(ord("a") + at[0]), str(at[1] + 1)
        vertical, level = (letter, number) if turns % 2 == 0 else (number, letter)
        names = EdgeNames(
            vertical if y > top + height - SQUARE else "", level if x < left + SQUARE else "",
            vertical if y < top + SQUARE else "", level if x > left + width - SQUARE else "",
        )  # fmt: skip
        if any(names):
            found[at] = names
    return found


def _coordinates(board: Board) -> Markup:
    if board.hexes:
        return _hex_names(board.turns, tuple([(cell.at, cell.name) for cell in board.cells]))
    return _square_coordinates(board.turns, tuple([cell.at for cell in board.cells]))


@lru_cache(maxsize=64)
def _hex_names(turns: int, names: tuple[tuple[Place, str], ...]) -> Markup:
    """Draw the name of each hex near its lower corner, where tokens leave room."""
    centres = [(_space_centre(True, turns, *at), name) for at, name in names]
    drawn = [el("text", name, x=x, y=round(y + HEX * 0.66, 2), font_size=4) for (x, y), name in centres]
    return el("g", join(drawn), class_="coordinates", aria_hidden="true")


@lru_cache(maxsize=64)
def _square_coordinates(turns: int, places: tuple[Place, ...]) -> Markup:
    """Draw the names of all columns and rows, along the bottom and along the left edge.

    They are in the corners of the squares that face the middle of the board, where they are clear of its labels.
    """
    drawn = []
    for at, names in edge_names(turns, places).items():
        x, y = _space_centre(False, turns, *at)
        if names.below:
            drawn.append(_coordinate(names.below, x - SQUARE * 0.34, y - SQUARE * 0.24))
        if names.beside:
            drawn.append(_coordinate(names.beside, x + SQUARE * 0.34, y + SQUARE * 0.43))
    return el("g", join(drawn), class_="coordinates", aria_hidden="true")


def _coordinate(text: str, x: float, y: float) -> Markup:
    return el("text", text, x=f"{x:.1f}", y=f"{y:.1f}", font_size=5)


@cached_by_language(512)
def _labels(labels: tuple[Label, ...], hexes: bool, turns: int, names: SeatNames) -> Markup:
    """Draw the labels of a board with these players' names."""
    return join(_label(label, hexes, turns, names.text(label.text)) for label in labels)


def _label(label: Label, hexes: bool, turns: int, words: str) -> Markup:
    """Draw text along a line, never upside down and never longer than the line."""
    begin, end = label.ends
    (x, y), (a, b) = _space_centre(hexes, turns, *begin), _space_centre(hexes, turns, *end)
    angle, length, size = degrees(atan2(b - y, a - x)), hypot(a - x, b - y), 6.4
    turn = angle - 180 if abs(angle) > 91 else angle
    return el(
        "text", words, y=2.2, font_size=size, class_=f"label{f' s{label.seat}' if label.seat else ''}",
        textLength=f"{length:.1f}" if 0 < length < measure(words) * size else None, lengthAdjust="spacingAndGlyphs",
        transform=f"translate({(x + a) / 2:.2f} {(y + b) / 2:.2f}) rotate({turn:.1f})",
    )  # fmt: skip


def _heading(points: list[Point]) -> str:
    """Return the transform that places and turns an arrowhead."""
    (x, y), (a, b) = points[-2:]
    return f"translate({a} {b}) rotate({degrees(atan2(b - y, a - x)):.1f})"
