"""The layout at every size: whole matches, beat by beat, measured on the real page."""

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import Button, Card, Face, Fact, Facts, PrintableScene, Prompt, Row, Seat, Track, without_choices
from sparring.scene.html import Exchange, render
from sparring.scene.sentences import ResultLine
from sparring.web.identity import COOKIE
from web.app_server import AppServer
from web.browser.test_matches import TOPS_OF, rest
from web.browser_helpers import UNPAINTED, assert_accessible

pytestmark = pytest.mark.browser

LAPTOP, DESK, TABLET = (1280, 720), (1920, 1080), (768, 1024)
PHONE, SIDEWAYS, ZOOMED = (390, 844), (844, 390), (640, 360)
SMALL = (360, 740)
SIZES = (LAPTOP, DESK, TABLET, PHONE, SIDEWAYS, ZOOMED, SMALL)
FINGERS = (TABLET, PHONE, SIDEWAYS)
TABLES = [
    ("five-circles", 2), ("mace", 2), ("mace", 4), ("make-your-moves", 2), ("make-your-moves", 6),
    ("untitled-movement", 2), ("untitled-movement", 4), ("world-of-fighters", 2),
]  # fmt: skip
MOST_SEATS = [(name, seats) for name, seats in TABLES if seats > 2 or name in ("five-circles", "world-of-fighters")]
NAMES = ("Anna", "Search bot (strong)", "Maximiliane", "Random bot", "Search bot 4", "Random bot 5")
#: The number of choices per match, and the number of beats measured.
LONGEST, LOOKED_AT = 150, 24

