"""Workers of any kind: the same results in the same order, and a lost one costs its task only."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path

import pytest

from lab.executor_tasks import deadly, noted, squares, uneven, unsteady
from sparring import SparringError
from sparring.lab import compare
from sparring.lab.executors.executor import Executor
from sparring.lab.executors.factory import make_executor

TESTS = Path(__file__).parents[1]
KINDS = ("this process", "two processes", "a cluster")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster: a scheduler and two workers, each a process of its own."""
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
    """Hands of each kind."""
    if request.param == KINDS[2]:
        return make_executor(cluster=request.getfixturevalue("cluster"))
    return make_executor(workers=1 + KINDS.index(request.param))


def test_results_come_in_the_order_of_the_tasks_whoever_did_them(workers: AbstractContextManager[Executor]) -> None:
    with workers as them:
        assert [found for found, _ in them.map(squares, None, range(20))] == [n * n for n in range(20)]
        assert list(them.map(uneven, None, range(6))) == list(range(6))
        assert list(them.map(squares, None, [])) == []


def test_no_more_tasks_are_asked_for_than_somebody_is_there_for(workers: AbstractContextManager[Executor]) -> None:
    """A row of tasks without end; who has enough leaves."""
    asked = []

    def tasks() -> Iterator[int]:
        for number in count():
            asked.append(number)
            yield number

    with workers as them:
        results = them.map(squares, None, tasks())
        assert [next(results)[0] for _ in range(5)] == [0, 1, 4, 9, 16]
        results.close()
    assert len(asked) <= 5 + 4 * them.max_in_flight


def test_several_workers_share_the_work() -> None:
    with make_executor(workers=2) as them:
        assert len({process for _, process in them.map(squares, None, range(40))}) == 2


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_worker_that_is_lost_costs_its_task_only(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue("cluster") if kind == KINDS[2] else None
    with make_executor(workers=2, cluster=address) as them:
        assert list(them.map(unsteady, str(tmp_path / "lost"), range(10))) == [n * n for n in range(10)]
    assert (tmp_path / "lost").exists()


def test_a_comparison_gives_the_same_numbers_on_a_cluster(cluster: str) -> None:
    alone, there = (
        compare("world-of-fighters", vary={"board": ["5x5", "7x5"]}, matches=600, cluster=address)
        for address in (None, cluster)
    )
    for name, table in alone.tables.items():
        for head, column in table.items():
            assert column.tolist() == there.tables[name][head].tolist()


def test_a_task_that_ends_whoever_does_it_is_given_up() -> None:
    with make_executor(workers=2) as them, pytest.raises(SparringError, match="crashed 3 processes"):
        list(them.map(deadly, None, range(2)))


def test_an_error_in_the_work_is_told_as_it_is() -> None:
    with make_executor(workers=2) as them, pytest.raises(TypeError):
        list(them.map(squares, None, [None]))


def test_a_first_task_is_done_once_on_each_machine(workers: AbstractContextManager[Executor], tmp_path: Path) -> None:
    with workers as them:
        them.prepare(noted, str(tmp_path), 7)
    assert [file.name for file in tmp_path.iterdir()] == ["7"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"cluster": "tcp://127.0.0.1:9"}, "No cluster answers at tcp://127.0.0.1:9"),
        ({"cluster": "nowhere"}, "No cluster answers at nowhere"),
    ],
)
def test_workers_that_are_not_there_are_told(
    wrong: dict[str, int | str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.lab.executors.dask_cluster.CONNECT_TIMEOUT", 0.5)
    with pytest.raises(SparringError, match=said), make_executor(**wrong):  # type: ignore[arg-type]
        pass
