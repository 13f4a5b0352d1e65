"""A tutorial in words: a step, its choices, and what typed text leads to."""

from collections.abc import Sequence

from sparring.engine.errors import SparringError
from sparring.scene.locations import describe_location
from sparring.scene.markup import SeatNames
from sparring.scene.screen_reader import ChoiceGroup
from sparring.scene.sentences import merge_asides
from sparring.tutorials import EMPHASISED, LessonState

from .commands import HELP, QUERIES, Command, CommandSet
from .text_view import TextView

#: The commands that lead to another step.
STEPS = (
    Command("on", "go to the next step, if there is nothing to choose", ("go", "next")),
    Command("back", "undo your last step", ("undo",)),
)
COMMANDS = CommandSet("Type a choice, or the start of one, and press Enter. Or type a command:", *STEPS, *QUERIES, HELP)


class TextLesson:
    """One state of a tutorial in words; typed text leads to the next one."""

    def __init__(
        self, state: LessonState, names: Sequence[str], commands: CommandSet = COMMANDS, *, aloud: bool = True
    ) -> None:
        self.state, self.events = state, merge_asides(state.sentences)
        self.view = TextView(
            state.view.scene, state.match.box, SeatNames(names), commands, lambda: self.events, aloud=aloud
        )

    def words(self, text: str) -> str:
        """Return a lesson's text in words, without emphasis marks."""
        return self.view.say.spoken(EMPHASISED.sub(r"\1", text))

    @property
    def idea(self) -> str:
        """The step's text; empty at the end."""
        return self.words(self.state.step.say) if self.state.step else ""

    @property
    def learned(self) -> list[str]:
        """What the player knows at the end."""
        return [self.words(line) for line in self.state.lesson.learned]

    @property
    def highlighted(self) -> list[str]:
        """The items the step points at, with their locations."""
        described = (describe_location(self.view.scene, target.thing, self.view.say) for target in self.state.targets())
        return list(dict.fromkeys(filter(None, described)))

    def offers(self, *, accepted: bool) -> list[ChoiceGroup]:
        """Return the choices that the step accepts, or all others."""
        accepted_actions = set(self.state.accepted().values())
        divided = [
            (title, tuple(each for each in choices if (each.action in accepted_actions) == accepted))
            for title, choices in self.view.say.choice_groups(self.view.scene)
        ]
        return [(title, choices) for title, choices in divided if choices]

    def after(self, command: str, rest: str) -> LessonState | None:
        """Return the state after a command or, without a command, after choices; None for a query.

        Raises a SparringError, in words, if it is refused.
        """
        state = self.state.fork()
        try:
            match command:
                case "":
                    state.choose_together([each for each in rest.split(";") if each.strip()])
                case "on":
                    state.finish_reading()
                case "back" if not state.actions:
                    raise SparringError("This is the first step.")
                case "back":
                    return LessonState.replayed(state.match.game, state.lesson, state.actions[:-1])
                case _:
                    return None
        except SparringError as problem:
            raise SparringError(self.words(str(problem))) from None
        return state

    def typed(self, text: str) -> LessonState | list[str]:
        """Return the state after typed text, or the answer to a query. Raises a SparringError if it is refused."""
        command, rest = self.view.read(text)
        return self.after(command, rest) or self.view.answer(command, rest)