LAY = "html => { document.getElementById('table').innerHTML = html; }"
MEASURE = """touch => {
    const box = element => element.getBoundingClientRect();
    const all = selector => [...document.querySelectorAll(selector)]
        .filter(each => box(each).width && box(each).height);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const name = element => `${element.className} ${element.getAttribute("aria-label") ?? element.textContent}`;
    const parts = all(".top, .side, .beside, .ask, .held").filter(each => each.children.length);
    const overlaps = parts.flatMap((one, n) => parts.slice(n + 1)
        .filter(two => meet(box(one), box(two)) && !two.matches(".game-make-your-moves > .side.right"))
        .map(two => `${one.className} and ${two.className}`));
    // In the ring, cards beside the two moves have their own place.
    const inRing = all(".game-make-your-moves > .side.right :is(h3, .card)");
    overlaps.push(...inRing.filter(one => all(".middle :is(h3, .total b, .card), .held .card, .side.left .card")
        .some(two => meet(box(one), box(two)))).map(name));
    const reach = ({left, top, width, height}) => {
        const across = Math.max(width, 44), down = Math.max(height, 44);
        const x = left + (width - across) / 2, y = top + (height - down) / 2;
        return {left: x, top: y, right: x + across, bottom: y + down};
    };
    const buttons = all(".scene button[name=choice], .scene .buttons button, .scene .look, .bar button")
        .filter(each => !each.closest(".board, [popover], .place:has(> button)"));
    const cramped = !touch ? [] : buttons.filter(one => Math.min(box(one).width, box(one).height) < 43.9
        && buttons.some(two => two !== one && !two.contains(one) && meet(reach(box(one)), box(two)))).map(name);
    const thin = !touch ? [] : all(".held button[name=choice]").filter(each => {
        const hand = each.closest("ul"), card = each.closest(".place");
        hand.scrollLeft = card.offsetLeft - hand.offsetLeft - (hand.clientWidth - card.offsetWidth) / 2;
        const {left, right, top, height} = box(each), seen = x => document.elementFromPoint(x, top + height / 2);
        let found = 0;
        for (let x = left + 0.5; x < right && found < 40; x++) found += each.contains(seen(x));
        return found < 40;
    }).map(name);
    const holds = (a, b) => a.left < (b.left + b.right) / 2 && a.right > (b.left + b.right) / 2
        && a.top < (b.top + b.bottom) / 2 && a.bottom > (b.top + b.bottom) / 2;
    const hidden = all(".seat .track b, .seat .track i, .seat .name").filter(part =>
        all(".seat .tag").some(tag => holds(box(tag), box(part)))).map(name);
    const beyond = (each, room) => box(each).left < room.right - 1 && (box(each).top < room.top - 1
        || box(each).bottom > room.bottom + 1 || box(each).left < room.left - 1 || box(each).right > room.right + 1);
    const cut = [...all(".beside > .exchange li").filter(each => beyond(each, box(document.querySelector(".beside")))),
        ...all(".held :is(.choices button, .marks i)").filter(each => each.scrollWidth > each.clientWidth),
        ...all(".scene:not(.with-board) > .side .pile").filter(each => beyond(each, box(each.closest(".side")))),
        ...all(".middle .place > .card").filter(each => beyond(each, box(all(".middle")[0])))].map(name);
    const covered = all(".held .card:has(button)").filter(card => [...card.querySelectorAll("button:not(.pick)")]
        .some(button => box(button).height && box(button).top < box(card).top + 20)).map(name);
    const buried = all(".middle .place > .card").filter(card => {
        const next = card.parentElement.nextElementSibling?.querySelector(".card");
        return next && meet(box(card), box(next)) && box(next).left - box(card).left < 0.9 * box(card).width;
    }).map(name);
    const called = all(".banner b").flatMap(name =>
        all(".middle :is(h3, .total b, .card, .empty)").filter(each => meet(box(name), box(each)))).map(name);
    const broken = all(".middle h3").filter(each => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const lines = new Set([...words.getClientRects()].map(line => line.top));
        return !/\\s/.test(each.textContent.trim()) && lines.size > 1;
    }).map(name);
    const exchange = [...document.querySelectorAll(".beside > .exchange, .beside > .exchange :is(.parts, .place, li)")];
    const beside = box(document.querySelector(".beside")), inside = each => box(each).width
        && box(each).top > beside.top - 1 && box(each).bottom < beside.bottom + 1
        && box(each).left > beside.left - 1 && box(each).right < beside.right + 1;
    const gone = beside.width ? exchange.filter(each => !inside(each)).map(name) : [];
    const cells = all(".cell .ground").map(each => Math.min(box(each).width, box(each).height));
    const board = all(".board")[0], scene = document.querySelector(".scene");
    return {
        overlaps, hidden, cramped, thin, cut, covered, buried, called, broken, gone,
        cards: all(".middle > .group .place > .card").map(each => each.offsetWidth),
        cell: cells.length ? Math.min(...cells) : null,
        board: board ? [box(board).left, box(board).top, box(board).width, box(board).height] : null,
        wide: [document.documentElement.scrollWidth - innerWidth, scene.scrollWidth - scene.clientWidth],
        down: board ? board.scrollHeight - board.clientHeight : 0,
        whole: !board || (board.scrollHeight <= board.clientHeight && board.scrollWidth <= board.clientWidth),
        high: scene.scrollHeight - scene.clientHeight,
    };
}"""
#: All of that for many scenes, without rendering frames in between.
MEASURE_ALL = f"([scenes, touch]) => scenes.map(scene => {{ ({LAY})(scene); return ({MEASURE})(touch); }})"

Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: AppServer) -> Iterator[Open]:
    """Return a function that opens a table's page without its stream, so that tests can put scenes into it."""
    contexts = []

    def open_page(name: str, size: tuple[int, int] = LAPTOP, **more: Any) -> Page:
        context = browser.new_context(base_url=server.url, viewport={"width": size[0], "height": size[1]}, **more)
        context.add_init_script(UNPAINTED)
        contexts.append(context)
        cookie = server.person("Anna").cookie()
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
        page = context.new_page()
        page.route("**/events?*", lambda route: route.abort())
        page.goto(f"/table/{server.table('Anna', 'Ben', name=name)}")
        return page

    yield open_page
    for context in contexts:
        context.close()


