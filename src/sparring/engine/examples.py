"""Examples in a game's rules: fenced blocks in `rules.md`, each of which is drawn as a position.

    ```example
    caption = "Seat 1 strikes with a 9."
    play = "strike 9S; target 2"
    show = "middle, hand"
    [position]
    fighters = ["0,0", "1,0"]
    ```

`play` lists choices made from the position. `seat` selects the view: 0 is a spectator; the default is the seat that
must act. `show` lists the parts of the scene to draw. The position has the fields in `positions.md`, without the game;
its options override those in force.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .errors import SparringError
from .game import Box
from .match import Match
from .texts import rules_text

BLOCK = re.compile(r"^```example\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A position shown in the rules, with its caption."""

    box: Box
    caption: str
    position: Mapping[str, Any] = field(default_factory=dict)
    play: str = ""
    seat: int | None = None
    show: str = "banner, middle, prompt, hand"

    def match(self) -> Match:
        """Return the match after the example's choices."""
        box = self.box
        options = {**box.options, **self.position.get("options", {})}
        position = {**self.position, "game": box.game.name, "options": options}
        match = Match.from_position(position, box.content if box.own_content else None, game=box.game)
        match.play(self.play)
        return match

    @property
    def scene(self) -> Any:
        """The scene for the example's seat."""
        match = self.match()
        return match.view((match.seat or 0) if self.seat is None else self.seat).scene

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the scene to draw."""
        return tuple(part.strip() for part in self.show.split(","))


@lru_cache(maxsize=64)
def examples(box: Box) -> tuple[Example | None, ...]:
    """Return all examples in the rules, in order.

    Where the options in force don't fit, an example has the default ones. It is None if the content doesn't fit.
    """
    blocks = [tomllib.loads(block) for block in BLOCK.findall(rules_text(box) or "")]
    boxes = (box, box.game.box({}, box.content if box.own_content else None))
    return tuple(next(filter(_fits, (Example(box=each, **block) for each in boxes)), None) for block in blocks)


def _fits(example: Example) -> bool:
    try:
        example.match()
    except SparringError:
        return False
    return True


def replace_examples(text: str, instead: Callable[[int], str]) -> str:
    """Replace each example in the text of the rules by `instead(number)`, with numbers from 0."""
    numbers = iter(range(len(text)))
    return BLOCK.sub(lambda block: instead(next(numbers)), text)
