"""What a seat chooses in an imagined match: in its tree what did well, was seldom tried, or is likely at first sight.

Where nothing is known beforehand it is the upper confidence bound of what a choice brought (UCT; Kocsis and Szepesvári
2006), with a prior of what good players choose that bound in proportion to it (PUCT; Rosin 2011, Silver et al. 2017).
Beyond the tree it goes by lots, or as the prior says is likely where the game says when it is quiet.
"""

from math import log, sqrt

from sparring.engine.chance import below, unit
from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .policy_priors import first_sight
from .search_trees import add_node


@rule
def curiosity_of(root, mind, squares):
    """How curious a seat is: where positions are judged, by how far what it expects goes up and down.

    Far from the end all judgements lie close together. Curiosity of a fixed size would try everything there as often as
    the best, and whoever ends its turn without a try would look best. One match that went either way goes with those
    that were imagined, so that it is wide at first.
    """
    return mind.curiosity * deviation(root, squares) if mind.judges else mind.curiosity


@rule
def deviation(node, squares):
    """How far what a node brought goes up and down, as a standard deviation; wide at first (`curiosity_of`)."""
    mean = (node.value + 0.5) / (node.visits + 1)
    return sqrt(max(0.0, (squares + 0.5) / (node.visits + 1) - mean * mean))


@rule
def worth_trying(node, curiosity, by_choice):
    """Upper confidence bound of a choice, by how often it could have been chosen.

    `by_choice`: curiosity is told in standard deviations of what the choice itself brought.
    """
    if by_choice:
        curiosity *= deviation(node, node.squares)
    return node.value / node.visits + curiosity * sqrt(log(node.available) / node.visits)


@rule
def select(nodes, desk, out, n, seat, by_choice):
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
            worth = worth_trying(node, desk.curious[seat], by_choice)
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


def selecting(game: Game) -> Driver:
    """A rule: what a seat inside its tree chooses that goes by a prior: what is likely, until it disappoints (PUCT).

    All choices get a node as soon as one is looked for, with how likely they are. What has not been tried is thought to
    bring what all of them brought so far.
    """
    look = first_sight(game)

    def select_by_prior(kit, work, s, nodes, desk, mind, out, n, seat):
        if n == 1:
            return out[0]
        desk.stamp += 2
        at = desk.at[seat]
        for i in range(n):
            desk.mark[out[i]] = desk.stamp
        total = 0.0
        known = 0
        child = nodes[at].child
        while child != 0:
            node = nodes[child]
            if node.label >= 0 and desk.mark[node.label] == desk.stamp:
                desk.mark[node.label] += 1
                node.available += 1
                total += node.prior
                known += 1
            child = node.next
        if known < n:
            look(kit, work, s, desk, mind, out, n, seat)
            for i in range(n):
                if desk.mark[out[i]] == desk.stamp:
                    child = add_node(nodes, desk, at, out[i])
                    if child != 0:
                        desk.mark[out[i]] += 1
                        nodes[child].prior = desk.likely[i]
                        total += nodes[child].prior
        untried = (nodes[at].value + 0.5) / (nodes[at].visits + 1)
        best = out[0]
        highest = -1e30
        child = nodes[at].child
        while child != 0:
            node = nodes[child]
            if node.label >= 0 and desk.mark[node.label] == desk.stamp + 1:
                mean = node.value / node.visits if node.visits > 0 else untried
                likely = node.prior / max(total, 1e-9)
                worth = mean + desk.curious[seat] * likely * sqrt(node.available) / (1 + node.visits)
                if worth > highest:
                    highest = worth
                    best = node.label
            child = node.next
        return best

    return rule(select_by_prior)


def drawing(game: Game) -> Driver:
    """A rule: what a seat chooses beyond its tree.

    Lots are drawn; where the game says when it is quiet a prior makes each choice as often as it thinks it likely.
    """
    if not hasattr(game.rules, "is_quiescent"):

        def draw(kit, work, s, desk, mind, out, n, seat):
            return out[below(desk.g, n)]

        return rule(draw)

    look = first_sight(game)

    def draw_by_prior(kit, work, s, desk, mind, out, n, seat):
        if not mind.has_prior:
            return out[below(desk.g, n)]
        if n == 1:
            return out[0]
        look(kit, work, s, desk, mind, out, n, seat)
        left = unit(desk.g)
        for i in range(n - 1):
            left -= desk.likely[i]
            if left < 0.0:
                return out[i]
        return out[n - 1]

    return rule(draw_by_prior)
