"""Tables in the pseudo-language: nothing that people read stays English, and longer sentences have room."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from games.test_catalogues import english_in, strings
from games.test_rendered_texts import typed_at, words_in, words_of_moves
from pseudo_language import PseudoLanguage
from sparring.engine.game import Game
from sparring.tables.seating import bot_names
from sparring.tables.state.table import Table
from text_templates import site_templates, templates
from web.app_server import AppServer, Client
from web.browser.invariants import MEASURE, Fault, is_stored
from web.browser.pages import LAPTOP, PHONE, TABLET
from web.browser.visits import Visit, click, wait_for_state

pytestmark = pytest.mark.browser

GAMES = ("make-your-moves", "world-of-fighters", "untitled-movement", "mace", "five-circles", "card-duel")
#: Words that aren't in a catalogue: names of people and of the program.
NAMES = {"Anna", "Ben", "Bolt", "Sparring", "Cleo"}
#: How many choices are made by clicks, and before which of them the page is measured.
CHOICES, MEASURED = 5, (0, 4)
#: Circles by their letters, directions, and playing cards: these are typed.
CODES = re.compile("[RGB]+|[FB][LR]|[JQKA][CDHS]")
#: What isn't of the catalogue: the rules and the glossary are documents, and a credit names works and licences.
FOREIGN = ".rules, .glossary, .credit, q, code, kbd, script, style, noscript, template, svg.qr, [id^='glossary-']"
READ = """(foreign) => {
    const names = ["aria-label", "aria-description", "title", "placeholder", "alt", "data-empty"], found = new Set();
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        if (element.closest(foreign)) continue;
        if (node !== element) found.add(node.data.trim());
        else for (const name of names) found.add(element.getAttribute(name) ?? "");
    }
    for (const { word } of JSON.parse(document.querySelector(".scene")?.dataset.effects ?? "[]")) found.add(word ?? "");
    return [...found];
}"""
#: Texts of an open panel that are wider than it, or that another one covers.
CUT_IN_PANEL = """() => {
    const panel = document.querySelector(".panel:popover-open"), edge = panel.getBoundingClientRect(), found = [];
    const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const range = document.createRange(), parent = texts.currentNode.parentElement;
        range.selectNodeContents(texts.currentNode);
        if (!texts.currentNode.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
        if (parent.closest(".unseen, .rules")) continue;
        const isCut = ({ left, right }) => right - left > 1 && (left < edge.left - 1 || right > edge.right + 1);
        if ([...range.getClientRects()].some(isCut)) found.push(texts.currentNode.data.trim());
    }
    for (const each of panel.querySelectorAll(":not(input, .unseen, .rules, .rules *)"))
        if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible")
            found.push(`${each.localName}.${each.className}`);
    return found;
}"""
SIZES = (TABLET, LAPTOP)
#: What is cut or overlaps on a phone in the longer sentences, in all games and in some.
CUT_ON_PHONES = {
    "": ["cut: .buttons a.button", "cut: .buttons button.main"],
    "world-of-fighters": ["overlap: .facts dd and .facts dd"],
    "untitled-movement": ["overlap: .row h3 and .place span.card"],
}
#: What an element says, in the names of elements.
QUOTED = re.compile(r' *"[^"]*"')


@pytest.fixture(autouse=True)
def language(server: AppServer) -> Any:
    """Answer every request in the pseudo-language."""
    accented, usual = PseudoLanguage(), server.app.state.language_of
    server.app.state.language_of = lambda _: accented
    yield accented
    server.app.state.language_of = usual


class Reader:
    """Reads a page at each stage of a match, in all windows."""

    def __init__(self, page: Page, table: Table) -> None:
        self.page, self.table, self.game = page, table, table.match.game
        content = " ".join([*strings(msgspec.to_builtins(self.game.content)), *self.game.spoken_forms.values()])
        words = words_in(f"{content} {self.game.title} {' '.join(NAMES)}")
        self.names = {form for word in words for form in (word, word.upper())}
        self.english = dict[str, list[str]]()
        self.faults, self.on_phones = list[Fault](), set[str]()

    def read(self) -> None:
        self.names |= typed_at(self.table.match.view(1)) | words_of_moves(self.table.exchanges)
        for text in self.page.evaluate(READ, FOREIGN):
            if words := [word for word in english_in(text, self.names) if not CODES.fullmatch(word)]:
                self.english[text] = words

    def measure(self, stage: str) -> None:
        """Read the page, and measure it in all windows."""
        self.read()
        for size in (*SIZES, PHONE):
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
            found = self.page.evaluate(f"({MEASURE})()")
            window = "x".join(map(str, size))
            for invariant, elements in (("overlap", found["overlaps"]), ("cut", found["cut"])):
                for element, *figures in elements:
                    fault = Fault(self.game.name, window, stage, invariant, element, figures)
                    if is_stored(fault):
                        continue
                    if size is PHONE:
                        self.on_phones.add(f"{invariant}: {QUOTED.sub('', element)}")
                    else:
                        self.faults.append(fault)

    def open(self, panel: str) -> None:
        """Open a panel, read it, and close it again."""
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.locator(f"[popovertarget={panel}]:not(.close)").first.click()
            self.page.wait_for_selector(f"#{panel}:popover-open")
            for summary in self.page.locator(f"#{panel} summary").all():
                summary.click()
            self.read()
            if cut := self.page.evaluate(CUT_IN_PANEL):
                self.faults.append(Fault(self.game.name, f"{width}x{height}", panel, "cut", "in the panel", cut))
            for summary in self.page.locator(f"#{panel} details[open] > summary").all():
                summary.click()
            self.page.keyboard.press("Escape")
            self.page.wait_for_selector(f"#{panel}:popover-open", state="detached")


def choose_first(player: Client, table: str) -> None:
    """Make the first choice that doesn't concede the match."""
    look = player.look(table)
    first = next(each["choice"] for each in look["choices"] if not each["concedes"])
    player.choose(table, first, look["version"]).raise_for_status()


