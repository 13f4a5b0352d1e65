"""A careful bot for any game: it takes the action with the highest lower bound of its win probability.

A bot is a class with one method. It gets the view of its seat (`view.state`, `view.choices` with their numbers and
words, `view.scene`) and returns an action, as a number or in words.
"""

from sparring import View, bots


class Careful:
    """Compares the lower bounds of a search's estimates instead of their means."""

    def choose(self, view: View) -> int:
        """Return the action with the highest lower bound."""
        search = bots.parse("search:iterations=500")
        hint = search.advise(view, quick=not bots.is_ready(view.setup.game))
        return max(hint.choices, key=lambda estimate: estimate.low).action
