"""Examples in a game's rules: fenced blocks in `rules.md`, each of which is drawn as a position.

    ```example
    caption = "Seat 1 strikes with a 9."
    play = "strike 9S; target 2"
    show = "middle, hand"
    [position]
    fighters = ["0,0", "1,0"]
    ```

`play` lists choices made from the position. `seat` selects the view: 0 is a spectator; the default is the seat that
must act. `show` lists the parts of the scene to draw. The position has the fields in `positions.md`, without the game.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .game import Game
from .match import Match

BLOCK = re.compile(r"^```example\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A position shown in the rules, with its caption."""

    game: Game
    caption: str
    position: Mapping[str, Any] = field(default_factory=dict)
    play: str = ""
    seat: int | None = None
    show: str = "banner, middle, prompt, hand"

    def match(self) -> Match:
        """Return the match after the example's choices."""
        match = Match.from_position({"game": self.game.name, **self.position}, game=self.game)
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


@cache
def examples(game: Game) -> tuple[Example, ...]:
    """Return all examples in a game's rules, in order."""
    file = game.folder / "rules.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return tuple(Example(game=game, **tomllib.loads(block)) for block in BLOCK.findall(text))


def replace_examples(text: str, instead: Callable[[int], str]) -> str:
    """Replace each example in the text of the rules by `instead(number)`, with numbers from 0."""
    numbers = iter(range(len(text)))
    return BLOCK.sub(lambda block: instead(next(numbers)), text)
