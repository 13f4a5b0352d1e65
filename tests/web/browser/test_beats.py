"""Beats in a browser: shown one after the other, at a configurable speed, before the prompt."""

import pytest
from playwright.sync_api import Locator, Page, expect

from web.app_server import AppServer, StartServer
from web.browser.beat_tables import (
    CHOICE,
    OpenTable,
    answer,
    attack,
    discard,
    displayed_beat,
    open_table,
    prompt,
    scripts,
    table,
)

pytestmark = pytest.mark.browser
__all__ = ["open_table", "table"]  # fixtures

#: How long a beat may last (milliseconds): long enough to read, short enough not to wait for.
READABLE = range(700, 2500)
GRACE = 300


def lasting(page: Page, following: Locator) -> int:
    """Let time pass until something follows what is shown; return how long that took."""
    for passed in range(0, 6000, 50):
        if following.count():
            return passed
        page.clock.run_for(50)
    raise AssertionError("it doesn't follow")


def beat(page: Page, words: str) -> Locator:
    return page.locator(".telling .told ul", has_text=words)


def test_beats_play_in_order_before_the_prompt(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through: you keep control")
    assert page.locator(CHOICE).count() == 0
    assert lasting(page, beat(page, "You score")) in READABLE
    expect(displayed_beat(page)).to_have_text("You score: 1 of 3 points.")
    assert page.locator(CHOICE).count() == 0
    page.clock.run_for(READABLE.stop)
    expect(prompt(page)).to_contain_text("Discard any cards")
    assert page.locator(CHOICE).count() > 0
    assert page.locator("#effects .effect").count() > 0, "the effects of the last beat go on while the question is open"
    assert page.locator("#log li").last.inner_text() == "You score: 1 of 3 points."


def test_a_tap_skips_to_the_next_beat(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    answer(server, table)
    for expected in ("goes through", "You score"):
        expect(displayed_beat(page)).to_contain_text(expected)
        page.locator(".side.middle").click()
    expect(prompt(page)).to_contain_text("Discard any cards")


def test_after_skipping_by_keyboard_the_main_button_has_the_focus(
    server: AppServer, table: str, open_table: OpenTable
) -> None:
    page = open_table(server, table)
    answer(server, table)
    page.get_by_role("button", name="Skip", exact=True).press("Enter")
    expect(prompt(page)).to_contain_text("Discard any cards")
    assert page.evaluate("document.activeElement.matches('.buttons .main')")


def test_the_skip_button_does_not_take_the_focus(server: AppServer, open_table: OpenTable) -> None:
    table = server.table("Anna", "Ben", name="make-your-moves", first_control="seat1")
    page = open_table(server, table)
    attack(server, table)
    expect(page.locator(".telling")).to_be_visible()
    while page.locator(".telling").count():
        page.locator(".side [tabindex]").first.click()
    assert page.evaluate("!document.activeElement.closest('.side')")


def test_a_late_click_to_skip_makes_no_choice(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through")
    lasting(page, prompt(page))
    expect(prompt(page)).to_contain_text("Discard any cards")
    before = server.person("Anna").version(table)
    page.locator(CHOICE).first.click(position={"x": 12, "y": 12})
    assert page.locator("form.scene").get_attribute("data-version") == str(before)
    assert server.person("Anna").version(table) == before
    page.clock.run_for(GRACE)
    page.locator(CHOICE).first.click(position={"x": 12, "y": 12})
    expect(page.locator(f"form.scene:not([data-version='{before}'])")).to_be_visible()


def test_a_double_click_or_a_held_key_chooses_once(server: AppServer, open_table: OpenTable) -> None:
    """Even if the next prompt appears before the second click and has the focus."""
    table = server.table("Anna", "Ben", name="make-your-moves", first_control="seat1")
    page = open_table(server, table, "at once", reduced_motion="reduce")
    cards, laid, chosen = page.locator(".held [name=choice]"), page.locator(".side.middle .place"), list[str]()
    page.on("request", lambda request: chosen.append(request.url) if request.url.endswith("/choose") else None)
    cards.first.click()
    expect(laid).to_have_count(1)
    cards.first.hover()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert len(chosen) == 1
    page.clock.run_for(GRACE)
    cards.first.focus()
    for _ in range(3):
        page.keyboard.down("Enter")
        expect(laid).to_have_count(2)
    assert len(chosen) == 2
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    expect(laid).to_have_count(3)


def test_the_speed_of_beats_can_be_set(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_label("fast", exact=True).check()
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.get_by_label("fast", exact=True)).to_be_checked()
    page.keyboard.press("Escape")
    usual = open_table(server, table)
    answer(server, table)
    fast, slow = (lasting(each, beat(each, "You score")) for each in (page, usual))
    assert fast == pytest.approx(slow / 2, abs=60)


def test_reduced_motion_stops_movement_and_keeps_reading_time(
    server: AppServer, table: str, open_table: OpenTable
) -> None:
    page = open_table(server, table, reduced_motion="reduce")
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through")
    assert lasting(page, beat(page, "You score")) in READABLE
    assert page.locator(".track.changed").count() == 1
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_reload_during_beats_summarizes_them_and_continues(
    server: AppServer, table: str, open_table: OpenTable
) -> None:
    page = open_table(server, table)
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through")
    page.reload()
    expect(prompt(page)).to_contain_text("Discard any cards")
    expect(page.locator("#meanwhile")).to_contain_text("You score: 1 of 3 points.")
    expect(page.locator(".exchange")).to_contain_text("goes through: you keep control")
    discard(server, table)
    expect(displayed_beat(page)).to_contain_text("Turn 2: you are in control.")


def test_a_returning_player_gets_a_summary(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    look_away(page, True)
    answer(server, table)
    assert page.locator(".told").count() <= 1
    look_away(page, False)
    expect(prompt(page)).to_contain_text("Discard any cards")
    expect(page.locator("#meanwhile")).to_contain_text("While you were away: Ben doesn't defend.")
    expect(page.locator("#meanwhile")).to_contain_text("You score: 1 of 3 points.")
    page.locator("#meanwhile").click()
    expect(page.locator("#meanwhile")).to_be_hidden()


def look_away(page: Page, hidden: bool) -> None:
    """Switch to another tab, or back to this one."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_what_the_others_did_is_told_before_the_question_and_own_choices_are_not(
    server: AppServer, open_table: OpenTable
) -> None:
    table = server.table("Ben", "Anna", name="make-your-moves", first_control="seat1")
    page, ben = open_table(server, table), server.person("Ben")
    ben.page(table)  # the only target is chosen automatically
    assert ben.choose(table, ben.look(table)["choices"][0]["choice"]).status_code == 200
    assert ben.choose(table, "done").status_code == 200
    for told in ("Ben attacks you.", "Ben plays", "! Ben attacks you with"):
        expect(displayed_beat(page)).to_contain_text(told)
        expect(page.locator(".telling .sentence")).to_be_hidden()
        page.keyboard.press("Space")
    expect(prompt(page)).to_contain_text("Ben attacks")
    anna = server.person("Anna")
    card = next(each["choice"] for each in anna.look(table)["choices"] if each["choice"] != "done")
    assert anna.choose(table, card).status_code == 200
    expect(page.locator(".side.middle .place")).to_have_count(2)
    assert page.locator(".telling").count() == 0
    expect(page.locator(".told.own")).to_be_hidden()


def test_the_last_exchange_survives_a_restart(start_server: StartServer, open_table: OpenTable) -> None:
    server = start_server()
    table = server.table("Anna", "Ben", name="make-your-moves", first_control="seat1")
    page = open_table(server, table, "at once")
    assert page.locator(".exchange").count() == 0
    attack(server, table)
    answer(server, table)
    exchange = page.locator(".exchange")
    expect(exchange).to_contain_text("goes through: you keep control.")
    assert exchange.locator(".face").count() == 1
    assert exchange.locator("button[name=choice], [data-key]").count() == 0
    words = exchange.inner_text()
    page.close()
    server.close()
    page = open_table(start_server(), table, "at once")
    assert page.locator(".exchange").inner_text() == words


def test_the_previous_exchange_is_replaced_during_the_next(
    server: AppServer, table: str, open_table: OpenTable
) -> None:
    page, exchange = open_table(server, table), "document.querySelector('.exchange')?.getBoundingClientRect().toJSON()"
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through")
    page.keyboard.press("Space")
    expect(displayed_beat(page)).to_contain_text("You score")
    expect(page.locator(".exchange")).to_be_visible()  # it is the beat that is shown
    page.keyboard.press("Space")
    expect(prompt(page)).to_contain_text("Discard any cards")
    at_rest = page.evaluate(exchange)
    discard(server, table)
    expect(displayed_beat(page)).to_contain_text("Turn 2")
    expect(page.locator(".exchange")).to_be_hidden()
    assert page.evaluate(exchange) == at_rest
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(prompt(page)).to_contain_text("Play the first card of your attack.")
    expect(page.locator(".exchange")).to_be_visible()
    assert page.evaluate(exchange) == at_rest


#: Record where hits are shown: they disappear before a busy machine looks.
RECORD_STRUCK = """() => {
    window.struck = [];
    const place = (each) => [each.style.left, each.style.top].map(parseFloat);
    const record = (each) => each.matches?.(".struck") && window.struck.push(place(each));
    const added = (changes) => changes.forEach((change) => change.addedNodes.forEach(record));
    new MutationObserver(added).observe(document.body, { childList: true, subtree: true });
}"""


def test_a_hit_is_shown_where_it_lands_and_reduced_motion_marks_it(
    server: AppServer, table: str, open_table: OpenTable
) -> None:
    page = open_table(server, table)
    still = open_table(server, table, reduced_motion="reduce")
    page.evaluate(RECORD_STRUCK)
    answer(server, table)
    page.wait_for_function("() => window.struck.length")
    target = page.locator(".seat.s2").bounding_box()
    (struck,) = page.evaluate("() => window.struck")
    assert target is not None
    assert struck == pytest.approx([target["x"], target["y"]], abs=6)
    expect(displayed_beat(still)).to_contain_text("goes through")
    assert still.locator(".seat.s2.changed").count() == 1
    assert still.locator("#effects .effect").count() == 0


#: Record how large cards are when their movement begins, compared with where they end.
RECORD_SIZES = """() => {
    const animate = Element.prototype.animate;
    window.sizes = [];
    Element.prototype.animate = function (frames, ...more) {
        if (this.matches(".place") && frames[0].translate) window.sizes.push(frames[0].scale);
        return animate.call(this, frames, ...more);
    };
}"""


def test_dealt_cards_start_at_their_size_on_the_pile(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    answer(server, table)
    expect(displayed_beat(page)).to_contain_text("goes through")
    page.clock.run_for(10_000)
    page.evaluate(RECORD_SIZES)
    discard(server, table)
    expect(displayed_beat(page)).to_contain_text("Turn 2")
    sizes = page.evaluate("window.sizes")
    assert sizes, "cards move from the draw pile to the hand"
    assert max(sizes) < 1.5


def test_turns_head_the_log(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table, "at once")
    answer(server, table)
    discard(server, table)
    expect(page.locator("#log .turn").last).to_have_text("Turn 2: you are in control.")


def test_a_result_that_misses_is_shorter_than_a_hit(server: AppServer, open_table: OpenTable) -> None:
    page = open_table(server, server.table("Anna", "Ben"))
    lasts = """([lines, effects]) => import("/static/table/beats.js").then(({ lasts }) => {
        const scene = document.createElement("form");
        scene.dataset.effects = JSON.stringify(effects);
        scene.innerHTML = `<div class="told"><ul>${lines}</ul></div>`;
        return lasts(scene);
    })"""
    lasts = lasts.replace("/static", scripts(page))
    told = "<li class=result>{}</li>"
    assert page.evaluate(lasts, [told.format("A blow."), [{"kind": "hit"}]]) == 1200
    assert page.evaluate(lasts, [told.format("Out of range."), [{"kind": "miss"}]]) == 700
    assert page.evaluate(lasts, ["<li class=aside>You draw a Block.</li>", []]) == 250
    assert page.evaluate(lasts, ["<li data-subject='Seat 2'>Ben plays a card.</li>", []]) == 900
    assert page.evaluate(lasts, ["<li data-subject=you>Ýóúú ƥĺáýý á çáŕŕð.</li>", []]) == 300, "in any language"
    assert page.evaluate(lasts, ["<div class=own><li>You play a card.</li></div>", []]) == 300
    assert page.evaluate(lasts, [told.format("Word " * 30), [{"kind": "miss"}]]) > 1000


def test_a_chain_of_steps_never_takes_longer_than_five_seconds(server: AppServer, open_table: OpenTable) -> None:
    """A hundred ordinary steps of bots; then decisive ones, which are still visible."""
    page = open_table(server, server.table("Anna", "Ben"))
    page.evaluate(
        """async (base) => {
            const { player } = await import(`${base}/table/beats.js`);
            const root = document.createElement("div"), shown = window.shown = [];
            document.body.append(root);
            const step = (line) => {
                const scene = document.createElement("form");
                scene.className = "scene";
                scene.innerHTML = `<div class="ask"><div class="told"><ul>${line}</ul></div></div>`;
                return { scene };
            };
            const show = ({ scene }) => { root.replaceChildren(scene); shown.push(scene.innerText.trim()); };
            const ask = { scene: step("").scene };
            ask.scene.querySelector(".ask").classList.add("mine");
            const steps = Array.from({ length: 40 }, (_, n) => step(`<li>Bot ${n} does.</li>`));
            const hits = ["first", "second"].map((word) => step(`<li class=result data-hit>${word}</li>`));
            const settle = () => { window.settled = performance.now() - begun; };
            player(root, { show, pass() {}, settle }).add([...steps, ...hits, ask]);
        }""".replace("const root", "const begun = performance.now(), root", 1),
        scripts(page),
    )
    for _ in range(110):
        page.clock.run_for(50)
    assert page.evaluate("settled") <= 5000
    shown = page.evaluate("shown")
    assert any("first" in step for step in shown)
    assert any("second" in step for step in shown)
    assert len(shown) < 40
    assert any(step.count("does") > 1 for step in shown), "the table joins several"
