"""Serve a game's own styles (`theme.css`) and pictures."""

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from sparring.engine.examples import examples
from sparring.engine.game import game as find_game

from .game_pictures import drawn_example, poster, theme


@get("/games/{name:str}/theme.css", include_in_schema=False, sync_to_thread=True)
def theme_css(name: FromPath[str]) -> Response[str]:
    """Return the game's own styles."""
    return Response(theme(find_game(name)), media_type="text/css", headers={"Cache-Control": "no-cache"})


@get("/games/{name:str}/picture.svg", include_in_schema=False, sync_to_thread=True)
def picture(name: FromPath[str]) -> Response[str]:
    """Return the game's poster."""
    headers = {"Cache-Control": "max-age=3600"}
    return Response(poster(find_game(name)), media_type="image/svg+xml", headers=headers)


@get("/games/{name:str}/examples/{number:int}", include_in_schema=False, sync_to_thread=True)
def example(name: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Return the picture of an example in the rules, counted from 1."""
    game = find_game(name)
    if not 0 < number <= len(examples(game)):
        raise NotFoundException(f"The rules of {game.title} have no example {number}.")
    headers = {"Cache-Control": "max-age=3600"}
    return Response(drawn_example(game, number), media_type="image/svg+xml", headers=headers)
