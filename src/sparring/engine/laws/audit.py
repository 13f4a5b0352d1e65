"""Audit compiled code: it plays as interpreted rules do (law 1), and keeps the laws at every action of many matches."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver, check_bounds, random_choice, trace, without_conceding
from sparring.engine.game import Game, GameSetup
from sparring.engine.items import item_rules

from .violations import LawContext, compile_reason, differing, time_limit


def machine_code(setup: GameSetup, make: Callable[[Game], Driver], context: LawContext) -> Driver:
    """Return a compiled driver of the game; a rule that does not compile raises LawViolation.

    Raises IndexError for an access out of bounds in a driver that checks bounds.
    """
    from sparring.engine.compilation.machine_code import compiled

    def run(*work: object) -> Any:
        try:
            return compiled(setup.game, make)(*work)
        except IndexError:
            raise
        except Exception as problem:
            reason = compile_reason(problem, setup.game, make(setup.game))
            raise context.violation(1, f"a rule doesn't compile: {reason}") from problem

    return run


def check_trace(setup: GameSetup, choices: list[int], states: list[Any], context: LawContext) -> None:
    """Check that compiled rules give the same states and item marks for the same actions."""
    traced = np.zeros(len(states), setup.game.rules.State.dtype)
    traced[0] = states[0]
    machine_code(setup, trace, context)(setup.params, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            raise context.at(number).violation(1, f"compiled play gives a different {differing(state, traced[number])}")
    results = [
        _item_results(setup, item_driver(setup.game), choices, states),
        _item_results(setup, machine_code(setup, item_driver, context), choices, states),
    ]
    for name, interpreted, compiled in zip(("held", "played", "progress"), *results, strict=True):
        differing_rows = np.flatnonzero((interpreted != compiled).reshape(len(choices), -1).any(axis=1))
        context.at(int(differing_rows[0]) if len(differing_rows) else 0).require(
            1, not len(differing_rows), f"compiled, {name} gives a different result"
        )


def item_driver(game: Game) -> Driver:
    """Return a driver that applies the item rules (held, played, progress) to each state and action."""
    held, played, progress_of = item_rules(game).held, item_rules(game).played, item_rules(game).progress

    def apply_item_rules(params, states, actions, seats, items_held, items_played, progress):
        for i in range(len(actions)):
            for seat in range(seats):
                held(params, states[i], seat, items_held[i, seat])
                progress[i, seat] = progress_of(params, states[i], seat)
            played(params, states[i], actions[i], items_played[i])

    return apply_item_rules


def _item_results(setup: GameSetup, driver: Driver, choices: list[int], states: list[Any]) -> tuple[Any, Any, Any]:
    """Return the results of `apply_item_rules` for a match: items held, items played, and `progress`."""
    seats, items, n = int(states[0].seats), len(item_rules(setup.game).names(setup)), len(choices)
    results = np.zeros((n, seats, items), np.uint16), np.zeros((n, items), np.uint16), np.zeros((n, seats))
    driver(setup.params, np.array(states), np.array(choices, np.int64), seats, *results)
    return results


#: The audit's findings by number (see `audit`): the law, and the message.
FINDINGS = (
    (0, ""), (2, "there is no legal action, but the match is not over"), (2, "legal writes actions out of order"),
    (2, "the match is longer than its bound"), (4, "a determinization doesn't match the view"),
    (4, "the legal actions of the view and of the full state differ"), (4, "a determinization has no legal action"),
    (9, "something hidden is revealed within a moment"),
    (9, "chance is used or another seat must act within a moment"),
    (4, "features writes numbers outside -1 to 1"), (7, "the payoffs don't sum to zero"),
    (10, "a seat can't tell whether there is only one choice, in a phase with a forced_text"),
    (2, "the match was ended twice"), (11, "an action plays an item that its seat doesn't hold"),
    (2, "an array index is out of bounds"),
)  # fmt: skip


#: The finding for an array access out of bounds, which stops compiled code.
OUT_OF_BOUNDS = len(FINDINGS) - 1


def check_audit(setup: GameSetup, seats: int, matches: int, seed: int, compiled: bool = True) -> int:
    """Play random matches and check every action; return how many had a winner. Raises LawViolation.

    A finding of compiled code is repeated in plain Python, which reports the line.
    """
    found, states = _search(setup, seats, matches, seed, compiled)
    finding, match, _, seat, decided = found
    context = _context(setup, seats, seed, found)
    if finding and compiled:
        found, states = _search(setup, seats, 1, seed + match, False)
        context.require(1, found[0] == finding, f"compiled: {FINDINGS[finding][1]}; not in plain Python")
    if finding:
        law, message = FINDINGS[finding]
        compared = {4: 4, 7: 6}.get(finding)
        difference = f": different {differing(states[2], states[compared])}" if compared and seat >= -1 else ""
        raise context.violation(law, f"{message} (seat {seat + 1}){difference}")
    return decided


def _context(setup: GameSetup, seats: int, seed: int, found: Sequence[int]) -> LawContext:
    """Return the context of the audit's last action."""
    return LawContext(setup, seats, seed + found[1], found[2], "check_audit(setup, {seats}, 1, {seed}, compiled=False)")


