"""Play one random match in plain Python and check every law at every action."""

import random
from typing import Any

from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.views import legal_in

from .audit import check_trace
from .information import check_action_observations, check_beats, check_knowledge, check_layout, check_moment
from .state_laws import (
    check_faces,
    check_inventory,
    check_items,
    check_names,
    check_payoffs,
    check_phases,
    check_pieces,
    check_position,
    check_record,
    check_refusals,
    check_words,
)
from .violations import LawContext


def check_match(box: Box, seats: int, seed: int, compiled: bool = True) -> Match:
    """Play one random match and check every law at every action; return the match. Raises LawViolation."""
    context = LawContext(box, seats, seed)
    with context.reporting(2):
        match = Match.deal(box, seats, seed)
    pieces = box.game.position.pieces(box, match.state)
    check_pieces(match, pieces, context)
    check_names(box, context)
    check_layout(box, context)
    with context.reporting(3):
        check_inventory(match, pieces, context)
    check_phases(box, context)
    bound, rng = box.game.longest(box, seats), random.Random(seed)
    states = [match.state.copy()]
    while not match.over:
        choice_context = context.at(len(match.history))
        check_choices(match, choice_context)
        choice_context.require(2, len(match.history) < bound, f"the match is longer than its bound of {bound} choices")
        check_state(match, rng, choice_context)
        choose(match, rng, choice_context)
        with choice_context.reporting(6):
            check_pieces(match, pieces, choice_context)
        states.append(match.state.copy())
    check_end(match, states, context)
    if compiled:
        check_trace(box, match.history, states, context)
    return match


def check_choices(match: Match, choice_context: LawContext) -> None:
    """Check law 2: there are legal actions, in ascending order and in range."""
    actions = len(match.game.rules.ACTIONS)
    player, phase = int(match.state.player), int(match.state.phase)
    choice_context.require(2, 0 <= player < match.seats, f"s.player must be 0 to {match.seats - 1}, not {player}")
    phases = match.game.rules.PHASES
    choice_context.require(2, 0 <= phase < len(phases), f"s.phase must be 0 to {len(phases) - 1} {phases}, not {phase}")
    with choice_context.reporting(2):
        legal = legal_in(match.box, match.state)
    choice_context.require(2, legal, f"there is no legal action in phase {match.phase}, but the match is not over")
    inside = all(0 <= action < actions for action in legal)
    choice_context.require(2, inside, f"legal writes {legal}; the actions of this game are 0 to {actions - 1}")
    choice_context.require(2, legal == sorted(set(legal)), f"legal writes {legal}: out of order or duplicated")


def check_state(match: Match, rng: random.Random, choice_context: LawContext) -> None:
    """Check the laws of a state in which a seat must act."""
    with choice_context.reporting(4):
        views = [match.view(seat) for seat in range(match.seats + 1)]
        check_knowledge(match, views, choice_context)
    with choice_context.reporting(8):
        check_words(match, views, choice_context)
        check_faces(match, views[len(match.history) % len(views)], choice_context)  # every seat in its turn
    with choice_context.reporting(5):
        check_refusals(match, rng, choice_context)
    with choice_context.reporting(6):
        check_position(match, choice_context)


def choose(match: Match, rng: random.Random, choice_context: LawContext) -> None:
    """Take a random action; if possible take it back and take another one; check the moment and the beats."""
    before = match.state.tobytes()
    choices = [action for action in match.legal() if action not in match.game.conceding]
    action: int = rng.choice(choices)
    with choice_context.reporting(11):
        check_items(match, action, choice_context)
    with choice_context.reporting(2):
        check_action_observations(match, action, choice_context)
        match.choose(action)
    if match.can_take_back:
        match.take_back()
        choice_context.require(6, match.state.tobytes() == before, "taking an action back gives a different state")
        match.choose(rng.choice(choices))
    with choice_context.reporting(8):
        check_moment(match, choice_context)
        check_beats(match, choice_context)


def check_end(match: Match, states: list[Any], context: LawContext) -> None:
    """Check the laws of a finished match."""
    with context.reporting(8):
        views = [match.view(seat) for seat in range(match.seats + 1)]
        context.require(8, not any(view.scene.actions() for view in views), "the scene offers choices after the end")
        for view in views:
            check_faces(match, view, context)
    check_payoffs(match, context)
    with context.reporting(6):
        check_position(match, context)
        check_record(match, states, context)
