"""A crowd of guests at one address against everyone: every queue, expensive pages, forms and requests."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from sparring.engine.game import game
from sparring.people.fair_queue import Busy, Caller, FairQueue, Who, caller
from sparring.server.requests.identity import MOST_FIELDS
from sparring.settings import Limits
from sparring.site.pages.lesson_pages import lesson_after
from sparring.site.replay import review_process
from sparring.studio.jobs import job_process
from sparring.studio.sandboxes import DecodedImage, UploadedImage
from sparring.tables.workers.bot_worker import JOB_MEMORY, MEMORY
from sparring.tutorials import LessonState
from web.app_server import AppServer, Client, StartServer
from web.studio.sets import create_set, share_link

pytestmark = pytest.mark.server

#: Every bounded queue of a server. Those of bots, hints and of the studio's other jobs are bounded by their tables and
#: stores (`test_overuse.py`, `test_jobs.py`, `test_set_balance.py`).
QUEUES: dict[str, Callable[[AppServer], FairQueue]] = {
    "uploaded content": lambda server: server.tables.registry.loader.contents.turns,
    "images": lambda server: server.app.state.sets.images.turns,
    "sets": lambda server: server.app.state.sets.drafts.turns,
    "replays": lambda server: server.app.state.replays.timelines.turns,
    "uploaded records": lambda server: server.app.state.replays.records.timelines.turns,
    "reviews": lambda server: server.app.state.replays.reviews.pool.turns,
    "prints": lambda server: server.app.state.studio_jobs.processes._printing.turns,
    "passwords": lambda server: server.app.state.accounts.passwords._turns,
    "pages": lambda server: server.app.state.renderer.turns,
}


@pytest.mark.parametrize("name", QUEUES)
def test_a_crowd_at_one_address_leaves_a_queue_to_others(server: AppServer, name: str) -> None:
    queue, order = QUEUES[name](server), list[str]()

    async def ask(who: str, done: asyncio.Event) -> str:
        address, person = who.split("/")
        caller.set(Caller((address,), person))
        try:
            async with queue.turn():
                order.append(who)
                await done.wait()
        except Busy:
            return "busy"
        return "served"

    async def crowd() -> tuple[list[str], str]:
        done = asyncio.Event()
        guests = [asyncio.create_task(ask(f"crowd/{number}", done)) for number in range(80)]
        await asyncio.sleep(0)
        newcomer = asyncio.create_task(ask("home/Anna", done))
        await asyncio.sleep(0)
        done.set()
        return await asyncio.gather(*guests), await newcomer

    answers, answer = server.run(crowd())
    assert (answer, order.index("home/Anna")) == ("served", queue._places), "the next place is the newcomer's"
    assert queue._most is not None
    assert answers.count("busy") == 80 - queue._places - queue._most + 1, "and the crowd loses one that waits"


def test_queues_know_who_asks(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, queue = list[Who](), server.app.state.renderer.turns
    wait = queue._wait

    async def noted(who: Who) -> None:
        asked.append(who)
        await wait(who)

    monkeypatch.setattr(queue, "_wait", noted)
    for client in (server.person("Anna"), server.stranger()):
        assert client.get(f"/games/mace/learn?made=asked{len(asked)}").status_code == 200
    (*networks, person), stranger = asked
    assert (networks, bool(person), stranger) == (["127.0.0.1"] * 3, True, (*networks, ""))


def test_a_caller_who_stops_a_sandbox_pays_for_its_new_start(server: AppServer) -> None:
    images = server.app.state.sets.images

    async def kill() -> tuple[object, bool]:
        images._worker._module = "sparring.nothing_here"
        answer = await images.ask(UploadedImage(b"x"), DecodedImage)
        images._worker._module = "sparring.studio.image_sandbox"
        await images.ask(UploadedImage(), DecodedImage)
        images.patience = 0.0
        late = await images.ask(UploadedImage(b"x"), DecodedImage)
        del images.patience
        return answer or late, images._worker.running

    assert server.run(kill()) == (None, True)


@pytest.mark.parametrize("memory", [MEMORY, JOB_MEMORY])
def test_jobs_have_a_memory_limit(memory: int) -> None:
    """As uploads have a smaller one."""
    code = f"""
