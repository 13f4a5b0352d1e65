"""The base class of games' scene builders."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from sparring.engine.game import Box
from sparring.engine.types import AnyState

from .model import Button, Prompt, Seat
from .text import PrintableScene
from .sentences import Voice

S = TypeVar("S", bound=AnyState)


class Layout(ABC, Generic[S]):
    """Builds the scene of a `seat` (from 0; negative for spectators) from its view `s`.

    `choices` are its legal actions, empty if it isn't its turn. At a `beat` no seat has a turn. Games add their own
    areas, and the text of the prompt in `question`.
    """

    #: For each phase, what the player whose turn it is does, in words for the others: `picks a card`.
    waiting_texts: tuple[str, ...]

    def __init__(self, box: Box, s: S, seat: int, choices: list[int], beat: str = "") -> None:
        self.box, self.s, self.seat, self.beat = box, s, seat, beat
        self.choices = set(choices)
        self.voice = Voice(seat)
        #: The seat whose turn it is, from 0; negative at a beat and after the end.
        self.turn_seat = -1 if beat or s.over else int(s.player)
        self.has_turn = seat >= 0 and seat == self.turn_seat

    def outline(self) -> PrintableScene:
        """Return the scene without areas: seats, status and prompt."""
        s = self.s
        seats = tuple([self.panel(i) for i in range(int(s.seats))])
        prompt = Prompt(self.sentence(), self.buttons())
        return PrintableScene(self.box.game.name, self.box.title, self.status(), seats, prompt, over=bool(s.over))

    @abstractmethod
    def status(self) -> str:
        """Return the state of the match in a few words."""

    @abstractmethod
    def panel(self, i: int) -> Seat:
        """Return the panel of a seat (from 0)."""

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that aren't objects on the table."""
        return ()

    def choice_fields(self, action: int) -> dict[str, Any]:
        """Return the fields of a `Choosable` for an action: action and words, or why it can't be chosen now."""
        scene = self.box.game.scene
        if action in self.choices:
            return {"action": action, "words": scene.words(self.box, self.s, action)}
        return {"why_not": scene.why_not(self.box, self.s, action)} if self.has_turn else {}

    def optional_choice_fields(self, action: int) -> dict[str, Any]:
        """Return the fields of a `Choosable` that only sometimes represents a choice: action and words, or none."""
        return self.choice_fields(action) if action in self.choices else {}

    def sentence(self) -> str:
        """Return the prompt: the question, who is choosing, or how the match ended; empty at a beat."""
        if self.beat:
            return ""
        if self.s.over:
            return self.ending()
        if self.has_turn:
            return self.question()
        return f"{self.voice.name(int(self.s.player))} {self.waiting_texts[int(self.s.phase)]}."

    @abstractmethod
    def question(self) -> str:
        """Return what this seat has to choose."""

    @abstractmethod
    def ending(self) -> str:
        """Return how the match ended, for this seat."""
