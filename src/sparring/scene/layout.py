"""The base classes of what a game says and shows: its scene builder, and one record per phase of what the page asks."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from sparring.engine.game import GameSetup
from sparring.engine.messages import as_text
from sparring.engine.types import AnyState

from .model import Button, Effect, Prompt, Seat
from .sentences import AnyText, Text, Voice, mention, result
from .text import PrintableScene


class Phase:
    """What the page asks, says and refuses in one phase.

    A game has a subclass for each phase, and lists one object of each as PHASES in `phases.py`, in the order of the
    names in `rules.py`. A text without values is an attribute, a template of the catalogue; where it depends on the
    state, override the method that returns it. `table` is the game's `Layout` for the seat that looks; `block`
    and `number` are what `ACTIONS.name_of` returns for an action. A game's own base class may add texts and methods.
    """

    #: The name of the phase in PHASES of `rules.py`.
    name: str
    #: What the player whose turn it is does, in words for the others: `{who} is picking a card.`
    waiting_text: str
    #: What the player is asked.
    question_text: str = ""
    #: For a phase in which every seat can tell whether there is only one choice (law 10): why. The table then makes the
    #: choice for the player. A sentence of its own in the log (`There is nowhere to move.`), or one with the sentence
    #: about the choice inside (`Only one target: {choice:inside}`). Empty: how many choices there are may be a secret.
    forced_text: str = ""
    #: Why other choices have to wait: `First choose a slot.` And why those of a block can't be made, where it differs.
    refusal_text: str = ""
    refusal_texts: Mapping[str, str] = {}
    #: The labels of choices that are buttons of the prompt, by block.
    button_texts: Mapping[str, str] = {}

    def waiting(self, table: "Layout[Any]") -> AnyText:
        """Return what the player whose turn it is does, in words for the others."""
        return Text(self.waiting_text, who=mention(int(table.s.player)))

    def question(self, table: "Layout[Any]") -> AnyText:
        """Return what the player has to choose."""
        return Text(self.question_text)

    def button(self, table: "Layout[Any]", block: str, number: int) -> AnyText:
        """Return the label of a choice's button; empty if the choice is an object on the table."""
        return Text(self.button_texts[block]) if block in self.button_texts else ""

    def is_main_button(self, table: "Layout[Any]", action: int) -> bool:
        """Return whether a button stands out: by default, if it is the only choice."""
        return bool(table.choices == {action})

    def aliases(self, setup: GameSetup, s: Any, block: str, number: int) -> tuple[str, ...]:
        """Return words that mean this choice in this phase only."""
        return ()

    def why_not(self, setup: GameSetup, s: Any, block: str, number: int) -> Text:
        """Return one sentence that says why `s.player` can't make this choice now."""
        return Text(self.refusal_texts.get(block, self.refusal_text))

    def tell(self, setup: GameSetup, before: Any, action: int, after: Any, voice: Voice) -> list[Any]:
        """Return log sentences about a choice made in this phase, as far as the seat of `voice` has seen it."""
        return []


S = TypeVar("S", bound=AnyState)


def winners(s: AnyState) -> list[int]:
    """Return the seats (from 0) that have won; none before the end, and in a draw."""
    return [seat for seat in range(int(s.seats)) if s.over and s.payoff[seat] > 0]


def win_effects(s: AnyState) -> list[Effect]:
    """Return the effects of winning, for the beat that ends a match."""
    return [Effect("win", target=f"seat {seat + 1}") for seat in winners(s)]


