"""Images that people brought, in black ink."""

import io

from sparring.engine.formats.card_pictures import Photo, read_picture


def greyed(text: str) -> str:
    """A picture without its colours; strokes are turned grey with everything else that is drawn."""
    picture = read_picture(text)
    if not isinstance(picture, Photo):
        return text
    from PIL import Image

    written = io.BytesIO()
    with Image.open(io.BytesIO(picture.data)) as image:
        image.convert("LA").convert("RGBA").save(written, "WEBP", quality=80, method=4)
    return Photo(written.getvalue(), picture.width, picture.height).text
