"""Trees of a search: one for each seat, whose nodes stand for what that seat has seen being chosen, and for its news.

All of them lie in one array. Node 0 is none, and node 1 + seat is the root of a seat's tree.
"""

from sparring.engine.rule import record_dtype, rule

#: The labels of news go down from here; above are choices, and what is glimpsed of them (a few negative numbers).
FIRST_NEWS = -1000

#: A node: what its seat saw of a choice, or its news (`label`), how often that was chosen or could have been, and what
#: it brought, with the `squares` of that added up; and how likely it looked at first sight (`prior`), where that is
#: known. The other numbers are nodes: 0 is none, 1 + seat the root of a seat's tree.
NODE = record_dtype(
    [("value", "f8"), ("squares", "f8"), ("prior", "f4"), ("label", "i4"), ("visits", "i4"), ("available", "i4"),
     ("parent", "i4"), ("child", "i4"), ("next", "i4")]
)  # fmt: skip


@rule
def plant(nodes, desk, seats):
    """Begin with trees of nothing but a root."""
    desk.used = seats + 1
    for node in range(seats + 1):
        nodes[node].value = 0.0
        nodes[node].squares = 0.0
        nodes[node].visits = 0
        nodes[node].parent = 0
        nodes[node].child = 0
    for seat in range(seats):
        desk.squares[seat] = 0.0


@rule
def hang(nodes, desk, parent, label):
    """The next node of the array as a child, if there is room for one; 0 if not. Its other fields are as they were."""
    if desk.used == len(nodes):
        return 0
    child = desk.used
    desk.used += 1
    nodes[child].label = label
    nodes[child].child = 0
    nodes[child].next = nodes[parent].child
    nodes[parent].child = child
    return child


@rule
def add_node(nodes, desk, parent, label):
    """A new child, if there is room for one; 0 if not."""
    child = hang(nodes, desk, parent, label)
    if child != 0:
        node = nodes[child]
        node.value = 0.0
        node.squares = 0.0
        node.prior = 0.0
        node.visits = 0
        node.available = 1
        node.parent = parent
    return child


@rule
def child_of(nodes, parent, label):
    """The child with this label; 0 if there is none yet."""
    child = nodes[parent].child
    while child != 0 and nodes[child].label != label:
        child = nodes[child].next
    return child


@rule
def move_on(nodes, desk, seat, label):
    """A seat goes on to the node of what it saw; where that is new or was never tried, it leaves its tree there."""
    child = child_of(nodes, desk.at[seat], label)
    if child == 0:
        child = add_node(nodes, desk, desk.at[seat], label)
        desk.inside[seat] = 0
        desk.insiders -= 1
    elif nodes[child].visits == 0:
        desk.inside[seat] = 0
        desk.insiders -= 1
    if child != 0:
        desk.at[seat] = child


@rule
def hear(nodes, desk, seat, news):
    """A seat goes on to the node of its news. It stays in its tree where they are new: what is chosen next is added."""
    child = child_of(nodes, desk.at[seat], FIRST_NEWS - news)
    if child == 0:
        child = add_node(nodes, desk, desk.at[seat], FIRST_NEWS - news)
    if child != 0:
        desk.at[seat] = child
    else:
        desk.inside[seat] = 0
        desk.insiders -= 1


@rule
def remember(s, nodes, desk):
    """Write what the match is worth to each seat into every node that was come by."""
    for seat in range(s.seats):
        desk.squares[seat] += desk.worth[seat] * desk.worth[seat]
        node = desk.at[seat]
        while node != 0:
            nodes[node].visits += 1
            nodes[node].value += desk.worth[seat]
            nodes[node].squares += desk.worth[seat] * desk.worth[seat]
            node = nodes[node].parent


@rule
def decided(nodes, root, left):
    """Whether the favourite stays what it is, whatever comes of the iterations that are left."""
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
    return first - second > left


@rule
def favourite(nodes, root):
    """The choice that was tried most often, the better one of two; -1 if none was."""
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
