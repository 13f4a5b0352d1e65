"""Custom card pictures: shapes and inks, strokes as SVG, and placement on cards."""

from .generator import generate_picture
from .placement import link_pictures, picture_file, embed_pictures, inline, custom_picture
from .shapes import INKS, SHAPES, path

__all__ = ["INKS", "SHAPES", "link_pictures", "picture_file", "embed_pictures", "inline", "generate_picture", "custom_picture", "path"]
