"""Serve a game's own styles (`theme.css`), the surface of its table and pictures."""

from functools import cache
from importlib.resources import files

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from sparring.engine.game import Box, Game
from sparring.engine.game import game as find_game

from .game_pictures import drawn_example, poster, theme


@get("/games/{name:str}/theme.css", include_in_schema=False, sync_to_thread=True)
def theme_css(name: FromPath[str]) -> Response[str]:
    """Return the game's own styles."""
    return Response(theme(find_game(name)), media_type="text/css", headers={"Cache-Control": "no-cache"})


SURFACE_TYPES = {".css": "text/css", ".svg": "image/svg+xml"}


@get("/games/{name:str}/surface/{file:str}", include_in_schema=False, sync_to_thread=True)
def surface_file(name: FromPath[str], file: FromPath[str]) -> Response[str]:
    """Return a file of the game's table surface: `surface.css`, or a picture that it uses."""
    game = find_game(name)
    found = surface(game).get(file)
    if found is None:
        raise NotFoundException(f"The surface of {game.title} has no file {file}.")
    media_type = SURFACE_TYPES[file[file.rindex(".") :]]
    return Response(found, media_type=media_type, headers={"Cache-Control": "no-cache"})


@cache
def surface(game: Game) -> dict[str, str]:
    """Return the files in the `surface` folder of a game by name; without a folder, those of the neutral table."""
    folder = game.folder / "surface"
    own = folder if folder.is_dir() else files("sparring") / "site" / "static" / "surface"
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in own.iterdir()
        if file.name.endswith(tuple(SURFACE_TYPES))
    }


@get("/games/{name:str}/picture.svg", include_in_schema=False, sync_to_thread=True)
def picture(name: FromPath[str]) -> Response[str]:
    """Return the game's poster."""
    return drawing(poster(find_game(name).box()))


@get("/games/{name:str}/examples/{number:int}", include_in_schema=False, sync_to_thread=True)
def example(name: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Return the picture of an example in the rules of the recommended variant, counted from 1."""
    return example_picture(find_game(name).recommended_box, number)


def example_picture(box: Box, number: int) -> Response[str]:
    """Return the picture of an example in the rules, counted from 1."""
    if not (drawn := drawn_example(box, number)):
        raise NotFoundException(f"The rules of {box.title} have no example {number}.")
    return drawing(drawn)


def drawing(svg: str) -> Response[str]:
    """Return a drawing that browsers keep for an hour."""
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})
