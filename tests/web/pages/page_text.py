"""What pages say."""

import re
from html import unescape

from sparring import games
from sparring.tutorials import has_lesson

TAUGHT = [name for name, each in games().items() if has_lesson(each)]


def text_of(page: str) -> str:
    """Return the text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def step(page: str) -> int:
    """Return the step on a page; 0 at the end."""
    found = re.search(r"Step (\d+) of", page)
    return int(found[1]) if found else 0


def headings(text: str) -> list[str]:
    return [unescape(re.sub("<[^>]*>", "", each)) for each in re.findall(r"<h[23][^>]*>(.*?)</h[23]>", text)]
