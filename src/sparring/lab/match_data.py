"""Record matches between bots as training data: every decision with the search behind it, in Parquet files."""

from collections.abc import Callable
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from sparring.bots import stream
from sparring.engine.errors import SparringError
from sparring.engine.features import layout_of, relative_rule
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.match import Match
from sparring.engine.plugins import MissingExtra
from sparring.engine.views import View, digest
from sparring.research.data import FORMAT, decision_schema, match_schema, matches_file, shard_files

from .executors import Block, make_executor, run_blocks
from .measures.match_plan import MatchPlan

#: The number of matches in a row group of the files.
MATCHES_PER_GROUP = 16

Row = dict[str, Any]


def record_matches(
    plan: MatchPlan, matches: int, to: Path, *, shards: int = 1, workers: int = 1, cluster: str | None = None,
    progress: Callable[[int], object] = lambda done: None,
) -> int:  # fmt: skip
    """Play matches and write every decision to `to`, and the matches beside it; return the number of decisions.

    The same plan gives the same bytes, with any number of workers and the same version of pyarrow.

    :param plan: The table, the bots and the first seed.
    :param shards: The number of files, each with consecutive matches (see `shard_files`); at most one per match.
    :param progress: Called with the number of finished matches.
    :raises SparringError: pyarrow is missing, or the numbers or the file are wrong.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        raise MissingExtra("Data needs pyarrow", "data") from None
    read_seed(plan.seed + matches)
    if not 1 <= shards <= matches:
        raise SparringError(f"The number of shards must be 1 to {matches}, the number of matches, not {shards}.")
    about, written, done = describe(plan, matches), 0, 0
    schemas = decision_schema(plan.game, about), match_schema(about)
    blocks = [blocks_of(shard * matches // shards, (shard + 1) * matches // shards) for shard in range(shards)]
    try:
        with make_executor(workers, cluster) as executor:
            results = run_blocks(executor, play_block, plan, chain(*blocks))
            for file, inside in zip(shard_files(to, shards), blocks, strict=True):
                with (
                    pq.ParquetWriter(file, schemas[0], compression="zstd") as decisions,
                    pq.ParquetWriter(matches_file(file), schemas[1], compression="zstd") as played,
                ):
                    for rows, block_matches in islice(results, len(inside)):
                        decisions.write_table(pa.Table.from_pylist(rows, schemas[0]))
                        played.write_table(pa.Table.from_pylist(block_matches, schemas[1]))
                        written, done = written + len(rows), done + len(block_matches)
                        progress(done)
    except OSError as problem:
        raise SparringError(f"Can't write {to}: {problem.strerror or problem}.") from None
    return written


def blocks_of(first: int, end: int) -> list[Block]:
    """Return the blocks of some consecutive matches: one for each row group."""
    return [(at, min(MATCHES_PER_GROUP, end - at)) for at in range(first, end, MATCHES_PER_GROUP)]


def describe(plan: MatchPlan, matches: int) -> dict[str, Any]:
    """Return what a file says about its matches."""
    setup = plan.setup
    return {
        "format": FORMAT, "sparring": version("sparring"), "game": setup.game.name, "version": setup.game.version,
        "seats": plan.seats, "options": setup.options, "params": digest(setup.params.tobytes()).hex(),
        "seed": plan.seed, "matches": matches, "bots": [bot.text for bot in plan.bots],
        "actions": len(setup.game.rules.ACTIONS), "blocks": dict(setup.game.rules.ACTIONS.blocks),
        "phases": list(setup.game.rules.PHASES), "frame": "seat",
        "layout": [field._asdict() for field in layout_of(setup.game)],
    }  # fmt: skip


def play_block(plan: MatchPlan, block: Block) -> tuple[list[Row], list[Row]]:
    """Play consecutive matches; return the rows of their decisions and of the matches."""
    rows, results = list[Row](), list[Row]()
    for number in range(block[0], block[0] + block[1]):
        match = Match.deal(plan.setup, plan.seats, plan.seed + number)
        bots = [plan.bots[(seat + number) % plan.seats] for seat in range(plan.seats)]
        streams = [stream(match.seed, seat) for seat in range(1, plan.seats + 1)]
        first = len(rows)
        while seat := match.seat:
            bot = bots[seat - 1]
            answer = bot.answer(match.view(seat, memory=bot.remembers), streams[seat - 1])
            rows.append(decision(answer.view, answer.action, answer.shares, answer.value))
            rows[-1].update(match=number, ply=len(match.history), bot=bot.text)
            match.choose(answer.action)
        payoffs = match.payoffs or {}
        for row in rows[first:]:
            row["payoff"] = payoffs[row["seat"]]
        results.append({
            "match": number, "seed": match.seed, "length": len(match.history), "ending": match.ending,
            "payoffs": list(payoffs.values()), "bots": [bot.text for bot in bots], "record": match.record(),
        })  # fmt: skip
    return rows, results


def decision(view: View, action: int, shares: dict[int, float], value: float | None) -> Row:
    """Return the row of a decision, with actions in the seat's frame."""
    game, params, seat = view.setup.game, view.setup.params, view.seat - 1
    to_frame = relative_rule(game)
    legal = {int(to_frame(params, view.state, seat, a)): a for a in view.legal if a not in game.conceding}
    mask = np.zeros(len(game.rules.ACTIONS), np.bool_)
    mask[list(legal)] = True
    return {
        "seat": view.seat, "phase": int(view.state.phase), "observation": view.observation(),
        "legal": np.packbits(mask, bitorder="little").tobytes(),
        "action": int(to_frame(params, view.state, seat, action)),
        "shares": [shares.get(legal[a], 0.0) for a in sorted(legal)] if shares else [],
        "value": float("nan") if value is None else value,
    }  # fmt: skip
