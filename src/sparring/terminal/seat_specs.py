"""Parse seat specs such as `me,search,random`."""

from collections.abc import Sequence

from sparring import bots
from sparring.bots import Bot
from sparring.engine.errors import BadBot, BadOption
from sparring.engine.game import Game
from sparring.scene.markup import seat_name

ME, OPEN = "me", "open"

#: A bot, or ME (a person at this screen) or OPEN (a seat for a friend).
SeatSpec = Bot | str


def read_seats(game: Game, text: str | None, also_open: bool = False) -> list[SeatSpec]:
    """Return a player for each seat of `text`; by default me against search bots, on as few seats as the game allows.

    Raises:
        BadBot: A seat is neither a person nor a bot.
        BadOption: The number of seats is wrong, or several seats are `me` in the browser (`also_open`).
    """
    words = [word.strip() for word in text.split(",")] if text else [ME] + ["search"] * (game.seats[0] - 1)
    people = (ME, OPEN) if also_open else (ME,)
    sitters = [word if word in people else _bot(seat, word, people) for seat, word in enumerate(words, 1)]
    game.check_seats(len(sitters))
    if also_open and sitters.count(ME) > 1:
        raise BadOption("You can take only one seat in the browser; make the others open or give them to bots.")
    return sitters


def _bot(seat: int, word: str, people: Sequence[str]) -> Bot:
    try:
        return bots.parse(word)
    except BadBot:
        if word.lower().startswith((*bots.SEARCHES, "pipe:")):
            raise
        possible = ", ".join([*people, *bots.kinds()])
        if not word:
            raise BadBot(f"Seat {seat} is empty; it must be one of {possible}.") from None
        raise BadBot(f"Seat {seat} must be one of {possible}, not {word}.") from None


def names(sitters: Sequence[SeatSpec]) -> list[str]:
    """Return a name for each seat: `Seat 1` for people, a name such as Bolt for bots."""
    called = list[str]()
    for seat, sitter in enumerate(sitters, 1):
        called.append(bots.free_name(called) if isinstance(sitter, Bot) else seat_name(seat))
    return called
