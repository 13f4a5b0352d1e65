"""Studio jobs in processes: lab reports, training of bots, and printing of a set."""

import asyncio
import io
import os
import time
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest

from sparring.bots import value_models
from sparring.engine.errors import CannotPrint
from sparring.engine.game import games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.people.fair_queue import Caller, caller
from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.database import Database
from sparring.studio.jobs import job_process
from sparring.studio.jobs.job_messages import (
    REPORT_BOT,
    JobFile,
    Measure,
    MeasuringStep,
    Print,
    Report,
    SetContent,
    TrainingProgress,
    TrainRequest,
    file_name,
)
from sparring.studio.jobs.job_service import JobStore, ProgressJob, StudioJobs
from web.app_server import AppServer, Client, StartServer
from web.studio.hostile_text import EVIL
from web.studio.sets import change, create_set, put

pytestmark = [pytest.mark.compiled("world-of-fighters"), pytest.mark.server]

CARDS = SetContent("high-card", "values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")


class FewJobs(JobStore[ProgressJob[TrainingProgress]]):
    """Jobs of a kind with short errors."""

    kind, job, another, too_many = "training", ProgressJob[TrainingProgress], "another", "busy"


def finished_report(client: Client, address: str) -> str:
    """Wait for the report of a set and return it; until then a page shows its progress."""
    for _ in range(600):
        page = client.get(f"{address}/report").raise_for_status()
        if "Run it again" in page.text:
            assert "sandbox" in page.headers["content-security-policy"]
            assert "script-src 'self'" not in page.headers["content-security-policy"]
            return page.text
        assert "Report in progress" in page.text, page.text
        time.sleep(0.2)
    raise AssertionError("the report was never finished")


def test_a_report_is_written_in_a_process_with_progress(start_server: StartServer) -> None:
    server = start_server()
    anna = server.person("Anna")
    address = create_set(anna, title="My <b>own</b>")
    assert anna.post(f"{address}/report").headers["location"] == f"{address}/report"
    page = finished_report(anna, address)
    assert "This report shows the set My &lt;b&gt;own&lt;/b&gt;" in page
    assert "<title>Lab report: My &lt;b&gt;own&lt;/b&gt;</title>" in page
    assert "wins of seat 1" in page
    assert 'content = ["my-b-own-b.toml"]' in page.replace("&#34;", '"')
    change(anna, address, put("9", "values", 2))
    assert "Create report" in anna.get(f"{address}/report").text


def test_a_hostile_name_is_text_in_a_report() -> None:
    made = job_process.answer(Report(CARDS, EVIL[:40], compiled=True))
    assert isinstance(made, JobFile)
    page = made.file.decode()
    assert EVIL[:7] not in page
    assert "&lt;script&gt;" in page
    assert "/tmp" not in page


@pytest.mark.parametrize(
    ("name", "called"), [("My Set", "my-set"), ("../../etc", "etc"), ("💥", "set"), ('a"\r\nb', "a-b")]
)
def test_downloads_have_safe_file_names(name: str, called: str) -> None:
    assert file_name(name) == called


@pytest.mark.parametrize(
    ("what", "another", "very_many"),
    [("report", "Another report of yours", "busy writing reports"),
     ("learn", "another set of yours", "busy training bots"), ("tune", "still being tuned", "busy tuning")],
)  # fmt: skip
def test_jobs_run_one_at_a_time_and_are_limited(
    start_server: StartServer, what: str, another: str, very_many: str
) -> None:
    server = start_server(limits=Limits(reports=1, learned=1, tuned=1))
    anna, ben = server.person("Anna"), server.person("Ben")
    first, second, other = (create_set(one, game="make-your-moves") for one in (anna, anna, ben))
    change(anna, second, put("Second", "cards", 0, "name"))
    change(ben, other, put("Third", "cards", 0, "name"))
    form = {"at": '["cards", 0]', "target": "50"} if what == "tune" else {}
    server.run(_block(server.app.state.studio_jobs))
    assert [anna.post(f"{first}/{what}", data=form).status_code for _ in range(2)] == [303, 303], "it is the same one"
    refused = anna.post(f"{second}/{what}", data=form)
    assert (refused.status_code, another in refused.text) == (429, True)
    refused = ben.post(f"{other}/{what}", data=form)
    assert (refused.status_code, very_many in refused.text) == (429, True)


def test_the_address_with_most_jobs_loses_its_newest() -> None:
    async def work() -> None:
        await asyncio.Event().wait()

    jobs = FewJobs(Database("sqlite+aiosqlite:///unopened.sqlite3"), cast("Any", None), 3)

    async def ask(address: str, person: str) -> str:
        caller.set(Caller((address,), person))
        try:
            await jobs.start((address, person), ProgressJob(TrainingProgress()), work)
        except TooMany as problem:
            return str(problem)
        return "started"

    async def all_ask() -> list[str]:
        crowd = [await asyncio.create_task(ask("crowd", str(number))) for number in range(4)]
        others = [await asyncio.create_task(ask(*who)) for who in (("home", "Anna"), ("other", "Anna"))]
        states = [
            str(job and job.problem) for job in map(jobs.here.get, (("crowd", "1"), ("crowd", "2"), ("home", "Anna")))
        ]
        await jobs.close()
        return [*crowd, *others, *states]

    assert asyncio.run(all_ask()) == [*["started"] * 3, "busy", "started", "another", "", "busy", ""]


