"""The process in which an image that somebody brought is decoded, and written anew from its pixels alone."""

import io
import sys
import warnings
from collections.abc import Iterator

from PIL import Image, ImageOps, UnidentifiedImageError

from sparring.engine.formats.card_pictures import LONGEST_PICTURE, Photo
from sparring.web.bots.bot_worker import answer_all
from sparring.web.security.upload_sandbox import bound_memory

from .image_uploads import SIDE, BroughtImage, DecodedImage

#: What may be brought. A drawing in SVG is a program, and is no image here.
FORMS = ("PNG", "JPEG", "WEBP")
#: How large and how good it may be written: the first that is short enough.
SIZES = (480, 400, 320, 240, 160)
QUALITIES = (84, 72, 58, 44)
#: How much memory decoding may take (bytes): the largest image in colour with transparency, a few times over.
MEMORY = 640 * 1024 * 1024

UNREADABLE = "This image cannot be read; bring a PNG, a JPEG or a WebP."


def main() -> None:
    """Answer until the input ends."""
    Image.init()
    bound_memory(MEMORY)
    answer_all(BroughtImage, developed)


def developed(brought: BroughtImage) -> DecodedImage:
    """The picture of an image; of one that moves the first."""
    if not brought.data:
        return DecodedImage()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            Image.MAX_IMAGE_PIXELS = SIDE * SIDE
            return _developed(brought.data)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return DecodedImage(problem=f"An image has at most {SIDE:,} x {SIDE:,} pixels; this one has more.")
    except UnidentifiedImageError:
        return DecodedImage(problem=UNREADABLE)
    except Exception as problem:  # noqa: BLE001 - whatever a decoder makes of it, the server goes on
        sys.stderr.write(f"An image could not be read: {type(problem).__name__}\n")
        return DecodedImage(problem=UNREADABLE)


def _developed(data: bytes) -> DecodedImage:
    with Image.open(io.BytesIO(data), formats=FORMS) as image:
        if max(image.size) > SIDE:
            wide, high = image.size
            there = f"{wide:,} x {high:,}"
            return DecodedImage(problem=f"An image has at most {SIDE:,} pixels on a side; this one has {there}.")
        image.draft("RGB", (SIZES[0] * 2, SIZES[0] * 2))
        image.thumbnail((SIZES[0] * 2, SIZES[0] * 2))
        upright = ImageOps.exif_transpose(image)
        bare = _bare(upright)
    found = next((photo.text for photo in _written(bare) if len(photo.text) <= LONGEST_PICTURE), "")
    return DecodedImage(found, "" if found else UNREADABLE)


def _bare(image: Image.Image) -> Image.Image:
    """The pixels, and nothing else that came with them."""
    clear = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    bare = Image.new("RGBA" if clear else "RGB", image.size)
    bare.paste(image.convert(bare.mode))
    return bare


def _written(image: Image.Image) -> Iterator[Photo]:
    """The image as WebP, smaller and smaller."""
    for size in SIZES:
        small = image.copy()
        small.thumbnail((size, size))
        for quality in QUALITIES:
            written = io.BytesIO()
            small.save(written, "WEBP", quality=quality, method=4)
            yield Photo(written.getvalue(), *small.size)


if __name__ == "__main__":
    main()
