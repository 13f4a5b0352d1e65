"""What people do at a table in the browser."""

from playwright.sync_api import Locator, Page, expect

from journeys.steps import Journey

#: The scene says who is asked: the page waits for the others, is asked to choose, or the match is over.
STATE = """states => {
    const scene = document.querySelector("form.scene");
    const choice = scene.querySelector("#table button[name=choice]");
    const state = scene.classList.contains("over") ? "over" : choice ? "choose" : "wait";
    return states.includes(state) && state;
}"""
CHANGED = "before => document.querySelector('form.scene')?.dataset.version !== before"

WITH_MOTION = "matchMedia('(prefers-reduced-motion: no-preference)').matches"
#: A press this soon after an animation (ms, and a little more) is taken for one that skips it, and chooses nothing.
GRACE = 350
AT_REST = "Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})))"


def create_table(journey: Journey, page: Page, game: str, *players: str, **options: int) -> None:
    """Go from the start page to a new table, with these players at the other seats and these rule options."""
    journey.click(page.get_by_role("link", name=f"Customize {game}"))
    page.get_by_label("Your name").fill("Anna")
    for seat, player in enumerate(players, 2):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(player)
    if options:
        journey.click(page.get_by_text("Rule options"))
    for name, number in options.items():
        page.locator(f"input[name='option.{name}']").fill(str(number))
    journey.click(page.get_by_role("button", name="Create table"))
    expect(page.locator("form.scene")).to_be_visible()


def wait_for(page: Page, *states: str) -> str:
    """Wait until the table is in one of these states: `choose`, `wait` or `over`."""
    page.wait_for_load_state()
    return str(page.wait_for_function(STATE, arg=states).json_value())


def lit(page: Page) -> Locator:
    """Return what can be chosen, without giving up."""
    conceding = (page.locator("#table").get_attribute("data-conceding") or "").split()
    kept = "".join(f":not([value='{choice}'])" for choice in conceding)
    return page.locator(f"#table button[name=choice]{kept}:visible")


def choose(journey: Journey, page: Page) -> None:
    """Click the last thing that is lit; the table must answer."""
    page.evaluate(AT_REST)  # a mouse would miss a card that moves away between its press and its release
    if page.evaluate(WITH_MOTION):
        page.wait_for_timeout(GRACE)
    before = page.locator("form.scene").get_attribute("data-version")
    journey.click(lit(page).last)
    page.wait_for_function(CHANGED, arg=before)


def play(journey: Journey, page: Page, most: int) -> str:
    """Play until the match is over, or this many clicks; return the state of the table."""
    for _ in range(most):
        if wait_for(page, "choose", "over") == "over":
            return "over"
        choose(journey, page)
    return wait_for(page, "choose", "over")


def history(page: Page) -> list[str]:
    """Return the lines of the history in the side panel."""
    return page.locator(".history #log li").all_inner_texts()
