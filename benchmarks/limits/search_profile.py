"""Profile one search iteration: nanoseconds and share of each part, by the processor's time-stamp counter.

python -m benchmarks.limits.search_profile                               # all games, without and with a value model
python -m benchmarks.limits.search_profile --kinds prior --games mace    # with a policy prior, one game

The parts: the determinization; *tree*, in which seats select, apply and observe actions and add nodes; the *policy*
prior; *playout*, the actions beyond the trees; the evaluation by a value model; and *backup*, with the start of the
next iteration. Rules read the counter where one part ends. The parts are scaled to the time of a search without that,
which is measured first.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

import argparse
import inspect
import os
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from benchmarks.baselines import with_rules
from benchmarks.limits.__main__ import AMOUNTS, FEWER
from benchmarks.limits.rates import KINDS
from sparring.bots import bot, evaluation, search, search_trees, selection
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Game, games
from sparring.engine.rule import rule

Rule = Callable[..., Any]

#: The parts of an iteration.
PARTS = ("determinize", "tree", "policy", "playout", "evaluate", "backup")
DETERMINIZE, TREE, POLICY, PLAYOUT, EVALUATE, BACKUP = range(len(PARTS))

#: The ticks of each part; the part that runs, and the counter when it started.
CELLS = np.zeros(len(PARTS) + 2, np.int64)
RUNNING, STARTED = len(PARTS), len(PARTS) + 1

#: Parts that take this many ticks were interrupted by another process, and aren't counted.
INTERRUPTED = 100_000

_I64 = ir.IntType(64)


def _cell(builder: Any, index: Any) -> Any:
    """Return a pointer to an element of `CELLS`."""
    offset = builder.mul(index, ir.Constant(_I64, CELLS.itemsize))
    return builder.inttoptr(builder.add(ir.Constant(_I64, CELLS.ctypes.data), offset), _I64.as_pointer())


def _ticks(_typing: Any) -> Any:
    """Read the time-stamp counter."""

    def code(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        counter = ir.FunctionType(_I64, [])
        return builder.call(cgutils.get_or_insert_function(builder.module, counter, "llvm.readcyclecounter"), [])

    return types.int64(), code


def _get(_typing: Any, _index: Any) -> Any:
    """Return an element of `CELLS`."""
    return types.int64(types.int64), lambda _context, builder, _signature, args: builder.load(_cell(builder, args[0]))


def _put(_typing: Any, _index: Any, _value: Any) -> Any:
    """Set an element of `CELLS`."""

    def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        builder.store(args[1], _cell(builder, args[0]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


ticks: Any = intrinsic(_ticks)
get: Any = intrinsic(_get)
put: Any = intrinsic(_put)


@rule
def begin(part):
    """Charge the part that runs for the time since it started, and begin another one; return the former."""
    now, ended = ticks(), get(RUNNING)
    spent = now - get(STARTED)
    if spent < INTERRUPTED:
        put(ended, get(ended) + spent)
    put(STARTED, now)
    put(RUNNING, part)
    return ended


def timed(part: int, inner: Rule, after: int | None = None) -> Rule:
    """Return a rule that does what `inner` does as a part; then `after` begins, or the part before goes on."""
    names = ", ".join(inspect.signature(inner).parameters)
    source = f"""
def timed({names}):
    before = begin({part})
    result = inner({names})
    begin({"before" if after is None else after})
    return result
"""
    scope: dict[str, Any] = {"inner": inner, "begin": begin}
    exec(source, scope)
    wrapper: Rule = rule(scope["timed"])
    return wrapper


def playing_out(make: Callable[[Game], Rule]) -> Callable[[Game], Rule]:
    """Return a function that makes a rule for an action beyond the trees, where the playout begins."""

    def make_watched(game: Game) -> Rule:
        sample_rollout = make(game)

        def sample(params, work, s, ws, settings, out, n, seat):
            if get(RUNNING) != PLAYOUT:
                begin(PLAYOUT)
            return sample_rollout(params, work, s, ws, settings, out, n, seat)

        return rule(sample)

    return make_watched


def counted_search(game: Game, folder: str) -> Rule:
    """Return the search of a game that charges its parts, compiled in its own folder, because it refers to `CELLS`."""
    watched = with_rules(game, determinize=timed(DETERMINIZE, game.rules.determinize, TREE))
    evaluate, policy = evaluation.evaluation_rule, evaluation.policy_rule
    with (
        patch.dict(os.environ, SPARRING_CACHE=folder),
        patch.object(search, "evaluation_rule", lambda game: timed(EVALUATE, evaluate(game))),
        patch.object(search, "rollout_rule", playing_out(selection.rollout_rule)),
        patch.object(selection, "policy_rule", lambda game: timed(POLICY, policy(game))),
    ):
        return compiled(watched, search.search_rule)


def profile(kind: str, game: Game, code: Rule) -> str:
    """Return a row of the table: the time of an iteration, then of each part with its share."""
    seats, amount = game.check_seats(None), AMOUNTS[kind] // FEWER.get(game.name, 1)
    KINDS[kind](game.name, seats, amount)
    iterations, seconds, _ = KINDS[kind](game.name, seats, amount)
    backup = timed(BACKUP, search_trees.backpropagate, BACKUP)  # a global of the search, read at the first call
    with patch.object(bot, "_compiled", lambda _game: code), patch.object(search, "backpropagate", backup):
        KINDS[kind](game.name, seats, 1)
        CELLS[: len(PARTS)] = 0
        KINDS[kind](game.name, seats, amount)
    shares = CELLS[: len(PARTS)] / CELLS[: len(PARTS)].sum()
    nanoseconds = 1e9 * seconds / iterations
    cells = (f"{nanoseconds * share:,.0f} ({100 * share:.0f}%)" for share in shares)
    return f"| {kind} | {game.title} | {nanoseconds:,.0f} | {' | '.join(cells)} |"


def main() -> None:
    """Print the profiles."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ("plain", "search", "prior")
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds, help="default: %(default)s")
    parser.add_argument("--games", nargs="+", choices=games(), default=list(games()))
    args = parser.parse_args()
    print(f"| Kind | Game | ns | {' | '.join(PARTS)} |\n|---|---|--:|{'--:|' * len(PARTS)}")
    with TemporaryDirectory() as folder:
        for game in map(games().__getitem__, args.games):
            code = counted_search(game, folder)
            for kind in args.kinds:
                print(profile(kind, game, code), flush=True)


if __name__ == "__main__":
    main()
