"""A card with a single ability that can be used now is one large button."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import sparring.site
from sparring.engine.glossary import NO_WORDS
from sparring.scene.html_parts import parts_for
from sparring.scene.markup import NAMELESS
from sparring.scene.model import Button, Card, Face

pytestmark = pytest.mark.browser

SCRIPT = Path(sparring.site.__file__).parent / "static/table/choices.js"
USE, OTHER = (
    Button(text="Sleep", action=7, words="use Owl: Sleep"),
    Button(text="Heal", action=8, words="use Owl: Heal"),
)
LATER = Button(text="Heal", why_not="You need 1 Green.")


@pytest.mark.parametrize(
    ("choices", "pressed"), [((USE,), ["7"]), ((USE, LATER), ["7"]), ((USE, OTHER), []), ((LATER,), [])]
)
def test_a_click_on_the_picture_uses_the_only_ability(
    browser: Browser, choices: tuple[Button, ...], pressed: list[str]
) -> None:
    card = parts_for(NAMELESS, "plain", NO_WORDS).card(Card("card 1", Face("Owl"), choices=choices), in_hand=False)
    page = browser.new_page()
    page.set_content(f"<form>{card}</form>")
    page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
    page.evaluate("""() => {
        window.pressed = [];
        document.addEventListener("submit", (event) => {
            event.preventDefault();
            pressed.push(event.submitter.value);
        });
    }""")
    page.locator(".face").click()
    assert page.evaluate("pressed") == pressed
    page.close()
