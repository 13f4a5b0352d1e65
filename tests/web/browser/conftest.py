"""Fixtures of tests in a browser: pages of tables without a server's news, and visits like a person's."""

from web.browser.pages import open_page

__all__ = ["open_page"]
