"""Write `docs/leaderboard.md` from the results in `benchmarks/results`: `python -m benchmarks.leaderboard`.

Each file there is a result of `sparring benchmark`. The pairs of all files are rated together.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.lab.benchmark import SUITES
from sparring.lab.benchmark_results import BenchmarkResult, GameResult, PairResult, rate, read

ROOT = Path(__file__).parent.parent
RESULTS, PAGE = ROOT / "benchmarks" / "results", ROOT / "docs" / "leaderboard.md"

INTRODUCTION = """\
# Leaderboard

<!-- Written by `python -m benchmarks.leaderboard` from `benchmarks/results`. -->

Suite v1 compares bots in fixed matches of five games with two seats. Every pair of bots plays the same deals from both
seats. In Kuhn and Leduc poker the suite computes how exploitable each bot is. Every bot meets six anchors: `random`,
four levels of `search`, and `plain` (search without a value model) with 1,000 iterations.

```console
$ sparring benchmark                                    # the anchors; resumes if interrupted
$ sparring benchmark --bot MINE --workers 4             # your bot against the anchors
$ sparring benchmark --check result.json --share 0.05   # replay 5% of a result
```

The suite plays 1,000 matches per pair, so intervals are at most ± 3 points; `--matches` and `--limit BOT=NUMBER` play
fewer. **Pairs with slow bots have played fewer so far (see the tables)**, so their differences may be due to chance.

*Rating*: Elo points (Bradley-Terry), with a mean of 1,500 in each game. *Won*: share of wins, Wilson's 95% interval; a
draw is half a win. *CPU*: milliseconds per action when the bot plays itself, on a machine shared with other processes
([sources](#sources)). [Strength](strength.md) has more measurements.

To add a bot, put its result into `benchmarks/results/v1` and run `python -m benchmarks.leaderboard`. A result contains
the winner of every match. CI replays some of them and compares the winners exactly, which needs a deterministic bot.
"""


def results(folder: Path) -> dict[str, BenchmarkResult]:
    """Return the results in a folder by file name."""
    return {file.name: read(file) for file in sorted(folder.glob("*.json"))}


def merged(found: Mapping[str, BenchmarkResult], name: str) -> GameResult | None:
    """Return a game's results from all files, rated together; of repeated pairs, the one with most matches.

    Raises SparringError if two files differ in the rules or value model.
    """
    games = [(file, game) for file, result in found.items() for game in result.games if game.game == name]
    if not games:
        return None
    (first_file, first), pairs, times = games[0], dict[tuple[str, str], PairResult](), dict[str, float]()
    for file, game in games:
        if (game.fingerprint, game.model) != (first.fingerprint, first.model):
            raise SparringError(f"{file} and {first_file} differ in the rules or value model of {name}.")
        for pair in game.pairs:
            if pair.bots not in pairs or pairs[pair.bots].matches < pair.matches:
                pairs[pair.bots] = pair
        times = {**game.milliseconds, **times}
    return GameResult(
        name, first.version, first.seats, first.options, first.fingerprint, first.model, list(pairs.values()),
        rate(pairs.values()), times,
    )  # fmt: skip


def page(folder: Path = RESULTS) -> str:
    """Return the page."""
    lines = [INTRODUCTION]
    for name, suite in SUITES.items():
        found = results(folder / name)
        for game in suite.games:
            if one := merged(found, game):
                changed = ", ".join(f"`{option}={value}`" for option, value in suite.games[game].items())
                lines += [f"## {find_game(game).title}\n", *([f"With {changed}.\n"] if changed else []), *_tables(one)]
        lines += [*_exact(found), *_sources(found)]
    return "\n".join(lines)


def _tables(game: GameResult) -> Iterator[str]:
    played: dict[str, int] = {}
    for pair in game.pairs:
        for bot in pair.bots:
            played[bot] = played.get(bot, 0) + pair.matches
    yield "| | Bot | Rating | 95% interval | Matches | CPU, ms |\n|---:|---|---:|---:|---:|---:|"
    for place, one in enumerate(game.ratings, 1):
        interval, time = f"{one.low:.0f} to {one.high:.0f}", f"{game.milliseconds[one.bot]:.2g}"
        time = f"{float(time):.6f}".rstrip("0").rstrip(".")
        yield f"| {place} | `{one.bot}` | {one.rating:.0f} | {interval} | {played[one.bot]:,} | {time} |"
    yield "\n| Bot | Against | Matches | Won | 95% interval |\n|---|---|---:|---:|---:|"
    for pair in game.pairs:
        second, interval = 1 - pair.share, f"{1 - pair.high:.1%} to {1 - pair.low:.1%}"
        yield f"| `{pair.bots[1]}` | `{pair.bots[0]}` | {pair.matches:,} | {second:.1%} | {interval} |"
    yield ""


def _exact(found: Mapping[str, BenchmarkResult]) -> Iterator[str]:
    exact = [one for result in found.values() for one in result.exact]
    if not exact:
        return
    games = list(dict.fromkeys(one.game for one in exact))
    yield "## Exploitability\n"
    yield "What a best response wins, in chips per match, averaged over both seats; 0 is an equilibrium. `random` plays"
    yield f"uniformly; other bots are averaged over {exact[0].streams} random streams. For bots that choose differently"
    yield "each time that is too high: a best response also exploits the noise of few streams.\n"
    yield f"| Bot | {' | '.join(game.replace('-', ' ').capitalize() for game in games)} |\n|---|{'---:|' * len(games)}"
    by_bot = {(one.bot, one.game): one.exploitability for one in exact}
    for bot in sorted({one.bot for one in exact}, key=lambda each: (by_bot.get((each, games[-1]), 0.0), each)):
        cells = (by_bot.get((bot, game)) for game in games)
        yield f"| `{bot}` | {' | '.join('' if cell is None else f'{cell:.3f}' for cell in cells)} |"
    yield ""


def _sources(found: Mapping[str, BenchmarkResult]) -> Iterator[str]:
    yield "## Sources\n"
    yield "`sparring benchmark --check benchmarks/results/v1/FILE --share 1` repeats a file's figures, but CPU times.\n"
    yield "| File | Date | Commit | Machine |\n|---|---|---|---|"
    for file, result in found.items():
        yield f"| `{file}` | {result.date} | {result.commit[:10] or result.sparring} | {result.machine} |"
    yield ""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
