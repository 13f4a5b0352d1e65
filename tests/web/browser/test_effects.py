"""Effects in a browser: where they appear, the mark that replaces them with reduced motion, and the end of a match."""

import random
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sparring import games
from web.app_server import AppServer, show_choice
from web.browser.beat_tables import OpenTable, answer, open_table, scripts, table

pytestmark = pytest.mark.browser
__all__ = ["open_table", "table"]  # fixtures

#: Show effects on the table of the page, after moving a token if there is one.
SHOW = """async ([base, effects, moves]) => {
    const { prepare } = await import(`${base}/table/effects.js`);
    const root = document.getElementById("table"), scene = root.querySelector(".scene");
    scene.dataset.effects = JSON.stringify(effects);
    const show = prepare(root, scene);
    if (moves) root.querySelector(".token").setAttribute("transform", "translate(60 60)");
    show();
}"""
#: Count the pieces of paper that fall, as they are gone after a moment.
COUNT_PAPER = """() => {
    window.paper = 0;
    const count = (changes) => {
        for (const each of changes) for (const node of each.addedNodes) window.paper += !!node.matches?.(".paper");
    };
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
}"""
#: Draw the next scene, in which a card has landed on the attack and the totals are compared; return what is shown then.
LAND = """async (base) => {
    const { prepare } = await import(`${base}/table/effects.js`);
    const { update } = await import(`${base}/table/motion.js`);
    const root = document.getElementById("table"), next = root.querySelector(".scene").cloneNode(true);
    const [attack, defence] = ["attack", "defence"].map((key) => next.querySelector(`[data-key=${key}]`));
    if (!defence.querySelector(".total")) defence.append(attack.querySelector(".total").cloneNode(true));
    attack.querySelector(".total b").textContent = "41";
    defence.querySelector(".total b").textContent = "7";
    const card = attack.querySelector(".place").cloneNode(true);
    Object.assign(card.dataset, { key: "card new", from: "hand" });
    attack.querySelector("ul").append(card);
    next.insertAdjacentHTML("beforeend", "<div class=told><ul><li class=result>41 beats 7.</li></ul></div>");
    next.classList.add("telling");
    next.dataset.effects = JSON.stringify([{ kind: "clash", source: "attack", target: "defence", amount: 34 }]);
    const animate = prepare(root, next), arrival = update(root, next);
    animate(arrival);
    const drawn = [...document.querySelectorAll("#effects .effect")];
    return {
        arrival, totals: drawn.filter(each => each.matches(".total")).map(each => each.textContent),
        written: document.querySelector("[data-key=attack] .total b").textContent,
        delays: drawn.flatMap(each => each.getAnimations().map(one => one.effect.getTiming().delay)),
        verdict: getComputedStyle(next.querySelector(".told .result")).opacity,
    };
}"""
KEYS = "selector => [...document.querySelectorAll(selector)].map(each => each.dataset.key)"
MOVES = """key => document.querySelector(`[data-key="${key}"]`).getAnimations()
    .flatMap(each => each.effect.getKeyframes().map(frame => frame.translate ?? ""))
    .filter(way => !/^(|0px)$/.test(way))"""


def show(page: Page, *effects: dict[str, Any], moves: bool = False) -> None:
    page.evaluate(SHOW, [scripts(page), list(effects), moves])


def two_cards(page: Page) -> list[str]:
    keys: list[str] = page.evaluate(KEYS, ".held .place")
    return keys[:2]


