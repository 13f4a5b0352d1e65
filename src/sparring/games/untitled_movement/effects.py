"""Untitled Movement Game: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.game import Box
from sparring.engine.squares import OFF
from sparring.scene import Effect

from .log_sentences import tokens_home
from .state import TOKENS, State


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: tokens that moved, tokens that came home, the winner."""
    seats = range(int(after.seats))
    found = [
        Effect("move", target=f"token {i} {n}")
        for i in seats for n in range(TOKENS)
        if after.token[i, n] not in (OFF, before.token[i, n])
    ]  # fmt: skip
    for i in seats:
        gained = tokens_home(box, after, i) - tokens_home(box, before, i)
        if gained > 0:
            found.append(Effect("score", target=f"home {i}", amount=gained))
    if after.over and not beat:
        found += [Effect("win", target=f"seat {i + 1}") for i in seats if after.payoff[i] > 0]
    return found
