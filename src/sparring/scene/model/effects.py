"""What a beat does to objects on the table."""

from msgspec import Struct


class Effect(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a beat does to an object on the table, for renderers that animate it and play a sound.

    `source` and `target` are keys of objects in this seat's scene at the beat or before it (`Scene.keys`). `amount` is
    a number to show: damage, points, cards.

    >>> Effect("hit", "card 3", "health 1", 2).amount
    2
    """

    #: One of EFFECTS.
    kind: str
    source: str = ""
    target: str = ""
    amount: int = 0
    #: The totals of source and target in a clash that aren't written beside them on the table.
    totals: tuple[int, ...] = ()
    #: What is stamped on something that is stopped, if it isn't "Blocked".
    word: str = ""


#: The kinds of effects: two objects fight (`source` wins if `amount` is positive, `target` if it is negative; their
#: totals meet, if both have one); a blow that lands, is stopped or falls short; a piece moves (`source` pushes it), or
#: is thrown off the board; cards are drawn; something is destroyed; points are scored; a move's name or a headline is
#: called out; a player wins.
EFFECTS = ("clash", "hit", "block", "miss", "move", "throw", "draw", "destroy", "score", "call_out", "win")
