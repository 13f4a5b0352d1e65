"""What the seats know: laws 4, 9 and 10, of the state a match is in and of what its last choice showed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.views import View, legal_in

from .violations import LawContext, differing

#: How many other choices are tried to see whether a glimpse tells more than the table shows.
OTHERS = 2

#: The highest number of news; a search keeps them beside the numbers of choices.
MOST_NEWS = 2**30


def check_knowledge(match: Match, views: list[View], place: LawContext) -> None:
    """Law 4 for every seat and for a spectator; law 10 where everybody can count the choices."""
    box, rules = match.box, match.game.rules
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.IMAGINATION)
    pieces = sorted(box.game.position.pieces(box, match.state))
    legal = match.legal()
    for seat in range(-1, match.seats):
        view = views[seat + 1].state
        who = f"seat {seat + 1}" if seat >= 0 else "a spectator"
        place.hold(4, not view.rng.any(), f"redact leaves the generator to {who}: all chance could be worked out")
        if seat == match.state.player:
            seen = legal_in(box, view)
            place.hold(4, seen == legal, f"from its view {who} may choose {seen}, in truth {legal}")
        truth = view.copy()
        rules.determinize(box.kit, truth, seat, g)
        if seat >= 0:
            _check_told(box, view, truth, seat, place)
        again = truth.copy()
        rules.redact(box.kit, again, seat)
        if again.tobytes() != view.tobytes():
            raise place.broken(4, (
                f"what {who} imagines does not fit the view: another {differing(view, again)}; "
                "either redact hides too much and determinize deals it again, or determinize changes what was seen"
            ))  # fmt: skip
        imagined = sorted(box.game.position.pieces(box, truth))
        if imagined != pieces:
            raise place.broken(4, f"what {who} imagines cannot happen: {_difference(pieces, imagined)}")
        own = legal_in(box, truth)
        if seat == match.state.player:
            place.hold(4, own == legal, f"{who} imagines a truth with the choices {own}, not {legal}")
        place.hold(4, own, f"{who} imagines a truth without choices")
        if int(match.state.phase) in rules.OPEN:
            place.hold(10, _alone(match, own) == _alone(match, legal), (
                f"the phase {match.phase} is OPEN, yet {who} cannot see whether there is one choice only"
            ))  # fmt: skip


def _check_told(box: Box, view: Any, truth: Any, seat: int, place: LawContext) -> None:
    """Check what learners and searches are told of a seat's knowledge, by `features` and the optional rules."""
    rules: Any = box.game.rules
    value_features = [("value_features", rules.VALUE_FEATURES)] if hasattr(rules, "value_features") else []
    for name, many in [("features", rules.FEATURES), *value_features]:
        told = np.zeros(many, np.float32)
        getattr(rules, name)(box.kit, view.copy(), seat, told)
        loud = np.flatnonzero(~(np.abs(told) <= 1)).tolist()
        place.hold(4, not loud, f"{name} writes numbers outside -1 to 1 for seat {seat + 1}, at {loud[:5]}")
    if hasattr(rules, "private_observation"):
        news, instead = (int(rules.private_observation(box.kit, each.copy(), seat)) for each in (view, truth))
        place.hold(
            4,
            0 <= news <= MOST_NEWS,
            f"private_observation tells seat {seat + 1} {news}, not a number from 0 to {MOST_NEWS}",
        )
        place.hold(4, news == instead, (
            f"private_observation tells seat {seat + 1} what it may not know: "
            f"{news} of its view, {instead} of a truth behind it"
        ))  # fmt: skip
    if hasattr(rules, "is_quiescent"):
        looked_at = truth.copy()
        rules.is_quiescent(box.kit, looked_at)
        place.hold(4, looked_at.tobytes() == truth.tobytes(), "is_quiescent changes the state")


def _alone(match: Match, choices: Sequence[int]) -> bool:
    """Whether there is one choice only, those that concede not counted."""
    return len([action for action in choices if action not in match.game.conceding]) == 1


