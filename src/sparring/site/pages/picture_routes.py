"""Serve pictures that people made, at addresses that only their viewers know."""

from functools import lru_cache

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.scene.pictures import picture_file
from sparring.server.requests.identity import TablesDep
from sparring.tables.content.picture_urls import PictureUrls

Key = FromPath[str]

#: A picture never changes, so browsers may cache it privately. Opened on its own it can't run or load anything.
HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
}


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


@get("/games/{name:str}/pictures/{key:str}", include_in_schema=False)
async def of_game(name: Key, key: Key) -> Response[bytes]:
    """Return a picture on a card of a game."""
    return picture_response(gallery_of(find_game(name)), key)


@get("/table/{table_id:str}/pictures/{key:str}", include_in_schema=False)
async def at_table(tables: TablesDep, table_id: Key, key: Key) -> Response[bytes]:
    """Return a picture on a card that was shown at a table."""
    return picture_response((await tables.registry.get(table_id)).gallery, key)
