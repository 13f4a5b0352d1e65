"""The studio in a real browser: from opening it to playing; by keyboard; in two windows; no code runs."""

import pytest
from playwright.sync_api import Locator, Page, expect

from web.browser_helpers import assert_accessible, check_both
from web.studio.set_pages import PHONE, Visit, hold, saved, wait_for

pytestmark = pytest.mark.browser


def test_on_a_phone_the_preview_is_folded_and_leaves_room_to_edit(visit: Visit) -> None:
    page = visit(viewport=PHONE, color_scheme="dark")
    page.locator("#editor summary").first.click()
    for width, height in ((390, 844), (844, 390), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        covered = page.locator("#card-values").bounding_box()
        assert covered
        assert covered["width"] * covered["height"] < 0.1 * width * height
        page.get_by_role("button", name="Show preview").click()
        expect(page.locator("#preview .said").first).to_be_in_viewport()
        assert_accessible(page)
        page.get_by_role("button", name="Hide preview").click()
        expect(page.locator("#preview .said").first).to_be_hidden()
    assert_accessible(page)


def test_on_a_phone_the_header_of_a_set_takes_little_room(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    name, cards = page.locator("#set-name").bounding_box(), page.locator("#editor summary").first.bounding_box()
    assert name
    assert cards
    assert cards["y"] - name["y"] < 240


def test_from_the_start_page_to_a_match_with_a_custom_card(visit: Visit) -> None:
    page = visit(path="/")
    page.get_by_role("link", name="Studio", exact=True).click()
    page.get_by_label("Game", exact=True).select_option("five-circles")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create set").click()
    page.get_by_text("Card 1", exact=False).first.click()
    card = page.locator("#editor details[open]")
    card.get_by_label("Name").fill("Own Hero")
    card.get_by_label("Long Range").check()
    expect(page.locator("#preview")).to_contain_text("Costs 4 Red.")
    expect(card.locator(".toggle.no-fit", has_text="Armor 1")).to_contain_text("Needs 2 circles; 1 left.")
    card.get_by_label("Attack", exact=True).fill("9")
    expect(card.locator(".fault", has_text="but Attack + Health is 10.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-disabled", "true")
    card.get_by_label("Attack", exact=True).fill("2")
    saved(page)
    expect(page.locator("#legal")).to_contain_text("ready to play")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("form.scene")).to_be_visible()


def test_on_a_phone_the_preview_is_at_the_bottom_above_its_balance(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.locator("#editor summary").first.click()
    expect(page.locator("#preview .card-preview")).to_be_in_viewport(ratio=0.99)  # small, while folded
    page.get_by_role("button", name="Show preview").click()
    expect(page.locator("#preview .card-preview")).to_be_in_viewport(ratio=0.99)
    fold = page.get_by_role("button", name="Hide preview").bounding_box()
    card, balance = (
        page.locator("#preview").bounding_box(),
        page.locator("#card-values .card-values").first.bounding_box(),
    )
    assert fold
    assert card
    assert balance
    assert 0 <= card["y"] - (fold["y"] + fold["height"]) < 8
    assert card["y"] + card["height"] <= balance["y"]


def test_the_actions_of_a_set_are_in_one_line(visit: Visit) -> None:
    page = visit()
    undo, play = (page.get_by_role("button", name=name).bounding_box() for name in ("Undo", "Play"))
    assert undo
    assert play
    assert undo["y"] == play["y"]


def test_sliders_keep_the_sum_and_undo_goes_back(visit: Visit) -> None:
    page = visit("world-of-fighters")
    page.locator("#editor summary").first.click()
    fighter = page.locator("#editor details[open]")
    fighter.get_by_label("Punch (keeps the total").focus()
    page.keyboard.press("ArrowRight")
    saved(page)
    stats = [fighter.get_by_label(name, exact=True).input_value() for name in ("Punch", "Kick", "Grapple", "Block")]
    assert stats == ["2", "1", "2", "2"]
    expect(page.locator("#preview")).to_contain_text("Budget 7")
    page.get_by_role("button", name="Undo").click()
    expect(fighter.get_by_label("Punch", exact=True)).to_have_value("1")
    page.get_by_role("button", name="Redo").click()
    expect(fighter.get_by_label("Punch", exact=True)).to_have_value("2")


def test_a_board_is_painted_by_keyboard_and_keeps_its_symmetry(visit: Visit) -> None:
    page = visit("untitled-movement")
    page.locator("#editor summary").first.click()
    grid = page.locator("#editor details[open] .grid")
    grid.get_by_role("button", name="space 0,0, closed").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(grid.get_by_role("button", name="space 1,1, closed")).to_be_focused()
    expect(grid.get_by_role("button", name="space 1,10, closed")).to_be_visible()
    saved(page)
    page.reload()
    assert "##........##" in page.locator("textarea.drawn").first.input_value()


def test_start_hexes_are_painted_by_keyboard_and_by_mouse(visit: Visit) -> None:
    page = visit("mace")
    board = page.get_by_role("group", name="2 Fighters").locator(".grid")
    board.get_by_role("button", name="hex 0,-5, empty").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(board.get_by_role("button", name="hex 0,-4, Fighter 1")).to_be_focused()
    page.get_by_role("group", name="2 Fighters").get_by_role("button", name="Fighter 2", exact=True).click()
    board.get_by_role("button", name="hex 0,-4, Fighter 1").click()
    expect(board.get_by_role("button", name="hex 3,0, Fighter 1")).to_be_visible()
    saved(page)
    page.reload()
    numbers = page.get_by_role("group", name="2 Fighters").locator(".pair input").all()
    assert [number.input_value() for number in numbers] == ["3", "0", "0", "-4"]
    page.get_by_role("button", name="Undo").click()
    expect(board.get_by_role("button", name="hex 0,-4, Fighter 1")).to_be_visible()


def drawn_by_finger(page: Page, spaces: list[Locator]) -> None:
    """Drag a finger from the first space over the others."""
    spaces[0].scroll_into_view_if_needed()
    spaces[0].evaluate("space => scrollBy(0, space.getBoundingClientRect().top - 300)")
    boxes = [space.bounding_box() for space in spaces]
    wire = page.context.new_cdp_session(page)
    for number, box in enumerate(boxes):
        assert box
        there = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        kind = "touchMove" if number else "touchStart"
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [there]})
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_boards_are_painted_by_finger(visit: Visit) -> None:
    page = visit("untitled-movement", viewport=PHONE, has_touch=True)
    page.locator("#editor summary").first.tap()
    grid = page.locator("#editor details[open] .grid")
    drawn_by_finger(page, [grid.get_by_role("button", name=f"space 5,{n},") for n in (6, 7)])
    expect(grid.get_by_role("button", name="space 5,7, closed")).to_be_visible()
    expect(grid.get_by_role("button", name="space 5,4, closed")).to_be_visible()  # the symmetry is preserved
    saved(page)

    page = visit("mace", viewport=PHONE, has_touch=True)
    board = page.get_by_role("group", name="2 Fighters").locator(".grid")
    drawn_by_finger(page, [board.get_by_role("button", name=f"hex {place},") for place in ("2,0", "3,0", "3,-1")])
    expect(board.get_by_role("button", name="hex 3,-1, Fighter 1")).to_be_visible()
    expect(board.get_by_role("button", name="hex 3,0, Fighter 2")).to_be_visible()  # the pointer only passed over it
    saved(page)


def two_windows(visit: Visit) -> tuple[Page, Page]:
    """Open one set in two windows: the first has stored a change, the second changes the same field."""
    page = visit("high-card")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_label("Card 1", exact=True).fill("50")
    saved(page)
    other.get_by_label("Card 1", exact=True).fill("60")
    return page, other


def test_conflicting_windows_ask_which_version_to_keep(visit: Visit) -> None:
    page, other = two_windows(visit)
    expect(other.get_by_role("dialog")).to_contain_text("Card 1: 60 here, 50 in the other window.")
    other.get_by_role("button", name="Keep my changes").click()
    saved(other)
    page.reload()
    expect(page.get_by_label("Card 1", exact=True)).to_have_value("60")


def test_loading_the_other_version_drops_local_changes(visit: Visit) -> None:
    page, other = two_windows(visit)
    with other.expect_navigation():
        other.get_by_role("button", name="Use the other version").click()
    expect(other.get_by_label("Card 1", exact=True)).to_have_value("50")
    page.reload()
    expect(page.get_by_label("Card 1", exact=True)).to_have_value("50")


def test_entries_are_added_copied_and_removed_by_keyboard(visit: Visit) -> None:
    page = visit("make-your-moves")
    page.get_by_role("button", name="Add a card").press("Enter")
    expect(page.get_by_role("group", name="Card 81", exact=True).get_by_label("Name")).to_be_focused()
    page.get_by_role("group", name="Card 81", exact=True).get_by_role("button", name="Copy").press("Enter")
    expect(page.get_by_role("group", name="Card 82", exact=True).get_by_label("Name")).to_have_value("Card 2")
    page.get_by_role("group", name="Card 82", exact=True).get_by_role("button", name="Remove").press("Enter")
    expect(page.get_by_role("group", name="Card 82", exact=True)).to_have_count(0)


def test_the_preview_shows_a_card_as_soon_as_it_is_added(visit: Visit) -> None:
    page = visit("make-your-moves")
    preview = page.locator("#preview .card-preview")
    page.get_by_role("group", name="Card 2", exact=True).get_by_label("Name").fill("Second Card")
    expect(preview).to_contain_text("Second Card")
    page.get_by_role("button", name="Add a card").click()
    expect(page.get_by_role("group", name="Card 81", exact=True).get_by_label("Name")).to_be_focused()
    expect(preview).to_contain_text("Card 81")


def test_the_preview_shows_a_card_that_is_opened_while_another_is_saved(visit: Visit) -> None:
    page = visit()
    first, second = (page.locator("#editor details.thing").nth(number) for number in (0, 1))
    late = hold(page, "**/change")
    first.locator("summary").click()
    first.get_by_label("Name").fill("First Hero")
    wait_for(page, late)
    name = second.get_by_label("Name").input_value()
    second.locator("summary").click()
    late[0].continue_()
    expect(page.locator("#preview .card-preview")).to_contain_text(name)
    saved(page)


def test_the_preview_stays_at_the_open_card_after_undo(visit: Visit) -> None:
    page = visit()
    card = page.locator("#editor details.thing").nth(1)
    card.locator("summary").click()
    name = card.get_by_label("Name").input_value()
    card.get_by_label("Name").fill("Second Hero")
    expect(page.locator("#preview .card-preview")).to_contain_text("Second Hero")
    saved(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#preview .card-preview")).to_contain_text(name)


def test_a_failed_save_is_shown_and_retried(visit: Visit) -> None:
    page = visit("high-card")
    page.route("**/change", lambda route: route.abort())
    page.get_by_label("Card 1", exact=True).fill("50")
    expect(page.locator("#saved")).to_contain_text("Not saved yet: No answer from the server.")
    page.unroute("**/change")
    busy = {"status": 503, "json": {"reason": "The database can't be written at the moment."}}
    page.route("**/change", lambda route: route.fulfill(**busy))
    expect(page.locator("#saved")).to_contain_text("The database can't be written")
    page.unroute("**/change")
    saved(page)
    page.reload()
    expect(page.get_by_label("Card 1", exact=True)).to_have_value("50")


def test_input_before_the_script_has_loaded_is_saved(visit: Visit) -> None:
    page = visit("five-circles")
    late = hold(page, "**/studio/studio.js")
    page.goto(page.url, wait_until="commit")
    page.locator("#editor summary").first.click()
    card = page.locator("#editor details[open]")
    card.get_by_label("Name").fill("Early Bird")
    card.get_by_label("Long Range").check()
    page.locator("#set-name").fill("Typed early")
    wait_for(page, late)
    late[0].continue_()
    expect(page.locator("#preview")).to_contain_text("Costs 4 Red.")
    saved(page)
    page.reload()
    expect(page.locator("#editor summary").first).to_contain_text("Early Bird")
    expect(page.locator("#set-name")).to_have_value("Typed early")


def test_the_history_restores_earlier_versions(visit: Visit) -> None:
    page = visit("high-card")
    page.get_by_label("Card 1", exact=True).fill("50")
    saved(page)
    page.get_by_text("Sharing, download").click()
    page.get_by_role("button", name="Restore version 1").click()
    expect(page.get_by_label("Card 1", exact=True)).to_have_value("1")
    expect(page.locator(".history li")).to_have_count(3)


def test_axe_finds_nothing(visit: Visit) -> None:
    page = visit("untitled-movement")
    page.locator("#editor summary").first.click()
    page.get_by_text("Sharing, download").click()
    page.get_by_text("Rule options").click()
    saved(page)
    check_both(page)
    page.goto("/studio")
    check_both(page)


def test_the_list_shows_a_picture_of_each_card_and_of_its_changes(visit: Visit) -> None:
    page = visit()
    first = page.locator("details.thing").first
    expect(page.locator("details.thing > summary > .thumb .face")).to_have_count(28)
    expect(first.locator(".thumb")).to_contain_text("Matchstick Imp")
    first.locator("summary").click()
    first.get_by_label("Name", exact=True).fill("Match Girl")
    expect(first.locator(".thumb")).to_contain_text("Match Girl")
    page.get_by_role("button", name="Move Card 1 (Matchstick Imp) down").or_(
        page.get_by_role("button", name="Move Card 1 (Match Girl) down")
    ).click()
    expect(page.locator("details.thing").nth(1).locator(".thumb")).to_contain_text("Match Girl")
    assert_accessible(page)