from sparring.tables.workers.uploads import bound_memory
bound_memory({memory})
bytearray({memory // 4})
try:
    bytearray({memory * 2})
except MemoryError:
    print("bounded")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "bounded\n"
    for process in (job_process, review_process):
        assert "bound_memory(JOB_MEMORY)" in inspect.getsource(process.main)


@pytest.mark.parametrize(
    "path",
    ["/games/mace/learn", "/games/mace/learn/text", "/games/mace/rules", "/api", "/api/games/mace/lesson/step"],
)
def test_an_expensive_page_is_rendered_once_in_a_thread(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    rendered, to_thread = list[Callable[[], object]](), asyncio.to_thread

    async def noted(render: Callable[[], object]) -> object:
        rendered.append(render)
        return await to_thread(render)

    server.app.state.renderer._parts._entries.clear()
    monkeypatch.setattr("sparring.server.requests.pages.asyncio.to_thread", noted)
    pages = [server.stranger().get(path) for _ in range(3)]
    assert {page.status_code for page in pages} == {200}
    assert len({page.text for page in pages}) == len(rendered) == 1


@pytest.mark.parametrize("page", ["", "/rules", "/replay", "/examples/1", "/picture.svg"])
def test_the_rules_of_a_table_and_their_pictures_take_turns(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """With cards of its own, nothing is shared with other tables."""
    turns, turn = list[str](), FairQueue.turn
    anna, table = server.person("Anna"), server.table("Anna", "Ben", name="mace", toml=game("mace").content_text)

    def noted(queue: FairQueue, *who: str) -> AbstractAsyncContextManager[None]:
        if queue is server.app.state.renderer.turns:
            turns.append(page)
        return turn(queue, *who)

    monkeypatch.setattr(FairQueue, "turn", noted)
    assert anna.get(f"/table/{table}{page}").status_code == 200
    assert turns == [page]


def test_the_editor_of_a_set_is_rendered_in_the_thread(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, renderer = server.person("Anna"), server.app.state.renderer
    address, run, ran = create_set(anna, game="world-of-fighters"), renderer.run, list[Callable[[], object]]()

    async def noted(work: Callable[[], object]) -> object:
        ran.append(work)
        return await run(work)

    shared = share_link(anna, address)
    monkeypatch.setattr(renderer, "run", noted)
    assert anna.get(address).status_code == anna.get(shared).status_code == 200
    assert len(ran) == 2


def test_a_cached_page_shows_the_names_of_its_reader(server: AppServer) -> None:
    for name in ("Anna", "Ben"):
        page = server.person(name).get("/games/mace/learn?made=").text
        assert [other in page for other in ("Anna", "Ben")] == [name == "Anna", name == "Ben"]


def test_a_lesson_forgets_what_does_not_fit_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forks, fork = list[LessonState](), LessonState.fork

    def counted(state: LessonState) -> LessonState:
        forks.append(state)
        return fork(state)

    monkeypatch.setattr(LessonState, "fork", counted)
    assert lesson_after(game("mace"), ".".join(["nonsense"] * 200)).actions == ()
    assert len(forks) <= 2


def test_forms_with_countless_fields_are_refused(anna: Client) -> None:
    for fields, status in ((MOST_FIELDS, 303), (MOST_FIELDS + 1, 413), (312_500, 413)):
        body = "theme=dark" + "&a=" * (fields - 1)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        response = anna.http.post("/theme", content=body, headers=headers)
        assert response.status_code == status
    assert "more than 5,000 fields" in response.text


def test_requests_of_an_address_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(requests_at_once=3, requests_each_second=1), proxy="127.0.0.1")
    crowd, other = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2))
    responses = [server.stranger().http.get("/health", headers=crowd) for _ in range(6)]
    assert [response.status_code for response in responses[:3]] == [200] * 3
    assert responses[-1].status_code == 429
    assert "too many requests" in responses[-1].text
    refused = server.stranger().http.get("/api/tables", headers=crowd)
    assert (refused.status_code, refused.json()["accepted"]) == (429, False)
    assert server.stranger().http.get("/", headers=other).status_code == 200
