"""What a game's page asks, says and refuses in each phase, in one record per phase."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.game import Box

from .sentences import AnyText, Text, Voice, mention


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
    #: Why other choices have to wait: `First choose a slot.`
    refusal_text: str = ""
    #: The labels of choices that are buttons of the prompt, by block.
    button_texts: Mapping[str, str] = {}

    def waiting(self, table: Any) -> AnyText:
        """Return what the player whose turn it is does, in words for the others."""
        return Text(self.waiting_text, who=mention(int(table.s.player)))

    def question(self, table: Any) -> AnyText:
        """Return what the player has to choose."""
        return Text(self.question_text)

    def button(self, table: Any, block: str, number: int) -> AnyText:
        """Return the label of a choice's button; empty if the choice is an object on the table."""
        return Text(self.button_texts[block]) if block in self.button_texts else ""

    def is_main_button(self, table: Any, action: int) -> bool:
        """Return whether a button stands out: by default, if it is the only choice."""
        return bool(table.choices == {action})

    def aliases(self, box: Box, s: Any, block: str, number: int) -> tuple[str, ...]:
        """Return words that mean this choice in this phase only."""
        return ()

    def why_not(self, box: Box, s: Any, block: str, number: int) -> AnyText:
        """Return one sentence that says why `s.player` can't make this choice now."""
        return Text(self.refusal_text)

    def tell(self, box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[Any]:
        """Return log sentences about a choice made in this phase, as far as the seat of `voice` has seen it."""
        return []
