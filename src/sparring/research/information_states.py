"""Information states for networks: a seat's observation and the last actions as it observed them, one-hot.

All values are from -1 to 1. These drivers step single states for adapters that hold them in trees.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

from math import isqrt

import numpy as np

from sparring.engine.compilation.drivers import Driver
from sparring.engine.features import Layout, absolute_rule, is_turned, layout
from sparring.engine.game import Game

from .batch_driver import HISTORY, SEATS, legal_rule, remember_rule, write_history

#: The most numbers in an information state, and the most actions in it. OpenSpiel makes a list of them at each step.
MAX_NUMBERS, MAX_HISTORY = 1500, 16

#: The largest block of actions whose numbers are one one-hot part; those of larger blocks are two (see `PastActions`).
MAX_ONE_HOT = 32


class PastActions:
    """How a past action is written: who acted, the block of actions, and the number in the block, all one-hot.

    A number in a block of more than MAX_ONE_HOT actions is written as two parts, number // B and number % B, where B
    is the square root of the largest block, rounded up: on a square board, the row and the column.
    """

    def __init__(self, game: Game, seats: int) -> None:
        actions = game.rules.ACTIONS
        largest = max(actions.blocks.values())
        base = largest if largest <= MAX_ONE_HOT else isqrt(largest - 1) + 1
        names, numbered = list(actions.blocks), [actions.name_of(action) for action in actions]
        parts = [
            ("block", len(names), "the block of the action", [names.index(name) for name, _ in numbered]),
            ("number", base, f"its number in the block, modulo {base}", [index % base for _, index in numbered]),
            ("group", -(-largest // base), f"its number divided by {base}", [index // base for _, index in numbered]),
        ]
        parts = [part for part in parts if part[1] > 1]
        self.fields: Layout = layout(
            ("actor", seats, 0, 1, "the seat that acted, this seat first, one-hot"),
            ("hidden", 1, 0, 1, "whether this seat did not see which action it was"),
            *((name, size, 0, 1, f"{meaning}, one-hot") for name, size, meaning, _ in parts),
        )
        #: The numbers that a past action takes.
        self.width = sum(field.size for field in self.fields)
        #: Where the ones of each action are, after the actor: int64 (A, parts).
        starts = [field.start for field in self.fields[2:]]
        columns = [start + np.array(part[3]) for start, part in zip(starts, parts, strict=True)]
        self.places = np.stack(columns, axis=1) if columns else np.zeros((len(actions), 0), np.int64)

    def that_fit(self, features: int) -> int:
        """Return how many past actions an information state can have beside its observation."""
        return max(0, min(MAX_HISTORY, (MAX_NUMBERS - features) // self.width))


def advance_driver(game: Game) -> Driver:
    """Return a driver that takes an action, in the frame of its seat, from the state `before` to the state `states`.

    It writes the legal actions after it to `out` and returns how many there are. `past`, int32 (1, H, 3 + seats), and
    `length`, the number of actions before, are as in `batch_driver`. `told` gets the seat that must act, and whether
    the match is over. Without an action (-1) the state is only copied.
    """
    step, absolute, turned = game.rules.step, absolute_rule(game), is_turned(game)
    write_legal, remember = legal_rule(game), remember_rule(game)

    def advance(all_params, settings, before, states, past, length, action, out, told):
        params = all_params[0]
        states[0] = before[0]  # NumPy copies records field by field, which takes longer than all the rest
        s = states[0]
        if action >= 0:
            if turned:
                action = int(absolute(params, s, s.player, action))
            if settings[HISTORY]:
                remember(params, settings, s, action, length, past, 0)
            step(params, s, action)
        told[0] = s.player
        told[1] = s.over
        return 0 if s.over else write_legal(params, settings, s, out)

    return advance


def knowledge_driver(game: Game) -> Driver:
    """Return a driver that writes what `viewer` (-1: a spectator) knows of the single state of `states`.

    `work` gets the redacted state. `tensor`, float32, gets its features in the frame of `seat`, if there is room, and
    after them past actions as `PastActions` describes; `values` and `rows` are scratch space for both.
    """
    redact, features = game.rules.redact, game.rules.features

    def write_knowledge(
        all_params, settings, states, past, length, work, values, rows, places, width, tensor, seat, viewer
    ):  # fmt: skip
        params = all_params[0]
        work[0] = states[0]
        redact(params, work[0], viewer)
        if len(tensor):
            features(params, work[0], seat, values)
            for k in range(len(values)):
                tensor[k] = values[k]
        if len(tensor) > len(values):
            write_history(settings, past[0], length, seat, rows)
            for k in range(len(values), len(tensor)):
                tensor[k] = 0.0
            for row in range(settings[HISTORY]):
                start = len(values) + row * width
                if rows[row, 0] >= 0:
                    tensor[start + rows[row, 0]] = 1.0
                    if rows[row, 1] < 0:
                        tensor[start + settings[SEATS]] = 1.0
                    else:
                        for part in range(places.shape[1]):
                            tensor[start + places[rows[row, 1], part]] = 1.0

    return write_knowledge
