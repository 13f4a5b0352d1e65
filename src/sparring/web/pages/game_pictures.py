"""Pictures of a game: a small one, its board and a fan of the cards that a seat holds, and those in its rules."""

import random
import re
from functools import cache

from markupsafe import Markup

from sparring.engine.examples import examples
from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.scene import Board, Card, Face, PrintableScene, things
from sparring.scene.boards import board_svg
from sparring.scene.card_faces import HEIGHT, WIDTH, face_svg
from sparring.scene.html import definitions
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.pictures import in_place
from sparring.scene.svg import render, sized, styles

#: Which match is shown, and after how many choices.
SEED, CHOICES = 1, 12

#: The size of the picture, and how far the cards of a fan stand apart (degrees).
ACROSS, HIGH = 320, 180
SPREAD = 11
#: How wide the examples in the rules are drawn.
EXAMPLE = 480


@cache
def poster(game: Game) -> str:
    """The picture as a standalone SVG."""
    shown = some_scene(game)
    board = next((thing for thing in things(shown) if isinstance(thing, Board)), None)
    faces = list(dict.fromkeys(_faces(shown)))
    parts = [fan(faces[:5], ACROSS / 2, 100)]
    if board is not None:
        parts = [whole_board(board, ACROSS * (0.36 if faces else 0.5)), fan(faces[:3], ACROSS * 0.81, 70)]
    return _with_pictures(game, str(el(
        "svg", el("style", Markup(styles() + theme(game))), definitions(shown),
        el("rect", width=ACROSS, height=HIGH, fill="var(--paper)"), join(parts),
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {ACROSS} {HIGH}", class_=f"scene game-{game.name}",
    )))  # fmt: skip


@cache
def drawn_example(game: Game, number: int) -> str:
    """The picture of an example in the rules, counted from 1, as a standalone SVG."""
    example = examples(game)[number - 1]
    return _with_pictures(game, render(example.scene, style=theme(game), parts=example.parts, width=EXAMPLE))


def _with_pictures(game: Game, drawing: str) -> str:
    """A drawing with the pictures in the content that a game comes with."""
    return in_place(drawing, pictures_in(game.content))


def some_scene(game: Game) -> PrintableScene:
    """A match some choices after its beginning, as the seat that is to choose sees it."""
    match = Match.deal(game.box(), game.seats[0], SEED)
    dice = random.Random(SEED)
    for _ in range(CHOICES):
        after = [action for action in match.legal() if action not in game.conceding]
        if after:
            match.choose(dice.choice(after))
    return match.view(match.seat or 1).scene  # type: ignore[no-any-return]


def theme(game: Game) -> str:
    """The game's own styles, from the `theme.css` in its folder; none if it has no such file."""
    file = game.folder / "theme.css"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def fan(faces: list[Face], middle: float, width: float) -> Markup:
    """Cards held like a hand, around a point below the picture."""
    high = width * HEIGHT / WIDTH
    left, top = middle - width / 2, (HIGH - high) / 2 + 8

    def held(place: int, face: Face) -> Markup:
        turn = SPREAD * (place - (len(faces) - 1) / 2)
        return el("g", sized(face_svg(face), width, high),
                  transform=f"rotate({turn:g} {middle:g} {top + 2 * high:g}) translate({left:g} {top:g})")  # fmt: skip

    return join(held(place, face) for place, face in enumerate(faces))


def whole_board(board: Board, middle: float) -> Markup:
    """The board as high as the picture allows."""
    drawing = board_svg(board, SeatNames())
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing)
    across, high = (float(found[1]), float(found[2])) if found else (1.0, 1.0)
    scale = min(ACROSS * 0.66 / across, (HIGH - 16) / high)
    left, top = middle - across * scale / 2, (HIGH - high * scale) / 2
    return el(
        "g", sized(drawing, across * scale, high * scale), class_="board", transform=f"translate({left:.1f} {top:.1f})"
    )


def _faces(shown: PrintableScene) -> list[Face]:
    """What can be seen of cards, those in the hand first."""
    cards = [thing for part in (shown.hand, shown) for thing in things(part) if isinstance(thing, Card)]
    return [card.face for card in cards if card.face]
