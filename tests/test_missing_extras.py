"""Without its optional packages, each part of Sparring names the extra and the command that installs it."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from sparring import SparringError
from sparring.engine.formats.spreadsheets import write_xlsx
from sparring.engine.plugins import install_command
from sparring.games.high_card import GAME
from sparring.lab.candidates import Candidates
from sparring.lab.executors import connect
from sparring.lab.match_data import record_matches
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.report.files import open_folder
from sparring.lab.standings import bradley_terry
from sparring.lab.training import check
from sparring.printing.typesetting import check_installed
from sparring.research import data
from sparring.settings.server import check_jobs
from sparring.store.database import Database

PLAN = MatchPlan(GAME, {}, None, line_up(GAME, ["random"], 2), 0)
DOORS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("gymnasium", "research", lambda folder: import_module("sparring.research.gymnasium")),
    ("pettingzoo", "research", lambda folder: import_module("sparring.research.pettingzoo")),
    ("pyspiel", "openspiel", lambda folder: import_module("sparring.research.openspiel")),
    ("pyarrow", "data", lambda folder: record_matches(PLAN, 1, folder / "a.parquet")),
    ("pyarrow", "data", lambda folder: data._table([])),
    ("matplotlib", "lab", open_folder),
    ("choix", "lab", lambda folder: bradley_terry(np.zeros((2, 2)))),
    ("optuna", "lab", lambda folder: Candidates(folder, "", [], 0, 1)),
    ("sklearn", "train", lambda folder: check(GAME)),
    ("distributed", "cluster", lambda folder: ExitStack().enter_context(connect("tcp://127.0.0.1:1"))),
    ("typst", "print", lambda folder: check_installed()),
    ("openpyxl", "sheets", lambda folder: write_xlsx([["a"]], "A")),
    ("psycopg", "postgres", lambda folder: check_jobs("postgresql://a@127.0.0.1/a")),
    ("asyncpg", "postgres", lambda folder: Database("postgresql+asyncpg://a@127.0.0.1/a")),
]


@pytest.mark.parametrize(("package", "extra", "door"), DOORS)
def test_a_missing_package_is_one_sentence_with_its_extra_and_command(
    package: str, extra: str, door: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gymnasium", "openspiel", "pettingzoo"):
        monkeypatch.delitem(sys.modules, f"sparring.research.{name}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SparringError) as refused:
        door(tmp_path)
    assert str(refused.value).endswith(f" (extra `{extra}`): {install_command(extra)}.")