@cache
def beats(name: str, seats: int, seed: int = 1) -> list[str]:
    """Yield a random match as Anna sees it, beat by beat; a selection, including the first and the last."""
    many = sum(1 for _ in played(name, seats, seed))
    step = max(1, many // LOOKED_AT)
    looks = enumerate(played(name, seats, seed), 1)
    return [look() for number, look in looks if number == many or (number - 1) % step == 0]


def played(name: str, seats: int, seed: int) -> Iterator[Callable[[], str]]:
    """Yield a function for each beat of that match that renders it; valid until the next one."""
    match, dice = Match.deal(game(name).box(), seats, seed), random.Random(seed)
    decided: Exchange | None = None

    def look(view: Any, lines: tuple[str, ...] = ()) -> str:
        log = match.log(1)[-6:]
        return str(render(view.scene, names=NAMES, animated=lines, events=log, exchange=decided,
                          glossary=match.game.glossary))  # fmt: skip

    yield partial(look, match.view(1))
    for _ in range(LONGEST):
        if match.over:
            break
        match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
        for beat in match.beats(1):
            yield partial(look, beat.view, beat.lines)
            if beat.view.scene.exchange:
                lines = [line for line in beat.lines if isinstance(line, ResultLine)]
                decided = Exchange(without_choices(beat.view.scene.exchange), lines, number=1)
    yield partial(look, match.view(1))


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_overlaps_or_is_too_small_during_a_match(open_page: Open, name: str, seats: int) -> None:
    page, scenes = open_page(name), beats(name, seats)
    for size in SIZES if seats == 4 else SIZES[:-1]:
        resize(page, size)
        boards, cards = set[tuple[float, ...]](), set[int]()
        for number, found in enumerate(page.evaluate(MEASURE_ALL, [scenes, size in FINGERS])):
            where = (size, number, found)
            assert not found["overlaps"], where
            assert not found["hidden"], where
            assert not found["cramped"], where
            assert not found["thin"], where
            assert not found["cut"], where
            assert not found["called"], where
            assert not found["broken"], where
            assert size is ZOOMED or not found["buried"], where  # its name and its power
            assert size is ZOOMED or not found["covered"], where  # which card it is
            assert size in (ZOOMED, SMALL) or not found["gone"], where
            assert max(found["wide"]) <= 0, where
            assert found["cell"] is None or found["cell"] >= (35.9 if size in (LAPTOP, DESK) else 29.9), where
            assert size is ZOOMED or found["high"] <= 0, where
            assert size in (ZOOMED, SMALL) or found["whole"], where
            assert size is not SMALL or not found["down"], where
            boards |= {tuple(found["board"])} if found["board"] else set()
            cards |= set(found["cards"])
        assert len(boards) <= 1, (size, boards)
        assert len(cards) <= 1, (size, cards)


FULL = {"game": "mace", "seats": 2, "hands": ["10S QS KH 10D QC", "2D 3D"], "charges": ["5C 6C 7C 8C 9C", ""]}
UPDATE = """async html => {
    const {update} = await import(document.querySelector("script[src$='/app.js']").src.replace("app.js", "motion.js"));
    const parts = document.createElement("template"), table = document.getElementById("table");
    const hands = () => [...table.querySelectorAll(".held .row > ul")];
    parts.innerHTML = html;
    hands().at(-1).scrollLeft = 30;
    update(table, parts.content.querySelector(".scene"));
    return hands().map(hand =>
        ({at: hand.scrollLeft, beyond: hand.scrollWidth - hand.clientWidth, roomy: hand.matches(".roomy")}));
}"""


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, TABLET])
def test_ten_cards_can_be_touched_and_rearranged(open_page: Open, size: tuple[int, int]) -> None:
    scene = str(render(Match.from_position(FULL).view(1).scene, names=NAMES))
    page = open_page("mace", size)
    page.evaluate(LAY, scene)
    found = page.evaluate(MEASURE, True)
    assert [found["thin"], found["cut"], found["cramped"]] == [[], [], []]
    hand, charges = page.evaluate(UPDATE, scene)
    assert charges["at"] == min(30, charges["beyond"])
    assert charges["beyond"] > 0 or size is not PHONE
    # Cards move across the edge of a hand only where the hand needn't scroll.
    assert [row["roomy"] for row in (hand, charges)] == [row["beyond"] == 0 for row in (hand, charges)]


LONG_NAME = {"game": "make-your-moves", "seats": 6, "phase": "assist_card", "player": 5,
             "attack": "Spine, Kendo Stick, Adrenaline, Second Wind, Crowd Pop", "help_attacker": "Toe",
             "defence": "Jaw, Momentum, Fury", "help_defender": "Nose, Elbow, Ladder"}  # fmt: skip


def test_long_names_and_many_cards_do_not_overlap(open_page: Open) -> None:
    page, scene = open_page("make-your-moves"), str(render(Match.from_position(LONG_NAME).view(1).scene, names=NAMES))
    for size in SIZES:
        resize(page, size)
        page.evaluate(LAY, scene)
        found = page.evaluate(MEASURE, False)
        assert found["called"] == [], size
        assert size is ZOOMED or found["buried"] == [], size


CHARGED = {"game": "mace", "seats": 2, "active": 2, "hands": ["10S QS KH 10D 2H", "2C 3D"], "charges": ["", "JC QC"]}


