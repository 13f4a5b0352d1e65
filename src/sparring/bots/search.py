"""Search: multi-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

The bot imagines a truth that fits what its seat knows, plays the match to its end, and does so many times. Each seat
has a tree of its own, in which a node stands for what this seat has seen being chosen, and for its *news*: what it
learned that was nobody's choice, as its own cards at the beginning, a draw, something turned up. So no seat, imagined
ones included, decides by what it cannot know, and none as if it did not know its own cards. Where a seat chooses, it
goes on with what did well or was seldom tried; when it comes to the edge of its tree it adds one node. From there the
match is judged by what was learned from others (`judging`), at once or after a few choices at random; without a
judgement it is played at random to its end. Where a seat has learned what good players choose (`priors`), what they
choose is tried first, and what they do not only if that disappoints; and where the game says when it
`is_quiescent`, what is half done, as a blow that is not yet answered, is played on as they are likely to before it is
judged.

What is news is a rule of the game (`news`), or else everything that changes in the view. It can be told as finely as
one likes, but each distinction divides the trees, so that less is learned of each part; games of many cards tell little
of it or none (strength.md has the measurements). What the trees leave out then: imagined players play the average of
what they may hold, within what they may choose. And as in all search of this kind every decision is improved against
opponents who search in the same way: where secrets are kept the answer is one best choice, not a mixture.

All of this is rules (see `sparring.engine.rule`): it runs as it stands, and compiled. Nodes lie in one array.
"""

from typing import Any

import numpy as np

from sparring.engine.chance import BOT, DEAL, below, seed
from sparring.engine.compilation.counters import begin, closing, noting
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import Game
from sparring.engine.rule import record_dtype, rule

from . import policy_priors
from .evaluation import HIDDEN, judging, quiescent_of, value_features_of
from .search_trees import decided, favourite, hear, move_on, plant, remember
from .selection import curiosity_of, drawing, select, selecting

#: After so many iterations a search that may stop early looks whether anything can change.
PAUSE = 64


def desk_dtype(game: Game) -> np.dtype[Any]:
    """What a search notes while it thinks.

    `g` is its generator; `used` nodes are in use; `at` is each seat's node; `inside` tells which seats are in their
    trees still, `insiders` how many; `mark` is `stamp` for what can be chosen and stamp + 1 if it has been tried.
    `worth` is what a match brought to each seat, from 0 to 1, and `squares` adds up what these are when multiplied by
    themselves; `curious` is how curious each seat is. `seen` and `felt` are room for a judgement, `likely` and
    `stirred` for a prior.
    """
    rules = game.rules
    value_features, _ = value_features_of(game)
    seats = rules.STATE["payoff"].shape[0]
    return record_dtype(
        [("g", "i8", 4), ("worth", "f8", seats), ("squares", "f8", seats), ("curious", "f8", seats),
         ("seen", "f8", value_features), ("felt", "f8", HIDDEN),
        *policy_priors.room(game), ("used", "i4"), ("stamp", "i4"),
         ("insiders", "i4"), ("at", "i4", seats), ("inside", "i4", seats), ("mark", "i4", len(rules.ACTIONS))]
    )  # fmt: skip


@rule
def grow_dim(s, desk, even, left):
    """What comes late is worth less: of what goes beyond an even end (or falls short of it) so much is left."""
    for seat in range(s.seats):
        desk.worth[seat] = even + (desk.worth[seat] - even) * left


def bounds(game: Game) -> Driver:
    """A rule: the lowest payoff of a match of so many seats, and how far the highest one lies above it."""
    if game.payoffs is None:

        def span(seats):
            return -1.0, float(seats)
    else:
        low, width = float(game.payoffs.low), float(game.payoffs.high - game.payoffs.low)

        def span(seats):
            return low, width

    return rule(span)


def private_observation_of(game: Game) -> Driver:
    """A rule: what a seat has learned that was nobody's choice, as a label for its tree; 0 for nothing.

    The game's own rule `news`; or, where it has none, a fingerprint of the whole view, which is taken in `work[-1]`
    (`octets` is the same memory as bytes).
    """
    own = getattr(game.rules, "private_observation", None)
    if own is not None:

        def news(kit, work, octets, s, seat):
            return own(kit, s, seat)
    else:
        redact = game.rules.redact

        def news(kit, work, octets, s, seat):
            last = len(work) - 1
            work[last] = s
            redact(kit, work[last], seat)
            mark = 2166136261
            for octet in octets[last]:
                mark = ((mark ^ int(octet)) * 16777619) & 0xFFFFFFFF  # FNV-1a
            return 1 + (mark & 0x3FFFFFFF)

    return rule(news)


