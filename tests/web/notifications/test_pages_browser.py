"""The pages about e-mail and notifications, in a browser."""

import pytest
from playwright.sync_api import Browser

from sparring.settings import PushSettings
from web.app_server import StartServer
from web.browser_helpers import assert_accessible, new_context
from web.notifications.mail_catcher import MailCatcher, reset_link, with_address
from web.notifications.push_service import PushBrowser

SERVICE = "https://push.apple.com"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_about_notifications_are_accessible(
    browser: Browser, start_server: StartServer, catcher: MailCatcher, scheme: str
) -> None:
    server = start_server(mail=catcher.settings, push=PushSettings(contact="mailto:you@table.example"))
    anna = with_address(server, catcher, "anna", "anna@example.com")
    anna.post("/me/push", json=PushBrowser(f"{SERVICE}/phone").subscription).raise_for_status()
    link = reset_link(server, catcher, "anna")
    context = new_context(browser, server.url, color_scheme=scheme, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "sparring", "value": anna.cookie(), "url": server.url}])
    page = context.new_page()
    for path in ("/me", "/sign-in/reset", link, "/mail/confirm?token=a", "/mail/stop?key=a&kind=turn"):
        page.goto(path)
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
