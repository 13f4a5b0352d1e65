"""Convert a view to plain data for another process, and back."""

from functools import lru_cache
from typing import Any

import msgspec

from sparring.engine.formats.card_pictures import without_pictures
from sparring.engine.game import Box
from sparring.engine.game import game as find_game
from sparring.engine.rule import blank
from sparring.engine.views import View


def as_data(view: View) -> dict[str, Any]:
    """Return a view as plain data: game, options, content, seat, the fields of the state, and the legal actions."""
    box, state = view.box, view.state
    fields = [name for name in state.dtype.names if name != "filler"]
    return {
        "game": box.game.name, "options": box.options,
        "content": without_pictures(msgspec.to_builtins(box.content)) if box.own_content else None,
        "seat": view.seat, "seats": int(state.seats), "phase": box.game.rules.PHASES[int(state.phase)],
        "state": {name: state[name].tolist() for name in fields}, "legal": list(view.legal),
    }  # fmt: skip


def in_words(view: View) -> dict[str, Any]:
    """Return the words of the choices and the table as text, which programs in other languages cannot compute."""
    return {"words": [choice.words for choice in view.choices], "table": str(view.scene)}


def from_data(data: dict[str, Any]) -> View:
    """Return the view for plain data from `as_data`, decoded from JSON."""
    box = box_of(data["game"], msgspec.json.encode(data["options"]), msgspec.json.encode(data["content"]))
    state = blank(box.game.rules.STATE)
    for name, value in data["state"].items():
        state[name] = value
    return View(box, data["seat"], state, tuple(data["legal"]))


@lru_cache(maxsize=64)
def box_of(name: str, options: bytes, content: bytes) -> Box:
    """Return the box for a game's name and two JSON texts; content `null` is the game's own."""
    game = find_game(name)
    data = msgspec.json.decode(content)
    own = None if data is None else game.kit.read_content(data, "the table's content")
    return game.box(msgspec.json.decode(options), own)