def test_a_revealed_charge_is_visible_in_place(open_page: Open) -> None:
    match = Match.from_position(CHARGED)
    match.choose("blast QC")
    page, scene = open_page("mace"), str(render(match.view(1).scene, names=NAMES))
    for size in SIZES:
        resize(page, size)
        page.evaluate(LAY, scene)
        charges = page.locator(".seat.s2 .place")
        assert [charges.nth(place).is_visible() for place in (0, 1)] == [True, True], size


MOVED = """() => {
    const scene = document.querySelector(".scene");
    document.querySelector(".scene .sentence").style.translate = "0 400px";
    scene.scrollTop = 50;
    return scene.scrollTop;
}"""


def test_a_card_in_flight_moves_nothing_else(open_page: Open) -> None:
    page, scene = open_page("mace", PHONE), str(render(Match.from_position(FULL).view(1).scene, names=NAMES))
    page.evaluate(LAY, scene)
    assert page.evaluate(MOVED) == 50
    page.evaluate(UPDATE, scene)
    assert page.evaluate(MOVED) == 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_text_at_200_percent_is_reachable_without_overlap(open_page: Open, name: str, seats: int) -> None:
    page = open_page(name)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    for number, found in enumerate(page.evaluate(MEASURE_ALL, [beats(name, seats)[::3], False])):
        assert not found["overlaps"], (number, found)
        assert max(found["wide"]) <= 0, (number, found)


PAGES = (
    "/", "/games/mace", "/games/mace/leaderboard", "/games/untitled-movement/rules", "/me/tokens",
    "/games/world-of-fighters/learn/text",
)  # fmt: skip


def test_pages_do_not_scroll_sideways_at_200_percent(open_page: Open) -> None:
    page = open_page("world-of-fighters", (320, 640))
    for path in (*PAGES, page.url):
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '32px'")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path


@pytest.mark.parametrize(("name", "seats"), MOST_SEATS)
def test_axe_finds_nothing_during_and_after_a_match(open_page: Open, name: str, seats: int) -> None:
    page, scenes = open_page(name), beats(name, seats)
    middle, last = scenes[len(scenes) // 2], scenes[-1]
    for scheme, size, scene in (("light", SIDEWAYS, middle), ("dark", PHONE, middle), ("dark", LAPTOP, last)):
        resize(page, size)
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.evaluate(LAY, scene)
        rest(page)
        assert_accessible(page)


def test_a_number_beyond_a_cards_edge_does_not_move_the_card(open_page: Open) -> None:
    """A card rises under the mouse, and the number beyond its corner rises with it, away from the mouse."""
    cards = tuple(Card(f"die {face}", Face(str(face)), count=3, action=face, words="roll") for face in (2, 5))
    scene = PrintableScene("dice", "Dice", "1", (Seat(1, you=True),), Prompt("Roll."), hand=(Row("d", "", cards),))
    page = open_page("make-your-moves", SIDEWAYS, reduced_motion="reduce")
    page.evaluate(LAY, str(render(scene, names=NAMES)))
    box = page.locator(".count").last.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    assert page.locator(".held .card").last.evaluate(TOPS_OF) == 1


PLACES = """() => Object.fromEntries(["facts", "held", "buttons"].map(name => {
    const {left, right, top, bottom} = document.querySelector(`.scene .${name}`).getBoundingClientRect();
    return [name, {left, right, top, bottom}];
}))"""


@pytest.mark.parametrize("size", [LAPTOP, DESK, TABLET, PHONE])
def test_many_answers_leave_the_hand_visible(open_page: Open, size: tuple[int, int]) -> None:
    """A bidding game: two facts in the middle, thirty bids to choose from, two dice in the hand."""
    bids = tuple(Button(text=f"Bid {number}", action=number, words=f"bid {number}") for number in range(30))
    facts = Facts((Fact("bid", "Last bid", "none"), Fact("dice", "Dice", "4")))
    dice = Row("dice", "Yours", tuple(Card(f"die {face}", Face(str(face), value=str(face))) for face in (2, 5)))
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1) for number in (1, 2))
    scene = PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid more.", bids), middle=(facts,), hand=(dice,))
    page = open_page("make-your-moves", size)
    page.evaluate(LAY, str(render(scene, names=NAMES)))
    place = page.evaluate(PLACES)
    assert place["facts"]["right"] - place["facts"]["left"] < 0.45 * size[0]
    assert place["held"]["bottom"] <= size[1] + 1
    assert place["buttons"]["bottom"] <= size[1] + 1
    assert page.evaluate(MEASURE, size in FINGERS)["overlaps"] == []


