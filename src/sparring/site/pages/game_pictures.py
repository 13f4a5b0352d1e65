"""Pictures and styles: a game's poster, examples, own styles and surface, and pictures that people made.

The poster shows the board and a fan of cards. People's pictures have addresses that only their viewers know.
"""

import random
import re
from functools import cache, lru_cache
from importlib.resources import files

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from markupsafe import Markup

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.engine.messages import cached_by_language
from sparring.engine.texts import examples
from sparring.scene import Board, Card, Face, PrintableScene, things
from sparring.scene.boards import board_svg
from sparring.scene.card_faces import HEIGHT, WIDTH, face_svg
from sparring.scene.html import definitions
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.pictures import embed_pictures, picture_file
from sparring.scene.svg import render, sized, styles
from sparring.server.requests.identity import TablesDep
from sparring.tables.workers.uploads import PictureUrls

#: The seed of the match on the poster, and the number of choices made in it.
SEED, CHOICES = 1, 12

#: The poster's width and height in SVG units, and the angle between two cards of a fan in degrees.
POSTER_WIDTH, POSTER_HEIGHT = 320, 180
FAN_ANGLE = 11
#: The width of an example in the rules, in pixels.
EXAMPLE_WIDTH = 480

SURFACE_TYPES = {".css": "text/css", ".svg": "image/svg+xml"}
Key = FromPath[str]
#: A picture never changes, so browsers may cache it privately. Opened on its own it can't run or load anything.
HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@cached_by_language(64)
def poster(setup: GameSetup) -> str:
    """Return the poster of a game with its content as a standalone SVG."""
    match, game = sample_match(setup), setup.game
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
    return embed_pictures(drawing, pictures_in(setup.content))


@cached_by_language(256)
def drawn_example(setup: GameSetup, number: int) -> str:
    """Return the picture of an example in the rules, counted from 1, as a standalone SVG; empty if there is none."""
    example = examples(setup)[number - 1] if 0 < number <= len(examples(setup)) else None
    if example is None:
        return ""
    drawing = render(example.scene, style=theme(setup.game), parts=example.parts, width=EXAMPLE_WIDTH)
    return embed_pictures(drawing, pictures_in(setup.content))


def sample_match(setup: GameSetup) -> Match:
    """Return a match after `CHOICES` random choices."""
    match = Match.deal(setup, setup.game.seats[0], SEED)
    rng = random.Random(SEED)
    for _ in range(CHOICES):
        actions = [action for action in match.legal() if action not in setup.game.conceding]
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


@get("/games/{name:str}/theme.css", sync_to_thread=True)
def theme_css(name: FromPath[str]) -> Response[str]:
    """Return the game's own styles."""
    return Response(theme(find_game(name)), media_type="text/css", headers={"Cache-Control": "no-cache"})


@get("/games/{name:str}/table_art/{file:str}", sync_to_thread=True)
def surface_file(name: FromPath[str], file: FromPath[str]) -> Response[str]:
    """Return a file of the game's table surface: `surface.css`, or a picture that it uses."""
    game = find_game(name)
    found = table_art(game).get(file)
    if found is None:
        raise NotFoundException(f"The surface of {game.title} has no file {file}.")
    media_type = SURFACE_TYPES[file[file.rindex(".") :]]
    return Response(found, media_type=media_type, headers={"Cache-Control": "no-cache"})


@cache
def table_art(game: Game) -> dict[str, str]:
    """Return the files in the `table_art` folder of a game by name; without a folder, those of the neutral table."""
    folder = game.folder / "table_art"
    own = folder if folder.is_dir() else files("sparring") / "site" / "static" / "table_art"
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in own.iterdir()
        if file.name.endswith(tuple(SURFACE_TYPES))
    }


@get("/games/{name:str}/picture.svg", sync_to_thread=True)
def picture(name: FromPath[str]) -> Response[str]:
    """Return the game's poster."""
    return drawing(poster(find_game(name).setup()))


@get("/games/{name:str}/examples/{number:int}", sync_to_thread=True)
def example(name: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Return the picture of an example in the rules of the recommended variant, counted from 1."""
    return example_picture(find_game(name).recommended_setup, number)


def example_picture(setup: GameSetup, number: int) -> Response[str]:
    """Return the picture of an example in the rules, counted from 1."""
    if not (drawn := drawn_example(setup, number)):
        raise NotFoundException(f"The rules of {setup.title} have no example {number}.")
    return drawing(drawn)


def drawing(svg: str) -> Response[str]:
    """Return a drawing that browsers keep for an hour."""
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


def picture_response(gallery: PictureUrls, key: str) -> Response[bytes]:
    """Return the picture at an address."""
    text = gallery.text(key)
    if text is None:
        raise NotFoundException("This picture doesn't exist.")
    kind, data = picture_file(text)
    return Response(data, media_type=kind, headers=HEADERS)


@lru_cache(maxsize=64)
def gallery_of(game: Game) -> PictureUrls:
    """Return the pictures in a game's own content, which are public."""
    return PictureUrls("", f"game {game.name}", pictures_in(game.content))


@get("/games/{name:str}/pictures/{key:str}")
async def of_game(name: Key, key: Key) -> Response[bytes]:
    """Return a picture on a card of a game."""
    return picture_response(gallery_of(find_game(name)), key)


@get("/table/{table_id:str}/pictures/{key:str}")
async def at_table(tables: TablesDep, table_id: Key, key: Key) -> Response[bytes]:
    """Return a picture on a card that was shown at a table."""
    return picture_response((await tables.registry.get(table_id)).gallery, key)
