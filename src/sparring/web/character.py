"""What a game looks like of its own: its `theme.css`, a small set of overrides, and its picture."""

from litestar import Response, get
from litestar.params import FromPath

from sparring.engine.game import game as find_game

from .poster import poster, theme


@get("/games/{name:str}/theme.css", include_in_schema=False, sync_to_thread=True)
def character(name: FromPath[str]) -> Response[str]:
    """The game's own styles."""
    return Response(theme(find_game(name)), media_type="text/css", headers={"Cache-Control": "no-cache"})


@get("/games/{name:str}/picture.svg", include_in_schema=False, sync_to_thread=True)
def picture(name: FromPath[str]) -> Response[str]:
    """The game's picture."""
    headers = {"Cache-Control": "max-age=3600"}
    return Response(poster(find_game(name)), media_type="image/svg+xml", headers=headers)
