"""Mixing: a search that answers with a mixture, for games in which a best single choice can be read by the others.

As in `search` each seat has a tree of what it saw being chosen and of its news. But here a seat goes on by *regret
matching*: each choice as often as one regrets not to have made it more often (Hart and Mas-Colell 2000), and what the
bot draws its answer from is the average of all it would have done. In games of two seats and hidden cards the averages
come close to an equilibrium, which nobody can exploit (Lanctot and others 2009; Lisý, Lanctot and Bowling 2015).

In an iteration each seat *learns* once, in a truth imagined for that: wherever it has to choose it tries all its
choices, each of them played on by everybody's policy to the end of the match, and regrets what it would have gained.
The others' averages grow on the way.

How likely a hidden card is depends on what its owner did with it. So truths are imagined from the first thing that the
bot remembers on, every other one *aimed*: through all that has been chosen since, weighted by how likely the others
were to choose it, and dropped where something else would have been seen. While the others learn, nothing but what
everybody sees is taken for known: they must not learn what the bot holds. Where the news of a game tells no hands, what
the bot would do with any hand and what it does with its own are learned in two trees.

All of this is rules, as in `search`.
"""

from typing import Any

import numpy as np

from sparring.engine.chance import below, unit
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import SPECTATOR, Game
from sparring.engine.rule import no_private_observation, record_dtype, rule

from .search import bounds, private_observation_of
from .search_trees import FIRST_NEWS, child_of, hang

#: How often the learner goes on with any of its choices, and how likely anything is at least that was really chosen.
BOLDNESS = 0.4
DOUBT = 0.05

#: How often an aimed truth is imagined anew that turned out otherwise, before this iteration is given up.
TRIES = 50

#: A node: its label as in a search; how much its choice is regretted, what share of the average it has, what it gained
#: when it was tried last, and for hints all that it `brought` in `tries`, which were so `heavy`, and their `squares`.
NODE = record_dtype(
    [("regret", "f8"), ("share", "f8"), ("gain", "f8"), ("brought", "f8"), ("heavy", "f8"), ("squares", "f8"),
     ("label", "i4"), ("child", "i4"), ("next", "i4"), ("tries", "i4")]
)  # fmt: skip


def desk_dtype(game: Game) -> np.dtype[Any]:
    """What mixing notes while it thinks.

    `g` is its generator; `used` nodes are in use; `at` is each seat's node, 0 outside of its tree, and `kept` the same
    where something is tried. `options` and `kids` are the learner's choices and their nodes, `others` somebody else's;
    `found` is the node of each choice, where `mark` is `stamp`. `weights` and `runs` are the aimed truths of each
    learner, `here` is where the bot's own seat is now.
    """
    rules = game.rules
    seats, choices = rules.STATE["payoff"].shape[0], len(rules.ACTIONS)
    return record_dtype(
        [("g", "i8", 4), ("weights", "f8", seats), ("runs", "f8", seats), ("used", "i4"), ("stamp", "i4"),
         ("here", "i4"), ("at", "i4", seats), ("kept", "i4", seats), ("mark", "i4", choices), ("found", "i4", choices),
         ("kids", "i4", choices), ("others", "i4", choices), ("options", "i2", choices)]
    )  # fmt: skip


@rule
def clear(nodes, desk, seats):
    """Begin with trees of nothing but a root; what they hang on is no node."""
    desk.used = 1
    desk.here = 0
    nodes[0].child = 0
    for _ in range(seats + 1):
        add_node(nodes, desk, 0, 0)
    for seat in range(seats):
        desk.weights[seat] = 0.0
        desk.runs[seat] = 0.0


@rule
def add_node(nodes, desk, parent, label):
    """A new child, if there is room for one; 0 if not."""
    child = hang(nodes, desk, parent, label)
    if child != 0:
        node = nodes[child]
        node.regret = 0.0
        node.share = 0.0
        node.brought = 0.0
        node.heavy = 0.0
        node.squares = 0.0
        node.tries = 0
    return child


@rule
def follow(nodes, desk, seat, label, grow):
    """A seat in its tree goes on to a node; where there is none it is made, or else the seat leaves its tree."""
    if desk.at[seat]:
        child = child_of(nodes, desk.at[seat], label)
        if child == 0 and grow:
            child = add_node(nodes, desk, desk.at[seat], label)
        desk.at[seat] = child


@rule
def weigh(nodes, desk, node, out, n, kids, grow):
    """Find the nodes of the `n` choices in `out`: the sum of what is regretted, or -1.0 if one is not there."""
    desk.stamp += 1
    child = nodes[node].child
    while child != 0:
        label = nodes[child].label
        if label >= 0:
            desk.mark[label] = desk.stamp
            desk.found[label] = child
        child = nodes[child].next
    total = 0.0
    for i in range(n):
        kids[i] = desk.found[out[i]] if desk.mark[out[i]] == desk.stamp else 0
        if kids[i] == 0 and grow:
            kids[i] = add_node(nodes, desk, node, out[i])
        if kids[i] == 0:
            return -1.0
        total += max(nodes[kids[i]].regret, 0.0)
    return total


