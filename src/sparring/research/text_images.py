"""Images of the text that shows a table, for `render_mode="rgb_array"`: light, and the same on every machine."""

import unicodedata
from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

#: The size of a frame in characters, with a margin: text is folded to 80 columns, and full tables take up to 30 lines.
COLUMNS, LINES = 84, 36

#: The size of a character's cell, and of the type, in pixels.
CELL, TYPE = (10, 18), 15

PAPER, INK = (252, 250, 244), (30, 30, 36)

#: Signs that Pillow's own typeface lacks: similar ones that it has, and shapes that `_draw_sign` draws.
SIMILAR = str.maketrans("–—−×•", "---x·")
SHAPES = "●○█"
ARROWS = {"↑": (0, -1), "↗": (1, -1), "→": (1, 0), "↘": (1, 1), "↓": (0, 1), "↙": (-1, 1), "←": (-1, 0), "↖": (-1, -1)}


def text_image(text: str) -> np.ndarray[Any, Any]:
    """Return text as an image, uint8 (height, width, 3), whose size is always the same: video needs equal frames.

    Every character is centred in its cell, so that boards and tables keep their columns. Longer text is cut off.
    """
    image = Image.new("RGB", (COLUMNS * CELL[0], LINES * CELL[1]), PAPER)
    draw = ImageDraw.Draw(image)
    plain = unicodedata.normalize("NFKD", text.translate(SIMILAR))  # é becomes e and an accent, which has no cell
    text = "".join(sign for sign in plain if not unicodedata.combining(sign))
    for row, line in enumerate(text.splitlines()[: LINES - 2]):
        for column, sign in enumerate(line[: COLUMNS - 4]):
            _draw_sign(draw, sign, (2 + column) * CELL[0], (1 + row) * CELL[1])
    return np.asarray(image).copy()


@cache
def _font() -> Any:
    return ImageFont.load_default(TYPE)


def _draw_sign(draw: ImageDraw.ImageDraw, sign: str, x: int, y: int) -> None:
    """Draw a character into the cell whose top left corner is given."""
    width, height = CELL
    middle_x, middle_y = x + width / 2, y + height / 2
    if sign in SHAPES:
        box = (x + 1, middle_y - 4, x + width - 1, middle_y + 4)
        if sign == "█":
            draw.rectangle((x, y, x + width - 1, y + height - 1), INK)
        else:
            draw.ellipse(box, INK if sign == "●" else None, INK)
    elif sign in ARROWS:
        dx, dy = (4 * part for part in ARROWS[sign])
        draw.line((middle_x - dx, middle_y - dy, middle_x + dx, middle_y + dy), INK, 2)
        draw.circle((middle_x + dx, middle_y + dy), 2, INK)
    elif not sign.isspace():
        draw.text((middle_x, y + height - 4), sign, INK, _font(), anchor="ms")
