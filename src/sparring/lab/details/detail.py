"""The result of one detail."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Detail:
    """A table (arrays by column name), sentences that say what was found, and what the table and its plot show."""

    name: str
    title: str
    meaning: str
    table: dict[str, Array]
    sentences: list[str]


def table_of(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, Array]:
    """Return a table from rows."""
    return {column: np.array([row[index] for row in rows]) for index, column in enumerate(columns)}
