"""What people are told and offered: laws 5 and 8, of the state a match is in."""

import random
from collections import Counter
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.errors import ChoiceError
from sparring.engine.match import Match
from sparring.engine.views import View

from .violations import LawContext

#: So many truths are imagined before a card that is shown is said to lie nowhere.
GUESSES = 200


def check_words(match: Match, views: list[View], place: LawContext) -> None:
    """Law 8: every choice has words of its own and stands in the scene once; nothing else does."""
    view = views[match.seat or 0]
    offered = [choice.action for choice in view.choices]
    shown = sorted(view.scene.actions())
    place.hold(8, shown == offered, f"the scene offers {_actions(match, shown)}; legal is {_actions(match, offered)}")
    named: dict[str, int] = {}
    for action, words in view.choices:
        other = named.setdefault(words, action)
        place.hold(8, other == action, f"“{words}” names {_action(match, other)} and {_action(match, action)}")
        place.hold(8, words, f"choice {_action(match, action)} has no words")
        try:
            again = match.read(words)
        except ChoiceError as problem:
            raise place.broken(
                8, f"“{words}” does not read back as choice {_action(match, action)}: {problem}"
            ) from None
        kept = words == match.game.scene.words(match.box, view.state, again)
        place.hold(8, kept, f"“{words}” reads back as choice {_action(match, again)}, not {_action(match, action)}")
    for seat in range(match.seats + 1):
        if seat != match.seat:
            others = views[seat].scene.actions()
            place.hold(8, not others, f"seat {seat} is offered somebody else's choices: {_actions(match, others)}")


def check_faces(match: Match, view: View, place: LawContext) -> None:
    """Law 8: a seat sees no card that lies there neither in truth nor in anything it could imagine."""
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.IMAGINATION)
    truth = match.state.copy()
    shown = invented = _faces(view.scene)
    for _ in range(GUESSES):
        there = _faces(match.game.scene.scene(match.box, truth, view.seat - 1, list(view.legal)))
        invented = invented & (shown - there)
        if not invented:
            return
        truth = view.state.copy()
        match.game.rules.determinize(match.box.kit, truth, view.seat - 1, g)
    raise place.broken(8, (
        f"the scene of seat {view.seat} shows {', '.join(sorted(invented))}, which cannot lie there: "
        "a card that the view hides is -1, and names[-1] is the last one"
    ))  # fmt: skip


def _faces(scene: Any) -> Counter[str]:
    """The cards of a scene that lie face up, in words, and how often each is there."""
    found: Counter[str] = Counter()
    for card in _cards(scene):
        if card.face:
            found[card.face.title] += card.count
    return found


def _cards(part: Any) -> list[Any]:
    """Every card in a part of a scene: what has a face or none. The engine knows no more of scenes."""
    if isinstance(part, tuple | list):
        return [card for each in part for card in _cards(each)]
    if not hasattr(part, "__struct_fields__") or hasattr(part, "cells"):  # no card lies on a board
        return []
    inside = [card for name in part.__struct_fields__ for card in _cards(getattr(part, name))]
    return [part, *inside] if hasattr(part, "face") else inside


def check_refusals(match: Match, rng: random.Random, place: LawContext) -> None:
    """Law 5, for a few choices that are not legal."""
    before = match.state.tobytes()
    legal = set(match.legal())
    illegal = [action for action in match.game.rules.ACTIONS if action not in legal]
    for action in [*rng.sample(illegal, min(4, len(illegal))), -1, len(match.game.rules.ACTIONS)]:
        try:
            match.choose(action)
        except ChoiceError as refused:
            place.hold(5, str(refused), f"choice {_action(match, action)} is refused without a word")
        else:
            raise place.broken(5, f"choice {_action(match, action)} was not refused")
    place.hold(5, match.state.tobytes() == before, "a refused choice changed something")


def _action(match: Match, action: int) -> str:
    """A choice by its number, and by its block: `7 (card 7)`."""
    actions = match.game.rules.ACTIONS
    if not 0 <= action < len(actions):
        return str(action)
    block, number = actions.name_of(action)
    return f"{action} ({block} {number})"


def _actions(match: Match, actions: list[int]) -> str:
    return ", ".join(_action(match, action) for action in actions) or "nothing"