def thinking(game: Game) -> Driver:
    """A rule: imagine so many matches from `work[0]`, which holds what `seat` knows, and remember them in the trees.

    `work` has a record to spare at its end; `octets` is the same memory as bytes; `mind` is what it thinks with.
    """
    legal, step, determinize, observe_action = (
        game.rules.legal,
        game.rules.step,
        game.rules.determinize,
        game.rules.observe_action,
    )
    keep, news, span, judge = without_conceding(game), private_observation_of(game), bounds(game), judging(game)
    select_by_prior, draw, quiescent = selecting(game), drawing(game), quiescent_of(game)

    def think(kit, work, octets, out, nodes, desk, mind, seat, iterations):
        s = work[1]
        low, width = span(work[0].seats)
        for iteration in range(iterations):
            if mind.stops and iteration % PAUSE == 0 and decided(nodes, 1 + seat, iterations - iteration):
                break
            work[1] = work[0]
            determinize(kit, s, seat, desk.g)
            for other in range(s.seats):
                desk.curious[other] = curiosity_of(nodes[1 + other], mind, desk.squares[other])
                desk.at[other] = 1 + other
                desk.inside[other] = 1
                if other != seat:
                    learned = news(kit, work, octets, s, other)
                    if learned:
                        hear(nodes, desk, other, learned)
            desk.insiders = s.seats
            ahead = mind.ahead
            made = 0
            left = 1.0
            while not s.over:
                if made == mind.sight and made > 0:
                    for other in range(s.seats):
                        desk.inside[other] = 0
                    desk.insiders = 0
                made += 1
                left *= mind.patience
                n = keep(out, legal(kit, s, out))
                player = s.player
                if desk.inside[player] and mind.has_prior:
                    action = select_by_prior(kit, work, s, nodes, desk, mind, out, n, player)
                elif desk.inside[player]:
                    action = select(nodes, desk, out, n, player, mind.by_choice)
                elif mind.judges and ahead == 0 and quiescent(kit, s, n, mind):
                    break
                else:
                    if ahead > 0 and n > 1:
                        ahead -= 1
                    action = draw(kit, work, s, desk, mind, out, n, player)
                if desk.insiders > 0:
                    for other in range(s.seats):
                        if desk.inside[other]:
                            label = action if other == player else observe_action(kit, s, action, other)
                            move_on(nodes, desk, other, label)
                step(kit, s, action)
                if desk.insiders > 0 and not s.over:
                    for other in range(s.seats):
                        if desk.inside[other]:
                            learned = news(kit, work, octets, s, other)
                            if learned:
                                hear(nodes, desk, other, learned)
            if s.over:
                for other in range(s.seats):
                    desk.worth[other] = (s.payoff[other] - low) / width
            else:
                judge(kit, work, s, desk, mind)
            if left < 1.0:
                grow_dim(s, desk, -low / width, left)
            remember(s, nodes, desk)

    return rule(think)


def matches(game: Game) -> Driver:
    """Whole matches between bots that search or play at random, counted on a sheet (see `engine.tally`).

    Match i, of `len(rows)`, is number `first + i` of all: it is dealt from `seed + first + i`, and its seat k is
    played by bot (k + first + i) modulo `seats`. `budgets` are iterations by bot (0: random), `minds` what they think
    with, `streams` room for their generators. In the phases in `lots` (bits) bots choose at random too. `work` holds
    five records, the fourth one blank; the rest is as in `counted` and `thinking`.
    """
    setup, legal, step, redact = game.rules.setup, game.rules.legal, game.rules.step, game.rules.redact
    keep, think, note, close = without_conceding(game), thinking(game), noting(game), closing(game)

    def matches(
        kit, work, octets, out, nodes, desk, minds, first_seed, first, seats, budgets, lots, streams, sheet, rows
    ):  # fmt: skip
        s = work[2]
        for match in range(len(rows)):
            number = first_seed + first + match
            work[2] = work[3]
            seed(s.rng, number, DEAL)
            for bot in range(seats):
                seed(streams[bot], number, BOT + bot)
            s.seats = seats
            setup(kit, s)
            begin(s, sheet)
            while not s.over:
                player = s.player
                bot = (player + first + match) % seats
                g = streams[bot]
                n = keep(out, legal(kit, s, out))
                action = out[0]
                if n > 1 and (budgets[bot] == 0 or lots >> s.phase & 1):
                    action = out[below(g, n)]
                elif n > 1:
                    work[0] = work[2]
                    redact(kit, work[0], player)
                    plant(nodes, desk, seats)
                    desk.g[:] = g
                    think(kit, work, octets, out, nodes, desk, minds[bot], player, budgets[bot])
                    g[:] = desk.g
                    action = favourite(nodes, 1 + player)
                note(kit, s, sheet, action, n)
                step(kit, s, action)
            close(kit, s, sheet, first + match)
            for k in range(rows.shape[1]):
                rows[match, k] = sheet.row[k]

    return matches
