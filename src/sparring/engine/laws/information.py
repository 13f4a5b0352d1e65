"""The laws about information (4, 9 and 10), checked on a match's current state and its last action."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.views import View, legal_in

from .violations import LawContext, differing

#: How many other actions are tried to find out whether `observe_action` reveals more than the view shows.
OTHERS = 2

#: The highest private observation; a search keeps them in the same label field as actions.
MOST_OBSERVATION = 2**30


def check_knowledge(match: Match, views: list[View], place: LawContext) -> None:
    """Check law 4 for every seat and for a spectator, and law 10 in an OPEN phase."""
    box, rules = match.box, match.game.rules
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    pieces = sorted(box.game.position.pieces(box, match.state))
    legal = match.legal()
    for seat in range(-1, match.seats):
        view = views[seat + 1].state
        who = f"seat {seat + 1}" if seat >= 0 else "a spectator"
        place.require(4, not view.rng.any(), f"redact leaves the generator in the view of {who}: chance is predictable")
        if seat == match.state.player:
            seen = legal_in(box, view)
            place.require(
                4, seen == legal, f"the view of {who} has the legal actions {seen}, but the full state has {legal}"
            )
        truth = view.copy()
        rules.determinize(box.kit, truth, seat, g)
        if seat >= 0:
            _check_told(box, view, truth, seat, place)
        again = truth.copy()
        rules.redact(box.kit, again, seat)
        if again.tobytes() != view.tobytes():
            raise place.violation(4, (
                f"a determinization for {who} doesn't match the view: different {differing(view, again)}; "
                "either redact hides too much and determinize deals it again, or determinize changes what was seen"
            ))  # fmt: skip
        imagined = sorted(box.game.position.pieces(box, truth))
        if imagined != pieces:
            raise place.violation(4, f"a determinization for {who} has wrong pieces: {_difference(pieces, imagined)}")
        own = legal_in(box, truth)
        if seat == match.state.player:
            place.require(4, own == legal, f"a determinization for {who} has the legal actions {own}, not {legal}")
        place.require(4, own, f"a determinization for {who} has no legal action")
        if int(match.state.phase) in rules.OPEN:
            place.require(10, _alone(match, own) == _alone(match, legal), (
                f"the phase {match.phase} is OPEN, but {who} can't tell whether there is only one choice"
            ))  # fmt: skip


def _check_told(box: Box, view: Any, truth: Any, seat: int, place: LawContext) -> None:
    """Check the inputs of learners and searches: `features` and the optional rules."""
    rules: Any = box.game.rules
    value_features = [("value_features", rules.VALUE_FEATURES)] if hasattr(rules, "value_features") else []
    for name, many in [("features", rules.FEATURES), *value_features]:
        told = np.zeros(many, np.float32)
        getattr(rules, name)(box.kit, view.copy(), seat, told)
        loud = np.flatnonzero(~(np.abs(told) <= 1)).tolist()
        place.require(4, not loud, f"{name} writes numbers outside -1 to 1 for seat {seat + 1}, at {loud[:5]}")
    if hasattr(rules, "private_observation"):
        observation, full = (int(rules.private_observation(box.kit, each.copy(), seat)) for each in (view, truth))
        place.require(4, 0 <= observation <= MOST_OBSERVATION, (
            f"private_observation of seat {seat + 1} must be 0 to {MOST_OBSERVATION}, not {observation}"
        ))  # fmt: skip
        place.require(4, observation == full, (
            f"private_observation depends on something that seat {seat + 1} may not know: "
            f"{observation} for its view, {full} for a full state"
        ))  # fmt: skip
    if hasattr(rules, "is_quiescent"):
        looked_at = truth.copy()
        rules.is_quiescent(box.kit, looked_at)
        place.require(4, looked_at.tobytes() == truth.tobytes(), "is_quiescent changes the state")


def _alone(match: Match, choices: Sequence[int]) -> bool:
    """Return whether exactly one action does not concede."""
    return len([action for action in choices if action not in match.game.conceding]) == 1


def _difference(pieces: list[str], imagined: list[str]) -> str:
    """Describe which pieces are duplicated or missing."""
    doubled = sorted({piece for piece in imagined if imagined.count(piece) > pieces.count(piece)})
    lost = sorted({piece for piece in pieces if pieces.count(piece) > imagined.count(piece)})
    said = [f"{', '.join(some[:5])} {word}" for some, word in ((doubled, "duplicated"), (lost, "missing")) if some]
    return "; ".join(said)


def check_moment(match: Match, place: LawContext) -> None:
    """Check law 9 for the last action: within a moment no seat learns anything that it could not have deduced."""
    course = match.last_transition
    assert course is not None
    before, action, _, marks, after = course
    if after.moment != before.moment:
        return
    kit, rules = match.box.kit, match.game.rules
    place.require(9, not marks, "a beat within a moment: everyone sees a beat, so call end_moment")
    place.require(9, after.player == before.player, "another seat must act within a moment: call end_moment")
    place.require(9, not after.over, "the match ends within a moment: call end_moment")
    place.require(9, (after.rng == before.rng).all(), "chance is used within a moment: call end_moment")
    for seat in range(-1, match.seats):
        was, now = match.view_of(before, seat + 1).state, match.view_of(after, seat + 1).state
        if rules.observe_action(kit, before, action, seat) == action and was.tobytes() != now.tobytes():
            rules.step(kit, was, action)
            rules.redact(kit, was, seat)
        if was.tobytes() != now.tobytes():
            said = differing(was, now)
            what = f"seat {seat + 1} learns something hidden within a moment: different {said}; call end_moment"
            raise place.violation(9, what)


def check_action_observations(match: Match, action: int, place: LawContext) -> None:
    """Check law 9 for the next action: `observe_action` reveals nothing that the view does not show afterwards."""
    kit, rules = match.box.kit, match.game.rules
    course = match.preview(action)
    others = [other for other in match.legal() if other != action]
    for other in others[:: max(1, len(others) // OTHERS)]:
        instead = match.preview(other)
        if course.marks or instead.marks or instead.after.tobytes() == course.after.tobytes():
            continue
        for seat in range(-1, match.seats):
            one, two = (match.view_of(each.after, seat + 1).state.tobytes() for each in (course, instead))
            if seat == course.before.player or one != two:
                continue
            told = {int(rules.observe_action(kit, course.before, each, seat)) for each in (action, other)}
            place.require(9, len(told) == 1, (
                f"observe_action tells seat {seat + 1} whether {action} or {other} was chosen, but its view afterwards "
                "is the same: return HIDDEN_ACTION, or store in the state what everyone has seen"
            ))  # fmt: skip


def check_beats(match: Match, place: LawContext) -> None:
    """Check the beats of the last action (laws 4, 8 and 9) for every seat, in sentences and scenes."""
    course = match.last_transition
    assert course is not None
    kit, rules = match.box.kit, match.game.rules
    for mark in course.marks:
        known = len(rules.BEATS)
        place.require(9, 0 <= mark.number < known, f"beat {mark.number} is marked, but BEATS has {known}, from 0")
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    for seat in range(match.seats + 1):
        beats = match.beats(seat)
        for view, lines in beats:
            told = all(isinstance(line, str) and line for line in lines)
            place.require(8, told, f"tell must return sentences, not {lines} (seat {seat})")
            if not view.beat:
                continue
            offered = view.scene.actions()
            place.require(8, not offered, f"a choice is offered at the beat “{view.beat}”, where no player must act")
            truth = view.state.copy()
            rules.determinize(kit, truth, seat - 1, g)
            rules.redact(kit, truth, seat - 1)
            if truth.tobytes() != view.state.tobytes():
                said = differing(view.state, truth)
                what = f"a determinization for seat {seat} doesn't match the beat “{view.beat}”: different {said}"
                raise place.violation(4, what)
        rest = not course.marks or [beat.view.beat for beat in beats][-1:] == [""]
        place.require(8, rest, f"seat {seat} doesn't see the final state after the beats")
