"""Check the laws about words, scenes and refused actions (5 and 8) on a match's current state."""

import random
from collections import Counter
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.errors import ChoiceError
from sparring.engine.match import Match
from sparring.engine.views import View

from .violations import LawContext

#: The number of determinizations that are compared before a visible card counts as impossible.
MAX_DETERMINIZATIONS = 200


def check_words(match: Match, views: list[View], context: LawContext) -> None:
    """Check law 8: every legal action has unique words and is in the scene once; no other action is."""
    view = views[match.seat or 0]
    offered = [choice.action for choice in view.choices]
    shown = sorted(view.scene.actions())
    context.require(
        8, shown == offered, f"the scene offers {_actions(match, shown)}; legal: {_actions(match, offered)}"
    )
    seen_words: dict[str, int] = {}
    for action, words in view.choices:
        other = seen_words.setdefault(words, action)
        context.require(8, other == action, f"“{words}” is both {_action(match, other)} and {_action(match, action)}")
        context.require(8, words, f"action {_action(match, action)} has no words")
        try:
            read_back = match.read(words)
        except ChoiceError as problem:
            raise context.violation(
                8, f"“{words}” doesn't read back as action {_action(match, action)}: {problem}"
            ) from None
        same_words = words == match.game.scene.words(match.box, view.state, read_back)
        context.require(
            8, same_words, f"“{words}” reads back as action {_action(match, read_back)}, not {_action(match, action)}"
        )
    for shortcut in view.scene.shortcuts:
        try:
            match.clone().play(shortcut.words)
        except ChoiceError as problem:
            raise context.violation(8, f"the shortcut “{shortcut.words}” is refused: {problem}") from None
    for seat in range(match.seats + 1):
        if seat != match.seat:
            others = views[seat].scene.actions()
            context.require(8, not others, f"seat {seat} is offered another seat's actions: {_actions(match, others)}")
            more = [shortcut.words for shortcut in views[seat].scene.shortcuts]
            context.require(8, not more, f"seat {seat} is offered another seat's shortcuts: {', '.join(more)}")


def check_faces(match: Match, view: View, context: LawContext) -> None:
    """Check law 8: every card that a seat sees face up is face up in the full state or in a determinization."""
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    sampled = match.state.copy()
    shown = impossible = _faces(view.scene)
    for _ in range(MAX_DETERMINIZATIONS):
        possible = _faces(match.game.scene.scene(match.box, sampled, view.seat - 1, list(view.legal)))
        impossible = impossible & (shown - possible)
        if not impossible:
            return
        sampled = view.state.copy()
        match.game.rules.determinize(match.box.kit, sampled, view.seat - 1, g)
    raise context.violation(8, (
        f"the scene of seat {view.seat} shows {', '.join(sorted(impossible))}, which can't be there: "
        "a card that the view hides is -1, and names[-1] is the last one"
    ))  # fmt: skip


def _faces(scene: object) -> Counter[str]:
    """Count the face-up cards of a scene by title."""
    counts: Counter[str] = Counter()
    for card in _cards(scene):
        if card.face:
            counts[card.face.title] += card.count
    return counts


def _cards(part: object) -> list[Any]:
    """Return every card in a part of a scene. The engine knows no scene types: a card is an object with a `face`."""
    if isinstance(part, tuple | list):
        return [card for each in part for card in _cards(each)]
    if not hasattr(part, "__struct_fields__") or hasattr(part, "cells"):  # boards hold no cards
        return []
    inside = [card for name in part.__struct_fields__ for card in _cards(getattr(part, name))]
    return [part, *inside] if hasattr(part, "face") else inside


def check_refusals(match: Match, rng: random.Random, context: LawContext) -> None:
    """Check law 5 for a few illegal actions."""
    before = match.state.tobytes()
    legal = set(match.legal())
    illegal = [action for action in match.game.rules.ACTIONS if action not in legal]
    for action in [*rng.sample(illegal, min(4, len(illegal))), -1, len(match.game.rules.ACTIONS)]:
        try:
            match.choose(action)
        except ChoiceError as refused:
            context.require(5, str(refused), f"action {_action(match, action)} is rejected without a reason")
        else:
            raise context.violation(5, f"the illegal action {_action(match, action)} was not rejected")
    context.require(5, match.state.tobytes() == before, "a rejected action changed the state")


def _action(match: Match, action: int) -> str:
    """Return an action's number and block: `7 (card 7)`."""
    actions = match.game.rules.ACTIONS
    if not 0 <= action < len(actions):
        return str(action)
    block, number = actions.name_of(action)
    return f"{action} ({block} {number})"


def _actions(match: Match, actions: list[int]) -> str:
    return ", ".join(_action(match, action) for action in actions) or "nothing"
