"""Check the laws about information (4, 9 and 10) on a match's current state and its last action."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.features import layout_of
from sparring.engine.game import GameSetup
from sparring.engine.match import Match
from sparring.engine.messages import AnyText
from sparring.engine.types import AnyState
from sparring.engine.views import View, legal_in

from .violations import LawContext, differing

#: The number of alternatives against which `observe_action` is checked.
OTHER_ACTIONS = 2

#: The highest private observation: searches store it in the same field as the labels of actions.
MAX_OBSERVATION = 2**30


def hides_something(match: Match) -> bool:
    """Return whether in any state of a match the view of a seat lacks more than the generator."""
    again = Match.from_record(match.record(), upto=0, game=match.game)
    for action in [*match.history, None]:
        whole = again.state.copy()
        chance.forget(whole.rng)
        if any(again.view(seat).state.tobytes() != whole.tobytes() for seat in range(1, match.seats + 1)):
            return True
        if action is not None:
            again.choose(action)
    return False


def check_hidden(context: LawContext, hides: bool) -> None:
    """Check law 4: what the game declares about hidden information is so. `hides`: views have hidden something."""
    game = context.setup.game
    context.require(
        4, game.hidden == hides,
        f"Game says hidden={game.hidden}, but redact hides {'something' if hides else 'nothing'} from the seats",
    )  # fmt: skip
    context.require(
        4,
        hides or not game.needs_mixed_strategies,
        "Game says needs_mixed_strategies=True, but seats choose nothing in secret: remove it",
    )


def check_knowledge(match: Match, views: list[View], context: LawContext) -> None:
    """Check law 4 for every seat and for a spectator, and law 10 in a phase with a `forced_text`."""
    setup, rules = match.setup, match.game.rules
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    components = sorted(setup.game.position.components(setup, match.state))
    legal = match.legal()
    for seat in range(-1, match.seats):
        view = views[seat + 1].state
        who = f"seat {seat + 1}" if seat >= 0 else "a spectator"
        context.require(
            4, not view.rng.any(), f"redact leaves the generator in the view of {who}: chance is predictable"
        )
        if seat == match.state.player:
            seen = legal_in(setup, view)
            context.require(
                4, seen == legal, f"the view of {who} has the legal actions {seen}, but the full state has {legal}"
            )
        determinized = view.copy()
        rules.determinize(setup.params, determinized, seat, g)
        if seat >= 0:
            _check_inputs(setup, view, determinized, seat, context)
        redacted = determinized.copy()
        rules.redact(setup.params, redacted, seat)
        if redacted.tobytes() != view.tobytes():
            raise context.violation(4, (
                f"a determinization for {who} doesn't match the view: different {differing(view, redacted)}; "
                "either redact hides too much and determinize deals it again, or determinize changes what was seen"
            ))  # fmt: skip
        sampled = sorted(setup.game.position.components(setup, determinized))
        if sampled != components:
            raise context.violation(
                4, f"a determinization for {who} has wrong pieces: {_difference(components, sampled)}"
            )
        own_legal = legal_in(setup, determinized)
        if seat == match.state.player:
            context.require(
                4, own_legal == legal, f"a determinization for {who} has the legal actions {own_legal}, not {legal}"
            )
        context.require(4, own_legal, f"a determinization for {who} has no legal action")
        if int(match.state.phase) in setup.game.forced_texts:
            context.require(10, _is_only_choice(match, own_legal) == _is_only_choice(match, legal), (
                f"the phase {match.phase} has a forced_text, but {who} can't tell whether there is only one choice"
            ))  # fmt: skip


def _check_inputs(setup: GameSetup, view: AnyState, determinized: AnyState, seat: int, context: LawContext) -> None:
    """Check the inputs of learners and searches: `features` and the optional rules."""
    rules: Any = setup.game.rules
    value_features = [("value_features", rules.VALUE_FEATURES)] if hasattr(rules, "value_features") else []
    for name, size in [("features", rules.FEATURES), *value_features]:
        values = np.zeros(size, np.float32)
        getattr(rules, name)(setup.params, view.copy(), seat, values)
        out_of_range = np.flatnonzero(~(np.abs(values) <= 1)).tolist()
        context.require(
            4, not out_of_range, f"{name} writes numbers outside -1 to 1 for seat {seat + 1}, at {out_of_range[:5]}"
        )
    _check_layout_bounds(setup, view, seat, context)
    if hasattr(rules, "private_observation"):
        observation, in_state = (
            int(rules.private_observation(setup.params, each.copy(), seat)) for each in (view, determinized)
        )
        context.require(4, 0 <= observation <= MAX_OBSERVATION, (
            f"private_observation of seat {seat + 1} must be 0 to {MAX_OBSERVATION}, not {observation}"
        ))  # fmt: skip
        context.require(4, observation == in_state, (
            f"private_observation depends on something that seat {seat + 1} may not know: "
            f"{observation} for its view, {in_state} for a full state"
        ))  # fmt: skip
    if hasattr(rules, "is_quiescent"):
        copy = determinized.copy()
        rules.is_quiescent(setup.params, copy)
        context.require(4, copy.tobytes() == determinized.tobytes(), "is_quiescent changes the state")


def check_layout(setup: GameSetup, context: LawContext) -> None:
    """Check law 12: the layout covers the features without gaps, under unique names."""
    fields, end = layout_of(setup.game), 0
    for field in fields:
        context.require(12, field.start == end, f"{field.name} in LAYOUT starts at {field.start}, not {end}")
        context.require(12, field.size > 0 and field.low <= field.high, f"{field.name} in LAYOUT has no values")
        end += field.size
    features = setup.game.rules.FEATURES
    context.require(12, end == features, f"LAYOUT has {end} values; FEATURES is {features}")
    names = [field.name for field in fields]
    context.require(12, len(set(names)) == len(names), f"names in LAYOUT must be unique, not {names}")


def _check_layout_bounds(setup: GameSetup, view: AnyState, seat: int, context: LawContext) -> None:
    """Check law 12: the observation is within the bounds of the layout."""
    observation = View(setup, seat + 1, view).observation()
    for field in layout_of(setup.game):
        values = field.of(observation)
        if not ((values >= field.low) & (values <= field.high)).all():
            bounds = f"{values.min():g} to {values.max():g}, outside {field.low:g} to {field.high:g}"
            raise context.violation(12, f"the observation of seat {seat + 1} has {field.name} from {bounds}")


def _is_only_choice(match: Match, choices: Sequence[int]) -> bool:
    """Return whether exactly one action does not concede."""
    return len([action for action in choices if action not in match.game.conceding]) == 1


def _difference(components: list[str], sampled: list[str]) -> str:
    """Describe which pieces a determinization has duplicated or lost."""
    duplicated = sorted({piece for piece in sampled if sampled.count(piece) > components.count(piece)})
    lost = sorted({piece for piece in components if components.count(piece) > sampled.count(piece)})
    found = (duplicated, "duplicated"), (lost, "missing")
    parts = [f"{', '.join(names[:5])} {word}" for names, word in found if names]
    return "; ".join(parts)


def check_chance(match: Match, context: LawContext) -> None:
    """Check law 2 for the last action: a game that lists its deals, so that it can be solved, uses no chance later."""
    transition = match.last_transition
    assert transition is not None
    is_same = (transition.after.rng == transition.before.rng).all()
    context.require(2, match.game.deals is None or is_same, "chance is used after the deal: leave out Game.deals")


def check_moment(match: Match, context: LawContext) -> None:
    """Check law 9 for the last action: within a moment no seat learns anything that it could not have deduced."""
    transition = match.last_transition
    assert transition is not None
    before, action, _, marks, after = transition
    if after.moment != before.moment:
        return
    params, rules = match.setup.params, match.game.rules
    context.require(9, not marks, "a beat within a moment: everyone sees a beat, so call end_moment")
    context.require(9, after.player == before.player, "another seat must act within a moment: call end_moment")
    context.require(9, not after.over, "the match ends within a moment: call end_moment")
    context.require(9, (after.rng == before.rng).all(), "chance is used within a moment: call end_moment")
    for seat in range(-1, match.seats):
        view_before, view_after = match.view_of(before, seat + 1).state, match.view_of(after, seat + 1).state
        if (
            rules.observe_action(params, before, action, seat) == action
            and view_before.tobytes() != view_after.tobytes()
        ):
            rules.step(params, view_before, action)
            rules.redact(params, view_before, seat)
        if view_before.tobytes() != view_after.tobytes():
            fields = differing(view_before, view_after)
            message = f"seat {seat + 1} learns something hidden within a moment: different {fields}; call end_moment"
            raise context.violation(9, message)


def check_action_observations(match: Match, action: int, context: LawContext) -> None:
    """Check law 9 for the next action: `observe_action` reveals nothing that the view does not show afterwards."""
    params, rules = match.setup.params, match.game.rules
    transition = match.preview(action)
    others = [other for other in match.legal() if other != action]
    for other in others[:: max(1, len(others) // OTHER_ACTIONS)]:
        alternative = match.preview(other)
        if transition.marks or alternative.marks or alternative.after.tobytes() == transition.after.tobytes():
            continue
        for seat in range(-1, match.seats):
            one, two = (match.view_of(each.after, seat + 1).state.tobytes() for each in (transition, alternative))
            if seat == transition.before.player or one != two:
                continue
            observations = {
                int(rules.observe_action(params, transition.before, each, seat)) for each in (action, other)
            }
            context.require(9, len(observations) == 1, (
                f"observe_action tells seat {seat + 1} whether {action} or {other} was chosen, but its view afterwards "
                "is the same: return HIDDEN_ACTION, or store in the state what everyone has seen"
            ))  # fmt: skip


def check_beats(match: Match, context: LawContext) -> None:
    """Check the beats of the last action (laws 4, 8 and 9) for every seat, in sentences and scenes."""
    transition = match.last_transition
    assert transition is not None
    params, rules = match.setup.params, match.game.rules
    for beat in transition.marks:
        count = len(rules.BEATS)
        context.require(9, 0 <= beat.number < count, f"beat {beat.number} is marked, but BEATS has {count}, from 0")
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    for seat in range(match.seats + 1):
        beats, previous = match.beats(seat), match.view_of(transition.before, seat)
        for view, lines, effects in beats:
            known = previous.scene.keys | view.scene.keys if effects else frozenset()
            unknown = sorted({key for each in effects for key in (each.source, each.target) if key} - known)
            context.require(8, not unknown, f"seat {seat}'s table has no {', '.join(unknown)}, which an effect names")
            previous = view
            are_sentences = all(isinstance(line, AnyText) and str(line) for line in lines)
            context.require(8, are_sentences, f"tell must return sentences, not {lines} (seat {seat})")
            if not view.beat:
                continue
            offered = view.scene.actions()
            context.require(8, not offered, f"a choice is offered at the beat “{view.beat}”, where no player must act")
            determinized = view.state.copy()
            rules.determinize(params, determinized, seat - 1, g)
            rules.redact(params, determinized, seat - 1)
            if determinized.tobytes() != view.state.tobytes():
                fields = differing(view.state, determinized)
                message = f"a determinization for seat {seat} doesn't match the beat “{view.beat}”: different {fields}"
                raise context.violation(4, message)
        ends_at_rest = not transition.marks or [beat.view.beat for beat in beats][-1:] == [""]
        context.require(8, ends_at_rest, f"seat {seat} doesn't see the final state after the beats")
