"""Executors: the same results in the same order for all kinds, in batches; a lost worker costs its task only."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path

import pytest

from lab.executors.executor_tasks import fails_once, kills_its_worker, runs_once, slow_at_first, squares
from sparring import SparringError
from sparring.lab import compare
from sparring.lab.executors import BatchSizer, Block, Executor, SerialExecutor, make_executor, run_blocks

pytestmark = [pytest.mark.compiled("world-of-fighters"), pytest.mark.server]

TESTS = Path(__file__).parents[2]
KINDS = ("this process", "two processes", "a cluster")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Start a Dask cluster of a scheduler and two workers, each in its own process; return its address."""
    distributed = pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    worker = ("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{command}", *rest], env={**os.environ, "PYTHONPATH": str(TESTS)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for command, *rest in (scheduler, worker, worker)
    ]  # fmt: skip
    with distributed.Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    yield address
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(params=KINDS)
def workers(request: pytest.FixtureRequest) -> AbstractContextManager[Executor]:
    """An executor of each kind."""
    if request.param == KINDS[2]:
        return make_executor(cluster=request.getfixturevalue("cluster"))
    return make_executor(workers=1 + KINDS.index(request.param))


def test_results_are_in_task_order(workers: AbstractContextManager[Executor]) -> None:
    with workers as executor:
        assert [found for found, _ in executor.map(squares, None, range(20))] == [n * n for n in range(20)]
        assert list(executor.map(slow_at_first, None, range(6))) == list(range(6))
        assert list(executor.map(squares, None, [])) == []


def test_tasks_are_taken_only_as_workers_are_free(workers: AbstractContextManager[Executor]) -> None:
    """Endless tasks; the consumer takes a few."""
    asked = []

    def tasks() -> Iterator[int]:
        for number in count():
            asked.append(number)
            yield number

    with workers as executor:
        results = executor.map(squares, None, tasks())
        assert [next(results)[0] for _ in range(5)] == [0, 1, 4, 9, 16]
        results.close()
    assert len(asked) <= 5 + 4 * executor.max_in_flight


def test_several_workers_share_the_work() -> None:
    with make_executor(workers=2) as executor:
        assert len({process for _, process in executor.map(squares, None, range(40))}) == 2


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_lost_worker_costs_its_task_only(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue("cluster") if kind == KINDS[2] else None
    with make_executor(workers=2, cluster=address) as executor:
        assert list(executor.map(fails_once, str(tmp_path / "lost"), range(10))) == [n * n for n in range(10)]
    assert (tmp_path / "lost").exists()


def test_a_comparison_has_the_same_results_on_a_cluster(cluster: str) -> None:
    alone, there = (
        compare("world-of-fighters", vary={"board": ["5x5", "7x5"]}, matches=600, cluster=address)
        for address in (None, cluster)
    )
    for name, table in alone.tables.items():
        for head, column in table.items():
            assert column.tolist() == there.tables[name][head].tolist()


def test_a_task_that_kills_workers_is_abandoned() -> None:
    with make_executor(workers=2) as executor, pytest.raises(SparringError, match="crashed 3 processes"):
        list(executor.map(kills_its_worker, None, range(2)))


def test_an_error_in_a_task_is_raised_unchanged() -> None:
    with make_executor(workers=2) as executor, pytest.raises(TypeError):
        list(executor.map(squares, None, [None]))


def test_a_first_task_runs_once_per_machine(workers: AbstractContextManager[Executor], tmp_path: Path) -> None:
    with workers as executor:
        executor.prepare(runs_once, str(tmp_path), 7)
    assert [file.name for file in tmp_path.iterdir()] == ["7"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"cluster": "tcp://127.0.0.1:9"}, "No cluster answers at tcp://127.0.0.1:9"),
        ({"cluster": "nowhere"}, "No cluster answers at nowhere"),
    ],
)
def test_missing_workers_are_reported(wrong: dict[str, int | str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.lab.executors.CONNECT_TIMEOUT", 0.5)
    with pytest.raises(SparringError, match=said), make_executor(**wrong):  # type: ignore[arg-type]
        pass


def blocks(count: int, size: int = 10) -> list[Block]:
    return [(size * number, size) for number in range(count)]


def powers(power: int, block: Block) -> int:
    return int(block[0] ** power)


def test_batches_take_about_a_second() -> None:
    pace = BatchSizer()
    rows = pace.batches(blocks(12))
    assert [next(rows), next(rows)] == [[(0, 10)], [(10, 10)]]  # single blocks until their duration is known
    pace.record(0.5, 20)
    assert next(rows) == [(20, 10), (30, 10), (40, 10), (50, 10)]
    pace.record(4.0, 40)
    assert next(rows) == [(60, 10)]
    pace.record(0.001, 10)
    assert next(rows) == blocks(12)[7:]
    assert next(rows, None) is None


def test_batching_does_not_change_results_or_their_order() -> None:
    results = run_blocks(SerialExecutor(), powers, 2, blocks(200))
    assert list(results) == [first**2 for first, _ in blocks(200)]
    assert list(run_blocks(SerialExecutor(), powers, 2, [])) == []
