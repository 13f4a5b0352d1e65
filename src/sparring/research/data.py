"""Recorded decisions in Parquet files: read what `sparring data` writes.

>>> from sparring.research import data
>>> decisions = data.read("x.parquet")                   # doctest: +SKIP
>>> decisions.observation.shape, decisions.mask.shape    # doctest: +SKIP
((5120, 131), (5120, 132))

Needs the extra `data`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import escape as glob_escape
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.plugins import MissingExtra

Array = np.ndarray[Any, Any]

#: The version of the format, and the key of its description in the metadata of the files.
FORMAT, KEY = 1, b"sparring"


def matches_file(path: Path) -> Path:
    """Return the file of the matches for a file of decisions: `x.matches.parquet` for `x.parquet`."""
    return path.with_suffix(f".matches{path.suffix}")


def shard_files(path: Path, shards: int) -> list[Path]:
    """Return the files of some shards: `x-1-of-2.parquet` and `x-2-of-2.parquet` for `x.parquet`; `path` for one."""
    if shards == 1:
        return [path]
    return [path.with_stem(f"{path.stem}-{number}-of-{shards}") for number in range(1, shards + 1)]


def files_of(path: Path) -> list[Path]:
    """Return the files that `path` stands for: this file, or its shards in order.

    Raises SparringError if shards are missing, or if there are shards of several runs.
    """
    found = {int(match[1]) for file in path.parent.glob(f"{glob_escape(path.stem)}-*{path.suffix}")
             if (match := re.fullmatch(rf"{re.escape(path.stem)}-\d+-of-(\d+)", file.stem))}  # fmt: skip
    if path.exists() or not found:
        return [path]
    if len(found) > 1:
        raise SparringError(f"{path} has shards of several runs; delete the old ones.")
    files = shard_files(path, found.pop())
    if missing := [file.name for file in files if not file.exists()]:
        raise SparringError(f"Shards are missing beside {path}: {', '.join(missing)}.")
    return files


def decision_schema(game: Game, description: Mapping[str, Any]) -> Any:
    """Return the schema of the file of decisions, with its description as metadata."""
    import pyarrow as pa

    fields = [
        ("match", pa.int64()), ("ply", pa.int32()), ("seat", pa.int8()), ("phase", pa.int8()),
        ("observation", pa.list_(pa.float32(), game.rules.FEATURES)),
        ("legal", pa.binary(-(-len(game.rules.ACTIONS) // 8))), ("action", pa.int16()),
        ("shares", pa.list_(pa.float32())), ("value", pa.float32()), ("payoff", pa.float32()), ("bot", pa.string()),
    ]  # fmt: skip
    return pa.schema(fields, {KEY: msgspec.json.encode(description)})


def match_schema(description: Mapping[str, Any]) -> Any:
    """Return the schema of the file of matches."""
    import pyarrow as pa

    fields = [
        ("match", pa.int64()), ("seed", pa.int64()), ("length", pa.int32()), ("ending", pa.string()),
        ("payoffs", pa.list_(pa.float32())), ("bots", pa.list_(pa.string())), ("record", pa.string()),
    ]  # fmt: skip
    return pa.schema(fields, {KEY: msgspec.json.encode(description)})


@dataclass(frozen=True)
class Decisions:
    """The decisions of recorded matches, in the order in which they were taken; n decisions, F features, A actions."""

    #: The game, its version, options and layout, the bots and the seed (see docs/data.md).
    description: Mapping[str, Any]
    #: int64 (n,): the number of the match, and int32 (n,): the number of the action in it, both from 0.
    match: Array
    ply: Array
    #: int8 (n,): the seat that chose, from 1, and the phase, an index into the game's PHASES.
    seat: Array
    phase: Array
    #: float32 (n, F): what the seat knew, and bool (n, A): its legal actions, without conceding ones.
    observation: Array
    mask: Array
    #: int16 (n,): the action taken, in the seat's frame like `mask`.
    action: Array
    #: float32 (n, A): the share of each action in the visits of the bot's search, or in its mixed strategy; all 0 where
    #: the bot did not search.
    shares: Array
    #: float32 (n,): the payoff that the search expected; NaN where the bot did not search. And the payoff of the seat.
    value: Array
    payoff: Array
    #: object (n,): the bot's specification.
    bot: Array

    def __len__(self) -> int:
        return len(self.match)


def read(path: str | Path) -> Decisions:
    """Read a file of decisions, or all its shards, into arrays.

    Raises SparringError if it isn't one of this format, or if shards are missing.
    """
    table, description = _table(files_of(Path(path)))
    actions, n = int(description["actions"]), table.num_rows
    flat = {name: table.column(name).combine_chunks() for name in table.column_names}
    packed = np.frombuffer(b"".join(flat["legal"].to_pylist()), np.uint8).reshape(n, -1)
    mask = np.unpackbits(packed, axis=1, count=actions, bitorder="little").astype(np.bool_)
    shares = np.zeros((n, actions), np.float32)
    lengths = np.asarray(flat["shares"].value_lengths())
    shares[mask & (lengths > 0)[:, None]] = np.asarray(flat["shares"].flatten())
    plain = {name: np.asarray(flat[name]) for name in ("match", "ply", "seat", "phase", "action", "value", "payoff")}
    observation = np.asarray(flat["observation"].flatten()).reshape(n, -1)
    bot = np.array(flat["bot"].to_pylist(), object)
    return Decisions(description, observation=observation, mask=mask, shares=shares, bot=bot, **plain)


def read_matches(path: str | Path) -> list[dict[str, Any]]:
    """Return the matches of a file of decisions, in order.

    Each has `match`, `seed`, `length`, `ending`, `payoffs` and `bots` (by seat), and the `record` that
    `Match.from_record` replays.
    """
    return _table([matches_file(file) for file in files_of(Path(path))])[0].to_pylist()  # type: ignore[no-any-return]


def _table(paths: Sequence[Path]) -> tuple[Any, dict[str, Any]]:
    """Return the tables of some files as one, and their description."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        raise MissingExtra("Data needs pyarrow", "data") from None
    tables, description = [], dict[str, Any]()
    for path in paths:
        try:
            tables.append(pq.read_table(path))
        except OSError as problem:
            raise SparringError(f"Can't read {path}: {problem.strerror or problem}.") from None
        described = (tables[-1].schema.metadata or {}).get(KEY)
        own = msgspec.json.decode(described) if described else {}
        if own.get("format") != FORMAT:
            raise SparringError(f"{path.name} isn't a file of decisions in Sparring's format {FORMAT}.")
        if description and own != description:
            raise SparringError(f"{path.name} and {paths[0].name} are shards of different runs.")
        description = own
    return pa.concat_tables(tables), description