def _difference(pieces: list[str], imagined: list[str]) -> str:
    """Which pieces are there too often or not at all."""
    doubled = sorted({piece for piece in imagined if imagined.count(piece) > pieces.count(piece)})
    lost = sorted({piece for piece in pieces if pieces.count(piece) > imagined.count(piece)})
    said = [f"{', '.join(some[:5])} {word}" for some, word in ((doubled, "too often"), (lost, "nowhere")) if some]
    return "; ".join(said)


def check_moment(match: Match, place: LawContext) -> None:
    """Law 9, of the last choice: inside a moment nobody learns what it could not have worked out."""
    course = match.course
    assert course is not None
    before, action, _, marks, after = course
    if after.moment != before.moment:
        return
    kit, rules = match.box.kit, match.game.rules
    place.hold(9, not marks, "a beat inside a moment: what everybody sees ends it (end_moment)")
    place.hold(9, after.player == before.player, "another seat is asked inside a moment (end_moment)")
    place.hold(9, not after.over, "the match ends inside a moment (end_moment)")
    place.hold(9, (after.rng == before.rng).all(), "chance is used inside a moment (end_moment)")
    for seat in range(-1, match.seats):
        was, now = match.view_of(before, seat + 1).state, match.view_of(after, seat + 1).state
        if rules.observe_action(kit, before, action, seat) == action and was.tobytes() != now.tobytes():
            rules.step(kit, was, action)
            rules.redact(kit, was, seat)
        if was.tobytes() != now.tobytes():
            said = differing(was, now)
            raise place.broken(9, f"seat {seat + 1} sees something hidden inside a moment (end_moment): another {said}")


def check_action_observations(match: Match, action: int, place: LawContext) -> None:
    """Law 9, of the choice that is to be made: a glimpse tells nothing that the table does not show afterwards."""
    kit, rules = match.box.kit, match.game.rules
    course = match.foreseen(action)
    others = [other for other in match.legal() if other != action]
    for other in others[:: max(1, len(others) // OTHERS)]:
        instead = match.foreseen(other)
        if course.marks or instead.marks or instead.after.tobytes() == course.after.tobytes():
            continue
        for seat in range(-1, match.seats):
            one, two = (match.view_of(each.after, seat + 1).state.tobytes() for each in (course, instead))
            if seat == course.before.player or one != two:
                continue
            told = {int(rules.observe_action(kit, course.before, each, seat)) for each in (action, other)}
            place.hold(9, len(told) == 1, (
                f"observe_action tells seat {seat + 1} whether {action} or {other} was chosen, and what it sees "
                "afterwards is the same: return HIDDEN_ACTION there, or keep in the state what everybody has seen"
            ))  # fmt: skip


def check_beats(match: Match, place: LawContext) -> None:
    """What the last choice showed on the way (laws 4, 8 and 9): to every seat, in sentences and in scenes."""
    course = match.course
    assert course is not None
    kit, rules = match.box.kit, match.game.rules
    for mark in course.marks:
        known = len(rules.BEATS)
        place.hold(9, 0 <= mark.number < known, f"beat {mark.number} is marked, and BEATS names {known}, from 0")
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.IMAGINATION)
    for seat in range(match.seats + 1):
        beats = match.beats(seat)
        for view, lines in beats:
            told = all(isinstance(line, str) and line for line in lines)
            place.hold(8, told, f"seat {seat} is told {lines}, which are no sentences")
            if not view.beat:
                continue
            offered = view.scene.actions()
            place.hold(8, not offered, f"a choice is offered at the beat “{view.beat}”, where nobody is asked")
            truth = view.state.copy()
            rules.determinize(kit, truth, seat - 1, g)
            rules.redact(kit, truth, seat - 1)
            if truth.tobytes() != view.state.tobytes():
                said = differing(view.state, truth)
                raise place.broken(4, f"what seat {seat} imagines does not fit the beat “{view.beat}”: another {said}")
        rest = not course.marks or [beat.view.beat for beat in beats][-1:] == [""]
        place.hold(8, rest, f"seat {seat} does not see the table at rest after the beats")
