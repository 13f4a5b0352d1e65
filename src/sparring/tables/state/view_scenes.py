"""The scene of a seat's view, with what stands in place of its prompt."""

from typing import Any

from sparring.engine.views import View
from sparring.scene import Prompt, replace

from .early_endings import reason_of
from .player_feed import PlayerFeed
from .table import Table


def scene_at(table: Table, feed: PlayerFeed, view: View, *, latest: bool = True) -> Any:
    """Return the scene of a view. A superseded version has no prompt and is shown like a beat."""
    message = instead_of_prompt(table, feed.viewer) if latest and not view.beat else ""
    scene = feed.scene_of(view if latest and not message else view.past)
    return replace(scene, over=table.shown.over, prompt=Prompt(message)) if message else scene


def instead_of_prompt(table: Table, viewer: int) -> str:
    """Return the text in place of a prompt: a pause, an early ending, a lost seat; empty if there is none."""
    if table.shown.over:
        return table.ended.sentence(table.match, viewer)
    if table.shown.paused:
        return "The match is paused."
    if viewer and viewer == table.shown.turn_seat and viewer in table.ended.seats:
        left = next(left for left in table.ended.left if left.seat == viewer)
        return f"{reason_of(left, viewer)}. A bot is playing on for you."
    return ""
