"""The history in the page equals the history after a reload, however the events of a match are shown.

Whole matches are recorded as event streams. A page plays them through an `EventSource` that the test feeds, by a clock
that the test controls; what costs time to draw is left out of the scenes. One match is played live.
"""

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from sparring import games
from sparring.engine.game import game
from sparring.people.identity import COOKIE
from sparring.site.table_parts.table_html import PAGE
from sparring.tables.state.changes import TableChange
from sparring.tables.state.players import Viewer
from web.app_server import AppServer, show_choice
from web.browser_helpers import new_context
from web.tables.stored_tables import stored_table

pytestmark = pytest.mark.browser

#: Choices of a recorded match, which may end before.
MOST = 80
#: An event as the page gets it: its data, version and name; and the whole history after it.
Recorded = tuple[list[str], list[str]]

FED = """
    window.opened = [];
    window.EventSource = class extends EventTarget {
        constructor(where) { super(); opened.push(where); window.source = this; }
        close() { this.readyState = 2; }
    };
    window.told = () => [...document.querySelectorAll("#log li")].map((line) => line.textContent);
    window.hear = ([data, lastEventId, name]) => {
        const parts = document.createElement("template");
        parts.innerHTML = data;
        for (const part of parts.content.querySelectorAll(".side, .held, .board")) part.remove();
        const event = new MessageEvent(name, { data: parts.innerHTML, lastEventId });
        name === "message" ? source.onmessage(event) : source.dispatchEvent(event);
    };
"""


def recorded(name: str, seats: int) -> list[Recorded]:
    """Play random choices and take-backs at a table in memory; return the events of seat 1."""
    table, chance, events = stored_table(name, seats=seats), random.Random(1), list[Recorded]()
    version = 0
    for _ in range(MOST):
        feed = table.feed(1)
        while feed.version > version:
            update = feed.after(version)
            event = PAGE.event(table, feed, Viewer(1, (1,)), update, False).decode()
            version = update.version if update else feed.version
            data = "\n".join(line[6:] for line in event.split("\r\n") if line.startswith("data: "))
            names = table.seat_names
            history = [names.text(line) for line in feed.logged(end=update.log[1] if update else None)]
            events.append(([data, str(version), "message" if update else "latest"], history))
        if table.match.over:
            break
        if table.match.steps_to_take_back and chance.random() < 0.3:
            change = table.take_back()
            table.publish(change, table.applied(change))
            continue
        if len(table.transitions) % 20 == 19 and int(table.transitions[-1].before.player) == 0:
            left = len(table.transitions) - 1  # as all agreed
            timing = table.clocks.taken_back(table.settings, 1, table.shown.turn_seat, left, table.now())
            change = TableChange("taken back", left=left, agreed=True, timing=timing)
            table.publish(change, table.applied(change))
            continue
        kept = [action for action in table.match.legal() if action not in table.match.game.conceding]
        show_choice(table, chance.choice(kept))
    return events


@pytest.fixture
def fed_page(browser: Browser, server: AppServer) -> Iterator[Callable[..., Page]]:
    """Return a function that opens Anna's page at a new table, with a stream that the test feeds."""
    contexts = []

    def fed_page(name: str, seats: int = 2, pace: str = "usual", *, live: bool = False, table: str = "") -> Page:
        contexts.append(context := new_context(browser, server.url, pace))
        cookie = server.person("Anna").cookie()
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
        page = context.new_page()
        if not live:
            page.add_init_script(FED)
            page.clock.install(time=0)
            page.clock.pause_at(1000)
        page.goto(f"/table/{table or server.table('Anna', *['bot'] * (seats - 1), name=name)}")
        return page

    yield fed_page
    for context in contexts:
        context.close()


FedPage = Callable[..., Page]
SEATS = [(name, seats) for name in games() for seats in sorted({2, min(4, max(game(name).seats))})]


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_two_clients_at_a_seat_have_the_whole_history_at_any_pace(fed_page: FedPage, name: str, seats: int) -> None:
    events = recorded(name, seats)
    fast, usual, chance = fed_page(name, seats, "at once"), fed_page(name, seats), random.Random(1)
    shown = fast.evaluate("events => events.map((event) => (hear(event), told()))", [event for event, _ in events])
    assert shown == [history for _, history in events]
    at = 0
    while at < len(events):
        burst, at = events[at : at + 12], at + 12
        usual.evaluate("events => events.forEach(hear)", [event for event, _ in burst])
        for _ in range(chance.randrange(4)):
            usual.clock.fast_forward(1500)
        if not usual.locator(".telling").count():
            assert usual.evaluate("told()") == burst[-1][1]
    while usual.locator(".telling").count():
        usual.clock.fast_forward(1500)
    assert usual.evaluate("told()") == events[-1][1]
    assert [page.evaluate("opened.length") for page in (fast, usual)] == [1, 1], "no line was missing"