RUNS_OVER = """() => [...document.querySelectorAll(".seat, .facts, .side, .tracks")].flatMap(part => {
    const {left, right} = part.getBoundingClientRect();
    return [...part.querySelectorAll(".track, .track i, dd, dt")].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width && (box.left < left - 1 || box.right > right + 1);
    }).map(each => `${each.className || each.tagName} over ${part.className}`);
})"""


@pytest.mark.parametrize("size", [LAPTOP, DESK, TABLET, PHONE, SIDEWAYS])
def test_long_tracks_and_facts_stay_in_their_places(open_page: Open, size: tuple[int, int]) -> None:
    """A track of 30 pips and a fact without a space wrap; they don't run over their neighbours."""
    words = "Everything that anyone has ever bid in this match, in order: " + "sevens" * 12
    facts = Facts((Fact("bid", "Bids", words), Fact("dice", "Dice", "4")))
    tracks = (Track("points 1", "Points", 17, 30), Track("luck 1", "Luck", 3, 30))
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1, tracks=tracks) for number in (1, 2))
    scene = PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid."), middle=(facts,), left=(facts,))
    page = open_page("make-your-moves", size)
    page.evaluate(LAY, str(render(scene, names=NAMES)))
    assert page.evaluate(RUNS_OVER) == []
    assert page.evaluate(MEASURE, size in FINGERS)["overlaps"] == []


TOPS = """() => ["exchange", "go-on"].map(name =>
    document.querySelector(`.scene .${name}`)?.getBoundingClientRect().top ?? null)"""
TOLD = (
    ("They roll.",),
    ("They roll a five and two sixes, and one of them falls on the floor, which counts.", "Again!"),
)
NEWS = (("They roll.",), ("They roll.", "You bid three fives.", "They bid two fives.", "You roll."))


@pytest.mark.parametrize("size", [LAPTOP, DESK, TABLET, PHONE, SIDEWAYS])
def test_results_and_prompts_keep_their_places(open_page: Open, size: tuple[int, int]) -> None:
    cards = tuple(Card(f"die {face}", Face(str(face), value=str(face))) for face in (2, 5))
    dice, middle = Row("dice", "Yours", cards), Row("table", "On the table", cards)
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1) for number in (1, 2))
    scene = PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid more."), middle=(middle,), hand=(dice,))
    decided = Exchange(without_choices(Row("bids", "Bids", cards, total="7")), [ResultLine("You bid well.")])
    page, places = open_page("make-your-moves", size), list[Any]()
    for told, news in (*((told, ()) for told in TOLD), *(((), news) for news in NEWS)):
        page.evaluate(LAY, str(render(scene, names=NAMES, animated=told, events=news, exchange=decided)))
        places.append(page.evaluate(TOPS))
    (first, skip), (second, again), (third, _), (fourth, _) = places
    assert skip == pytest.approx(again, abs=1)
    assert [first, third] == pytest.approx([second, fourth], abs=1)


SEEN_NEWS = """() => {
    if (!document.querySelector(".beside").offsetWidth) document.getElementById("history-panel").showPopover();
    const {right, bottom} = document.querySelector(".beside").getBoundingClientRect();
    return [...document.querySelectorAll(".news li")].map(line => [line.getBoundingClientRect(), line.textContent])
        .filter(([box]) => box.height && box.left < right && box.bottom < bottom + 1).sort(([a], [b]) => a.top - b.top)
        .map(([, words]) => words);
}"""


@pytest.mark.parametrize("size", SIZES)
def test_the_newest_events_are_visible_at_the_bottom(open_page: Open, size: tuple[int, int]) -> None:
    match = Match.deal(game("make-your-moves").box(), 2, 1)
    news = [f"This is sentence {number}, with more words than go into one short line." for number in range(6)]
    page = open_page("make-your-moves", size)
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, events=news)))
    seen = page.evaluate(SEEN_NEWS)
    assert seen
    assert seen == news[-len(seen) :]


ORDER = """scenes => scenes.map(scene => {
    document.getElementById("table").innerHTML = scene;
    const rows = [...document.querySelectorAll(".right .row")];
    return rows.length ? Math.round(rows.at(-1).getBoundingClientRect().right) : null;
})"""


@pytest.mark.parametrize("size", [LAPTOP, DESK])
def test_the_turn_order_stays_where_it_is_when_quiet_rounds_are_counted(open_page: Open, size: tuple[int, int]) -> None:
    page, turn = open_page("mace", size), {"game": "mace", "seats": 2, "round": 40, "phase": "turn", "player": 1}
    views = [Match.from_position({**turn, "quiet": quiet}).view(1) for quiet in (14, 15)]
    scenes = [str(render(view.scene, names=NAMES)) for view in views]
    assert ["Quiet Rounds" in scene for scene in scenes] == [False, True]
    assert len({place for place in page.evaluate(ORDER, scenes) if place is not None}) == 1


