"""Check a benchmark result: play a part of its matches again, and compare every winner."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from sparring.bots.external_bot import PIPE
from sparring.bots.value_models import fingerprint
from sparring.engine.game import game as find_game

from .benchmark import event_of, exact_result, model_hash, suite_named
from .benchmark_results import BenchmarkResult, GameResult, PairResult, RatedBot, digest, rate
from .executors import Executor
from .tournament import Progress, Tournament, TournamentTask, play_task

#: The largest difference of equal ratings, which are rounded to 0.1.
ROUNDING = 0.15


def replay(
    result: BenchmarkResult, executor: Executor, *, share: float = 0.05, sample: int = 0,
    progress: Progress = lambda more, total: None,
) -> list[str]:  # fmt: skip
    """Replay a part of the matches, and return the differences as sentences; none if everything agrees.

    :param share: The part of each pair's matches, 0 to 1; at least one match. With 1, exploitability is computed
        again too.
    :param sample: Which matches are replayed: consecutive ones from a random place.
    :param progress: Called with the matches that were just replayed, and with all that are to be.
    :raises BadOption: The suite is unknown.
    :raises UnknownGame: A game is not installed.
    """
    found = _consistent(result)
    playable = []
    for game in result.games:
        if problem := _rules_changed(result, game):
            found.append(f"{game.game}: {problem}.")
        else:
            playable.append(game)
    commands = {bot for bot in _bots_of(result) if _is_command(bot)}
    found += [f"{bot} is a command, and a check runs no commands: they may do anything." for bot in sorted(commands)]
    bots = tuple(dict.fromkeys(bot for game in playable for pair in game.pairs for bot in pair.bots))
    events = tuple(event_of(game, find_game(game.game)) for game in playable)
    tournament, tasks = Tournament(bots, events, result.matches, result.seed), list[TournamentTask]()
    rng, pairs = np.random.default_rng(sample), list[PairResult]()
    for number, game in enumerate(playable):
        for pair in game.pairs:
            if not pair.matches or any(map(_is_command, pair.bots)):
                continue
            count = max(1, ceil(share * pair.matches))
            first = int(rng.integers(pair.matches - count + 1))
            line_up = (bots.index(pair.bots[0]), bots.index(pair.bots[1]))
            tasks.append(TournamentTask(number, line_up, first, count))
            pairs.append(pair)
    total = sum(task.matches for task in tasks)
    for pair, (task, won, _) in zip(pairs, executor.map(play_task, tournament, tasks), strict=True):
        stored, again = pair.winners[task.first : task.first + task.matches], "".join(map(str, won))
        different = [task.first + n for n, (old, new) in enumerate(zip(stored, again, strict=True)) if old != new]
        if different:
            where = f"{playable[task.event].game}, {pair.bots[0]} against {pair.bots[1]}"
            found.append(f"{where}: other winners in {len(different)} of {task.matches} matches, first {different[0]}.")
        progress(task.matches, total)
    return found + (_exact_changed(result, executor) if share == 1 else [])


def _is_command(bot: str) -> bool:
    """Return whether a bot would run a command, which a result from someone else must not do."""
    return bot.strip().lower().startswith(PIPE)


def _bots_of(result: BenchmarkResult) -> set[str]:
    pairs = (pair for game in result.games for pair in game.pairs)
    return {bot for pair in pairs for bot in pair.bots} | {each.bot for each in result.exact}


def _consistent(result: BenchmarkResult) -> list[str]:
    """Check that the figures of a result follow from its matches, and that they are those of its suite."""
    suite, found = suite_named(result.suite), []
    if digest(result) != result.digest:
        found.append("The digest doesn't match the results: the file was changed.")
    if result.seed != suite.seed:
        found.append(f"The seed is {result.seed}; the suite {suite.name} has {suite.seed}.")
    found += [
        f"{each.game}: exploitability isn't computed in this game of the suite {suite.name}."
        for each in result.exact
        if each.game not in suite.exact
    ]
    found += [
        f"{game.game}: shares or ratings don't follow from the winners."
        for game in result.games
        if not _agree(game.ratings, rate(game.pairs))
        or game.pairs != [PairResult.of(one.bots, one.winners) for one in game.pairs]
    ]
    return found


def _agree(one: Sequence[RatedBot], other: Sequence[RatedBot]) -> bool:
    """Return whether ratings agree; machines may round them differently."""
    by_bot = {each.bot: each for each in other}
    return by_bot.keys() == {each.bot for each in one} and all(
        abs(getattr(each, what) - getattr(by_bot[each.bot], what)) < ROUNDING
        for each in one
        for what in ("rating", "low", "high")
    )


def _rules_changed(result: BenchmarkResult, game: GameResult) -> str:
    """Return why the matches of a game can't be replayed; empty if they can."""
    suite, event = suite_named(result.suite), event_of(game, find_game(game.game))
    if game.game not in suite.games or suite.event(game.game) != event:
        return f"not a game of the suite {suite.name} with its options"
    setup = event.game.setup(event.options)
    if (event.game.version, fingerprint(setup, event.seats)) != (game.version, game.fingerprint):
        return "the installed rules differ from the result's"
    if model_hash(setup, event.seats) != game.model:
        return "the installed value model differs from the result's"
    return ""


def _exact_changed(result: BenchmarkResult, executor: Executor) -> list[str]:
    """Compute exploitability again, and return the differences."""
    suite = suite_named(result.suite)
    stored = [each for each in result.exact if each.game in suite.exact and not _is_command(each.bot)]
    again = executor.map(exact_result, suite.streams, [(find_game(each.game).setup(), each.bot) for each in stored])
    return [
        f"{new.game}, {new.bot}: exploitability {new.exploitability}, not {old.exploitability}."
        for old, new in zip(stored, again, strict=True) if new != old
    ]  # fmt: skip
