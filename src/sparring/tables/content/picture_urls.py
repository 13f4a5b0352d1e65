"""Picture URLs: unguessable addresses for pictures that people made."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Box
from sparring.scene.pictures import link_pictures


class PictureUrls:
    """The pictures of one table or set, at addresses derived from the server's secret.

    Only pages that show a picture reveal its address: knowing the picture, or its set, doesn't help. `texts` are the
    pictures by name.
    """

    def __init__(self, secret: str, place: str, texts: Mapping[str, str]) -> None:
        self._secret, self._place = secret.encode()[:64], place.encode()
        #: The secret part of each picture's address, by its name.
        self.keys = {name: self._key(name) for name in texts}
        self._texts = {key: texts[name] for name, key in self.keys.items()}

    def _key(self, name: str) -> str:
        return hashlib.blake2b(self._place + b"\0" + name.encode(), key=self._secret, digest_size=16).hexdigest()

    def with_addresses(self, drawing: Markup, path: str) -> Markup:
        """Return a drawing with the address of every picture, below `path`."""
        return link_pictures(drawing, lambda name: f"{path}/{self.keys.get(name, 'none')}") if self.keys else drawing

    def text(self, key: str) -> str | None:
        """Return the picture at an address."""
        return self._texts.get(key)


@lru_cache(maxsize=64)
def pictures_of(box: Box) -> Mapping[str, str]:
    """Return all pictures of a box's content, cached for all tables that use it."""
    return pictures_in(box.content)
