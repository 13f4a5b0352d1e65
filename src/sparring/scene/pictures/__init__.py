"""Custom card pictures: shapes and inks, strokes as SVG, and placement on cards."""

from .generator import made_picture
from .placement import by_address, file_of, in_place, inline, own_picture
from .shapes import INKS, SHAPES, path

__all__ = ["INKS", "SHAPES", "by_address", "file_of", "in_place", "inline", "made_picture", "own_picture", "path"]