def test_totals_meet_and_the_larger_one_wins(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    total = page.locator("[data-key=attack] .total b").inner_text()
    answer(server, table)
    expect(page.locator("#effects .total")).to_have_count(2)
    assert page.locator("#effects .total.wins").all_inner_texts() == [total]
    expect(page.locator("#effects")).to_have_attribute("data-game", "make-your-moves")


def test_totals_that_still_count_up_meet_with_their_final_values(
    server: AppServer, table: str, open_table: OpenTable
) -> None:  # fmt: skip
    """A card that lands and the comparison can come in one step: the verdict waits for the card."""
    page = open_table(server, table)
    landing = page.evaluate(LAND, scripts(page))
    assert landing["totals"] == ["41", "7"]
    assert landing["written"] != "41", "the total changes when the card lands"
    assert min(landing["delays"]) >= landing["arrival"] > 200, "the blow waits for the card"
    assert landing["verdict"] == "0", "the verdict waits for the card"


def test_a_stopped_attack_is_stamped_with_its_outcome(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    key = two_cards(page)[0]
    show(page, {"kind": "block", "target": key, "word": "Countered!"})
    assert page.locator("#effects .number").all_inner_texts() == ["Countered!"]


def test_totals_that_are_not_on_the_table_meet_between_what_fights(
    server: AppServer, table: str, open_table: OpenTable
) -> None:  # fmt: skip
    page = open_table(server, table)
    one, other = two_cards(page)
    show(page, {"kind": "clash", "source": one, "target": other, "amount": -1, "totals": [5, 9]})
    drawn = page.evaluate(
        "[...document.querySelectorAll('#effects .total')].map(e => [e.innerText, e.matches('.wins')])"
    )
    assert drawn == [["5", False], ["9", True]]


def test_the_place_that_fights_lights_up_and_both_cards_lunge(
    server: AppServer, table: str, open_table: OpenTable
) -> None:  # fmt: skip
    page, still = open_table(server, table), open_table(server, table, reduced_motion="reduce")
    one, other = two_cards(page)
    clash = {"kind": "clash", "source": one, "target": other}
    places = [page.locator(f".held [data-key='{key}']").bounding_box() for key in (one, other)]
    show(page, clash, {"kind": "hit", "source": one, "target": other, "amount": 2})
    box = page.locator("#effects .lane").evaluate("each => [parseFloat(each.style.left), parseFloat(each.style.width)]")
    edges = [edge for place in places if place for edge in (place["x"], place["x"] + place["width"])]
    assert box == pytest.approx([min(edges), max(edges) - min(edges)], abs=8)
    assert page.evaluate(MOVES, one)
    assert page.evaluate(MOVES, other)
    assert page.locator("#effects .number").all_inner_texts() == ["−2"]
    show(still, clash)
    assert set(still.evaluate(KEYS, ".changed")) >= {one, other}
    assert still.locator("#effects .effect").count() == 0


def test_a_destroyed_card_breaks_and_stays_away(server: AppServer, table: str, open_table: OpenTable) -> None:
    page = open_table(server, table)
    key = two_cards(page)[0]
    show(page, {"kind": "destroy", "target": key})
    assert page.locator("#effects .half .face").count() == 2
    page.evaluate(f"document.querySelector('[data-key=\"{key}\"]').getAnimations().forEach(each => each.finish())")
    assert page.locator(f".held [data-key='{key}']").evaluate("each => getComputedStyle(each).opacity") == "0.15"


def test_a_token_that_is_pushed_slides_and_leaves_a_trail(server: AppServer, open_table: OpenTable) -> None:
    page = open_table(server, server.table("Anna", "Ben", name="mace"))
    pushed, pushing = page.evaluate(KEYS, ".token")[:2]
    show(page, {"kind": "move", "source": pushing, "target": pushed}, moves=True)
    assert page.locator("#effects .trail").count() == 1
    ways = page.evaluate(MOVES, pushed)
    assert ways
    assert page.evaluate(MOVES, pushing)
    page.evaluate("document.getAnimations().forEach(each => each.finish())")
    show(page, {"kind": "move", "target": pushed}, moves=True)
    assert page.locator("#effects .trail").count() == 0, "it hasn't moved again"


def test_a_piece_that_is_thrown_leaves_the_board_and_stays_away(server: AppServer, open_table: OpenTable) -> None:
    page = open_table(server, server.table("Anna", "Ben", name="mace"))
    thrown, throwing = page.evaluate(KEYS, ".token")[:2]
    middle, edge = page.evaluate(
        """key => {
        const middle = box => box.left + box.width / 2, token = document.querySelector(`[data-key="${key}"]`);
        return [middle(token.closest("svg").getBoundingClientRect()), middle(token.getBoundingClientRect())];
    }""",
        thrown,
    )
    show(page, {"kind": "throw", "source": throwing, "target": thrown})
    outward, *_ = page.evaluate(MOVES, thrown)[-1].split()
    assert float(outward.removesuffix("px")) * (edge - middle) > 0
    page.evaluate("document.getAnimations().forEach(each => each.finish())")
    assert page.locator(f"[data-key='{thrown}']").evaluate("each => getComputedStyle(each).opacity") == "0"


def test_a_bar_shows_what_it_has_lost(server: AppServer, open_table: OpenTable) -> None:
    page = open_table(server, server.table("Anna", "Ben", name="world-of-fighters"))
    lost = page.evaluate(
        """async (base) => {
            const { update } = await import(`${base}/table/motion.js`);
            const root = document.getElementById("table"), track = "<span class='track as-bar' data-mark='toy'>"
                + "<svg viewBox='0 0 100 8'><rect class='level' height='8' width='100'/></svg></span>";
            root.querySelector(".scene").insertAdjacentHTML("beforeend", track);
            const next = root.querySelector(".scene").cloneNode(true);
            next.lastElementChild.querySelector(".level").setAttribute("width", "40");
            update(root, next);
            return root.querySelectorAll(".track .lost").length;
        }""",
        scripts(page),
    )
    assert lost == 1
    page.evaluate("document.getAnimations().forEach(each => each.finish())")
    expect(page.locator(".track .lost")).to_have_count(0)


@pytest.mark.parametrize("name", list(games()))
def test_a_win_is_celebrated_over_the_final_position(server: AppServer, open_table: OpenTable, name: str) -> None:
    """The board, the rows or the exchange that decided it are still there; with reduced motion the winner is marked."""
    table, action = won_by(server, name, 1)
    page, still = open_table(server, table), open_table(server, table, reduced_motion="reduce")
    for each in (page, still):
        each.evaluate(COUNT_PAPER)
    server.run(choose(server, table, action))
    for each in (page, still):
        expect(each.locator(".telling")).to_be_visible()
        while each.locator(".telling").count():
            each.keyboard.press("Space")
        expect(each.locator(".scene.over .ask")).to_be_visible()
        field = each.locator(".side.middle, .exchange").first.bounding_box()
        components = each.locator(":is(.side.middle, .exchange) :is(.token, .place, .cell)")
        assert field is not None
        assert field["height"] > 150
        assert components.count() > 0
        assert components.first.is_visible()
    assert page.evaluate("paper") > 10
    assert still.evaluate("paper") == 0
    assert still.locator(".seat.changed").count() == 1


def test_the_loser_sees_a_quiet_end(server: AppServer, open_table: OpenTable) -> None:
    table, action = won_by(server, "make-your-moves", 2)
    page = open_table(server, table)
    page.evaluate(COUNT_PAPER)
    server.run(choose(server, table, action))
    expect(page.locator(".telling")).to_be_visible()
    while page.locator(".telling").count():
        page.keyboard.press("Space")
    expect(page.locator(".scene.over.lost .ask")).to_contain_text("Ben wins")
    assert page.evaluate("paper") == 0


def won_by(server: AppServer, name: str, seat: int) -> tuple[str, int]:
    """Return a table with an action by which this seat wins."""
    for seed in range(1, 30):
        table = server.table("Anna", "Ben", name=name, seed=seed)
        action = server.run(play_until_the_last_choice(server, table, random.Random(seed)))
        if action is not None and server.run(winner_of(server, table, action)) == seat:
            return table, action
    raise AssertionError("there is no such match")


async def winner_of(server: AppServer, table: str, action: int) -> int:
    """Return the seat that wins by an action."""
    after = (await server.tables.registry.get(table)).match.preview(action).after
    return int(after.payoff.argmax()) + 1


async def play_until_the_last_choice(server: AppServer, table: str, dice: random.Random) -> int | None:
    """Make random choices until one more wins the match; return that one, or None if the table makes it itself."""
    found = await server.tables.registry.get(table)
    found.players = found.with_player(1, replace(found.players[0], auto_choices=True))  # else her visit stores it
    while not (match := found.match).over:
        kept = [each for each in match.legal() if each not in match.game.conceding]
        action = dice.choice(kept)
        if (last := match.preview(action)).after.over and len(match.legal()) > 1:
            return action if any(effect.kind == "win" for effect in match.beats(1, last)[-1].effects) else None
        show_choice(found, action)
    return None


async def choose(server: AppServer, table: str, action: int) -> None:
    found = await server.tables.registry.get(table)
    show_choice(found, action)
    found.wake()
