"""The laws every game keeps, as a test kit: for the games of the house and for other people's.

>>> from sparring.engine.laws import check_game  # doctest: +SKIP
>>> check_game(game)  # doctest: +SKIP

1. Interpreted and compiled play of the same seed and choices give byte-identical states.
2. Something is legal until the match is over; it is over within the bound that the game declares.
3. Every card and token is in exactly one place, always.
4. An imagined truth fits what the seat has seen, `redact(imagine(view)) == view`, with the same choices; it plays on.
5. A choice that is not legal raises `ChoiceError` and changes nothing.
6. Save, load and replay, a position written and read, and taking back give the very same state.
7. Payoffs sum to zero: losers -1, the winners share that; a draw between all is 0 each. A game that declares other
   payoffs keeps to the bounds that it declares, and to what it says of their sum.
8. Every choice has words that read back to it; every legal choice is in the scene once, nothing else is.
9. Inside one moment nobody learns anything hidden: each seat could have worked out itself what it sees then.
10. In an OPEN phase everybody can see whether there is one choice only, those that concede not counted.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import chance
from .errors import ChoiceError
from .game import Box, Game
from .match import Match
from .options import Choice, Option, Value

#: What the audit found, by its number (see `audit`).
FINDINGS = (
    "", "has no legal choice (law 2)", "lists its choices out of order (law 2)", "is longer than its bound (law 2)",
    "imagines what does not fit the view (law 4)", "offers other choices from a view than from the truth (law 4)",
    "imagines a truth without choices (law 4)", "tells something hidden inside a moment (law 9)",
    "lets chance or another seat in inside a moment (law 9)", "observes numbers outside -1 to 1",
    "pays out what does not sum to zero (law 7)", "hides whether there is one choice only in an open phase (law 10)",
)  # fmt: skip


def check_game(game: Game, *, matches: int = 300, interpreted: int = 1, seed: int = 1, compiled: bool = True) -> None:
    """Hold a game to all laws; an AssertionError tells which one is broken, with the options and the seed.

    Every number of seats and every pair of option values is played: `matches` audited matches each (compiled, or
    interpreted if `compiled` is false), and `interpreted` ones with every law checked at every choice.
    """
    for number, (seats, options) in enumerate(settings(game)):
        box = game.box(options)
        if matches:
            check_audit(box, seats, matches, seed + 1000 * number, compiled)
        for extra in range(interpreted):
            check_match(box, seats, seed + 1000 * number + extra, compiled)


def settings(game: Game) -> list[tuple[int, dict[str, Value]]]:
    """Seats and options so that every number of seats, every value and every pair of them occurs."""
    columns: list[list[Any]] = [list(game.seats), *(samples(option) for option in game.kit.OPTIONS)]
    rows = [[column[0] for column in columns]]
    rows += list(_pairwise(columns, random.Random(game.name)))
    names = [option.name for option in game.kit.OPTIONS]
    return [(row[0], dict(zip(names, row[1:], strict=True))) for row in rows]


def samples(option: Option) -> list[Value]:
    """The values of an option to try: all of a choice; of a number the default, the lowest and a higher one."""
    if isinstance(option, Choice):
        return list(option.values)
    return list(dict.fromkeys([option.default, option.low, min(option.high, 2 * option.default)]))


def check_audit(box: Box, seats: int, matches: int, seed: int, compiled: bool = True) -> None:
    """Play random matches fast and check at every choice what can be checked in compiled code."""
    game = box.game
    states = np.zeros(7, game.rules.STATE)
    octets = states.view(np.uint8).reshape(7, -1)
    room = len(game.rules.ACTIONS)
    found = np.zeros(4, np.int64)
    if compiled:
        from .compiled import compiled as machine_code

        driver = machine_code(game, audit)
    else:
        driver = audit(game)
    outs = np.zeros((3, room), np.int16)
    features = np.zeros(game.rules.FEATURES, np.float32)
    driver(box.kit, states, octets, outs, features, seed, seats, matches, game.longest(box, seats), found)
    law, match, choice, seat = found.tolist()
    assert not law, (
        f"{game.name} {FINDINGS[law]}: {seats} seats, options {box.options}, seed {seed + match}, "
        f"choice {choice}, seat {seat + 1}"
    )


def audit(game: Game) -> Any:
    """A driver that plays random matches and stops at the first finding: `found` = finding, match, choice, seat.

    `states` are seven records, the first blank; `octets` the same memory as bytes; `outs` three rows for choices.
    """
    rules = game.rules
    setup, legal, step, redact = rules.setup, rules.legal, rules.step, rules.redact
    imagine, glimpse, observe = rules.imagine, rules.glimpse, rules.observe
    zero_sum = game.payoffs is None or game.payoffs.zero_sum
    below, start = chance.below, chance.seed
    from .drivers import random_choice, without_conceding

    pick, keep = random_choice(game), without_conceding(game)
    open_phases = sum(1 << phase for phase in rules.OPEN)

    def same(octets, one, other):
        for i in range(octets.shape[1]):
            if octets[one, i] != octets[other, i]:
                return False
        return True

    def same_choices(outs, n, m):
        if n != m:
            return False
        for i in range(n):
            if outs[0, i] != outs[1, i]:
                return False
        return True

    same.is_rule = same_choices.is_rule = True  # type: ignore[attr-defined]

    def audit(kit, states, octets, outs, features, first_seed, seats, matches, longest, found):
        g = np.zeros(4, np.int64)
        s, view, truth = states[1], states[2], states[3]
        for match in range(matches):
            states[1] = states[0]
            start(s.rng, first_seed + match, 0)
            start(g, first_seed + match, 1)
            s.seats = seats
            setup(kit, s)
            choices = 0
            while not s.over:
                n = legal(kit, s, outs[0])
                found[1], found[2], found[3] = match, choices, s.player
                if n < 1:
                    found[0] = 1
                    return
                for i in range(1, n):
                    if outs[0, i - 1] >= outs[0, i]:
                        found[0] = 2
                        return
                if choices == longest:
                    found[0] = 3
                    return
                # A view of a random seat (or of nobody), and a truth imagined from it.
                seat = below(g, seats + 1) - 1
                found[3] = seat
                states[2] = states[1]
                redact(kit, view, seat)
                if seat >= 0:
                    observe(kit, view, seat, features)
                    for i in range(len(features)):
                        if not -1.0 <= features[i] <= 1.0:
                            found[0] = 9
                            return
                if seat == s.player and not same_choices(outs, n, legal(kit, view, outs[1])):
                    found[0] = 5
                    return
                states[3] = states[2]
                imagine(kit, truth, seat, g)
                states[4] = states[3]
                redact(kit, states[4], seat)
                if not same(octets, 2, 4):
                    found[0] = 4
                    return
                m = legal(kit, truth, outs[1])
                if seat == s.player and not same_choices(outs, n, m):
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
                        if truth.over:
                            break
                        m = legal(kit, truth, outs[1])
                        if m < 1:
                            found[0] = 6
                            return
                        step(kit, truth, pick(outs[1], m, g))
                # The choice; a moment that stays the same must tell nothing.
                for i in range(n):
                    outs[2, i] = outs[0, i]
                action = pick(outs[2], n, g)
                seen = glimpse(kit, s, action, seat)
                player = s.player
                states[5] = states[1]
                step(kit, s, action)
                if s.moment == states[5].moment:
                    same_chance = True
                    for i in range(4):
                        same_chance &= s.rng[i] == states[5].rng[i]
                    if not same_chance or s.player != player or s.over:
                        found[0] = 8
                        return
                    states[6] = states[1]
                    redact(kit, states[6], seat)
                    if seen == action and not same(octets, 2, 6):
                        step(kit, view, action)
                        redact(kit, view, seat)
                    if not same(octets, 2, 6):
                        found[0] = 7
                        return
                choices += 1
            total = 0.0
            for seat in range(seats):
                total += s.payoff[seat]
            if zero_sum and not -1e-9 < total < 1e-9:
                found[0] = 10
                return

    return audit


def check_match(box: Box, seats: int, seed: int, compiled: bool = True) -> Match:
    """Play one random match and check every law at every choice; the match is returned for more checks."""
    match = Match.deal(box, seats, seed)
    where = f"{box.game.name}, {seats} seats, options {box.options}, seed {seed}"
    rng = random.Random(seed)
    pieces = sorted(box.game.position.pieces(box, match.state))
    assert len(set(pieces)) == len(pieces), f"law 3, {where}: a card or token is in two places at the start"
    assert set(box.game.scene.ONLY) == set(box.game.rules.OPEN), f"law 10, {where}: ONLY has other phases than OPEN"
    states = [match.state.copy()]
    while not match.over:
        here = f"{where}, choice {len(match.history)}"
        legal = match.legal()
        assert legal, f"law 2, {here}: nothing is legal"
        check_words(match, here)
        check_refusals(match, rng, here)
        before = match.state.tobytes()
        free = [action for action in legal if action not in box.game.conceding]
        match.choose(rng.choice(free))
        if match.can_take_back:
            match.take_back()
            assert match.state.tobytes() == before, f"law 6, {here}: taking back gives another state"
            match.choose(rng.choice(free))
        check_beats(match, here)
        assert sorted(box.game.position.pieces(box, match.state)) == pieces, (
            f"law 3, {here}: a piece is lost or doubled"
        )
        if rng.random() < 0.1:
            check_keeping(match, here)
        states.append(match.state.copy())
        assert len(match.history) <= box.game.longest(box, seats), f"law 2, {here}: longer than its bound"
    for seat in range(match.seats + 1):
        assert not match.view(seat).scene.actions(), f"law 8, {where}: the scene offers choices after the end"
    check_keeping(match, where)
    check_payoffs(match, where)
    if compiled:
        check_trace(box, match.history, states, where)
    return match


def check_words(match: Match, where: str) -> None:
    """Law 8, for the state a match is in."""
    view = match.view(match.seat or 0)
    offered = [choice.action for choice in view.choices]
    shown = sorted(view.scene.actions())
    assert shown == offered, f"law 8, {where}: the scene offers {shown}, not {offered}"
    for action, words in view.choices:
        assert words, f"law 8, {where}: choice {action} has no words"
        again = match.read(words)
        assert words == match.box.game.scene.words(match.box, view.state, again), (
            f"law 8, {where}: “{words}” reads back as choice {again}, not {action}"
        )
    for seat in range(match.seats + 1):
        if seat != match.seat:
            others = match.view(seat).scene.actions()
            assert not others, f"law 8, {where}: seat {seat} is offered somebody else's choices"


def check_beats(match: Match, where: str) -> None:
    """What the last choice showed on the way (laws 4, 8 and 9): to every seat, in sentences and in scenes."""
    course = match.course
    assert course is not None
    assert not course.marks or course.after.moment != course.before.moment, f"law 9, {where}: a beat inside a moment"
    kit, rules = match.box.kit, match.game.rules
    rng = np.zeros(4, np.int64)
    chance.seed(rng, len(match.history), chance.IMAGINATION)
    for seat in range(match.seats + 1):
        beats = match.beats(seat)
        for view, lines in beats:
            assert all(isinstance(line, str) and line for line in lines), f"{where}: seat {seat} is told {lines}"
            if not view.beat:
                continue
            assert not view.scene.actions(), f"law 8, {where}: a choice is offered at the beat “{view.beat}”"
            truth = view.state.copy()
            rules.imagine(kit, truth, seat - 1, rng)
            rules.redact(kit, truth, seat - 1)
            assert truth.tobytes() == view.state.tobytes(), (
                f"law 4, {where}: seat {seat} imagines what does not fit the beat “{view.beat}”"
            )
        assert not course.marks or [beat.view.beat for beat in beats][-1:] == [""], f"{where}: no rest after the beats"


def check_refusals(match: Match, rng: random.Random, where: str) -> None:
    """Law 5, for a few choices that are not legal."""
    before = match.state.tobytes()
    legal = set(match.legal())
    illegal = [action for action in match.game.rules.ACTIONS if action not in legal]
    for action in [*rng.sample(illegal, min(4, len(illegal))), -1, len(match.game.rules.ACTIONS)]:
        try:
            match.choose(action)
        except ChoiceError as refused:
            assert str(refused), f"law 5, {where}: choice {action} is refused without a word"
        else:
            raise AssertionError(f"law 5, {where}: choice {action} was not refused")
    assert match.state.tobytes() == before, f"law 5, {where}: a refused choice changed something"


def check_keeping(match: Match, where: str) -> None:
    """Law 6: a record and a position give the very same state."""
    again = Match.from_record(match.record(), game=match.game)
    assert again.state.tobytes() == match.state.tobytes(), f"law 6, {where}: the record replays to another state"
    position = match.position()
    read = Match.from_position(position, match.box.content, game=match.game)
    differing = [name for name in match.state.dtype.names if np.any(read.state[name] != match.state[name])]
    assert read.state.tobytes() == match.state.tobytes(), (
        f"law 6, {where}: the position reads back with other {differing}"
    )


def check_payoffs(match: Match, where: str) -> None:
    """Law 7."""
    payoffs, paid = list((match.payoffs or {}).values()), match.game.payoffs
    if paid is None:
        won = [payoff for payoff in payoffs if payoff > 0]
        assert all(payoff == -1 for payoff in payoffs if payoff < 0), f"law 7, {where}: losers pay 1, not {payoffs}"
        assert len(set(won)) <= 1, f"law 7, {where}: winners share evenly, not {payoffs}"
    else:
        assert all(paid.low <= payoff <= paid.high for payoff in payoffs), (
            f"law 7, {where}: {payoffs} are not between {paid.low} and {paid.high} {paid.unit}"
        )
    if paid is None or paid.zero_sum:
        assert abs(sum(payoffs)) < 1e-9, f"law 7, {where}: {payoffs} do not sum to zero"


def check_trace(box: Box, choices: list[int], states: list[Any], where: str) -> None:
    """Law 1: the compiled rules make the same states of the same choices."""
    from .compiled import compiled
    from .drivers import trace

    traced = np.zeros(len(states), box.game.rules.STATE)
    traced[0] = states[0]
    compiled(box.game, trace)(box.kit, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            differing = [name for name in state.dtype.names if np.any(traced[number][name] != state[name])]
            raise AssertionError(f"law 1, {where}: after choice {number} compiled play has other {differing}")


def _pairwise(columns: list[list[Any]], rng: random.Random) -> Iterator[list[Any]]:
    """Rows that hold every pair of values of any two columns, few of them (greedy: the best of some random rows)."""
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
