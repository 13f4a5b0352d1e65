"""Asks for what becomes of an image that somebody brings: it is decoded in a process of its own, and nowhere else."""

from math import ceil

import msgspec

from sparring.engine.errors import BadContent
from sparring.web.security.uploads import SandboxedProcess

#: The largest file, in bytes, and the most pixels that it may have on a side.
LARGEST = 5 * 1024 * 1024
SIDE = 4096


class BroughtImage(msgspec.Struct, frozen=True):
    """An image as it was brought. Without data: who is there."""

    data: bytes = b""


class DecodedImage(msgspec.Struct, frozen=True):
    """The picture as it stands in a content file, or what is wrong with the image."""

    picture: str = ""
    problem: str = ""


class ImageUploads(SandboxedProcess):
    """The process that decodes images and writes them anew."""

    patience = 20.0

    def __init__(self) -> None:
        super().__init__("sparring.web.studio.image_sandbox", BroughtImage())

    async def develop(self, data: bytes) -> str:
        """The picture of an image; BadContent if it is none, or too large."""
        if not data:
            raise BadContent("This file is empty; bring a PNG, a JPEG or a WebP.")
        if len(data) > LARGEST:
            megabytes = ceil(10 * len(data) / 2**20) / 10
            raise BadContent(f"An image has at most 5 MB; this one has {megabytes} MB.")
        made = await self.ask(BroughtImage(data), DecodedImage)
        if made is None:
            raise BadContent("This image takes too long or too much room to read; nothing was changed.")
        if made.problem:
            raise BadContent(made.problem)
        return made.picture
