"""High Card: the table as a seat sees it, in things and in words."""

from typing import Any

from sparring.engine.cards import UNKNOWN
from sparring.engine.game import NOBODY, Box
from sparring.scene import Card, Face, Group, Pile, Prompt, Row, Scene, Seat, Track
from sparring.scene.sentences import Result, Voice, listed

#: Why there is only one choice.
ONLY = {0: "Your last card:"}


def words(box: Box, s: Any, action: int) -> str:
    """A card by its value; of two equal ones the second has an `a`."""
    first = box.content.values.index(box.content.values[action])
    return f"lay {box.content.values[action]}" + ("" if action == first else "a")


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """Just the value, which both equal cards share."""
    return (str(box.content.values[action]),)


def why_not(box: Box, s: Any, action: int) -> str:
    """The only reason there is."""
    return f"You do not hold a {box.content.values[action]}."


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """Everybody's card in the middle, one's own hand below."""

    def card(number: int, place: str) -> Card:
        if number == UNKNOWN:
            return Card(key=place)
        value = str(box.content.values[number])
        here = {"action": number, "words": words(box, s, number)} if number in choices else {}
        return Card(key=f"card {number}", face=Face(name=value, value=value), **here)

    def row(pile: Any, place: str, **more: Any) -> Row:
        return Row(place, cards=tuple(card(int(pile[i]), f"{place} {i}") for i in range(1, pile[0] + 1)), **more)

    voice = Voice(seat)
    rows = tuple(row(s.laid[i], f"laid {i}", title=voice.name(i), seat=i + 1) for i in range(s.seats))
    asked = "The match is over." if s.over else f"{voice.does(int(s.player), 'lay', 'lays')} a card."
    return Scene(
        game=box.game.name, title=box.game.title, status=f"Trick {s.turn + 1}", prompt=Prompt("" if beat else asked),
        seats=tuple(
            Seat(
                number=i + 1, you=i == seat, turn=i == s.player and not s.over and not beat,
                tracks=(Track(f"tricks {i}", "Tricks", int(s.tricks[i]), int(box.options["hand"])),),
            )
            for i in range(s.seats)
        ),
        left=(Pile("gone", "Played", int(s.gone[0])), Pile("deck", "Deck", int(s.deck[0]))),
        middle=rows, exchange=Group(rows) if beat else None,
        hand=() if seat == NOBODY else (row(s.hand[seat], "hand", title="Your hand", layout="hand", seat=seat + 1),),
        over=bool(s.over),
    )  # fmt: skip


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """Who laid a card; when all are turned up, which ones; and who took the trick."""
    voice, lines = Voice(seat), list[str]()
    if action is not None:
        what = "a card" if action == UNKNOWN else f"a {box.content.values[action]}"
        lines.append(f"{voice.does(int(before.player), 'lay', 'lays')} {what}.")
    if beat == "turned up":
        shown = [f"{box.content.values[after.laid[i, 1]]} from {voice.whom(i)}" for i in range(after.seats)]
        lines.append(f"The cards are turned up: {listed(shown)}.")
    if after.turn > before.turn:
        takers = [i for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
        taken = f"{voice.does(takers[0], 'take', 'takes')} the trick." if takers else "Nobody takes the trick."
        lines.append(Result(taken))
    return lines
