"""What a match comes to when it is over: who was where, in which variant, and whether that moves ratings."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from sparring.bots import STAND_IN
from sparring.engine.errors import SparringError
from sparring.engine.game import Box, Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.scene.sentences import listed
from sparring.web.settings import Limits
from sparring.web.storage.rating_limits import BOT, RatingLimits
from sparring.web.storage.rating_store import RatedVariant
from sparring.web.storage.result_store import FinishedMatch

from .clocks.early_endings import EarlyEnding
from .players import Player
from .table import Table

#: A match that somebody gave up counts from this many actions on. The shortest usual matches (Make Your Moves, World of
#: Fighters) take about 30: ten are a third of one, while a match that was given up at once says nothing of anybody.
EARLY = 10


def changed_options(box: Box) -> dict[str, Any]:
    """The options that differ from their defaults."""
    defaults = {option.name: option.default for option in box.game.kit.OPTIONS}
    return {name: value for name, value in box.options.items() if value != defaults[name]}


def variant_of(box: Box, content: str | None = None) -> RatedVariant:
    """Which variant a table plays: the options that differ from the usual ones, and content of somebody's own."""
    options = msgspec.json.encode(changed_options(box), order="sorted").decode()
    digest = hashlib.blake2b(msgspec.json.encode((box.game.name, options, content)), digest_size=8).hexdigest()
    return RatedVariant(digest, box.game.name, options, content)


def called(variant: RatedVariant) -> str:
    """A variant in words: by its name if it has one, else by what is different in it."""
    options = msgspec.json.decode(variant.options)
    try:
        game = find_game(variant.game)
        named = {changed: name for name, changed in _named(game).items()}
        words = named.get(variant.options) or _different(game, options)
    except (SparringError, KeyError):  # a game, or an option, that is not here any more
        words = ", ".join(f"{name}: {value}" for name, value in options.items())
    return f"{words}, with cards of somebody’s own" if variant.content else words


def players_at(sitters: Sequence[Player]) -> list[str]:
    """Who plays on every seat, as ratings name them; empty: nobody.

    Of several people at one screen nobody knows which of them is who, so there it is nobody too.
    """
    several = Counter(sitter.person for sitter in sitters)
    return [
        BOT + sitter.bot.removeprefix(STAND_IN) if sitter.bot else sitter.person if several[sitter.person] == 1 else ""
        for sitter in sitters
    ]


def finished(table: Table, ended: EarlyEnding, limits: Limits) -> FinishedMatch:
    """What is kept of a match that has just ended."""
    match, won = table.match, ended.winners(table.match)
    return FinishedMatch(
        table=table.id, variant=variant_of(match.box, table.content),
        players=players_at(table.sitters), places=places(match, ended),
        outcomes=[_outcome(seat, won, match.seats) for seat in range(1, match.seats + 1)],
        choices=len(match.history), rated=table.terms.rated and counts(table, ended), most=RatingLimits.of(limits),
        networks=[sitter.network for sitter in table.sitters],
    )  # fmt: skip


def counts(table: Table, ended: EarlyEnding) -> bool:
    """Whether a rated match is one that counts: played to its end, or given up late enough, when everybody had chosen.

    One in which chance had to choose for a bot counts for nobody.
    """
    if any(sitter.bot.startswith(STAND_IN) for sitter in table.sitters):
        return False
    match = table.match
    courses = [*table.courses, *filter(None, [match.course])]  # the last one may not be shown yet
    chose = {int(course.before.player) + 1 for course in courses}
    conceded = bool(match.history) and match.history[-1] in match.game.conceding
    return not (ended.how or ended.left or conceded) or (len(chose) == match.seats and len(match.history) >= EARLY)


def places(match: Match, ended: EarlyEnding) -> list[int]:
    """The place of every seat: who won first, then by what the rules pay, last who left (the earlier, the lower)."""
    won, seats = ended.winners(match), range(1, match.seats + 1)
    paid = match.payoffs if match.over and not ended.how else None
    worth = {
        seat: (-1 - ended.seats[::-1].index(seat), 0.0) if seat in ended.seats
        else (int(seat in won), float(paid[seat]) if paid else 0.0)
        for seat in seats
    }  # fmt: skip
    return [1 + sum(other > worth[seat] for other in worth.values()) for seat in seats]


def _outcome(seat: int, won: tuple[int, ...], seats: int) -> int:
    if not won or len(won) == seats:
        return 0
    return 1 if seat in won else -1


def _named(game: Game) -> dict[str, str]:
    """The named variants of a game, each with the options that differ in it as they are stored."""
    return {name: variant_of(game.box(dict(game.preset(name)))).options for name in reversed(list(game.variants))}


def _different(game: Game, options: dict[str, Any]) -> str:
    known = {option.name: option for option in game.kit.OPTIONS}
    return listed([f"{known[name].heading}: {known[name].said(value)}" for name, value in options.items()])
