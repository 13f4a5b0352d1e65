"""Parallel searches: root parallelism (Chaslot, Winands and van den Herik 2008), and independent searches side by side.

Compiled searches run without Python's global lock. In a root-parallel search each thread grows its own trees from its
own generator, and the trees are then merged. So the result depends on the number of threads, but not on their timing.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Array = np.ndarray[Any, Any]

#: A depth that no tree reaches.
ALL_LEVELS = 1 << 30

#: The maximum number of threads of a search.
MAX_THREADS = 64


def side_by_side(tasks: Sequence[Callable[[], T]], threads: int) -> list[T]:
    """Call functions in up to `threads` threads; return their results in order."""
    if min(threads, len(tasks)) < 2:
        return [task() for task in tasks]
    with ThreadPoolExecutor(min(threads, len(tasks))) as pool:
        return list(pool.map(lambda task: task(), tasks))


def merge_trees(nodes: Array, used: int, others: Array, roots: int, levels: int) -> int:
    """Add the trees in `others` to those in `nodes`, of which `used` nodes are in use; return how many are in use then.

    Only nodes up to a depth of `levels` are added: merging all takes a fifth of the time of a search. Nodes are
    `search_trees.NODE`; the first `roots` are node 0 and the roots. Nodes with the same path become one, with
    the sum of their visits and returns. Nodes for which there is no room are left out.
    """
    parents, labels = others["parent"].copy(), others["label"].copy()
    merged = np.zeros(len(others), np.int32)  # where each node goes; 0: left out
    merged[:roots] = np.arange(roots)
    mine = nodes["parent"][roots:used]
    order = roots + (np.flatnonzero(mine < roots) if levels == 1 else np.arange(len(mine)))
    keys = _keys(nodes["parent"][order], nodes["label"][order])
    order, keys = order[np.argsort(keys)], np.sort(keys)
    level = np.arange(roots)
    while levels and len(level := _children(parents, level, roots)):
        levels -= 1
        wanted = _keys(merged[parents[level]], labels[level])
        place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        known = keys[place] == wanted if len(keys) else np.zeros(len(level), bool)
        merged[level[known]] = order[place[known]]
        new = level[~known][: len(nodes) - used]
        merged[new] = np.arange(used, used + len(new))
        _append(nodes, others, new, merged, parents)
        used += len(new)
        _add_counts(nodes, others, level[known], merged)
        level = level[merged[level] > 0]
    _add_counts(nodes, others, np.arange(1, roots), merged)
    return used


def _keys(parents: Array, labels: Array) -> Array:
    """Return a number for each pair of a parent and a label."""
    return (parents.astype(np.int64) << 32) + labels


def _children(parents: Array, level: Array, roots: int) -> Array:
    """Return the nodes whose parents are in `level`."""
    reached = np.zeros(len(parents), bool)
    reached[level] = True
    reached[0] = False
    return roots + np.flatnonzero(reached[parents[roots:]])


def _append(nodes: Array, others: Array, new: Array, merged: Array, parents: Array) -> None:
    """Copy new nodes and link them into the lists of their parents."""
    new = new[np.argsort(merged[parents[new]], kind="stable")]
    parent, place = merged[parents[new]], merged[new]
    first = np.ones(len(new), bool)
    first[1:] = parent[1:] != parent[:-1]
    following = np.empty(len(new), np.int32)
    following[:-1] = place[1:]
    last = np.append(first[1:], True)[: len(new)]
    following[last] = nodes["child"][parent[last]]
    nodes[place] = others[new]
    nodes["parent"][place], nodes["next"][place], nodes["child"][place] = parent, following, 0
    nodes["child"][parent[first]] = place[first]


def _add_counts(nodes: Array, others: Array, theirs: Array, merged: Array) -> None:
    """Add the visits and returns of nodes to those they are merged with."""
    for field in ("value", "value_sq", "visits", "available"):
        nodes[field][merged[theirs]] += others[field][theirs]
