"""The sandboxed process that decodes an uploaded image and re-encodes only its pixels."""

import io
import sys
import warnings
from collections.abc import Iterator

from PIL import Image, ImageOps, UnidentifiedImageError

from sparring.engine.formats.card_pictures import LONGEST_PICTURE, Photo
from sparring.tables.workers.bot_worker import answer_all, bound_memory

from .sandboxes import SIDE, DecodedImage, UploadedImage

#: Accepted formats. SVG isn't one, because it can contain scripts.
FORMATS = ("PNG", "JPEG", "WEBP")
#: Sizes in pixels and WebP qualities to try, until the result is short enough.
SIZES = (480, 400, 320, 240, 160)
QUALITIES = (84, 72, 58, 44)
#: Memory limit of the process in bytes: a few times the largest RGBA image.
MEMORY = 640 * 1024 * 1024

UNREADABLE = "This image can't be read. Choose a PNG, JPEG or WebP image."


def main() -> None:
    """Answer until the input ends."""
    Image.init()
    bound_memory(MEMORY)
    answer_all(UploadedImage, convert)


def convert(upload: UploadedImage) -> DecodedImage:
    """Convert an image, or the first frame of an animation, to a picture."""
    if not upload.data:
        return DecodedImage()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            Image.MAX_IMAGE_PIXELS = SIDE * SIDE
            return _convert(upload.data)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return DecodedImage(problem=f"This image has more than {SIDE:,} x {SIDE:,} pixels.")
    except UnidentifiedImageError:
        return DecodedImage(problem=UNREADABLE)
    except Exception as problem:  # noqa: BLE001 - decoders raise anything on hostile input
        sys.stderr.write(f"Decoding an image failed: {type(problem).__name__}\n")
        return DecodedImage(problem=UNREADABLE)


def _convert(data: bytes) -> DecodedImage:
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        if max(image.size) > SIDE:
            width, height = image.size
            return DecodedImage(
                problem=f"This image has {width:,} x {height:,} pixels; the maximum is {SIDE:,} per side."
            )
        image.draft("RGB", (SIZES[0] * 2, SIZES[0] * 2))
        image.thumbnail((SIZES[0] * 2, SIZES[0] * 2))
        upright = ImageOps.exif_transpose(image)
        bare = _bare(upright)
    picture = next((photo.text for photo in _encoded(bare) if len(photo.text) <= LONGEST_PICTURE), "")
    return DecodedImage(picture, "" if picture else UNREADABLE)


def _bare(image: Image.Image) -> Image.Image:
    """Return an image's pixels without metadata."""
    transparent = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    bare = Image.new("RGBA" if transparent else "RGB", image.size)
    bare.paste(image.convert(bare.mode))
    return bare


def _encoded(image: Image.Image) -> Iterator[Photo]:
    """Yield the image as WebP, smaller and smaller."""
    for size in SIZES:
        small = image.copy()
        small.thumbnail((size, size))
        for quality in QUALITIES:
            written = io.BytesIO()
            small.save(written, "WEBP", quality=quality, method=4)
            yield Photo(written.getvalue(), *small.size)


if __name__ == "__main__":
    main()
