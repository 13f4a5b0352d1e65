"""A kept match, told from its beginning to its end, every choice with its words."""

from rich.console import Console

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.scene.markup import SeatNames
from sparring.scene.sentences import together
from sparring.scene.text import render

from .terminal import outcome, tell_one

#: Seats go by their numbers here.
NAMELESS = SeatNames()


def show(record: str, upto: int | None, console: Console) -> None:
    """Tell every choice and what all could see of it, and show the table at the end (`upto`: after so many choices)."""
    match = Match.from_record(record, upto=upto)
    played = len(match.history)
    if upto is not None and upto > played:
        raise BadRecord(f"This record has {played} choices, not {upto}.")
    again = Match.from_record(record, upto=0)
    console.print(f"{match.game.title}, {match.seats} seats, seed {match.seed}", markup=False)
    for number, action in enumerate(match.history, 1):
        seat = again.seat or 0
        words = dict(again.view(seat).choices)[action]
        console.print(f"{number:>4}  Seat {seat}  {again.phase:<12}  {words}", markup=False)
        again.choose(action)
        for sentence in together(again.told()):
            tell_one(console, sentence, NAMELESS, " " * 6)
    console.print()
    viewer = match.seat or 0
    console.print(render(match.view(viewer).scene, colour=True, choices=False))
    if match.over:
        console.print(outcome(match), markup=False)
