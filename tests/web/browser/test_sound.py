"""Sound: on after the first press, muted in the bar; your turn, the end and the effects of a step play once."""

import pytest
from playwright.sync_api import Page, expect

from web.app_server import AppServer
from web.browser.visits import Visit

pytestmark = pytest.mark.browser

#: Replaces the loudspeakers: records the pitch of each note.
LOUDSPEAKER = """
window.heard = [];
window.AudioContext = class {
  state = "running"; currentTime = 0; destination = {};
  createOscillator() {
    const tone = { frequency: {}, connect: (to) => to, start: () => heard.push(tone.frequency.value), stop() {} };
    return tone;
  }
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
  }
};
"""
TURN, END = [660, 880], [523, 659, 784]
HIT, BLOCK = 150, 240


@pytest.fixture
def anna(visit: Visit) -> Page:
    """Open Anna's browser, at no table yet."""
    page = visit(who="Anna")
    page.add_init_script(LOUDSPEAKER)
    return page


def press(page: Page) -> None:
    """Press anything: browsers are silent before the first press."""
    page.get_by_role("heading", level=1).click()


def at_table(page: Page, table: str) -> None:
    with page.expect_response("**/events?*"):
        page.goto(f"/table/{table}")


def ben_plays(server: AppServer, table: str) -> None:
    ben = server.person("Ben")
    ben.choose(table, ben.look(table)["choices"][0]["choice"])
    ben.choose(table, "done")


def test_sound_is_on_after_the_first_press_and_can_be_muted(server: AppServer, anna: Page) -> None:
    table = server.table("Ben", "Anna")
    at_table(anna, table)
    ben_plays(server, table)
    expect(anna.locator(".ask.mine")).to_be_visible()
    assert anna.evaluate("heard") == []
    anna.get_by_role("button", name="done").click()
    anna.wait_for_function("() => heard.length > 0")
    mute = anna.get_by_role("button", name="Mute sounds")
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    anna.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")


def test_your_turn_and_the_end_play_a_sound(server: AppServer, anna: Page) -> None:
    table = server.table("Ben", "Anna")
    at_table(anna, table)
    press(anna)
    assert anna.evaluate("heard.splice(0)") == []
    ben_plays(server, table)
    expect(anna.locator(".ask.mine")).to_be_visible()
    assert anna.evaluate("heard.splice(0)")[-2:] == TURN
    anna.get_by_role("button", name="done").click()
    expect(anna.locator("form.scene.over")).to_be_visible()
    assert anna.evaluate("heard.splice(0)")[-3:] == END


def test_the_setting_is_also_in_the_panel(server: AppServer, anna: Page) -> None:
    table = server.table("Ben", "Anna")
    at_table(anna, table)
    anna.get_by_role("button", name="Table", exact=True).click()
    anna.get_by_label("Play sounds").uncheck()
    anna.keyboard.press("Escape")
    ben_plays(server, table)
    expect(anna.locator(".ask.mine")).to_be_visible()
    assert anna.evaluate("heard") == []


@pytest.mark.parametrize(
    ("choices", "came", "heard", "unheard"),
    [(("done",), "goes through", HIT, 0), (("73", "done"), "blocked", BLOCK, HIT)],
)
def test_a_hit_and_a_block_sound_different(
    server: AppServer, anna: Page, choices: tuple[str, ...], came: str, heard: int, unheard: int
) -> None:
    table = server.table("Anna", "Ben", name="make-your-moves", first_control="seat1", seed=5)
    anna.add_init_script("localStorage.setItem('sparring.pace', 'quick')")
    at_table(anna, table)
    press(anna)
    me, ben = server.person("Anna"), server.person("Ben")
    for choice in (me.look(table)["choices"][0]["choice"], "done"):
        me.choose(table, choice)
    for choice in choices:
        assert ben.choose(table, int(choice) if choice.isdigit() else choice).is_success
    assert any(came in line for line in me.look(table)["log"])
    anna.wait_for_function("pitch => heard.includes(pitch)", arg=heard)
    expect(anna.locator("form.scene:not(.telling)")).to_be_visible()
    assert unheard not in anna.evaluate("heard")
