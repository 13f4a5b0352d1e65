"""The results of a benchmark: every match's winner, what follows from them, and how they were measured.

The file is JSON with sorted keys, so the same results give the same bytes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from sparring.engine.errors import SparringError

from .standings import bradley_terry
from .stats import wilson

#: The version of the format.
FORMAT = 1

#: The score of a pair's first bot in a match by its result (see `PairResult.winners`).
SCORES = {"0": 0.5, "1": 1.0, "2": 0.0, "3": 0.5}


class PairResult(msgspec.Struct, frozen=True):
    """The matches of two bots. The first bot has seat 1 in match 0, and they change seats after each match."""

    bots: tuple[str, str]
    matches: int
    #: The first bot's share of wins with Wilson's 95% interval; a draw is half a win.
    share: float
    low: float
    high: float
    #: One digit per match: which bot won (1 or 2), both (3) or neither (0).
    winners: str

    @classmethod
    def of(cls, bots: tuple[str, str], winners: str) -> "PairResult":
        """Return the result from the winners of the matches."""
        score = sum(SCORES[winner] for winner in winners)
        low, high = wilson(score, len(winners))
        share = score / len(winners) if winners else 0.5
        return cls(bots, len(winners), round(share, 6), round(low, 6), round(high, 6), winners)


class RatedBot(msgspec.Struct, frozen=True):
    """A bot's rating in Elo points with its 95% interval; the mean of all bots is 1,500."""

    bot: str
    rating: float
    low: float
    high: float


class GameResult(msgspec.Struct, frozen=True):
    """The results in one game."""

    game: str
    version: int
    seats: int
    options: dict[str, Any]
    #: A hash of rules, options and content, and one of the value model that bots used; empty if there is none.
    fingerprint: str
    model: str
    pairs: list[PairResult]
    #: Best first.
    ratings: list[RatedBot]
    #: CPU milliseconds for an action in matches of a bot against itself, by bot.
    milliseconds: dict[str, float]


class ExactResult(msgspec.Struct, frozen=True):
    """How exploitable a bot is: the mean payoff of best responses per match, over both seats."""

    game: str
    version: int
    bot: str
    #: The number of random streams over which the bot's actions are averaged.
    streams: int
    exploitability: float


class FailedBot(msgspec.Struct, frozen=True):
    """The number of matches in which a bot failed and a random bot replaced it, and the first reason."""

    bot: str
    matches: int
    first: str


class BenchmarkResult(msgspec.Struct, frozen=True):
    """The results of a benchmark, and how they were measured."""

    suite: str
    seed: int
    #: The bots that were measured; and options: matches of each pair, and lower numbers for the pairs of some bots.
    bots: list[str]
    matches: int
    limits: dict[str, int]
    games: list[GameResult]
    exact: list[ExactResult]
    failures: list[FailedBot]
    #: The version of Sparring, the commit if it is a checkout, the machine, and the day (UTC).
    sparring: str
    commit: str
    machine: str
    date: str
    #: The hash of everything that can be replayed, and the version of the format.
    digest: str = ""
    format: int = FORMAT

    def sealed(self) -> "BenchmarkResult":
        """Return the result with its digest."""
        return msgspec.structs.replace(self, digest=digest(self))


def digest(result: BenchmarkResult) -> str:
    """Return the hash (BLAKE2b) of everything that another machine can replay: no times, machine or date."""
    games = [msgspec.structs.replace(game, milliseconds={}) for game in result.games]
    parts = [result.suite, result.seed, games, result.exact]
    return hashlib.blake2b(msgspec.json.encode(parts, order="sorted"), digest_size=16).hexdigest()


def rate(pairs: Iterable[PairResult]) -> list[RatedBot]:
    """Rate the bots of some pairs together (Bradley-Terry, see `bot_ratings`), best first."""
    pairs = list(pairs)
    bots = list(dict.fromkeys(bot for pair in pairs for bot in pair.bots))
    wins = np.zeros((len(bots), len(bots)))
    for pair in pairs:
        first, second = (bots.index(bot) for bot in pair.bots)
        score = sum(SCORES[winner] for winner in pair.winners)
        wins[first, second] += score
        wins[second, first] += pair.matches - score
    if len(bots) < 2 or not wins.any():
        return []
    rated = [
        RatedBot(bot, *(round(value, 1) for value in rating))
        for bot, rating in zip(bots, bradley_terry(wins), strict=True)
    ]
    return sorted(rated, key=lambda each: -each.rating)


def write(result: BenchmarkResult, file: Path) -> None:
    """Write a result as JSON. Raises SparringError if the file can't be written."""
    try:
        file.write_bytes(encoded(result))
    except OSError as problem:
        raise SparringError(f"Can't write {file}: {problem.strerror or problem}.") from None


def encoded(result: BenchmarkResult) -> bytes:
    """Return the canonical bytes of a result."""
    return msgspec.json.format(msgspec.json.encode(result, order="sorted"), indent=1) + b"\n"


def read(file: Path) -> BenchmarkResult:
    """Read a result. Raises SparringError if it isn't one."""
    try:
        result = msgspec.json.decode(file.read_bytes(), type=BenchmarkResult)
    except OSError as problem:
        raise SparringError(f"Can't read {file}: {problem.strerror or problem}.") from None
    except msgspec.MsgspecError as problem:
        raise SparringError(f"{file.name} is not a benchmark result: {problem}.") from None
    if result.format != FORMAT:
        raise SparringError(f"{file.name} has format {result.format}; this version of Sparring reads format {FORMAT}.")
    for pair in (pair for game in result.games for pair in game.pairs):
        if not {*pair.winners} <= {*SCORES} or len(pair.winners) != pair.matches:
            raise SparringError(
                f"{file.name}: the winners of {' against '.join(pair.bots)} must be one digit from 0 to 3 per match."
            )
    return result


def limits_of(texts: Sequence[str]) -> Mapping[str, int]:
    """Read limits written as `BOT=NUMBER`. Raises SparringError."""
    limits = {}
    for text in texts:
        bot, sign, number = text.rpartition("=")
        if not sign or not number.isascii() or not number.isdecimal() or int(number) < 1:
            raise SparringError(f"Write a limit as BOT=NUMBER with a number of at least 1, not {text}.")
        limits[bot] = int(number)
    return limits
