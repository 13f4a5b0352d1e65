"""Custom card pictures: shapes and inks, strokes as SVG, and placement on cards."""

from .generator import generate_picture
from .placement import link_pictures, picture_file, embed_pictures, inline, custom_picture
from .shapes import INKS, SHAPES, path

__all__ = [
    "INKS",
    "SHAPES",
    "custom_picture",
    "embed_pictures",
    "generate_picture",
    "inline",
    "link_pictures",
    "path",
    "picture_file",
]
