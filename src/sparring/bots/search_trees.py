"""The trees of a search: one per seat, with an edge for each action or private observation of that seat.

All nodes are in one array. Node 0 stands for none, and node 1 + seat is the root of a seat's tree. A search finds
children by a hash table, because a node can have many more children than actions are legal in one determinization.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring.engine.rule import record_dtype, rule

#: Labels of private observations count down from here. Labels above are actions, or negative results of
#: `observe_action`.
FIRST_OBSERVATION = -1000

#: The size of the hash table: a power of two.
SLOTS = 1 << 14

#: Nodes with fewer visits say too little about what comes next.
MIN_VISITS = 10

#: A node: the action as its seat observed it, or a private observation (`label`); how often it was taken (`visits`) and
#: could have been (`available`); the sums of its returns (`value`) and of their squares (`value_sq`); and its
#: probability under the policy prior, if there is one (`prior`). `parent`, `child` (the first one), `next` (sibling)
#: and `chain` (the next one in the same slot of the hash table) are nodes.
NODE = record_dtype(
    [("value", "f8"), ("value_sq", "f8"), ("prior", "f4"), ("label", "i4"), ("visits", "i4"), ("available", "i4"),
     ("parent", "i4"), ("child", "i4"), ("next", "i4"), ("chain", "i4")]
)  # fmt: skip


@rule
def init_trees(nodes, ws, seats):
    """Reset the trees to one root per seat."""
    for node in range(seats + 1, ws.used):
        ws.slots[slot_of(nodes[node].parent, nodes[node].label)] = 0
    ws.used = seats + 1
    for root in range(seats + 1):
        node = nodes[root]
        clear(node)
        node.available = 0
        node.label = 0
        node.parent = 0
        node.child = 0
        node.next = 0
        node.chain = 0
    for seat in range(seats):
        ws.returns_sq[seat] = 0.0


@rule
def clear(node):
    """Clear the statistics of a node that becomes available for the first time."""
    node.value = 0.0
    node.value_sq = 0.0
    node.prior = 0.0
    node.visits = 0
    node.available = 1


@rule
def append_child(nodes, ws, parent, label):
    """Take a node from the array and link it as a child; return it, or 0 if the array is full.

    Only `label` and the links between children are set.
    """
    if ws.used == len(nodes):
        return 0
    child = ws.used
    ws.used += 1
    nodes[child].label = label
    nodes[child].child = 0
    nodes[child].next = nodes[parent].child
    nodes[parent].child = child
    return child


@rule
def add_child(nodes, ws, parent, label):
    """Add a new child and return it; return 0 if the array is full."""
    child = append_child(nodes, ws, parent, label)
    if child != 0:
        node = nodes[child]
        clear(node)
        node.parent = parent
        slot = slot_of(parent, label)
        node.chain = ws.slots[slot]
        ws.slots[slot] = child
    return child


@rule
def slot_of(parent, label):
    """Return the slot of the hash table for a child."""
    mixed = (int(parent) * 0x9E3779B1 + int(label) * 0x85EBCA6B) & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) & (SLOTS - 1)


@rule
def find_child(nodes, ws, parent, label):
    """Return the child with this label; 0 if there is none. Unlike `child_of` it needs the workspace of the search."""
    child = ws.slots[slot_of(parent, label)]
    while child != 0 and (nodes[child].parent != parent or nodes[child].label != label):
        child = nodes[child].chain
    return child


@rule
def child_of(nodes, parent, label):
    """Return the child with this label; 0 if there is none."""
    child = nodes[parent].child
    while child != 0 and nodes[child].label != label:
        child = nodes[child].next
    return child


@rule
def descend(nodes, ws, seat, label):
    """Move a seat to the child for an action that it observed."""
    enter(nodes, ws, seat, label, find_child(nodes, ws, ws.node[seat], label))


@rule
def enter(nodes, ws, seat, label, child):
    """Move a seat to `child`, the node of this label, or to a new one for 0.

    If it is new or unvisited, the seat leaves its tree.
    """
    if child == 0:
        child = add_child(nodes, ws, ws.node[seat], label)
        ws.in_tree[seat] = 0
        ws.in_tree_count -= 1
    elif nodes[child].visits == 0:
        ws.in_tree[seat] = 0
        ws.in_tree_count -= 1
    if child != 0:
        ws.node[seat] = child


@rule
def observe_privately(nodes, ws, seat, observation):
    """Move a seat to the child for a private observation, adding it if necessary; the seat stays in its tree.

    0, or the same observation as before, is nothing new.
    """
    if observation == 0 or observation == ws.observed[seat]:
        return
    ws.observed[seat] = observation
    child = find_child(nodes, ws, ws.node[seat], FIRST_OBSERVATION - observation)
    if child == 0:
        child = add_child(nodes, ws, ws.node[seat], FIRST_OBSERVATION - observation)
    if child != 0:
        ws.node[seat] = child
    else:
        ws.in_tree[seat] = 0
        ws.in_tree_count -= 1


@rule
def backpropagate(s, nodes, ws):
    """Add each seat's return to all nodes on its path."""
    for seat in range(s.seats):
        ws.returns_sq[seat] += ws.returns[seat] * ws.returns[seat]
        node = ws.node[seat]
        while node != 0:
            nodes[node].visits += 1
            nodes[node].value += ws.returns[seat]
            nodes[node].value_sq += ws.returns[seat] * ws.returns[seat]
            node = nodes[node].parent


@rule
def is_decided(nodes, root, remaining):
    """Return whether the remaining iterations cannot change which child is most visited."""
    first = 0
    second = 0
    child = nodes[root].child
    while child != 0:
        visits = nodes[child].visits
        if visits > first:
            second = first
            first = visits
        elif visits > second:
            second = visits
        child = nodes[child].next
    return first - second > remaining


@rule
def most_visited(nodes, root):
    """Return the label of the most visited child (among equals, of the highest value); -1 if there is none."""
    best = 0
    child = nodes[root].child
    while child != 0:
        node = nodes[child]
        if (
            best == 0
            or node.visits > nodes[best].visits
            or (node.visits == nodes[best].visits and node.value > nodes[best].value)
        ):
            best = child
        child = node.next
    return nodes[best].label if best != 0 else -1


def after_observation(nodes: np.ndarray[Any, Any], node: int, observation: int, before: int) -> int:
    """Return the node after a private observation, given the one `before` it in the same line; 0 if there is none.

    Not a rule: for readers of trees.
    """
    child = int(child_of(nodes, node, FIRST_OBSERVATION - observation)) if observation else 0
    return child or (node if observation in (0, before) else 0)


def children_of(nodes: np.ndarray[Any, Any], node: int) -> Iterator[Any]:
    """Yield the children of a node that are actions, or observations of actions. Not a rule: for readers of trees."""
    child = int(nodes[node]["child"])
    while child:
        if nodes[child]["label"] > FIRST_OBSERVATION:
            yield nodes[child]
        child = int(nodes[child]["next"])
