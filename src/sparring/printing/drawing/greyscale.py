"""Convert custom images to greyscale, for black ink."""

import io

from sparring.engine.formats.card_pictures import Photo, read_picture


def to_greyscale(text: str) -> str:
    """Return a photo in greyscale; sketches stay as they are, because `Styles` greys their strokes."""
    picture = read_picture(text)
    if not isinstance(picture, Photo):
        return text
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(picture.data)) as image:
        image.convert("LA").convert("RGBA").save(out, "WEBP", quality=80, method=4)
    return Photo(out.getvalue(), picture.width, picture.height).text
