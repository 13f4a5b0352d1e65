"""What is made of sets, for programs: bots learn them, reports are written, they are printed."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from sparring.lab.experiments.set_balance import SetBalance
from sparring.web.studio.jobs.job_messages import Made, Print, Report, TrainingProgress, TrainRequest
from sparring.web.studio.jobs.job_pool import JobProcesses
from web.app_server import House, Visitor


class Quick(JobProcesses):
    """Whoever is asked has it done at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[TrainRequest | Report | Print] = []
        self.taught, self.made = TrainingProgress(1.0, loss=0.5, loss_of_none=0.7), Made(b"all of it")

    async def compiled(self, game: str, bot: str) -> bool:
        return False

    async def train(
        self, order: TrainRequest, who: str, progress: Callable[[TrainingProgress], None]
    ) -> TrainingProgress:
        self.asked.append(order)
        return self.taught

    async def report(self, order: Report, who: str, progress: Callable[[SetBalance], None]) -> Made:
        self.asked.append(order)
        return self.made

    async def print(self, order: Print, who: str) -> Made:
        self.asked.append(order)
        return self.made


@pytest.fixture
def quick(house: House) -> Quick:
    processes, workshop = Quick(), house.app.state.workshop
    for part in (workshop, workshop.reports, workshop.trainings):
        setattr(part, "processes" if part is workshop else "_processes", processes)
    return processes


def begun(house: House, who: str, name: str) -> str:
    made = house.program(who, "studio").post("/api/sets", json={"game": "five-circles", "name": name})
    return f"/api/sets/{made.json()['id']}"


def until(anna: Visitor, address: str, key: str) -> dict[str, Any]:
    """What is told when there is something of this name."""
    for _ in range(500):
        told: dict[str, Any] = anna.get(address).json()
        if told[key]:
            return told
        time.sleep(0.01)
    raise AssertionError(told)


def test_bots_learn_a_set(house: House, quick: Quick) -> None:
    anna, address = house.program("Anna", "studio"), begun(house, "Anna", "Learned")
    unasked = {"asked": False, "done": 0.0, "doing": "", "loss": 0.0, "loss_of_none": 0.0, "problem": ""}
    assert anna.get(f"{address}/learn").json() == unasked
    asked = anna.post(f"{address}/learn")
    assert (asked.status_code, asked.json()["asked"]) == (202, True)
    learned = {**unasked, "asked": True, "done": 1.0, "loss": 0.5, "loss_of_none": 0.7}
    assert until(anna, f"{address}/learn", "done") == learned
    assert [(order.thing.game, order.seats) for order in quick.asked if isinstance(order, TrainRequest)] == [
        ("five-circles", 2)
    ]


def test_a_report_is_written(house: House, quick: Quick) -> None:
    anna, address = house.program("Anna", "studio"), begun(house, "Anna", "Told of")
    unasked = {"asked": False, "matches": 0, "page": "", "problem": ""}
    assert anna.get(f"{address}/report").json() == unasked
    assert anna.post(f"{address}/report").status_code == 202
    assert until(anna, f"{address}/report", "page") == {**unasked, "asked": True, "page": "all of it"}


def test_a_set_is_printed(house: House, quick: Quick) -> None:
    anna, address = house.program("Anna", "studio"), begun(house, "Anna", "On paper")
    printed = anna.post(f"{address}/print")
    assert (printed.status_code, printed.headers["content-type"], printed.content) == (
        200,
        "application/pdf",
        b"all of it",
    )
    quick.made = Made(problem="There is no paper.")
    refused = anna.post(f"{address}/print")
    assert (refused.status_code, refused.json()["reason"]) == (422, "There is no paper.")


@pytest.mark.parametrize("what", ["learn", "report", "print"])
def test_it_is_for_its_owner_with_the_scope_and_when_one_can_play_with_it(
    house: House, quick: Quick, what: str
) -> None:
    anna, address = house.program("Anna", "studio"), begun(house, "Anna", "Mine")
    assert house.program("Ben", "studio").post(f"{address}/{what}").status_code == 404
    assert house.program("Anna", "look").post(f"{address}/{what}").status_code == 403
    edition = anna.get(address).json()["edition"]
    anna.post(f"{address}/write", json={"edition": edition, "toml": "surprise = 1"}).raise_for_status()
    assert anna.post(f"{address}/{what}").status_code == 422
    assert quick.asked == []
