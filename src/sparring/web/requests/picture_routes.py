"""The pictures that people made, as they are sent: each to those alone who were shown its address."""

from functools import lru_cache

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.scene.pictures import file_of
from sparring.web.security.picture_urls import PictureUrls

from .identity_and_errors import TheTables

Key = FromPath[str]

#: A picture never changes, so whoever has it keeps it, for themselves. Opened as a page of its own it is a picture and
#: nothing else: nothing in it may run or be fetched.
HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def sent(gallery: PictureUrls, key: str) -> Response[bytes]:
    """The picture at an address."""
    text = gallery.text(key)
    if text is None:
        raise NotFoundException("There is no such picture here.")
    kind, data = file_of(text)
    return Response(data, media_type=kind, headers=HEADERS)


@lru_cache(maxsize=64)
def gallery_of(game: Game) -> PictureUrls:
    """The pictures in the content that a game comes with, which anybody may see."""
    return PictureUrls("", f"game {game.name}", pictures_in(game.content))


@get("/games/{name:str}/pictures/{key:str}", include_in_schema=False)
async def of_game(name: Key, key: Key) -> Response[bytes]:
    """A picture on a card that a game comes with."""
    return sent(gallery_of(find_game(name)), key)


@get("/table/{table_id:str}/pictures/{key:str}", include_in_schema=False)
async def at_table(tables: TheTables, table_id: Key, key: Key) -> Response[bytes]:
    """A picture on a card that somebody was shown at a table."""
    return sent((await tables.get(table_id)).gallery, key)