@pytest.mark.parametrize("name", GAMES)
def test_a_match_in_the_pseudo_language(visit: Visit, server: AppServer, language: PseudoLanguage, name: str) -> None:
    table = server.table("Anna", "Ben", name=name)
    anna, ben = server.person("Anna"), server.person("Ben")
    page = visit(f"/table/{table}", "Anna")
    reader = Reader(page, server.held(table))
    ben.post(f"/api/table/{table}/propose", json={"what": "pause"})
    page.wait_for_selector(".scene [name=proposal]", state="attached")
    reader.read()
    anna.answer(table, agree=True)
    page.wait_for_selector(".scene [formaction$='/go-on']")
    reader.read()
    anna.post(f"/api/table/{table}/go-on").raise_for_status()
    for number in range(CHOICES):
        while reader.table.chooser == 2:
            choose_first(ben, table)
        if wait_for_state(page, "choose", "over") == "over":
            break
        if number in MEASURED:
            reader.measure(f"choice {number}")
        reader.read()
        click(page)
    anna.post(f"/api/table/{table}/chat", json={"word": "hello"})
    ben.post(f"/api/table/{table}/chat", json={"text": "zz"})
    expect(page.locator("#chat li")).to_have_count(2)
    for panel in ("chat-panel", "rules-panel", "table-panel"):
        reader.open(panel)
    if not reader.table.shown.over:
        ben.post(f"/api/table/{table}/give-up").raise_for_status()
    wait_for_state(page, "over")
    reader.measure("the end")
    assert reader.english == {}
    assert reader.faults == [], "\n".join(map(str, reader.faults))
    assert reader.on_phones == {*CUT_ON_PHONES[""], *CUT_ON_PHONES.get(name, ())}
    assert language.used - {*site_templates(), *templates(reader.game.folder), *declared_in(reader.game)} == set()


def declared_in(game: Game) -> Iterator[str]:
    """Yield what a game declares to be read: its options, its credit, and the names of levels of bots."""
    for option in game.options():
        yield from (option.heading, option.help, *getattr(option, "words", ()), option.in_words(option.default))
    yield from (game.credit.conditions, game.credit.changes)
    yield from bot_names(game).values()


def test_a_script_finds_the_form_of_any_number(browser: Browser, server: AppServer) -> None:
    """The list may have any length: here, languages would choose by the last digit."""
    page = browser.new_page()
    page.goto(f"{server.url}/")
    days = {"forms": ["{n} few", "{n} one", "{n} many"], "which": "0" + "2" * 10 + "1" + "2" * 8}
    script = str(page.locator("link[rel=stylesheet]").first.get_attribute("href")).rpartition("/")[0] + "/table/say.js"
    shown = page.evaluate(
        """async ([script, days]) => {
            const catalogue = document.createElement("script");
            Object.assign(catalogue, { type: "application/json", textContent: JSON.stringify({ "{n} day": days }) });
            document.getElementById("catalogue")?.remove();
            document.head.append(Object.assign(catalogue, { id: "catalogue" }));
            const { say } = await import(`${script}?again`);
            return [0, 1, 11, 12, 21, 301].map((n) => say("{n} day", "{n} days", { n }));
        }""",
        [script, days],
    )
    assert shown == ["0 few", "1 many", "11 one", "12 many", "21 one", "301 one"]
