"""Search: multi-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

The bot imagines a truth that fits what its seat knows, plays the match to its end, and does so many times. Each seat
has a tree of its own, in which a node stands for all that this seat has seen being chosen; so no seat, imagined ones
included, decides by what it cannot know. Where a seat chooses, it goes on with what did well or was seldom tried; when
it comes to the edge of its tree it adds one node, and plays at random from there.

All of this is rules (see `sparring.engine.rule`): it runs as it stands, and compiled. Nodes lie in one array.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from sparring.engine.chance import BOT, DEAL, below, seed
from sparring.engine.drivers import Driver, without_conceding
from sparring.engine.game import Game
from sparring.engine.rule import record_dtype, rule

#: How much a seldom tried choice is worth trying, with payoffs from 0 to 1; chosen by measurement (performance.md).
CURIOSITY = 0.7

#: A node: what its seat saw of a choice (`label`), how often that was chosen or could have been, and what it brought.
#: The other numbers are nodes: 0 is none, 1 + seat the root of a seat's tree.
NODE = record_dtype(
    [("value", "f8"), ("label", "i4"), ("visits", "i4"), ("available", "i4"),
     ("parent", "i4"), ("child", "i4"), ("next", "i4")]
)  # fmt: skip


def desk_dtype(game: Game) -> np.dtype[Any]:
    """What a search notes while it thinks.

    `g` is its generator; `used` nodes are in use; `at` is each seat's node; `inside` tells which seats are in their
    trees still, `insiders` how many; `mark` is `stamp` for what can be chosen and stamp + 1 if it has been tried.
    """
    rules = game.rules
    seats = rules.STATE["payoff"].shape[0]
    return record_dtype(
        [("g", "i8", 4), ("used", "i4"), ("stamp", "i4"), ("insiders", "i4"), ("at", "i4", seats),
         ("inside", "i4", seats), ("mark", "i4", len(rules.ACTIONS))]
    )  # fmt: skip


@rule
def plant(nodes, desk, seats):
    """Begin with trees of nothing but a root."""
    desk.used = seats + 1
    for node in range(seats + 1):
        nodes[node].value = 0.0
        nodes[node].visits = 0
        nodes[node].parent = 0
        nodes[node].child = 0


@rule
def add_node(nodes, desk, parent, label):
    """A new child, if there is room for one; 0 if not."""
    if desk.used == len(nodes):
        return 0
    child = desk.used
    desk.used += 1
    node = nodes[child]
    node.value = 0.0
    node.label = label
    node.visits = 0
    node.available = 1
    node.parent = parent
    node.child = 0
    node.next = nodes[parent].child
    nodes[parent].child = child
    return child


@rule
def child_of(nodes, parent, label):
    """The child with this label; 0 if there is none yet."""
    child = nodes[parent].child
    while child != 0 and nodes[child].label != label:
        child = nodes[child].next
    return child


@rule
def worth_trying(node):
    """Upper confidence bound of a choice, by how often it could have been chosen."""
    return node.value / node.visits + CURIOSITY * sqrt(log(node.available) / node.visits)


@rule
def select(nodes, desk, out, n, seat):
    """What a seat inside its tree chooses: something untried, or else what is most worth trying."""
    desk.stamp += 2
    for i in range(n):
        desk.mark[out[i]] = desk.stamp
    tried = 0
    best = 0
    highest = -1.0
    child = nodes[desk.at[seat]].child
    while child != 0:
        node = nodes[child]
        if node.label >= 0 and desk.mark[node.label] == desk.stamp:
            desk.mark[node.label] += 1
            tried += 1
            node.available += 1
            worth = worth_trying(node)
            if worth > highest:
                highest = worth
                best = child
        child = node.next
    if tried == n:
        return nodes[best].label
    return untried(desk, out, n, below(desk.g, n - tried))


@rule
def untried(desk, out, n, place):
    """The untried choice at this place among the untried ones."""
    for i in range(n):
        if desk.mark[out[i]] == desk.stamp:
            if place == 0:
                return out[i]
            place -= 1
    return out[0]


@rule
def move_on(nodes, desk, seat, label):
    """A seat goes on to the node of what it saw; where that is new, it leaves its tree there."""
    child = child_of(nodes, desk.at[seat], label)
    if child == 0:
        child = add_node(nodes, desk, desk.at[seat], label)
        desk.inside[seat] = 0
        desk.insiders -= 1
    if child != 0:
        desk.at[seat] = child


@rule
def remember(s, nodes, desk):
    """Write the payoffs, between 0 and 1, into every node that was come by."""
    for seat in range(s.seats):
        value = (s.payoff[seat] + 1.0) / s.seats
        node = desk.at[seat]
        while node != 0:
            nodes[node].visits += 1
            nodes[node].value += value
            node = nodes[node].parent


@rule
def favourite(nodes, root):
    """The choice that was tried most often, the better one of two; -1 if none was."""
    best = 0
    child = nodes[root].child
    while child != 0:
        node = nodes[child]
        if best == 0 or node.visits > nodes[best].visits:
            best = child
        elif node.visits == nodes[best].visits and node.value > nodes[best].value:
            best = child
        child = node.next
    return nodes[best].label if best != 0 else -1


def thinking(game: Game) -> Driver:
    """A rule: imagine so many matches from `work[0]`, which holds what `seat` knows, and remember them in the trees."""
    legal, step, imagine, glimpse = game.rules.legal, game.rules.step, game.rules.imagine, game.rules.glimpse
    keep = without_conceding(game)

    def think(kit, work, out, nodes, desk, seat, iterations):
        s = work[1]
        for _ in range(iterations):
            work[1] = work[0]
            imagine(kit, s, seat, desk.g)
            for other in range(s.seats):
                desk.at[other] = 1 + other
                desk.inside[other] = 1
            desk.insiders = s.seats
            while not s.over:
                n = keep(out, legal(kit, s, out))
                player = s.player
                if desk.inside[player]:
                    action = select(nodes, desk, out, n, player)
                else:
                    action = out[below(desk.g, n)]
                if desk.insiders > 0:
                    for other in range(s.seats):
                        if desk.inside[other]:
                            label = action if other == player else glimpse(kit, s, action, other)
                            move_on(nodes, desk, other, label)
                step(kit, s, action)
            remember(s, nodes, desk)

    return rule(think)


def matches(game: Game) -> Driver:
    """Whole matches between bots that search or play at random; returns the number of choices made.

    Match i, of `len(lengths)`, is number `first + i` of all: it is dealt from `seed + first + i`, and its seat k is
    played by bot (k + first + i) modulo `seats`. `budgets` are iterations by bot (0: random), `streams` room for their
    generators. `work` holds four records, the last one blank; the rest is as in `playouts`.
    """
    setup, legal, step, redact = game.rules.setup, game.rules.legal, game.rules.step, game.rules.redact
    keep, think = without_conceding(game), thinking(game)

    def matches(
        kit, work, out, nodes, desk, first_seed, first, seats, budgets, streams, lengths, endings, payoffs, phases
    ):  # fmt: skip
        s = work[2]
        total = 0
        for match in range(len(lengths)):
            number = first_seed + first + match
            work[2] = work[3]
            seed(s.rng, number, DEAL)
            for bot in range(seats):
                seed(streams[bot], number, BOT + bot)
            s.seats = seats
            setup(kit, s)
            choices = 0
            while not s.over:
                phases[s.phase] += 1
                choices += 1
                player = s.player
                bot = (player + first + match) % seats
                g = streams[bot]
                n = keep(out, legal(kit, s, out))
                action = out[0]
                if n > 1 and budgets[bot] == 0:
                    action = out[below(g, n)]
                elif n > 1:
                    work[0] = work[2]
                    redact(kit, work[0], player)
                    plant(nodes, desk, seats)
                    desk.g[:] = g
                    think(kit, work, out, nodes, desk, player, budgets[bot])
                    g[:] = desk.g
                    action = favourite(nodes, 1 + player)
                step(kit, s, action)
            lengths[match] = choices
            endings[match] = s.ending
            for seat in range(seats):
                payoffs[match, seat] = s.payoff[seat]
            total += choices
        return total

    return matches
