"""Pictures of people's own on the cards of a game.

A game says of a card only which picture is its own. In what is drawn of it the picture stands as a reference to its
name; whoever sends the drawing somewhere puts in its place where the picture is to be had, or the picture itself.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from markupsafe import Markup

from sparring.engine.formats.card_pictures import Photo, Sketch, name_of, read_picture
from sparring.scene.model import Picture

from .strokes import sketch_svg

#: Where a picture stands; nobody else can write this, because quotes of texts are escaped.
_PLACE = re.compile(r'<image href="picture:([0-9a-f]{32})" width="100" height="100"></image>')


@lru_cache(maxsize=512)
def own_picture(text: str) -> Picture | None:
    """The picture of a card whose content says `text`; None if it has none of its own."""
    name = name_of(text)
    mark = f'<image href="picture:{name}" width="100" height="100"></image>'
    return Picture(f"own {name}", mark) if text else None


def by_address(drawing: Markup, address: Callable[[str], str]) -> Markup:
    """A drawing in which every picture is to be had at the address of its name."""
    if "picture:" not in drawing:
        return drawing
    return Markup(_PLACE.sub(
        lambda found: f'<image href="{address(found[1])}" width="100" height="100"></image>', str(drawing)
    ))  # fmt: skip


def in_place(drawing: str, pictures: Mapping[str, str]) -> str:
    """A drawing in which every picture stands itself, for paper; `pictures` are texts by their names."""
    return _PLACE.sub(lambda found: inline(pictures[found[1]]) if found[1] in pictures else "", drawing)


def inline(text: str) -> Markup:
    """A picture as a part of a larger drawing, 100 x 100."""
    picture = read_picture(text)
    if isinstance(picture, Sketch):
        return sketch_svg(picture, width=100, height=100)
    data = picture.text.removeprefix("image webp ")
    return Markup(f'<image href="data:image/webp;base64,{data}" width="100" height="100"></image>')


def file_of(text: str) -> tuple[str, bytes]:
    """A picture as a file of its own: what it is, and its bytes."""
    picture = read_picture(text)
    if isinstance(picture, Photo):
        return "image/webp", picture.data
    return "image/svg+xml", str(sketch_svg(picture, xmlns="http://www.w3.org/2000/svg")).encode()
