"""The compiled loop of `BatchEnv`: deals, steps and shows many matches, whose states and outputs are rows of arrays."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.features import absolute_rule, is_turned, relative_rule
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .batch_arrays import match_seed

#: What a call of the driver does: start the chosen matches; look for illegal actions; take the given actions; take
#: random actions; write the outputs again; write the observations of all seats.
RESET, CHECK, STEP, RANDOM, SHOW, OBSERVE_ALL = range(6)

#: When an environment deals its next match: never, in the step that ends one, in the step after it.
DISABLED, SAME_STEP, NEXT_STEP = range(3)

#: What happens to an illegal action: nothing (`CHECK` finds it), the match is lost, a random action replaces it.
REFUSE, LOSE, REPLACE = range(3)

#: Indices into the settings.
SEATS, MAX_CHOICES, AUTORESET, ON_ILLEGAL, CONCEDE, SEAT_FRAME, OBSERVE, HISTORY = range(8)

#: The values of a stored action before those that each seat observed: actor, phase and turn.
ACTOR, PHASE, TURN, OBSERVED = range(4)


@rule
def sort_ascending(actions, n):
    """Sort the first `n` actions; they are few and nearly sorted."""
    for i in range(1, n):
        action = actions[i]
        k = i
        while k > 0 and actions[k - 1] > action:
            actions[k] = actions[k - 1]
            k -= 1
        actions[k] = action


@rule
def write_history(settings, past, length, seat, rows):
    """Write what a seat observed of the last actions, the newest last; missing rows are -1."""
    size = settings[HISTORY]
    seats = settings[SEATS]
    for row in range(size):
        number = length - size + row
        if number < 0:
            rows[row] = -1  # not a slice: code that assigns to slices counts references, which is slow
        else:
            kept = past[number % size]
            rows[row, 0] = (kept[ACTOR] - seat + seats) % seats
            rows[row, 1] = kept[OBSERVED + seat]
            rows[row, 2] = kept[PHASE]
            rows[row, 3] = kept[TURN]


@rule
def is_legal(mask, i, action):
    """Return whether an action is legal in environment `i`, for any integer."""
    return 0 <= action < mask.shape[1] and mask[i, action]


@rule
def draw_legal(legal, n_legal, i, generators, g):
    """Return a random legal action of environment `i`, with its generator; `g` is scratch space."""
    for k in range(4):
        g[k] = generators[i, k]
    action = int(legal[i, below(g, n_legal[i])])
    for k in range(4):
        generators[i, k] = g[k]
    return action


@rule
def pay(settings, s, rewards, i, loser):
    """Write the payoffs of a finished match; a `loser` by an illegal action pays 1, which the others share."""
    seats = settings[SEATS]
    for seat in range(seats):
        if loser < 0:
            rewards[i, seat] = s.payoff[seat]
        else:
            rewards[i, seat] = -1.0 if seat == loser else 1.0 / (seats - 1)


def legal_rule(game: Game) -> Driver:
    """Return a rule that writes the legal actions of a state in the chosen frame, ascending; return how many."""
    legal, keep, relative, turned = game.rules.legal, without_conceding(game), relative_rule(game), is_turned(game)

    def write_legal(params, settings, s, out):
        n = legal(params, s, out)
        if not settings[CONCEDE]:
            n = keep(out, n)
        if turned and settings[SEAT_FRAME]:
            for k in range(n):
                out[k] = relative(params, s, s.player, out[k])
            sort_ascending(out, n)
        return n

    return rule(write_legal)


def encode_rule(game: Game) -> Driver:
    """Return a rule that writes a seat's features of the state `s`, which it redacts, to the float64 array `values`."""
    redact, features = game.rules.redact, game.rules.features

    def encode(params, s, seat, values):
        redact(params, s, seat)
        features(params, s, seat, values)

    return rule(encode)


def remember_rule(game: Game) -> Driver:
    """Return a rule that stores an action as every seat observes it, before it is applied."""
    observe_action, relative, turned = game.rules.observe_action, relative_rule(game), is_turned(game)

    def remember(params, settings, s, action, number, past, i):
        row = past[i, number % settings[HISTORY]]
        row[ACTOR] = s.player
        row[PHASE] = s.phase
        row[TURN] = s.turn
        for seat in range(settings[SEATS]):
            observed = action if seat == s.player else observe_action(params, s, action, seat)
            if turned and observed >= 0 and settings[SEAT_FRAME]:
                observed = relative(params, s, seat, observed)
            row[OBSERVED + seat] = observed

    return rule(remember)


