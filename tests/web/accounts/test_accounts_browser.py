"""Accounts in a real browser: passkeys from one device on another, and accessibility."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from sparring.people.passwords import CODES
from web.accounts.account_helpers import PASSWORD
from web.app_server import AppServer
from web.browser_helpers import assert_accessible, new_context

pytestmark = pytest.mark.browser

LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
#: A phone with a fingerprint sensor.
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


class Device:
    """A browser with its virtual authenticator."""

    def __init__(self, browser: Browser, server: AppServer, **more: Any) -> None:
        self.context = new_context(browser, server.url.replace("127.0.0.1", "localhost"), **more)
        self.context.set_default_timeout(60_000)
        self.page: Page = self.context.new_page()
        self.wrong = list[str]()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.asked: CDPSession = self.context.new_cdp_session(self.page)
        self.asked.send("WebAuthn.enable")
        self.authenticator = self.asked.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    def passkeys(self) -> list[dict[str, object]]:
        """Return the passkeys of the authenticator."""
        told = self.asked.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})
        return told["credentials"]  # type: ignore[no-any-return]

    def learn(self, passkey: dict[str, object]) -> None:
        """Add a passkey of another device, as synchronized devices do."""
        self.asked.send("WebAuthn.addCredential", {"authenticatorId": self.authenticator, "credential": passkey})


StartDevice = Callable[..., Device]


@pytest.fixture
def device(browser: Browser, server: AppServer) -> Iterator[StartDevice]:
    opened = list[Device]()

    def begin(**more: Any) -> Device:
        opened.append(Device(browser, server, **more))
        return opened[-1]

    yield begin
    for each in opened:
        each.context.close()
    assert [wrong for each in opened for wrong in each.wrong] == []


def play(page: Page, name: str) -> None:
    """Create a table of Hush."""
    page.goto("/games/hush")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/table/*")


def check(page: Page) -> None:
    assert_accessible(page)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0


def test_a_passkey_signs_in_on_another_device(device: StartDevice) -> None:
    laptop = device(viewport=LAPTOP)
    play(laptop.page, "Anna")
    table = laptop.page.url.rpartition("/")[2]
    laptop.page.get_by_role("link", name="Create account").click()
    check(laptop.page)
    laptop.page.get_by_text("Use a passkey instead").click()
    check(laptop.page)
    laptop.page.get_by_label("Passkey name").fill("laptop")
    laptop.page.get_by_role("button", name="Create passkey").click()
    expect(laptop.page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    expect(laptop.page.get_by_role("status")).to_have_text("Account created. Sign in with it on any device.")
    check(laptop.page)
    laptop.page.get_by_role("link", name="I've saved my codes").click()
    check(laptop.page)
    laptop.page.get_by_role("button", name="Add passkey").click()  # this device has a passkey
    expect(laptop.page.get_by_role("alert")).to_have_text("This device already has one of your passkeys.")
    [passkey] = laptop.passkeys()

    phone = device(viewport=PHONE, color_scheme="dark")
    play(phone.page, "Anna's phone on a train")
    phone.page.goto("/")
    expect(phone.page.get_by_role("link", name="Create account")).to_be_visible()
    check(phone.page)
    phone.page.goto("/sign-in")
    check(phone.page)
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.page.get_by_role("alert")).to_contain_text("No passkey was chosen.")
    phone.learn(passkey)
    phone.page.get_by_label("Add to my account: 1 match as Anna's phone on a train").nth(1).check()
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.page.get_by_role("status")).to_have_text("Welcome back.")
    expect(phone.page.get_by_text("2 tables, 0 studio sets")).to_be_visible()
    check(phone.page)
    phone.page.goto(f"/table/{table}")
    expect(phone.page.get_by_role("heading", name="Your hand")).to_be_visible()

    phone.page.goto("/me/delete")
    expect(phone.page.get_by_text("where you are the only person")).to_be_visible()
    check(phone.page)

    laptop.page.goto("/me")
    laptop.page.get_by_role("button", name="Sign out everywhere").click()
    expect(laptop.page.get_by_role("status")).to_have_text("You are signed out everywhere.")
    phone.page.goto("/")
    expect(phone.page.locator(".strip")).to_contain_text("You were signed out.")
    check(phone.page)


def test_a_copied_recovery_code_signs_in_on_a_phone(device: StartDevice) -> None:
    laptop = device(viewport=LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    page = laptop.page
    play(page, "Cleo")
    page.goto("/create-account")
    page.get_by_label("Sign-in name").fill("cleo")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("button", name="Copy codes").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    codes = page.evaluate("navigator.clipboard.readText()").split()
    assert codes == page.get_by_role("listitem").all_inner_texts()

    phone = device(viewport=PHONE, color_scheme="dark").page
    phone.goto("/sign-in")
    phone.get_by_role("link", name="Use a recovery code").click()
    check(phone)
    phone.get_by_label("One of the codes you saved").fill("none-such-code-here")
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_role("alert")).to_contain_text("This code is wrong, used or expired.")
    check(phone)
    phone.get_by_label("One of the codes you saved").fill(codes[3].upper().replace("-", " "))
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_role("status")).to_contain_text("set a new password or add a passkey.")
    expect(phone.get_by_label("New password")).to_be_in_viewport()
    expect(phone.get_by_text(f"You have {CODES - 1} of {CODES} codes left.")).to_be_visible()
    check(phone)
    phone.get_by_role("button", name="Create new codes").click()
    expect(phone.get_by_text("Your older codes no longer work.")).to_be_visible()
    check(phone)
