"""A careful bot for any game: of all choices it takes the one that it is surest not to lose by.

A bot is a class with one method. It is handed what its seat knows (`view.state`, `view.choices` with their numbers and
words, `view.scene`), and answers with a choice: its number, or its words.
"""

from sparring import View, bots


class Careful:
    """Asks a search, and looks at the worst that each choice may be worth instead of at the average."""

    def choose(self, view: View) -> int:
        """The choice whose chance to win is certainly the highest."""
        search = bots.parse("search:iterations=500")
        hint = search.advise(view, quick=not bots.is_ready(view.box.game))
        return max(hint.choices, key=lambda prospect: prospect.low).action