def test_earlier_lines_name_a_player_who_sits_down_later(server: AppServer, fed_page: FedPage) -> None:
    table = server.table("Anna", "", name="make-your-moves", seed=4)
    anna, page = server.person("Anna"), fed_page("make-your-moves", live=True, table=table)
    while not page.locator("#log li", has_text="You attack Seat 2").count():
        anna.choose(table, anna.look(table)["choices"][-1]["choice"]).raise_for_status()
        page.wait_for_function("version => document.querySelector('.scene:not(.telling)')?.dataset.version >= version",
                               arg=anna.version(table))  # fmt: skip
    server.person("Ben").post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
    page.locator("#log li", has_text="You attack Ben").first.wait_for(state="attached")
    shown = page.locator("#log li").all_text_contents()
    page.reload()
    assert shown == page.locator("#log li").all_text_contents()


def test_a_missing_line_is_fetched(fed_page: FedPage) -> None:
    events = recorded("make-your-moves", 2)
    page = fed_page("make-your-moves", 2, "at once")
    grows = [n for n in range(1, len(events)) if len(events[n][1]) > len(events[n - 1][1])]
    lost, following = next((n, n + 1) for n in grows if n > 5 and n + 1 in grows)
    shown = page.evaluate("events => events.map((event) => (hear(event), told()))",
                          [event for event, _ in (*events[:lost], events[following])])  # fmt: skip
    assert shown[-1] == shown[-2] == events[lost - 1][1], "lines can't be added behind a gap"
    assert page.evaluate("opened.length") == 2
    assert "away=true" in page.evaluate("opened[1]")
    (data, version, _), history = events[following]
    whole = "".join(f"<li>{line}</li>" for line in history)
    data = data.partition('<ol class="lines"')[0] + f'<ol class="lines" data-keep="0">{whole}</ol>'
    page.evaluate("hear", [data, version, "latest"])
    assert page.evaluate("[told(), opened.length]") == [history, 2]


#: Play steps, named by their sentences, and return which history the page had whenever one was shown.
PLAY = """async ([events, act]) => {
    const from = [...document.scripts].find(({ src }) => src.endsWith("/table/app.js")).src;
    const { player } = await import(new URL("beats.js", from));
    const { expect, tell } = await import(new URL("log.js", from));
    document.getElementById("log").replaceChildren();
    const element = (html) => Object.assign(document.createElement("div"), { innerHTML: html }).firstChild;
    const items = (lines) => lines.map((line) => `<li>${line}</li>`).join("");
    const root = element("<div><div class=scene></div></div>"), shown = [];
    const show = (step) => shown.push([step.scene.querySelector("ul").textContent, tell(step.log), told().join("")]);
    const table = player(root, { show, settle() {} });
    table.add(events.map(([keep, lines, ask]) => ({
        log: expect(element(`<ol data-keep=${keep}>${items(lines)}</ol>`)),
        scene: element(`<form><div class=told><ul>${items(lines)}</ul></div><p class="${ask && "ask mine"}"></form>`),
    })));
    if (act === "skip") table.skip();
    return shown;
}"""


@pytest.mark.parametrize(
    ("events", "act", "shown"),
    [
        ([(0, ["A"]), (1, ["B"])], "", [["A", True, "A"]]),
        ([(0, ["A"]), (1, ["B"]), (2, ["C"])], "skip", [["A", True, "A"], ["C", True, "ABC"]]),
        ([(0, ["A"]), (1, ["B"]), (1, [], True)], "skip", [["A", True, "A"], ["", True, "A"]]),
        ([(0, ["A"]), (1, ["B"]), (1, ["C"]), (0, ["D"])], "skip", [["A", True, "A"], ["D", True, "D"]]),
        ([(0, ["A"]), (2, ["C"]), (0, ["A", "B"])], "skip", [["A", True, "A"], ["AB", True, "AB"]]),
        ([(0, ["A"]), (2, ["C"])], "skip", [["A", True, "A"], ["C", False, "A"]]),
    ],
    ids=["in turn", "dropped", "taken back", "taken back twice", "a gap that is filled", "a gap"],
)
def test_lines_are_told_in_order(fed_page: FedPage, events: list[object], act: str, shown: list[object]) -> None:
    """The first step is shown at once; the others are skipped, taken back, or follow a gap."""
    assert fed_page("make-your-moves").evaluate(PLAY, [events, act]) == shown


def test_joined_steps_tell_their_lines_in_order(fed_page: FedPage) -> None:
    """So many steps wait that some are shown together with the following one."""
    page = fed_page("make-your-moves")
    events = [(number, [f"({number})"], number == 29) for number in range(30)]
    page.evaluate(f"async (given) => {{ window.shown = await ({PLAY})(given); }}", [events, ""])
    for _ in range(40):
        page.clock.fast_forward(1500)
    shown = page.evaluate("shown")
    assert 2 < len(shown) < 30
    for sentences, complete, history in shown:
        last = int(sentences.rpartition("(")[2].rstrip(")"))
        assert (complete, history) == (True, "".join(f"({number})" for number in range(last + 1)))
    assert shown[-1][2].endswith("(29)")
