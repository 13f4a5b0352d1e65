"""Check law 11, about items."""

import numpy as np

from sparring.engine.game import Box
from sparring.engine.items import item_rules
from sparring.engine.match import Match

from .violations import LawContext


def check_names(box: Box, context: LawContext) -> None:
    """Check that items have unique names."""
    with context.reporting(11):
        names = item_rules(box.game).names(box)
    wrong = sorted({str(item) for item in names if names.count(item) > 1 or not item.name})
    context.require(11, not wrong, f"items need unique names: {', '.join(wrong)}")


def check_items(match: Match, action: int, context: LawContext) -> None:
    """Check that a seat holds what its action plays, that `ahead` is in range, and that item rules change nothing."""
    box, state, rules = match.box, match.state, item_rules(match.game)
    names, before = rules.names(box), state.tobytes()
    for seat in range(match.seats):
        progress = rules.ahead(box.kit, state, seat)
        context.require(11, 0.0 <= progress <= 1.0, f"ahead must be 0 to 1, not {progress} (seat {seat + 1})")
    held, played = np.zeros((2, len(names)), np.uint16)
    rules.held(box.kit, state, int(state.player), held)
    rules.played(box.kit, state, action, played)
    not_held = [str(item) for item, had, plays in zip(names, held, played, strict=True) if plays and not had]
    context.require(11, not not_held, f"seat {state.player + 1} plays items it doesn't hold: {', '.join(not_held)}")
    context.require(11, state.tobytes() == before, "held, played or ahead changes the state")
