"""The laws: conformance tests for games.

>>> from sparring.engine.laws import check_game  # doctest: +SKIP
>>> check_game(game)  # doctest: +SKIP

`check_match` plays a match in plain Python and checks every law at every action; `audit.py` plays many matches in
compiled code, and compares both. The laws about information are in `information.py`, most others in `state_laws.py`.
`violations.py` reports which law is broken, where, and how to reproduce it.

1. Interpreted and compiled play with the same seed and actions give byte-identical states.
2. There is a legal action until the match is over. It ends once, within the declared bound. A game that lists all its
   `deals` uses no chance after the deal.
3. Every card and token is always in exactly one place, and the printed inventory lists exactly these.
4. A determinization is consistent with the view: `redact(determinize(view)) == view`, with the same pieces and legal
   actions, and it can be played on. A view contains nothing of the generator. `private_observation` reveals nothing
   that the view hides, and `is_quiescent` changes nothing. Views hide something if and only if the game is `hidden`.
5. An illegal action raises `ChoiceError` and changes nothing.
6. Saving, loading and replaying, writing and reading a position, and taking back restore exactly the same state.
7. Payoffs sum to zero: losers get -1, the winners share that, and in a draw every seat gets 0. In a game that declares
   `Payoffs`, they are within its bounds and have the declared sum.
8. Each phase has a record in `phases.py`. Every action has words that read back to it. Every legal action is in the
   scene once, and no other is. Every card that a seat sees face up is also face up in the full state or in some
   determinization.
9. Within one moment no seat learns anything hidden: it could have deduced everything it sees. `observe_action` reveals
   nothing that the view does not show afterwards.
10. In a phase with a `forced_text` every seat can tell whether there is only one action that does not concede.
11. A seat holds what its action plays. Items have unique names. `progress` is from 0 to 1.
12. The declared layout (`LAYOUT`) covers the features without gaps, and their values are within its bounds.
13. A batch (`sparring.research.BatchEnv`) shows exactly what its matches show, with any number of threads: states,
    legal actions, players, payoffs, and observations to the last bit. `sparring.research.laws` checks it.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match
from sparring.engine.options import ChoiceOption, Option, Value
from sparring.engine.records import read_content
from sparring.engine.views import legal_in

from .audit import check_audit, check_trace
from .information import (
    check_action_observations,
    check_beats,
    check_chance,
    check_hidden,
    check_knowledge,
    check_layout,
    check_moment,
    hides_something,
)
from .state_laws import (
    check_components,
    check_faces,
    check_inventory,
    check_items,
    check_names,
    check_payoffs,
    check_phases,
    check_position,
    check_record,
    check_refusals,
    check_words,
)
from .violations import LawContext, LawViolation

__all__ = ["LawViolation", "check_audit", "check_game", "check_match", "configurations", "samples"]

#: Of this many random matches, at least one must have a winner.
DECIDED_WITHIN = 20


def check_game(
    game: Game, *, matches: int = 300, interpreted: int = 1, seed: int = 1, compiled: bool = True, content: Any = None
) -> int:
    """Check a game against all laws; return the number of configurations played.

    The configurations cover every number of seats and every pair of option values (`configurations`).

    :param matches: The number of audited matches for each configuration.
    :param interpreted: The number of matches for each configuration in plain Python, with every law checked at every
        action.
    :param seed: The seed of the first match of the first configuration.
    :param compiled: Audit in compiled code, and compare it with plain Python (law 1).
    :param content: A file's path, its data, or a result of `read_content`. Default: the game's own.
    :raises LawViolation: A law is broken. The message says which one, where, and how to reproduce it.
    """
    played = configurations(game)
    setups = [(game.setup(options, read_content(game, content)), seats) for seats, options in played]
    hides = False
    for number, (setup, seats) in enumerate(setups):
        for extra in range(interpreted):
            match = check_match(setup, seats, seed + 1000 * number + extra, compiled=False)
            hides = hides or hides_something(match)
    if interpreted:
        check_hidden(LawContext(*setups[0], seed, check="check_game(GAME)"), hides)
    decided = 0
    for number, (setup, seats) in enumerate(setups):
        if compiled and interpreted:
            check_match(setup, seats, seed + 1000 * number)
        if matches:
            decided += check_audit(setup, seats, matches, seed + 1000 * number, compiled)
    if not decided and matches * len(setups) >= DECIDED_WITHIN:
        setup, seats = setups[0]
        context = LawContext(setup, seats, seed, check="check_game(GAME)")
        raise context.violation(7, "no match had a payoff other than 0; `finish` pays the winners")
    return len(played)


def configurations(game: Game) -> list[tuple[int, dict[str, Value]]]:
    """Return seats and options that cover every number of seats, every value and every pair of them."""
    columns: list[list[Any]] = [list(game.seats), *(samples(option) for option in game.options())]
    rows = [[column[0] for column in columns]]
    rows += list(_pairwise(columns, random.Random(game.name)))
    names = [option.name for option in game.options()]
    return [(row[0], dict(zip(names, row[1:], strict=True))) for row in rows]


def samples(option: Option) -> list[Value]:
    """Return the values of an option to try: all of a choice; of a number the default, the lowest and a higher one."""
    if isinstance(option, ChoiceOption):
        return list(option.values)
    return list(dict.fromkeys([option.default, option.low, min(option.high, 2 * option.default)]))


def _pairwise(columns: list[list[Any]], rng: random.Random) -> Iterator[list[Any]]:
    """Yield rows that cover every pair of values of any two columns (greedy: each is the best of some random ones)."""
    missing = {
        (i, a, j, b)
        for (i, one), (j, other) in itertools.combinations(enumerate(columns), 2)
        for a in range(len(one))
        for b in range(len(other))
    }
    while missing:
        i, a, j, b = next(iter(sorted(missing)))
        best: tuple[set[tuple[int, int, int, int]], list[int]] = (set(), [])
        for _ in range(30):
            row = [rng.randrange(len(column)) for column in columns]
            row[i], row[j] = a, b
            covered = {pair for pair in missing if row[pair[0]] == pair[1] and row[pair[2]] == pair[3]}
            best = max(best, (covered, row), key=lambda found: len(found[0]))
        missing -= best[0]
        yield [column[value] for column, value in zip(columns, best[1], strict=True)]


def check_match(setup: GameSetup, seats: int, seed: int, compiled: bool = True) -> Match:
    """Play one random match and check every law at every action; return the match. Raises LawViolation."""
    context = LawContext(setup, seats, seed)
    with context.reporting(2):
        match = Match.deal(setup, seats, seed)
    components = setup.game.position.components(setup, match.state)
    check_components(match, components, context)
    check_names(setup, context)
    check_layout(setup, context)
    with context.reporting(3):
        check_inventory(match, components, context)
    check_phases(setup, context)
    bound, rng = setup.game.max_choices(setup, seats), random.Random(seed)
    states = [match.state.copy()]
    while not match.over:
        choice_context = context.at(len(match.history))
        check_choices(match, choice_context)
        choice_context.require(2, len(match.history) < bound, f"the match is longer than its bound of {bound} choices")
        check_state(match, rng, choice_context)
        choose(match, rng, choice_context)
        with choice_context.reporting(6):
            check_components(match, components, choice_context)
        states.append(match.state.copy())
    check_end(match, states, context)
    if compiled:
        check_trace(setup, match.history, states, context)
    return match


def check_choices(match: Match, choice_context: LawContext) -> None:
    """Check law 2: there are legal actions, in ascending order and in range."""
    actions = len(match.game.rules.ACTIONS)
    player, phase = int(match.state.player), int(match.state.phase)
    choice_context.require(2, 0 <= player < match.seats, f"s.player must be 0 to {match.seats - 1}, not {player}")
    phases = match.game.rules.PHASES
    choice_context.require(2, 0 <= phase < len(phases), f"s.phase must be 0 to {len(phases) - 1} {phases}, not {phase}")
    with choice_context.reporting(2):
        legal = legal_in(match.setup, match.state)
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
        check_chance(match, choice_context)
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
