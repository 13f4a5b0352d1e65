"""High Card: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.game import HIDDEN_ACTION, Box
from sparring.scene import Phase
from sparring.scene.sentences import ResultLine, Voice, listed

from .rules import ACTIONS, State


class Lay(Phase):
    """Every seat plays a card face down."""

    name = "lay"
    waiting_text = "is choosing a card"
    question_text = "Which card do you play?"
    forced_text = "Your last card:"

    def why_not(self, box: Box, state: State, block: str, number: int) -> str:
        """Say that the card isn't in hand, or that calls come before cards."""
        return f"You have no {box.content.values[number]} in your hand." if block == "card" else "You can't call now."

    def tell(self, box: Box, before: State, action: int, after: State, voice: Voice) -> list[str]:
        """Say who plays a card, and which one to the seat that knows it."""
        card = "a card" if action == HIDDEN_ACTION else str(box.content.values[action])
        return [f"{voice.does(int(before.player), 'play', 'plays')} {card}."]


class Call(Phase):
    """The leader calls whether the highest or the lowest card takes the trick (R3)."""

    name = "call"
    waiting_text = "is calling high or low"
    question_text = "Which card takes this trick?"
    refusal_text = "First call high or low for this trick."
    button_texts = {"high": "Call high", "low": "Call low"}

    def tell(self, box: Box, before: State, action: int, after: State, voice: Voice) -> list[str]:
        """Say what is called."""
        return [f"{voice.does(int(before.player), 'call', 'calls')} {ACTIONS.name_of(action)[0]}."]


PHASES = (Lay(), Call())


def words(box: Box, state: State, action: int) -> str:
    """Return the words of a choice: `call high`, `lay 7`, and `lay 7a` for a second card with that value."""
    block, _ = ACTIONS.name_of(action)
    if block != "card":
        return f"call {block}"
    value = box.content.values[action]
    return f"lay {value}{' abcdefghijklmnopqrs'[box.content.values[:action].count(value)].strip()}"


def aliases(box: Box, state: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `high`; `7` or `play 7`, which equal cards share."""
    block, _ = ACTIONS.name_of(action)
    return (block,) if block != "card" else (f"{box.content.values[action]}", f"play {box.content.values[action]}")


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return what happened as sentences for `seat`: a call or a card, the cards revealed, who takes the trick."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if beat == "turned up":
        cards = [f"{box.content.values[after.laid[i, 1]]} from {voice.whom(i)}" for i in range(after.seats)]
        lines.append(f"The cards are revealed: {listed(cards)}.")
    if after.turn > before.turn:
        takers = [voice.does(i, "take", "takes") for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
        lines.append(ResultLine(f"{takers[0] if takers else 'No one takes'} the trick."))
    return lines
