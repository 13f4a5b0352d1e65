"""The tuner in the studio: plans from forms, tunings in a process, and proposals that are tried, taken and undone."""

import re
import time
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.lab.tuning import read_tuning
from sparring.studio.jobs import job_process, tuning_plan
from sparring.studio.jobs.job_messages import (
    BOTS,
    REPORT_BOT,
    SetContent,
    Tune,
    TuningProgress,
)
from sparring.studio.jobs.tuning_plan import TunedItem, TuningPlan, read_plan, tunable_items
from web.app_server import AppServer, Client, StartServer
from web.pages.page_text import text_of
from web.studio.jobs.proposals import find_at_once
from web.studio.sets import change, create_set, file, put
from wording import says

FIGHTERS = game("world-of-fighters")
MILTON = "Milton Brown"


def roster() -> dict[str, Any]:
    return read_toml(FIGHTERS.content_text, "content.toml")


def fighter(name: str = MILTON) -> TunedItem:
    return next(item for item in tunable_items(FIGHTERS.form, roster()) if item.name == name)


def test_the_numbers_of_an_item_move_a_little_and_keep_their_total() -> None:
    milton = fighter()
    assert [field.key for field in milton.fields] == ["punch", "kick", "grapple", "block"]
    plan = read_plan(milton, {"target": "50"})
    values = {field.key: field.value for field in milton.fields}
    assert plan.total == sum(values[key] for key in plan.ranges)
    for key, (low, high) in plan.ranges.items():
        assert max(0, values[key] - 2) == low < high <= values[key] + 2


def test_a_plan_is_a_tuning_file_of_the_lab(tmp_path: Path) -> None:
    content = SetContent("world-of-fighters", FIGHTERS.content_text, {"board": "5x5"})
    plan = read_plan(fighter(), {"target": "45%", "chosen": "1", "low.punch": "0", "high.punch": "4"})
    (tmp_path / "tune.toml").write_text(plan.toml(content))
    tuning = read_tuning(tmp_path / "tune.toml", content.game)
    assert [(each.path, each.values) for each in tuning.ranges] == [(("fighters", MILTON, "punch"), (0, 4))]
    assert (tuning.objectives[0].measure, tuning.objectives[0].low) == (MILTON, 0.43)
    assert (tuning.config.options, tuning.config.by_lot) == ({"board": "5x5"}, ["pick"])


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"target": "120"}, "win rate from 1 to 99"),
        ({"target": "nan"}, "win rate from 1 to 99"),
        ({"target": "50", "bot": "elsewhere"}, "those in the list"),
        ({"target": "50", "chosen": "1"}, "Nothing may change"),
        ({"target": "50", "chosen": "1", "low.punch": "x"}, "whole number"),
        ({"target": "50", "chosen": "1", "low.punch": "3", "high.punch": "1"}, "smaller number first"),
        ({"target": "50", "chosen": "1", "high.punch": "9999"}, "can go from"),
        ({"target": "50", "chosen": "1", "total": "on", "low.punch": "0", "high.punch": "4"}, "at least two numbers"),
    ],
)
def test_a_form_that_makes_no_sense_gets_one_sentence(form: dict[str, str], words: str) -> None:
    with pytest.raises(BadContent) as problem:
        read_plan(fighter(), form)
    assert says(str(problem.value), words)


def test_items_without_a_name_of_their_own_are_not_tuned() -> None:
    twins = {"fighters": [{"name": "Twin", "punch": 1}, {"name": "Twin", "punch": 2}, "a note", {"punch": 3}]}
    assert tunable_items(FIGHTERS.form, twins) == []
    assert tunable_items(FIGHTERS.form, {"fighters": "none"}) == []


