"""Studio jobs in the API: training bots for sets, reports, and printing."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from sparring.lab.experiments.set_balance import SetBalance
from sparring.studio.jobs.job_messages import JobFile, Print, Report, TrainingProgress, TrainRequest
from sparring.studio.jobs.job_pool import JobProcesses
from web.app_server import AppServer, Client


class FakeProcesses(JobProcesses):
    """Processes that finish every job at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[TrainRequest | Report | Print] = []
        self.taught, self.made = TrainingProgress(1.0, loss=0.5, loss_of_none=0.7), JobFile(b"all of it")

    async def compiled(self, game: str, bot: str) -> bool:
        return False

    async def train(self, order: TrainRequest, progress: Callable[[TrainingProgress], None]) -> TrainingProgress:
        self.asked.append(order)
        return self.taught

    async def report(self, order: Report, progress: Callable[[SetBalance], None]) -> JobFile:
        self.asked.append(order)
        return self.made

    async def print(self, order: Print) -> JobFile:
        self.asked.append(order)
        return self.made


@pytest.fixture
def fake_processes(server: AppServer) -> FakeProcesses:
    processes, jobs = FakeProcesses(), server.app.state.studio_jobs
    for part in (jobs, jobs.reports, jobs.trainings):
        setattr(part, "processes" if part is jobs else "_processes", processes)
    return processes


def create_set(server: AppServer, who: str, name: str) -> str:
    made = server.program(who, "studio").post("/api/sets", json={"game": "five-circles", "name": name})
    return f"/api/sets/{made.json()['id']}"


def wait_for(anna: Client, address: str, key: str) -> dict[str, Any]:
    """Poll an address until this key has a value; return the response."""
    for _ in range(500):
        told: dict[str, Any] = anna.get(address).json()
        if told[key]:
            return told
        time.sleep(0.01)
    raise AssertionError(told)


def test_bots_are_trained_for_a_set(server: AppServer, fake_processes: FakeProcesses) -> None:
    anna, address = server.program("Anna", "studio"), create_set(server, "Anna", "Learned")
    unasked = {"requested": False, "done": 0.0, "doing": "", "loss": 0.0, "loss_of_none": 0.0, "problem": ""}
    assert anna.get(f"{address}/learn").json() == unasked
    asked = anna.post(f"{address}/learn")
    assert (asked.status_code, asked.json()["requested"]) == (202, True)
    learned = {**unasked, "requested": True, "done": 1.0, "loss": 0.5, "loss_of_none": 0.7}
    assert wait_for(anna, f"{address}/learn", "done") == learned
    assert [(order.content.game, order.seats) for order in fake_processes.asked if isinstance(order, TrainRequest)] == [
        ("five-circles", 2)
    ]


def test_a_report_is_written(server: AppServer, fake_processes: FakeProcesses) -> None:
    anna, address = server.program("Anna", "studio"), create_set(server, "Anna", "Told of")
    unasked = {"requested": False, "matches": 0, "page": "", "problem": ""}
    assert anna.get(f"{address}/report").json() == unasked
    assert anna.post(f"{address}/report").status_code == 202
    assert wait_for(anna, f"{address}/report", "page") == {**unasked, "requested": True, "page": "all of it"}


def test_a_set_is_printed(server: AppServer, fake_processes: FakeProcesses) -> None:
    anna, address = server.program("Anna", "studio"), create_set(server, "Anna", "On paper")
    printed = anna.post(f"{address}/print")
    assert (printed.status_code, printed.headers["content-type"], printed.content) == (
        200,
        "application/pdf",
        b"all of it",
    )
    fake_processes.made = JobFile(problem="There is no paper.")
    refused = anna.post(f"{address}/print")
    assert (refused.status_code, refused.json()["reason"]) == (422, "There is no paper.")


@pytest.mark.parametrize("what", ["learn", "report", "print"])
def test_jobs_need_the_owner_the_scope_and_a_playable_set(
    server: AppServer, fake_processes: FakeProcesses, what: str
) -> None:
    anna, address = server.program("Anna", "studio"), create_set(server, "Anna", "Mine")
    assert server.program("Ben", "studio").post(f"{address}/{what}").status_code == 404
    assert server.program("Anna", "look").post(f"{address}/{what}").status_code == 403
    row_version = anna.get(address).json()["row_version"]
    anna.post(f"{address}/write", json={"row_version": row_version, "toml": "surprise = 1"}).raise_for_status()
    assert anna.post(f"{address}/{what}").status_code == 422
    assert fake_processes.asked == []
