"""Print a saved match in the terminal, choice by choice."""

from rich.console import Console

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.engine.messages import Text
from sparring.engine.new_deals import SENTENCE
from sparring.scene.descriptions import ExchangeCounter, MoveDescriptions, recorded_descriptions
from sparring.scene.markup import SeatNames
from sparring.scene.sentences import merge_asides
from sparring.scene.text import render

from .screen import print_event
from .terminal import outcome

#: A record has no names, so seats appear as `Seat 1`.
NAMELESS = SeatNames()


def show(record: str, upto: int | None, console: Console) -> None:
    """Print each choice with its public events, then the table at the end or after `upto` choices.

    Raises:
        BadRecord: The record is invalid or has fewer than `upto` choices.
    """
    match = Match.from_record(record, upto=upto)
    played = len(match.history)
    if upto is not None and upto > played:
        raise BadRecord(f"--to must be at most {played}, the number of choices in this record, not {upto}.")
    again = Match.from_record(record, upto=0)
    described = {(each.exchange, each.seat): each for each in recorded_descriptions(record)}
    exchanges = ExchangeCounter(again)
    console.print(f"{match.game.title}, {match.seats} seats, seed {match.seed}", markup=False)
    if again.dealt_after(0):
        print_event(console, SENTENCE, NAMELESS, " " * 6)
    for number, action in enumerate(match.history, 1):
        seat = again.seat or 0
        words = dict(again.view(seat).choices)[action]
        console.print(f"{number:>4}  Seat {seat}  {again.phase:<12}  {words}", markup=False)
        again.choose(action)
        lines = merge_asides([line for beat in again.beats() for line in beat.lines])
        for sentence in [*lines, *_descriptions(exchanges, described)]:
            print_event(console, sentence, NAMELESS, " " * 6)
        if again.dealt_after(number):
            print_event(console, SENTENCE, NAMELESS, " " * 6)
    console.print()
    viewer = match.seat or 0
    console.print(render(match.view(viewer).scene, colour=True, choices=False))
    if match.over:
        console.print(outcome(match), markup=False)


def _descriptions(exchanges: ExchangeCounter, left: dict[tuple[int, int], MoveDescriptions]) -> list[Text]:
    """Return the descriptions of moves that are complete after the latest choice, and remove them from `left`."""
    if not left or exchanges.match.last_transition is None:
        return []
    exchanges.add(exchanges.match.last_transition)
    number, moves = exchanges.to_describe()
    complete = [(number, move.seat) for move in moves if move.seat != exchanges.match.seat]
    return [left.pop(key).sentence for key in complete if key in left]
