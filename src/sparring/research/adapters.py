"""What the adapters for Gymnasium and PettingZoo share: ids, spaces, a single action, and images of text."""

import unicodedata
from functools import cache
from operator import index
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from PIL import Image, ImageDraw, ImageFont

from sparring.engine.errors import IllegalChoice
from sparring.engine.features import bounds_of
from sparring.engine.game import Game

#: An observation: `observation`, float32 (FEATURES,), and `action_mask`, int8 (number of actions,).
Observation = dict[str, np.ndarray[Any, Any]]

#: The namespace of the environments' ids.
NAMESPACE = "sparring"


def env_id(game: Game) -> str:
    """Return the id of a game's environment: `sparring/MakeYourMoves-v1`."""
    return f"{NAMESPACE}/{game.name.title().replace('-', '')}-v{game.version}"


def observation_space(game: Game) -> spaces.Space[Observation]:
    """Return the space of a seat's observations, with the bounds of the game's layout, and of the action mask."""
    low, high = bounds_of(game)
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, dtype=np.float32),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }  # fmt: skip
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


def state_space(game: Game, seats: int) -> spaces.Box:
    """Return the space of the observations of all seats, one after another."""
    low, high = bounds_of(game)
    return spaces.Box(np.tile(low, seats), np.tile(high, seats), dtype=np.float32)


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of the game's actions."""
    return spaces.Discrete(len(game.rules.ACTIONS))


def read_action(action: Any) -> int:
    """Return an action as an integer. Raises IllegalChoice unless it is a single whole number."""
    try:
        if not isinstance(action, bool):
            return index(action)
    except TypeError:
        pass
    raise IllegalChoice(f"An action must be a whole number, not {action!r}.")


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
