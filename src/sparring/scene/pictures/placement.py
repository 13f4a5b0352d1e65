"""Place custom pictures on cards.

A game only states which custom picture a card has, and its drawing refers to the picture by name. Before a drawing is
sent, the reference is replaced by the picture's URL or by the picture itself.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from markupsafe import Markup

from sparring.engine.formats.card_pictures import Photo, Sketch, name_of, read_picture
from sparring.scene.model import Picture

from .strokes import sketch_svg

#: A reference to a picture. User text can't contain one, because its quotes are escaped.
_PLACE = re.compile(r'<image href="picture:([0-9a-f]{32})" width="100" height="100"></image>')


@lru_cache(maxsize=512)
def custom_picture(text: str) -> Picture | None:
    """Return a reference to the picture that content describes by `text`; None if that is empty."""
    name = name_of(text)
    mark = f'<image href="picture:{name}" width="100" height="100"></image>'
    return Picture(f"own {name}", mark) if text else None


def link_pictures(drawing: Markup, address: Callable[[str], str]) -> Markup:
    """Replace references by links; `address` maps a picture's name to its URL."""
    if "picture:" not in drawing:
        return drawing
    return Markup(_PLACE.sub(
        lambda found: f'<image href="{address(found[1])}" width="100" height="100"></image>', str(drawing)
    ))  # fmt: skip


def embed_pictures(drawing: str, pictures: Mapping[str, str]) -> str:
    """Replace references by the pictures themselves, for print; `pictures` maps names to texts."""
    return _PLACE.sub(lambda found: inline(pictures[found[1]]) if found[1] in pictures else "", drawing)


def inline(text: str) -> Markup:
    """Return a picture for embedding in a drawing, 100 x 100."""
    picture = read_picture(text)
    if isinstance(picture, Sketch):
        return sketch_svg(picture, width=100, height=100)
    data = picture.text.removeprefix("image webp ")
    return Markup(f'<image href="data:image/webp;base64,{data}" width="100" height="100"></image>')


def picture_file(text: str) -> tuple[str, bytes]:
    """Return a picture as a file: its media type and bytes."""
    picture = read_picture(text)
    if isinstance(picture, Photo):
        return "image/webp", picture.data
    return "image/svg+xml", str(sketch_svg(picture, xmlns="http://www.w3.org/2000/svg")).encode()
