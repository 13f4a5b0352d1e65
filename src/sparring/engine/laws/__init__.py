"""The laws: a conformance test kit for games, ours and yours.

>>> from sparring.engine.laws import check_game  # doctest: +SKIP
>>> check_game(game)  # doctest: +SKIP

`random_match.py` plays a match in plain Python and checks every law at every action; `audit.py` plays many in compiled
code. The laws about knowledge are in `information.py`, about words and scenes in `text_laws.py`, about pieces,
positions, records and payoffs in `persistence.py`, about items in `item_laws.py`, about compilation in
`equivalence.py`. `violations.py` reports what is broken, where, and how to reproduce it.

1. Interpreted and compiled play with the same seed and actions give byte-identical states.
2. There is a legal action until the match is over. It ends once, within the declared bound.
3. Every card and token is always in exactly one place, and the printed inventory lists exactly these.
4. A determinization is consistent with the view: `redact(determinize(view)) == view`, with the same pieces and legal
   actions, and it can be played on. A view contains nothing of the generator. `private_observation` reveals nothing
   that the
   view hides, and `is_quiescent` changes nothing.
5. An illegal action raises `ChoiceError` and changes nothing.
6. Saving, loading and replaying, writing and reading a position, and taking back restore exactly the same state.
7. Payoffs sum to zero: losers get -1, winners share that; in a draw between all everyone gets 0. A game that declares
   `Payoffs` stays within its bounds and keeps its statement about their sum.
8. Every action has words that read back to it. Every legal action is in the scene once, and no other is. The scene
shows
   no card where it cannot be.
9. Within one moment no seat learns anything hidden: it could have deduced everything it sees. `observe_action` reveals
   nothing that the view does not show afterwards.
10. In an OPEN phase every seat can tell whether there is only one action that does not concede.
11. A seat holds what its action plays. Items have unique names. `ahead` is from 0 to 1.
"""

from typing import Any

from sparring.engine.game import Game
from sparring.engine.records import read_content

from .audit import check_audit
from .configurations import configurations, samples
from .random_match import check_match
from .violations import LawContext, LawViolation

__all__ = ["LawViolation", "check_audit", "check_game", "check_match", "configurations", "samples"]

#: Among this many random matches, at least one should be decided.
ENOUGH = 20


def check_game(
    game: Game, *, matches: int = 300, interpreted: int = 1, seed: int = 1, compiled: bool = True, content: Any = None
) -> int:
    """Check a game against all laws; return the number of configurations played.

    Every number of seats and every pair of option values is played: `interpreted` matches each in plain Python with
    every law checked at every action, then `matches` audited ones (compiled, or interpreted if `compiled` is false).
    `content` is a file's path, its data, or a result of `read_content`. Raises LawViolation, which says which law is
    broken, where, and how to reproduce it.
    """
    played = configurations(game)
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
        raise place.violation(7, "no match had a payoff other than 0; `finish` pays the winners")
    return len(played)