@pytest.mark.compiled("world-of-fighters")
@pytest.mark.server
def test_a_weak_fighter_is_brought_to_an_even_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    monkeypatch.setattr(tuning_plan, "CANDIDATES", 8)
    monkeypatch.setitem(BOTS, REPORT_BOT, BOTS[REPORT_BOT]._replace(tuning=1500))
    data = roster()
    data["fighters"][0] |= {"punch": 0, "kick": 0, "grapple": 0, "block": 0}
    item = tunable_items(FIGHTERS.form, data)[0]
    toml = FIGHTERS.content_text
    for stat in ("punch", "kick", "grapple", "block"):
        toml = re.sub(rf"^{stat} = \d", f"{stat} = 0", toml, count=1, flags=re.MULTILINE)
    content = SetContent("world-of-fighters", toml, dict(FIGHTERS.preset(FIGHTERS.recommended)))
    form = {f"high.{stat}": "3" for stat in ("punch", "kick", "grapple", "block")}
    plan = read_plan(item, {"target": "50", "chosen": "1", **form})
    request = Tune(content, plan.toml(content), str(tmp_path))
    steps: list[TuningProgress] = []
    while not (steps and steps[-1].is_over):
        answer = job_process.answer(request)
        assert isinstance(answer, TuningProgress)
        steps.append(answer)
    assert not steps[-1].problem
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    before, best = steps[-1].unchanged, steps[-1].proposals[0]
    assert before is not None
    assert before.wins.high < 0.5
    assert abs(best.wins.value - 0.5) < abs(before.wins.value - 0.5)
    assert best.values != before.values
    assert before.values == {}