def _search(setup: GameSetup, seats: int, matches: int, seed: int, compiled: bool) -> tuple[list[int], Any]:
    """Run the audit; return `found` and `states` as `audit` leaves them."""
    game = setup.game
    states = np.zeros(7, game.rules.State.dtype)
    raw = states.view(np.uint8).reshape(7, -1)
    outs = np.zeros((3, len(game.rules.ACTIONS)), np.int16)
    features = np.zeros(game.rules.FEATURES, np.float32)
    found = np.zeros(5, np.int64)
    items = np.zeros((2, len(item_rules(game).names(setup))), np.uint16)
    work = (
        setup.params,
        states,
        raw,
        outs,
        items,
        features,
        seed,
        seats,
        matches,
        game.max_choices(setup, seats),
        found,
    )
    if compiled:
        try:
            machine_code(setup, audit, _context(setup, seats, seed, found.tolist()))(*work)
        except IndexError:
            found[0] = OUT_OF_BOUNDS
        return found.tolist(), states
    try:
        with time_limit():
            audit(game)(*work)
    except Exception:
        with _context(setup, seats, seed, found.tolist()).reporting(2):
            raise
    return found.tolist(), states


def audit(game: Game) -> Any:
    """Return a driver that plays random matches and stops at the first finding.

    It writes [finding, match, action number, seat, decided matches] to `found`. `states` has seven records, the first
    one blank, and `raw` is the same memory as bytes. `outs` has three rows with room for all actions; `items` has one
    row for the items held and one for those played.
    """
    rules = game.rules
    setup, legal, step, redact = rules.setup, rules.legal, rules.step, rules.redact
    determinize, observe_action, encode = rules.determinize, rules.observe_action, rules.features
    held, played = item_rules(game).held, item_rules(game).played
    zero_sum = game.payoffs is None or game.payoffs.zero_sum
    below, start = chance.below, chance.seed
    pick, keep = random_choice(game), without_conceding(game)
    open_phases = sum(1 << phase for phase in game.forced_texts)

    def same_bytes(raw, one, other):
        for i in range(raw.shape[1]):
            if raw[one, i] != raw[other, i]:
                return False
        return True

    def same_actions(outs, n, m):
        if n != m:
            return False
        for i in range(n):
            if outs[0, i] != outs[1, i]:
                return False
        return True

    def holds_what_it_plays(items):
        holds_all = True
        for item in range(items.shape[1]):
            holds_all &= items[1, item] == 0 or items[0, item] > 0
            items[0, item] = items[1, item] = 0
        return holds_all

    same_bytes.is_rule = same_actions.is_rule = holds_what_it_plays.is_rule = True  # type: ignore[attr-defined]

    @check_bounds
    def audit(params, states, raw, outs, items, features, first_seed, seats, matches, max_choices, found):
        g = np.zeros(4, np.int64)
        s, view, determinized = states[1], states[2], states[3]
        for match in range(matches):
            states[1] = states[0]
            start(s.rng, first_seed + match, 0)
            start(g, first_seed + match, 1)
            s.seats = seats
            found[1], found[2] = match, 0
            setup(params, s)
            choices = 0
            while not s.over:
                n = legal(params, s, outs[0])
                found[1], found[2], found[3] = match, choices, s.player
                if n < 1:
                    found[0] = 1
                    return
                for i in range(1, n):
                    if outs[0, i - 1] >= outs[0, i]:
                        found[0] = 2
                        return
                if choices == max_choices:
                    found[0] = 3
                    return
                # The view of a random seat or a spectator, and a determinization of it.
                seat = below(g, seats + 1) - 1
                found[3] = seat
                states[2] = states[1]
                redact(params, view, seat)
                if seat >= 0:
                    encode(params, view, seat, features)
                    for i in range(len(features)):
                        if not -1.0 <= features[i] <= 1.0:
                            found[0] = 9
                            return
                if seat == s.player and not same_actions(outs, n, legal(params, view, outs[1])):
                    found[0] = 5
                    return
                states[3] = states[2]
                determinize(params, determinized, seat, g)
                states[4] = states[3]
                redact(params, states[4], seat)
                if not same_bytes(raw, 2, 4):
                    found[0] = 4
                    return
                m = legal(params, determinized, outs[1])
                if seat == s.player and not same_actions(outs, n, m):
                    found[0] = 5
                    return
                if open_phases >> s.phase & 1:
                    for i in range(n):
                        outs[2, i] = outs[0, i]
                    if (keep(outs[2], n) == 1) != (keep(outs[1], m) == 1):
                        found[0] = 11
                        return
                if below(g, 8) == 0:
                    for _ in range(20):
                        if determinized.over:
                            break
                        m = legal(params, determinized, outs[1])
                        if m < 1:
                            found[0] = 6
                            return
                        step(params, determinized, pick(outs[1], m, g))
                # The action; within a moment it must reveal nothing.
                for i in range(n):
                    outs[2, i] = outs[0, i]
                action = pick(outs[2], n, g)
                held(params, s, s.player, items[0])
                played(params, s, action, items[1])
                if not holds_what_it_plays(items):
                    found[0], found[3] = 13, s.player
                    return
                observed = observe_action(params, s, action, seat)
                player = s.player
                states[5] = states[1]
                step(params, s, action)
                if s.moment == states[5].moment:
                    same_chance = True
                    for i in range(4):
                        same_chance &= s.rng[i] == states[5].rng[i]
                    if not same_chance or s.player != player or s.over:
                        found[0] = 8
                        return
                    states[6] = states[1]
                    redact(params, states[6], seat)
                    if observed == action and not same_bytes(raw, 2, 6):
                        step(params, view, action)
                        redact(params, view, seat)
                    if not same_bytes(raw, 2, 6):
                        found[0] = 7
                        return
                choices += 1
            if s.over != 1:
                found[0] = 12
                return
            total, largest = 0.0, 0.0
            for seat in range(seats):
                total += s.payoff[seat]
                largest = max(largest, abs(s.payoff[seat]))
            found[4] += largest > 0.0
            if zero_sum and not -1e-9 < total < 1e-9:
                found[0] = 10
                return

    return audit
