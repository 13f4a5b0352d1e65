"""The examples in a game's rules: fenced blocks of `rules.md`, each a position that is drawn where the block stands.

    ```example
    caption = "Seat 1 strikes with a 9."
    play = "strike 9S; target 2"
    show = "middle, hand"
    [position]
    fighters = ["0,0", "1,0"]
    ```

`play` are choices made from the position, `seat` is whose view it is (0: somebody who watches; left out: whoever is to
choose), `show` the parts of the scene that are drawn. The position is as `positions.md` says, without the game.
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
    """A position that the rules show, and what they say below it."""

    game: Game
    caption: str
    position: Mapping[str, Any] = field(default_factory=dict)
    play: str = ""
    seat: int | None = None
    show: str = "banner, middle, prompt, hand"

    def match(self) -> Match:
        """The match as it stands there."""
        match = Match.from_position({"game": self.game.name, **self.position}, game=self.game)
        match.play(self.play)
        return match

    @property
    def scene(self) -> Any:
        """The table as the seat sees it."""
        match = self.match()
        return match.view((match.seat or 0) if self.seat is None else self.seat).scene

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the scene that are drawn."""
        return tuple(part.strip() for part in self.show.split(","))


@cache
def examples(game: Game) -> tuple[Example, ...]:
    """All examples in the rules of a game, in their order."""
    file = game.folder / "rules.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return tuple(Example(game=game, **tomllib.loads(block)) for block in BLOCK.findall(text))


def replace_examples(text: str, instead: Callable[[int], str]) -> str:
    """A text of rules in which something else stands instead of each example, by its number from 0."""
    numbers = iter(range(len(text)))
    return BLOCK.sub(lambda block: instead(next(numbers)), text)