@rule
def likely(nodes, kid, total, n):
    """How likely a choice is: as it is regretted, or as any other where nothing is."""
    return max(nodes[kid].regret, 0.0) / total if total > 0.0 else 1.0 / n


@rule
def drawn(nodes, desk, kids, n, total):
    """The place of a choice, by how likely each is."""
    left = unit(desk.g)
    for i in range(n - 1):
        left -= likely(nodes, kids[i], total, n)
        if left < 0.0:
            return i
    return n - 1


@rule
def by_policy(nodes, desk, seat, out, n):
    """The place of a seat's choice: by its policy so far, or any outside of its tree."""
    if desk.at[seat]:
        total = weigh(nodes, desk, desk.at[seat], out, n, desk.others, False)
        if total >= 0.0:
            return drawn(nodes, desk, desk.others, n, total)
    return below(desk.g, n)


@rule
def share_out(nodes, kids, n, total, weight):
    """The average policy takes in the one of now."""
    for i in range(n):
        nodes[kids[i]].share += weight * likely(nodes, kids[i], total, n)


@rule
def regret(nodes, kids, n, total, weight):
    """Every choice is regretted by how much more it would have gained than the policy of now; never less than not."""
    expected = 0.0
    for i in range(n):
        expected += likely(nodes, kids[i], total, n) * nodes[kids[i]].gain
    for i in range(n):
        kid = nodes[kids[i]]
        kid.regret = max(kid.regret + weight * (kid.gain - expected), 0.0)


@rule
def note(nodes, kids, n, weight):
    """What each choice brought is kept for hints."""
    for i in range(n):
        kid = nodes[kids[i]]
        kid.brought += weight * kid.gain
        kid.heavy += weight
        kid.squares += weight * weight
        kid.tries += 1


@rule
def answer(nodes, desk, node, out, n):
    """A choice drawn from the average policy at a node; -1 if there is none yet."""
    if node == 0 or weigh(nodes, desk, node, out, n, desk.others, False) < 0.0:
        return -1
    total = 0.0
    for i in range(n):
        total += nodes[desk.others[i]].share
    if total == 0.0:
        return -1
    left = unit(desk.g) * total
    for i in range(n - 1):
        left -= nodes[desk.others[i]].share
        if left < 0.0:
            return out[i]
    return out[n - 1]


def going_on(game: Game) -> tuple[Driver, Driver]:
    """Two rules: every seat begins in its tree and hears its news; and all go on with a choice that is made."""
    step, observe_action, news = game.rules.step, game.rules.observe_action, private_observation_of(game)

    def hear(kit, work, octets, nodes, desk, s, grow):
        for seat in range(s.seats):
            if desk.at[seat]:
                learned = news(kit, work, octets, s, seat)
                if learned:
                    follow(nodes, desk, seat, FIRST_NEWS - learned, grow)

    hear = rule(hear)

    def begin(kit, work, octets, nodes, desk, s, who, root):
        for seat in range(s.seats):
            desk.at[seat] = root if root and seat == who else 1 + seat
        hear(kit, work, octets, nodes, desk, s, True)

    def go_on(kit, work, octets, nodes, desk, s, action, grow):
        for seat in range(s.seats):
            follow(nodes, desk, seat, action if seat == s.player else observe_action(kit, s, action, seat), grow)
        step(kit, s, action)
        if not s.over:
            hear(kit, work, octets, nodes, desk, s, grow)

    return rule(begin), rule(go_on)


def aiming(game: Game) -> Driver:
    """A rule: imagine in `work[1]` a truth that went as `who` remembers it; how likely the others made it so, or 0.0.

    `root` is where the tree of `who` begins, if it does not begin at the usual place (0).
    `memory` (`remembered` is the same as bytes) are the views of `who` before each choice, and now; `seen` is what it
    saw of each choice.
    """
    legal, determinize, observe_action, redact = (
        game.rules.legal,
        game.rules.determinize,
        game.rules.observe_action,
        game.rules.redact,
    )
    keep = without_conceding(game)
    begin, go_on = going_on(game)

    def same(octets, one, others, other):
        for i in range(octets.shape[1]):
            if octets[one, i] != others[other, i]:
                return False
        return True

    same = rule(same)

    def aim(kit, work, octets, out, nodes, desk, who, root, learner, memory, remembered, seen):
        s, last = work[1], len(work) - 1
        work[1] = memory[0]
        determinize(kit, s, who, desk.g)
        begin(kit, work, octets, nodes, desk, s, who, root)
        weight = 1.0
        for moment in range(len(seen)):
            player, action = s.player, seen[moment]
            n = legal(kit, s, out)
            if action < 0:
                n = keep(out, n)
                action = out[by_policy(nodes, desk, player, out, n)]
                if observe_action(kit, s, action, who) != seen[moment]:
                    return 0.0
            elif player != learner:
                weight *= chance_of(nodes, desk, player, out, n, action)
            go_on(kit, work, octets, nodes, desk, s, action, True)
            work[last] = s
            redact(kit, work[last], who)
            if weight == 0.0 or not same(octets, last, remembered, moment + 1):
                return 0.0
        return weight

    return rule(aim)