async def _block(jobs: StudioJobs) -> None:
    """Make all jobs wait for ever."""
    jobs.processes.compiled = lambda *_: asyncio.Event().wait()  # type: ignore[method-assign]
    jobs.processes.train = lambda *_: asyncio.Event().wait()  # type: ignore[assignment,method-assign]


def test_bots_use_a_model_trained_for_a_set(
    start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "data"))
    anna = start_server().person("Anna")
    address = create_set(anna)
    setup = HIGH_CARD.setup()
    assert "Train bots on this set" in anna.get(f"{address}/learn").text
    assert not value_models.has_own_model(setup, 2)
    assert anna.post(f"{address}/learn").headers["location"] == f"{address}/learn"
    while "Training finished" not in (page := anna.get(f"{address}/learn").raise_for_status().text):
        assert "Training in progress" in page, page
        time.sleep(0.2)
    assert "log loss" in page
    assert value_models.has_own_model(setup, 2)
    change(anna, address, put("9", "values", 2))
    assert "Train bots on this set" in anna.get(f"{address}/learn").text, "this is another set"


def test_training_proceeds_in_portions_and_reports_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.setattr(job_process, "STEP", 0.0)
    begun = [job_process.answer(TrainRequest(CARDS, 2)) for _ in range(2)]
    first, second = (each.done for each in begun if isinstance(each, TrainingProgress))
    assert 0 < first < second < 0.1
    monkeypatch.setattr("sparring.lab.training.find_spec", lambda name: None)
    refused = job_process.answer(TrainRequest(CARDS, 3))
    assert isinstance(refused, TrainingProgress)
    assert refused.problem.startswith('Training needs scikit-learn (extra `train`): pip install "scikit-learn')


def test_models_of_the_newest_sets_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate("abc"):
        (tmp_path / f"{name}.npz").touch()
        os.utime(tmp_path / f"{name}.npz", (100 - age, 100 - age))
    monkeypatch.setattr(job_process, "MOST_MODELS", 2)
    job_process._keep_newest(tmp_path)
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["a", "b"]


def test_a_set_is_printed_as_a_pdf(start_server: StartServer) -> None:
    pytest.importorskip("typst")
    server = start_server()
    anna = server.person("Anna")
    response = anna.post(f"{create_set(anna, title='On paper')}/print").raise_for_status()
    assert response.content.startswith(b"%PDF")
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["content-disposition"] == 'attachment; filename="on-paper.pdf"'


@pytest.mark.parametrize("form", ["tts", "pcio", "makeplayingcards"])
def test_a_set_is_printed_as_an_archive(form: str) -> None:
    pytest.importorskip("typst")
    made = job_process.answer(Print(CARDS, form))
    assert isinstance(made, JobFile)
    assert not made.problem
    with zipfile.ZipFile(io.BytesIO(made.file)) as archive:
        names = archive.namelist()
    assert {"tts": "high-card.json", "pcio": "widgets.json", "makeplayingcards": "cards-back.png"}[form] in names
    assert not any("/tmp" in name for name in names)


def test_blank_cards_are_offered_and_printed_where_the_game_has_some(server: AppServer) -> None:
    pytest.importorskip("typst")
    anna = server.person("Anna")
    offered = '<option value="blanks">Blank cards to fill in</option>'
    assert offered in anna.get(create_set(anna, game="five-circles")).text
    assert offered not in anna.get(create_set(anna)).text
    content = games()["five-circles"].content_text
    made = job_process.answer(Print(SetContent("five-circles", content), "blanks"))
    assert isinstance(made, JobFile)
    assert made.file.startswith(b"%PDF")
    assert job_process.answer(Print(CARDS, "blanks")).problem == "High Card has no blanks to print."


def test_an_unknown_form_of_printing_is_refused(anna: Client) -> None:
    response = anna.post(f"{create_set(anna)}/print", data={"as": "../secret"})
    assert (response.status_code, "choose one from the list" in response.text) == (422, True)


def test_a_missing_print_extra_gets_one_sentence(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = "Printing needs more packages."

    def missing() -> None:
        raise CannotPrint(problem)

    monkeypatch.setattr("sparring.printing.typesetting.check_installed", missing)
    made = job_process.answer(Print(CARDS))
    assert made == JobFile(problem=problem)

    async def refused(*_: object) -> JobFile:
        return JobFile(problem=problem)

    jobs: StudioJobs = server.app.state.studio_jobs
    monkeypatch.setattr(jobs.processes, "print", refused)
    anna = server.person("Anna")
    response = anna.post(f"{create_set(anna)}/print")
    assert (response.status_code, problem in response.text) == (422, True)


def test_the_process_reports_faults_of_a_set(capfd: pytest.CaptureFixture[str]) -> None:
    assert job_process.answer(
        Measure(SetContent("high-card", "values = [1]"), REPORT_BOT, compiled=False)
    ) == MeasuringStep(problem="This set: a pack must have 20 cards, not 1.")
    assert not capfd.readouterr().err