class Layout(ABC, Generic[S]):
    """What a `seat` (from 0; negative for spectators) sees of its view `s`, and reads about it.

    A game has a subclass `SeatTable`. `choices` are the seat's legal actions, empty if it isn't its turn. At a `beat`
    no seat has a turn. Games add their own areas; the prompt comes from the record of the phase.
    """

    def __init__(self, setup: GameSetup, s: S, seat: int, choices: list[int], beat: str = "") -> None:
        self.setup, self.s, self.seat, self.beat = setup, s, seat, beat
        self.choices = set(choices)
        self.voice = Voice(seat)
        #: The seat whose turn it is, from 0; negative at a beat and after the end.
        self.turn_seat = -1 if beat or s.over else int(s.player)
        self.has_turn = seat >= 0 and seat == self.turn_seat

    @property
    def record(self) -> Phase:
        """What the page asks, says and refuses in the phase of the state."""
        record: Phase = self.setup.game.scene.PHASES[int(self.s.phase)]
        return record

    @abstractmethod
    def scene(self) -> PrintableScene:
        """Return the scene: the outline with the areas on the table."""

    def outline(self) -> PrintableScene:
        """Return the scene without areas: seats, status and prompt."""
        s = self.s
        seats = tuple([
            replace(self.panel(i), number=i + 1, you=i == self.seat, turn=i == self.turn_seat)
            for i in range(int(s.seats))
        ])  # fmt: skip
        prompt = Prompt(str(self.sentence()), self.buttons())
        return PrintableScene(
            self.setup.game.name, self.setup.title, str(self.status()), seats, prompt, over=bool(s.over)
        )

    def status(self) -> AnyText:
        """Return the state of the match in a few words: by default, the turn."""
        return Text("Turn {number}", number=int(self.s.turn))

    @abstractmethod
    def panel(self, i: int) -> Seat:
        """Return the panel of a seat (from 0); whose it is, and whether it is its turn, needs no saying."""

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that aren't objects on the table."""
        named = ((action, self.setup.game.rules.ACTIONS.name_of(action)) for action in sorted(self.choices))
        texts = ((action, str(self.record.button(self, *name))) for action, name in named)
        return tuple(
            Button(text=text, main=self.record.is_main_button(self, action), **self.choice_fields(action))
            for action, text in texts
            if text
        )

    def choice_fields(self, action: int) -> dict[str, Any]:
        """Return the fields of a `Choosable` for an action: action and words, or why it can't be chosen now."""
        if action in self.choices:
            return {"action": action, "words": self.setup.game.scene.words(self.setup, self.s, action)}
        return {"why_not": self.setup.why_not(self.s, action)} if self.has_turn else {}

    def optional_choice_fields(self, action: int) -> dict[str, Any]:
        """Return the fields of a `Choosable` that only sometimes represents a choice: action and words, or none."""
        return self.choice_fields(action) if action in self.choices else {}

    def sentence(self) -> AnyText:
        """Return the prompt: the question, who is choosing, or how the match ended; empty at a beat."""
        if self.beat:
            return ""
        if self.s.over:
            return self.ending()
        if self.has_turn:
            return self.question()
        return self.record.waiting(self)

    def question(self) -> AnyText:
        """Return what this seat has to choose."""
        return self.record.question(self)

    def ending(self) -> AnyText:
        """Return how the match ended, for this seat: by default, who won."""
        won = winners(self.s)
        if not won:
            return Text("A draw.")
        if len(won) == 1:
            return self.voice.text("You win.", "{who} wins.", who=won[0])
        first, *others = sorted(won, key=lambda i: i != self.seat)  # the reader first
        return Text("{seats} win.", seats=[self.voice.label(first), *map(self.voice.item, others)])

    # What has led here from the view `before`. `action` is what the seat observed of the action; None after a beat

    def tell(self, before: S, action: int | None) -> list[AnyText]:
        """Return log sentences: about the choice, as its phase says it, about what else happened, and about the end."""
        lines: list[AnyText] = []
        if action is not None:
            phase: Phase = self.setup.game.scene.PHASES[int(before.phase)]
            lines += phase.tell(self.setup, before, action, self.s, self.voice)
        lines += self.events(before, action)
        return [*lines, result(as_text(self.ending()))] if self.s.over and not self.beat else lines

    def events(self, before: S, action: int | None) -> Sequence[AnyText]:
        """Return log sentences about what happened besides the choice, such as cards drawn or a new turn."""
        return []

    def animate(self, before: S, action: int | None) -> list[Effect]:
        """Return what has happened to objects on the table, and who has won."""
        found = self.effects(before, action)
        return found if self.beat else found + win_effects(self.s)

    def effects(self, before: S, action: int | None) -> list[Effect]:
        """Return what has happened to objects on the table, besides who has won."""
        return []
