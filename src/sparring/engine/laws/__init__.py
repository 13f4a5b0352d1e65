"""The laws every game keeps, as a test kit: for the games of the house and for other people's.

>>> from sparring.engine.laws import check_game  # doctest: +SKIP
>>> check_game(game)  # doctest: +SKIP

`playing.py` plays a match in plain Python with every law at every choice, `audit.py` many in machine code; the laws of
what seats know are in `knowing.py`, those of words in `words.py`, of keeping in `keeping.py`, of items in `asking.py`,
of the two ways in which rules run in `twins.py`. `broken.py` says what is broken, where, and how to see it again.

1. Interpreted and compiled play of the same seed and choices give byte-identical states.
2. Something is legal until the match is over; it is over once, within the bound that the game declares.
3. Every card and token is in exactly one place, always; and what is printed of a game is exactly these.
4. A determinization fits what the seat has seen: `redact(determinize(view)) == view`, with the same pieces and choices,
   and it can be played on. A view holds nothing of the generator. `private_observation` tells a seat nothing that its
   view hides, and `is_quiescent` changes nothing.
5. A choice that is not legal raises `ChoiceError` and changes nothing.
6. Save, load and replay, a position written and read, and taking back give the very same state.
7. Payoffs sum to zero: losers -1, the winners share that; a draw between all is 0 each. A game that declares other
   payoffs keeps to the bounds that it declares, and to what it says of their sum.
8. Every choice has words that read back to it; every legal choice is in the scene once, nothing else is; and no card is
   shown that does not lie there.
9. Inside one moment nobody learns anything hidden: each seat could have worked out itself what it sees then. A glimpse
   tells nothing that the table does not show afterwards.
10. In an OPEN phase everybody can see whether there is one choice only, those that concede not counted.
11. What a choice plays, its seat held. Items have names, each its own; how far ahead a seat is lies between 0 and 1.
"""

from typing import Any

from sparring.engine.game import Game
from sparring.engine.records import read_content

from .audit import check_audit
from .configurations import samples, settings
from .random_match import check_match
from .violations import LawContext, LawViolation

__all__ = ["LawViolation", "check_audit", "check_game", "check_match", "samples", "settings"]

#: Of so many random matches some should be decided.
ENOUGH = 20


def check_game(
    game: Game, *, matches: int = 300, interpreted: int = 1, seed: int = 1, compiled: bool = True, content: Any = None
) -> int:
    """Hold a game to all laws; a BrokenLaw tells which one is broken, where, and how to see it again.

    Every number of seats and every pair of option values is played: `interpreted` matches each in plain Python, with
    every law checked at every choice; then `matches` audited ones each (compiled, or interpreted if `compiled` is
    false). `content` is a file's path, its data, or what was read. How many settings were played.
    """
    played = settings(game)
    boxes = [(game.box(options, read_content(game, content)), seats) for seats, options in played]
    for number, (box, seats) in enumerate(boxes):
        for extra in range(interpreted):
            check_match(box, seats, seed + 1000 * number + extra, compiled=False)
    decided = 0
    for number, (box, seats) in enumerate(boxes):
        if compiled and interpreted:
            check_match(box, seats, seed + 1000 * number)
        if matches:
            decided += check_audit(box, seats, matches, seed + 1000 * number, compiled)
    if not decided and matches * len(boxes) >= ENOUGH:
        box, seats = boxes[0]
        place = LawContext(box, seats, seed, check="check_game(GAME)")
        raise place.broken(7, "no match paid anything to anybody; `finish` pays the winners")
    return len(played)
