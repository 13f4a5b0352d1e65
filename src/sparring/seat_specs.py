"""Who sits where, as people write it: `me,search,random`."""

from collections.abc import Sequence

from sparring import bots
from sparring.bots import Bot
from sparring.engine.errors import BadBot, BadOption
from sparring.engine.game import Game

ME, OPEN = "me", "open"

#: A person at this screen, a seat that is open for a friend, or a bot.
Sitter = Bot | str


def read_seats(game: Game, text: str | None, also_open: bool = False) -> list[Sitter]:
    """One sitter for each seat; if nothing is said, me and a bot on each other seat."""
    words = [word.strip() for word in text.split(",")] if text else [ME] + ["search"] * (game.seats[0] - 1)
    people = (ME, OPEN) if also_open else (ME,)
    sitters = [word if word in people else _bot(word, people) for word in words]
    game.check_seats(len(sitters))
    if also_open and sitters.count(ME) > 1:
        raise BadOption("You can sit on one seat only in the browser; make the others open or give them to bots.")
    return sitters


def _bot(word: str, people: Sequence[str]) -> Bot:
    try:
        return bots.parse(word)
    except BadBot:
        if word.lower().startswith((*bots.THINKERS, "pipe:")):
            raise
        possible = ", ".join([*people, *bots.kinds()])
        raise BadBot(f"Nobody called {word or 'nothing'} can sit down; a seat is {possible}.") from None


def names(sitters: Sequence[Sitter]) -> list[str]:
    """What the seats are called: people by their seats, bots by names of their own."""
    called = list[str]()
    for seat, sitter in enumerate(sitters, 1):
        called.append(bots.free_name(called) if isinstance(sitter, Bot) else f"Seat {seat}")
    return called
