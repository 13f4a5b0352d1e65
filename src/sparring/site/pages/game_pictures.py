"""Pictures of a game: its poster (board and a fan of cards) and the examples in its rules."""

import random
import re
from functools import lru_cache

from markupsafe import Markup

from sparring.engine.examples import examples
from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Box, Game
from sparring.engine.match import Match
from sparring.scene import Board, Card, Face, PrintableScene, things
from sparring.scene.boards import board_svg
from sparring.scene.card_faces import HEIGHT, WIDTH, face_svg
from sparring.scene.html import definitions
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.pictures import embed_pictures
from sparring.scene.svg import render, sized, styles

#: The seed of the match on the poster, and the number of choices made in it.
SEED, CHOICES = 1, 12

#: The poster's width and height in SVG units, and the angle between two cards of a fan in degrees.
POSTER_WIDTH, POSTER_HEIGHT = 320, 180
FAN_ANGLE = 11
#: The width of an example in the rules, in pixels.
EXAMPLE_WIDTH = 480


@lru_cache(maxsize=64)
def poster(box: Box) -> str:
    """Return the poster of a game with its content as a standalone SVG."""
    match, game = sample_match(box), box.game
    scene = match.view(match.seat or 1).scene
    board = next((thing for thing in things(scene) if isinstance(thing, Board)), None)
    faces = _faces(match, scene)
    parts = [fan(faces[:5], POSTER_WIDTH / 2, 100)]
    if board is not None:
        parts = [whole_board(board, POSTER_WIDTH * (0.36 if faces else 0.5)), fan(faces[:3], POSTER_WIDTH * 0.81, 70)]
    drawing = str(el(
        "svg", el("style", Markup(styles() + theme(game))), definitions(scene),
        el("rect", width=POSTER_WIDTH, height=POSTER_HEIGHT, fill="var(--poster, var(--paper))"), join(parts),
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {POSTER_WIDTH} {POSTER_HEIGHT}",
        class_=f"scene game-{game.name}",
    ))  # fmt: skip
    return embed_pictures(drawing, pictures_in(box.content))


@lru_cache(maxsize=256)
def drawn_example(box: Box, number: int) -> str:
    """Return the picture of an example in the rules, counted from 1, as a standalone SVG; empty if there is none."""
    example = examples(box)[number - 1] if 0 < number <= len(examples(box)) else None
    if example is None:
        return ""
    drawing = render(example.scene, style=theme(box.game), parts=example.parts, width=EXAMPLE_WIDTH)
    return embed_pictures(drawing, pictures_in(box.content))


def sample_match(box: Box) -> Match:
    """Return a match after `CHOICES` random choices."""
    match = Match.deal(box, box.game.seats[0], SEED)
    rng = random.Random(SEED)
    for _ in range(CHOICES):
        actions = [action for action in match.legal() if action not in box.game.conceding]
        if actions:
            match.choose(rng.choice(actions))
    return match


def theme(game: Game) -> str:
    """Return the `theme.css` in the game's folder, or an empty string without one."""
    file = game.folder / "theme.css"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def fan(faces: list[Face], centre: float, width: float) -> Markup:
    """Draw cards as a fan, rotated around a point below the poster."""
    height = width * HEIGHT / WIDTH
    left, top = centre - width / 2, (POSTER_HEIGHT - height) / 2 + 8

    def rotated(place: int, face: Face) -> Markup:
        angle = FAN_ANGLE * (place - (len(faces) - 1) / 2)
        rotation = f"rotate({angle:g} {centre:g} {top + 2 * height:g})"
        return el("g", sized(face_svg(face), width, height), transform=f"{rotation} translate({left:g} {top:g})")

    return join(rotated(place, face) for place, face in enumerate(faces))


def whole_board(board: Board, centre: float) -> Markup:
    """Draw the whole board, scaled to fit the poster."""
    drawing = board_svg(board, SeatNames())
    match = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing)
    width, height = (float(match[1]), float(match[2])) if match else (1.0, 1.0)
    scale = min(POSTER_WIDTH * 0.66 / width, (POSTER_HEIGHT - 16) / height)
    left, top = centre - width * scale / 2, (POSTER_HEIGHT - height * scale) / 2
    return el(
        "g", sized(drawing, width * scale, height * scale), class_="board",
        transform=f"translate({left:.1f} {top:.1f})",
    )  # fmt: skip


def _faces(match: Match, scene: PrintableScene) -> list[Face]:
    """Return the faces of the players' cards, then those of other visible cards, each card once.

    Each player's cards are as that player sees them: a card in another hand can be drawn turned around.
    """
    hands = [match.view(seat).scene.hand for seat in range(1, match.seats + 1)]
    cards = [thing for part in (*hands, scene) for thing in things(part) if isinstance(thing, Card)]
    by_title: dict[str, Face] = {}
    for card in cards:
        if card.face:
            by_title.setdefault(card.face.title, card.face)
    return list(by_title.values())