def batch_driver(game: Game) -> Driver:  # noqa: C901 - rules hold no helpers
    """Return the driver of a batch: it runs `operation` on the environments from `first` to `last`, `count` times.

    It returns the number of the first environment with an illegal action (CHECK, and STEP with REFUSE, which then
    changes nothing), otherwise -1. Arrays have one row for each environment (see `BatchEnv`), except:

    * `all_params`: an array of one params record, whose type Numba recognizes faster than that of a record.
    * `settings`: int64, indexed by SEATS, MAX_CHOICES and so on.
    * `work`: two records of the game's state, a blank one and scratch space; `values`: float64, scratch space for an
      observation; `out`: int16, for legal actions; `g`: int64 of shape (4,), for a generator.
    * `obs`, `final_obs`, `past` and `history` have only one row, which is not used, if they are not wanted.
    """
    setup, step = game.rules.setup, game.rules.step
    absolute, turned = absolute_rule(game), is_turned(game)
    write_legal, encode, remember = legal_rule(game), encode_rule(game), remember_rule(game)

    @rule
    def start(params, settings, work, states, i, base, episode, length, seeds, over):
        number = match_seed(base[i], i, episode[i])
        seeds[i] = number
        states[i] = work[0]
        s = states[i]
        seed(s.rng, number, DEAL)
        s.seats = settings[SEATS]
        setup(params, s)
        length[i] = 0
        over[i] = False

    @rule
    def show(
        params, settings, work, values, out, states, i, length, over, player, obs, mask, legal, n_legal, past, history
    ):
        s = states[i]
        seat = s.player
        player[i] = seat
        for action in range(mask.shape[1]):
            mask[i, action] = False
        n = 0
        if not over[i]:
            n = write_legal(params, settings, s, out)
        for k in range(n):
            legal[i, k] = out[k]
            mask[i, out[k]] = True
        n_legal[i] = n
        if settings[OBSERVE]:
            work[1] = states[i]
            encode(params, work[1], seat, values)
            for k in range(len(values)):
                obs[i, k] = values[k]
        if settings[HISTORY]:
            write_history(settings, past[i], length[i], seat, history[i])

    @rule
    def act(params, settings, s, i, operation, action, legal, n_legal, mask, generators, g, length, past, illegal):
        """Take an action; return the seat that loses by an illegal one, otherwise -1."""
        actor = s.player
        if operation == RANDOM:
            action = draw_legal(legal, n_legal, i, generators, g)
        elif not is_legal(mask, i, action):
            illegal[i] = True
            if settings[ON_ILLEGAL] == LOSE:
                return actor
            action = draw_legal(legal, n_legal, i, generators, g)
        if turned and settings[SEAT_FRAME]:
            action = int(absolute(params, s, actor, action))
        if settings[HISTORY]:
            remember(params, settings, s, action, length[i], past, i)
        step(params, s, action)
        length[i] += 1
        return -1

    @rule
    def observe_seats(params, settings, work, values, states, i, observations):
        """Write the observations of all seats."""
        for seat in range(settings[SEATS]):
            work[1] = states[i]
            encode(params, work[1], seat, values)
            for k in range(len(values)):
                observations[i, seat, k] = values[k]

    def drive(  # noqa: C901
        operation, count, first, last, all_params, settings, work, values, out, g, actions, where, states, base,
        episode, length, seeds, generators, over, player, obs, mask, legal, n_legal, rewards, terminated, truncated,
        illegal, final_obs, final_length, past, history,
    ):  # fmt: skip
        params = all_params[0]
        if operation == OBSERVE_ALL:
            for i in range(first, last):
                observe_seats(params, settings, work, values, states, i, final_obs)
            return -1
        if operation == CHECK or (operation == STEP and settings[ON_ILLEGAL] == REFUSE):
            for i in range(first, last):
                if where[i] and over[i] and settings[AUTORESET] == DISABLED:
                    return i
                if where[i] and not over[i] and not is_legal(mask, i, actions[i]):
                    return i
            if operation == CHECK:
                return -1
        for _ in range(count):
            for i in range(first, last):
                rests = over[i] and settings[AUTORESET] == DISABLED
                if operation != SHOW and (where[i] or operation == STEP) and not (operation == RANDOM and rests):
                    for seat in range(settings[SEATS]):
                        rewards[i, seat] = 0.0
                    terminated[i] = truncated[i] = illegal[i] = False
                if not where[i] or (rests and operation != RESET and operation != SHOW):
                    continue
                starts = operation == RESET
                if operation != RESET and operation != SHOW and over[i]:
                    episode[i] += 1
                    starts = True
                elif operation != RESET and operation != SHOW:
                    s = states[i]
                    loser = act(
                        params, settings, s, i, operation, actions[i], legal, n_legal, mask, generators, g, length,
                        past, illegal,
                    )  # fmt: skip
                    terminated[i] = s.over > 0 or loser >= 0
                    truncated[i] = not terminated[i] and length[i] == settings[MAX_CHOICES]
                    if terminated[i] or truncated[i]:
                        over[i] = True
                        final_length[i] = length[i]
                        if terminated[i]:
                            pay(settings, s, rewards, i, loser)
                        if settings[OBSERVE]:
                            observe_seats(params, settings, work, values, states, i, final_obs)
                        if settings[AUTORESET] == SAME_STEP:
                            episode[i] += 1
                            starts = True
                if starts:
                    start(params, settings, work, states, i, base, episode, length, seeds, over)
                if operation == RESET:
                    seed(g, seeds[i], CHOICES)
                    for k in range(4):
                        generators[i, k] = g[k]
                show(
                    params, settings, work, values, out, states, i, length, over, player, obs, mask, legal, n_legal,
                    past, history,
                )  # fmt: skip
        return -1

    return drive