@pytest.mark.compiled("world-of-fighters")
@pytest.mark.server
def test_a_set_is_tuned_in_a_process_with_progress(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    monkeypatch.setattr(tuning_plan, "CANDIDATES", 3)
    monkeypatch.setitem(BOTS, REPORT_BOT, BOTS[REPORT_BOT]._replace(tuning=200))
    anna = start_server().person("Anna")
    address = create_set(anna, game="world-of-fighters")
    place = [row["name"] for row in roster()["fighters"]].index(MILTON)
    tuning = anna.post(f"{address}/tune", data={"at": f'["fighters", {place}]', "target": "50"}).headers["location"]
    while "Tuning progress" in (page := anna.get(tuning).raise_for_status().text):
        time.sleep(0.2)
    assert says(text_of(page), "Before the tuning", MILTON, "Take proposal 1", "400 new matches")
    assert "/tmp" not in page


@pytest.fixture
def tuned(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> tuple[Client, str, str]:
    """Return a person, a set and its finished tuning of the first card, whose proposals are known."""
    find_at_once(server, monkeypatch)
    anna = server.person("Anna")
    address = create_set(anna, game="make-your-moves")
    response = anna.post(f"{address}/tune", data={"at": '["cards", 0, "power"]', "target": "50"})
    assert response.status_code == 303
    return anna, address, response.headers["location"]


def power(client: Client, address: str) -> int:
    return int(read_toml(file(client, address), "x")["cards"][0]["power"])


def test_proposals_are_taken_one_by_one_and_undone(tuned: tuple[Client, str, str]) -> None:
    anna, address, tuning = tuned
    page = text_of(anna.get(tuning).raise_for_status().text)
    assert says(page, "win 40.0% ± 2.0", "Take proposal 2", "4,000 new matches")
    for number, value in ((1, 1), (2, 3)):
        taken = anna.post(f"{tuning}/take", data={"number": str(number)})
        assert taken.status_code == 303
        assert power(anna, address) == value
    page_after = anna.get(taken.headers["location"]).text
    assert says(text_of(page_after), "Proposal 2 is now in the set")
    row_version = re.findall(r'name="row_version" value="(\d+)"', page_after)[0]
    assert anna.post(f"{tuning}/undo", data={"row_version": row_version}).status_code == 303
    assert power(anna, address) == 1, "the first proposal is back"
    assert anna.post(f"{tuning}/undo", data={"row_version": row_version}).status_code == 409, "not undone twice"


def test_a_proposal_is_played_without_changing_the_set(tuned: tuple[Client, str, str]) -> None:
    anna, address, tuning = tuned
    before = file(anna, address)
    response = anna.post(f"{tuning}/try", data={"number": "2"})
    assert response.status_code == 303
    assert response.headers["location"].startswith("/table/")
    assert anna.look(response.headers["location"].removeprefix("/table/"))["known_deal"]
    assert file(anna, address) == before


def test_only_the_owner_sees_a_tuning(tuned: tuple[Client, str, str], server: AppServer) -> None:
    _, address, tuning = tuned
    ben = server.person("Ben")
    assert ben.get(tuning).status_code == 404
    assert ben.post(f"{tuning}/take", data={"number": "1"}).status_code == 404
    assert ben.post(f"{address}/tune", data={"at": '["cards", 0]', "target": "50"}).status_code == 404


@pytest.mark.parametrize("number", ["0", "3", "-1", "", "²", "1; 2"])
def test_a_proposal_that_does_not_exist_is_refused(tuned: tuple[Client, str, str], number: str) -> None:
    anna, address, tuning = tuned
    before = file(anna, address)
    assert anna.post(f"{tuning}/take", data={"number": number}).status_code == 422
    assert file(anna, address) == before


def test_a_removed_card_cannot_be_changed_by_an_old_tuning(tuned: tuple[Client, str, str]) -> None:
    anna, address, tuning = tuned
    change(anna, address, put("Somebody Else", "cards", 0, "name"))
    refused = anna.post(f"{tuning}/take", data={"number": "1"})
    assert refused.status_code == 422
    assert says(text_of(refused.text), "is no longer in this set")


def test_without_an_item_the_page_lists_what_can_be_tuned(tuned: tuple[Client, str, str]) -> None:
    anna, address, _ = tuned
    page = anna.post(f"{address}/tune", data={"at": "[]", "target": "50"}).text
    assert says(text_of(page), "Choose what to tune")
    link = unescape(re.findall(r'href="([^"]*/tune\?at=[^"]*)"', page)[0])
    assert says(text_of(anna.get(link).raise_for_status().text), "even share is 50", "Start tuning")
    faulty = anna.post(f"{address}/tune", data={"at": '["cards", 0]', "target": "a lot"})
    assert faulty.status_code == 422
    assert says(text_of(faulty.text), "win rate from 1 to 99")


def test_the_editor_offers_to_tune_only_sets_with_numbers(anna: Client) -> None:
    assert 'class="tune-to"' in anna.get(create_set(anna, game="world-of-fighters")).text
    assert 'class="tune-to"' not in anna.get(create_set(anna, game="high-card")).text


def test_a_plan_is_named_by_what_it_does() -> None:
    content = SetContent("make-your-moves", "x")
    plan = TuningPlan("cards", "Jab", 0.5, REPORT_BOT, {"power": 1}, {"power": (1, 3)})
    other = TuningPlan("cards", "Jab", 0.5, REPORT_BOT, {"power": 1}, {"power": (1, 2)})
    assert plan.key(content) == plan.key(content) != other.key(content)


def test_only_proposals_nearer_to_the_target_are_offered() -> None:
    """A card at 48% was offered three changes that made it worse, each with a button to take it."""
    shares = (0.478, 0.471, 0.49, 0.505)  # the unchanged set comes first
    figures = [SimpleNamespace(value=share, reach=0.013) for share in shares]
    result: Any = SimpleNamespace(
        tuning=SimpleNamespace(
            objectives=[SimpleNamespace(is_met=lambda found: found[0].value > 0.5)],
            ranges=[SimpleNamespace(path=("cards", "Jab", "power"))],
        ),
        values=[(), (1,), (2,), (3,)], readings=[((figure,),) for figure in figures], final=SimpleNamespace(matches=9),
        costs=[abs(share - 0.5) for share in shares], rejected=0,
    )  # fmt: skip
    progress = job_process._tuned(result)
    assert [proposal.values for proposal in progress.proposals] == [{"power": 3}, {"power": 2}]
    assert progress.unchanged is not None
    assert progress.unchanged.wins.value == 0.478
