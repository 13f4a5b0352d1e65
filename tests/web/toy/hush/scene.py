"""The scene and the words of Hush."""

from typing import Any

from sparring.engine.cards import UNKNOWN
from sparring.engine.game import GameSetup
from sparring.scene import Button, Card, Effect, Face, Phase, Pile, PrintableScene, Prompt, Row, Seat

from .rules import CARD, DONE, GIVE_UP


class Lay(Phase):
    name = "lay"
    waiting_text = "{who} lays."
    refusal_text = "You do not hold that card."


PHASES = (Lay(),)


def words(setup: GameSetup, s: Any, action: int) -> str:
    if action < DONE:
        return f"lay {setup.content.values[action - CARD]}"
    return "done" if action == DONE else "give up"


def aliases(setup: GameSetup, s: Any, action: int) -> tuple[str, ...]:
    return (str(setup.content.values[action - CARD]),) if action < DONE else ()


class SeatTable:
    """Builds the scene without the base class that games of ours have."""

    def __init__(self, setup: GameSetup, s: Any, seat: int, choices: list[int], beat: str) -> None:
        self.setup, self.s, self.seat, self.choices = setup, s, seat, choices

    def scene(self) -> PrintableScene:
        setup, s, seat, choices = self.setup, self.s, self.seat, self.choices

        def card(number: int, place: str) -> Card:
            if number == UNKNOWN:
                return Card(key=place)
            action = CARD + number if CARD + number in choices and place.startswith("hand") else None
            face = Face(name=f"Card {setup.content.values[number]}", value=str(setup.content.values[number]))
            return Card(key=f"card {number}", face=face, action=action, words=words(setup, s, CARD + number))

        def row(pile: Any, place: str, **more: Any) -> Row:
            return Row(
                key=place, cards=tuple(card(int(pile[i]), f"{place} {i}") for i in range(1, pile[0] + 1)), **more
            )

        mine = [row(s.hand[seat], "hand", title="Your hand", layout="hand", seat=seat + 1)] if seat >= 0 else []
        rows = [
            row(s.laid[other], f"laid {other + 1}", title=f"Seat {other + 1} laid", seat=other + 1)
            for other in range(s.seats)
        ]
        buttons = tuple(Button(action=action, words=words(setup, s, action)) for action in choices if action >= DONE)
        asked = (
            "The match is over." if s.over else "Lay a card, or be done." if choices else f"Seat {s.player + 1} lays."
        )
        return PrintableScene(
            game="hush", title="Hush", status="Lay", over=bool(s.over), prompt=Prompt(asked, buttons),
            seats=tuple(Seat(number=n + 1, you=n == seat, turn=n == s.player and not s.over) for n in range(s.seats)),
            middle=(*rows, Pile(key="deck", title="Deck", count=int(s.deck[0]))), hand=tuple(mine),
        )  # fmt: skip

    def outline(self) -> PrintableScene:
        return self.scene()

    def tell(self, before: Any, action: int | None) -> list[str]:
        setup, after, seat = self.setup, self.s, self.seat
        who = "You" if before.player == seat else f"Seat {before.player + 1}"
        if action == GIVE_UP:
            return [f"{who} gave up."]
        if before.player == seat and action not in (None, DONE):
            return [f"You lay {setup.content.values[action - CARD]}."]
        if after.over:
            return ["All cards are turned up."]
        return [f"{who} done."] if after.player != before.player else []

    def animate(self, before: Any, action: int | None) -> list[Effect]:
        after = self.s
        laid = [i for i in range(after.seats) if after.laid[i][0] > before.laid[i][0]]
        return [Effect("move", target=f"laid {i + 1}", amount=1) for i in laid]
