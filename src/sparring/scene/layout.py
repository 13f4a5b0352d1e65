"""One seat's table being laid out: what every game's table begins with."""

from abc import ABC, abstractmethod
from typing import Any

from sparring.engine.game import Box

from .model import Button, Prompt, Seat
from .printed import PrintableScene
from .sentences import Voice


class Layout(ABC):
    """Somebody's table (`seat` from 0; negative: who watches), made from what that seat may know.

    `choices` are the actions that it may choose; none if nobody asks it. At a `beat` nobody is asked anything, and the
    table waits for nobody. A game adds its things, and in `question` what the seat is asked.
    """

    #: What somebody who is asked in a phase does, as the others read it: `picks a card`.
    waiting: tuple[str, ...]

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> None:
        self.box, self.s, self.seat, self.beat = box, s, seat, beat
        self.choices = set(choices)
        self.voice = Voice(seat)
        #: The seat that the table waits for, from 0; negative at a beat and at the end.
        self.waited_for = -1 if beat or s.over else int(s.player)
        self.asked = seat >= 0 and seat == self.waited_for

    def outline(self) -> PrintableScene:
        """The table without what lies on it: who plays and how they stand, and what is asked."""
        game, s = self.box.game, self.s
        seats = tuple([self.panel(i) for i in range(int(s.seats))])
        prompt = Prompt(self.sentence(), self.buttons())
        return PrintableScene(game.name, game.title, self.status(), seats, prompt, over=bool(s.over))

    @abstractmethod
    def status(self) -> str:
        """Where the match stands, in a few words."""

    @abstractmethod
    def panel(self, i: int) -> Seat:
        """A seat (from 0), and how it stands."""

    def buttons(self) -> tuple[Button, ...]:
        """The choices that lie nowhere on the table."""
        return ()

    def chosen(self, action: int) -> dict[str, Any]:
        """The choice behind a thing, or why it cannot be chosen."""
        scene = self.box.game.scene
        if action in self.choices:
            return {"action": action, "words": scene.words(self.box, self.s, action)}
        return {"why_not": scene.why_not(self.box, self.s, action)} if self.asked else {}

    def offered(self, action: int) -> dict[str, Any]:
        """The choice behind a thing that is nothing to choose at other times."""
        return self.chosen(action) if action in self.choices else {}

    def sentence(self) -> str:
        """What is asked, or whom everybody waits for, or how the match ended; empty at a beat."""
        if self.beat:
            return ""
        if self.s.over:
            return self.ending()
        if self.asked:
            return self.question()
        return f"{self.voice.name(int(self.s.player))} {self.waiting[int(self.s.phase)]}."

    @abstractmethod
    def question(self) -> str:
        """What this seat is asked."""

    @abstractmethod
    def ending(self) -> str:
        """How the match ended, for this seat."""