def test_the_first_hand_of_a_fighter_lies_side_by_side_on_phones(open_page: Open) -> None:
    page, match = open_page("world-of-fighters", PHONE), Match.deal(game("world-of-fighters").box(), 2, 2)
    while match.phase == "pick":
        match.choose(match.legal()[0])
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES)))
    boxes = [place.bounding_box() for place in page.locator(".held .place").all()]
    ends = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert len(ends) == 6
    assert all(end <= start + 0.5 for (_, end), (start, _) in pairwise(ends))
    assert ends[-1][1] <= PHONE[0]


def test_fighters_can_be_read_when_they_are_picked(open_page: Open) -> None:
    """Their texts are large enough, cards don't touch, and the names on the plates are in their middle."""
    page, match = open_page("world-of-fighters"), Match.deal(game("world-of-fighters").box(), 2, 4)
    for _ in range(2):
        page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES)))
        match.choose(match.legal()[0])
        for size, least in ((LAPTOP, 12), (TABLET, 12), (PHONE, 9)):
            resize(page, size)
            found = page.evaluate(ROSTER)
            assert found["text"] >= least, (size, found)
            assert found["gap"] >= 4, (size, found)
            assert max(map(abs, found["off"])) <= 3, (size, found)


#: Return the height of the smallest text on the fighters' cards, the smallest gap between them, and how far each name
#: is from the middle of its plate.
ROSTER = """() => {
    const box = element => element.getBoundingClientRect(), all = name => [...document.querySelectorAll(name)];
    const cards = all("[data-key=roster] .card").map(box), svg = box(all("[data-key=roster] svg.face")[0]);
    const sizes = all("[data-key=roster] text").map(text => Number(text.getAttribute("font-size")) * svg.width / 63);
    const gaps = cards.slice(1).map((card, n) => Math.max(card.left - cards[n].right, card.top - cards[n].bottom));
    const middle = ({top, bottom}) => (top + bottom) / 2;
    const off = all(".seat").map(seat => middle(box(seat.querySelector(".name"))) - middle(box(seat)));
    return {text: Math.min(...sizes), gap: Math.min(...gaps), off};
}"""


def test_the_roster_has_most_of_a_phone_in_landscape(open_page: Open) -> None:
    page = open_page("world-of-fighters", SIDEWAYS)
    page.evaluate(LAY, str(render(Match.deal(game("world-of-fighters").box(), 2, 4).view(1).scene, names=NAMES)))
    cards = [card.bounding_box() for card in page.locator("[data-key=roster] .card").all()]
    ends = [(box["x"] + box["width"], box["y"] + box["height"]) for box in cards if box]
    assert len(ends) == 8
    bar, banner, question = (page.locator(name).bounding_box() for name in (".bar", ".banner", ".ask"))
    assert bar
    assert banner
    assert question
    right = max(x for x, _ in ends)
    assert right >= 0.6 * SIDEWAYS[0]
    assert right <= min(bar["x"], banner["x"], question["x"]), "nothing lies on a fighter"
    assert max(y for _, y in ends) >= 0.9 * SIDEWAYS[1]
    assert bar["y"] + bar["height"] <= banner["y"] <= question["y"]


def test_the_roster_keeps_its_size_when_a_fighter_is_picked(open_page: Open) -> None:
    match, page = Match.deal(game("world-of-fighters").box(), 2, 1), open_page("world-of-fighters")
    widths = []
    for _ in range(2):
        page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES)))
        widths.append(page.evaluate("document.querySelector('.middle .card').getBoundingClientRect().width"))
        match.choose(match.legal()[0])
    assert widths[0] == pytest.approx(widths[1], abs=1)
    assert widths[0] > 140


def test_stars_of_lost_health_are_gone_when_a_player_chooses(open_page: Open) -> None:
    page = open_page("world-of-fighters")
    scenes = [scene for scene in beats("world-of-fighters", 2) if 'class="hit"' in scene]
    assert scenes
    for scene in scenes:
        page.evaluate(LAY, scene)
        resting = page.locator(".scene:is(.telling, .over)").count() == 0
        assert page.locator(".token .hit").first.is_visible() != resting
