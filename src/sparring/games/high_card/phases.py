"""High Card: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.game import HIDDEN_ACTION, GameSetup
from sparring.scene import Phase
from sparring.scene.sentences import Text, Voice, mention

from .rules import ACTIONS, HIGH, State


class Lay(Phase):
    """Every seat plays a card face down."""

    name = "lay"
    waiting_text = "{who} is choosing a card."
    question_text = "Which card do you play?"
    forced_text = "Your last card: {choice:inside}"

    def why_not(self, setup: GameSetup, state: State, block: str, number: int) -> Text:
        """Say that the card isn't in hand, or that calls come before cards."""
        if block == "card":
            return Text("You have no {card} in your hand.", card=setup.content.values[number])
        return Text("You can't call now.")

    def tell(self, setup: GameSetup, before: State, action: int, after: State, voice: Voice) -> list[Text]:
        """Say who plays a card, and which one to the seat that knows it."""
        if action == HIDDEN_ACTION:
            return [Text("{who} plays a card.", who=mention(before.player))]
        return [Text("You play {card}.", card=setup.content.values[action])]


class Call(Phase):
    """The leader calls whether the highest or the lowest card takes the trick (R3)."""

    name = "call"
    waiting_text = "{who} is calling high or low."
    question_text = "Which card takes this trick?"
    refusal_text = "First call high or low for this trick."
    button_texts = {"high": "Call high", "low": "Call low"}

    def tell(self, setup: GameSetup, before: State, action: int, after: State, voice: Voice) -> list[Text]:
        """Say what is called."""
        if action == HIGH:
            return [voice.text("You call high.", "{who} calls high.", who=before.player)]
        return [voice.text("You call low.", "{who} calls low.", who=before.player)]


PHASES = (Lay(), Call())


def words(setup: GameSetup, state: State, action: int) -> str:
    """Return the words of a choice: `call high`, `lay 7`, and `lay 7a` for a second card with that value."""
    block, _ = ACTIONS.name_of(action)
    if block != "card":
        return f"call {block}"
    value = setup.content.values[action]
    return f"lay {value}{' abcdefghijklmnopqrs'[setup.content.values[:action].count(value)].strip()}"


def aliases(setup: GameSetup, state: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `high`; `7` or `play 7`, which equal cards share."""
    block, _ = ACTIONS.name_of(action)
    return (block,) if block != "card" else (f"{setup.content.values[action]}", f"play {setup.content.values[action]}")
