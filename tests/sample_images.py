"""Generated images for tests."""

import io
from functools import cache
from typing import Any

from PIL import Image

from sparring.engine.formats.card_pictures import Photo


def image_file(form: str, width: int = 40, height: int = 30, colour: str = "#c33", **more: Any) -> bytes:
    """Return an image of two colours as a file; `append` adds frames."""
    image = Image.new("RGBA" if form in ("PNG", "WEBP") else "RGB", (width, height), colour)
    image.paste("#3366cc", (0, 0, width // 2, height // 2))
    frames = more.pop("append", 0)
    if frames:
        more["append_images"] = [Image.new(image.mode, (width, height), shade) for shade in ("#0f0", "#ff0")][:frames]
    written = io.BytesIO()
    image.save(written, form, **more)
    return written.getvalue()


@cache
def photo(width: int = 40, height: int = 30, colour: str = "#c33", **more: Any) -> str:
    """Return an image as a content file stores it; `more` can ask for invalid ones."""
    return Photo(image_file("WEBP", width, height, colour, **more), width, height).text
