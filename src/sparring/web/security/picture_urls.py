"""The addresses of the pictures that people made: whoever was not shown one cannot work out where it is to be had."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Box
from sparring.scene.pictures import by_address


class PictureUrls:
    """The pictures of one table or set, each at an address of its own that hangs on the server's secret.

    A picture stands in what somebody is shown, or its address is nowhere: knowing the picture, or the set it is from,
    does not help. `texts` are pictures by their names.
    """

    def __init__(self, secret: str, place: str, texts: Mapping[str, str]) -> None:
        self._secret, self._place = secret.encode()[:64], place.encode()
        self._keys = {name: self._key(name) for name in texts}
        self._texts = {key: texts[name] for name, key in self._keys.items()}

    def _key(self, name: str) -> str:
        return hashlib.blake2b(self._place + b"\0" + name.encode(), key=self._secret, digest_size=16).hexdigest()

    def hung(self, drawing: Markup, path: str) -> Markup:
        """A drawing in which every picture is to be had under `path`."""
        return by_address(drawing, lambda name: f"{path}/{self._keys.get(name, 'none')}") if self._keys else drawing

    def text(self, key: str) -> str | None:
        """The picture at an address."""
        return self._texts.get(key)


@lru_cache(maxsize=64)
def pictures_of(box: Box) -> Mapping[str, str]:
    """All pictures of what is played with, looked for once for all tables that share an opened box."""
    return pictures_in(box.content)