@rule
def chance_of(nodes, desk, seat, out, n, action):
    """How likely a seat was to choose this; 0.0 if it could not."""
    place = -1
    for i in range(n):
        if out[i] == action:
            place = i
    if place < 0:
        return 0.0
    if desk.at[seat]:
        total = weigh(nodes, desk, desk.at[seat], out, n, desk.others, False)
        if total >= 0.0:
            return (1.0 - DOUBT) * likely(nodes, desk.others[place], total, n) + DOUBT / n
    return 1.0 / n


def trying(game: Game) -> Driver:
    """A rule: what a seat gains if it makes this choice in `work[1]`, and all go on by their policies to the end."""
    legal, keep = game.rules.legal, without_conceding(game)
    _, go_on = going_on(game)

    def gain_of(kit, work, octets, out, nodes, desk, seat, action):
        work[2] = work[1]
        s = work[2]
        for other in range(s.seats):
            desk.kept[other] = desk.at[other]
        go_on(kit, work, octets, nodes, desk, s, action, False)
        while not s.over:
            n = keep(out, legal(kit, s, out))
            go_on(kit, work, octets, nodes, desk, s, out[by_policy(nodes, desk, s.player, out, n)], False)
        for other in range(s.seats):
            desk.at[other] = desk.kept[other]
        return s.payoff[seat]

    return rule(gain_of)


def mixing(game: Game) -> Driver:
    """A rule: so many iterations from number `first` on for `seat`; how many aimed truths could not be imagined.

    `work` holds three records and one to spare; `octets` is the same memory as bytes. `memory`, `remembered`, `seen`
    are as in `aiming`; `common`, `commonly`, `shown` the same for somebody who only watches.
    """
    legal, determinize, keep, span = game.rules.legal, game.rules.determinize, without_conceding(game), bounds(game)
    begin, go_on = going_on(game)
    aim, gain_of = aiming(game), trying(game)
    apart = 1 if getattr(game.rules, "private_observation", None) is no_private_observation else 0

    def learn(kit, work, octets, out, nodes, desk, learner, node, n, total, weight):
        for i in range(n):
            desk.options[i] = out[i]
        low, width = span(work[1].seats)
        for i in range(n):
            gain = gain_of(kit, work, octets, out, nodes, desk, learner, desk.options[i])
            nodes[desk.kids[i]].gain = (gain - low) / width
        place = below(desk.g, n) if unit(desk.g) < BOLDNESS else drawn(nodes, desk, desk.kids, n, total)
        regret(nodes, desk.kids, n, total, weight)
        note(nodes, desk.kids, n, weight)
        return desk.options[place]

    learn = rule(learn)

    def play(kit, work, octets, out, nodes, desk, learner, weight, age):
        s = work[1]
        while not s.over and desk.at[learner]:
            n = keep(out, legal(kit, s, out))
            player = s.player
            node = desk.at[player]
            fresh = node != 0 and nodes[node].child == 0
            total = weigh(nodes, desk, node, out, n, desk.kids, True) if node else -1.0
            if total < 0.0:
                action = out[below(desk.g, n)]
            else:
                if player != learner or node == desk.here:
                    share_out(nodes, desk.kids, n, total, weight * age)
                if player == learner and n > 1:
                    action = learn(kit, work, octets, out, nodes, desk, learner, node, n, total, weight)
                else:
                    action = out[drawn(nodes, desk, desk.kids, n, total)]
            go_on(kit, work, octets, nodes, desk, s, action, True)
            if fresh:
                desk.at[player] = 0

    play = rule(play)

    def think(
        kit, work, octets, out, nodes, desk, seat, memory, remembered, seen, common, commonly, shown, first, iterations
    ):  # fmt: skip
        s, seats = work[1], memory[0].seats
        missed, own = 0, apart * (seats + 1)
        for age in range(first, first + iterations):
            for learner in range(seats):
                weight = 1.0
                if age % 2 and (len(seen) or learner == seat):
                    for _ in range(TRIES):
                        if learner == seat:
                            weight = aim(
                                kit, work, octets, out, nodes, desk, seat, own, learner, memory, remembered, seen
                            )
                        else:
                            weight = aim(
                                kit, work, octets, out, nodes, desk, SPECTATOR, 0, learner, common, commonly, shown
                            )
                        if weight > 0.0:
                            break
                    if weight == 0.0:
                        missed += 1
                        continue
                    desk.weights[learner] += weight
                    desk.runs[learner] += 1.0
                    weight *= desk.runs[learner] / desk.weights[learner]
                    if learner == seat:
                        desk.here = desk.at[seat]
                else:
                    work[1] = common[0]
                    determinize(kit, s, SPECTATOR, desk.g)
                    begin(kit, work, octets, nodes, desk, s, SPECTATOR, 0)
                play(kit, work, octets, out, nodes, desk, learner, weight, age + 1.0)
        return missed

    return rule(think)
