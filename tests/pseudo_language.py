"""A pseudo-language, in which every letter has an accent and every text is a third longer.

What stays in plain letters isn't in a catalogue: only names, and words that people type, should.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from sparring.engine.messages import reading_in

_ACCENTS = str.maketrans(
    "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz", "ÁáƁɓÇçÐðÉéƑƒĜĝĤĥÍíĴĵĶķĹĺṀṁÑñÓóƤƥɊɋŔŕŠšŤťÚúṼṽŴŵẊẋÝýŽž"
)
#: Fields, words to type, and markup.
_KEPT = re.compile(r"(\{[^}]*\}|“[^”]*”|<code>[^<]*</code>|<[^>]*>)")


class PseudoLanguage(NullTranslations):
    """Translates any template, and records it."""

    def __init__(self) -> None:
        super().__init__()
        self._info = {"language": "en-XA"}  # the usual code of a pseudo-language with accents
        self.used = set[str]()

    def gettext(self, message: str) -> str:
        """Return the template with accents; words of more than two letters have one more letter in three."""
        self.used.add(message)
        parts = _KEPT.split(message)
        parts[::2] = [re.sub(r"\w{3,}", _longer, part).translate(_ACCENTS) for part in parts[::2]]
        return "".join(parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the template for a number."""
        text = self.gettext(msgid1 if n == 1 else msgid2)
        self.used.discard(msgid2)
        self.used.add(msgid1)
        return text


def _longer(word: re.Match[str]) -> str:
    return word[0] + word[0][-1] * (len(word[0]) // 3)


@contextmanager
def pseudo_language() -> Iterator[PseudoLanguage]:
    """Show all texts in the pseudo-language while the block runs."""
    with reading_in(language := PseudoLanguage()):
        yield language
