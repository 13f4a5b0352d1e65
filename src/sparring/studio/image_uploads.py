"""Client of the sandboxed process that decodes uploaded images."""

from math import ceil

import msgspec

from sparring.engine.errors import BadContent
from sparring.tables.workers.uploads import SandboxedProcess

#: The largest file in bytes, and the largest width and height in pixels.
LARGEST = 5 * 1024 * 1024
SIDE = 4096


class UploadedImage(msgspec.Struct, frozen=True):
    """An uploaded image. Without data it is a ping."""

    data: bytes = b""


class DecodedImage(msgspec.Struct, frozen=True):
    """The picture as a content file stores it, or the problem with the image."""

    picture: str = ""
    problem: str = ""


class ImageUploads(SandboxedProcess):
    """The process that decodes and re-encodes images."""

    patience = 20.0

    def __init__(self) -> None:
        super().__init__("sparring.studio.image_sandbox", UploadedImage())

    async def convert(self, data: bytes) -> str:
        """Convert an image to a picture. Raises BadContent if it is invalid or too large."""
        if not data:
            raise BadContent("This file is empty. Choose a PNG, JPEG or WebP image.")
        if len(data) > LARGEST:
            megabytes = ceil(10 * len(data) / 2**20) / 10
            raise BadContent(f"This image is {megabytes} MB; the maximum is 5 MB.")
        result = await self.ask(UploadedImage(data), DecodedImage)
        if result is None:
            raise BadContent("Reading this image takes too much time or memory. Nothing was changed.")
        if result.problem:
            raise BadContent(result.problem)
        return result.picture
