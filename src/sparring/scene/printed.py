"""The scene that games make: the model, and its text when it is printed."""

from . import model, text


class PrintableScene(model.Scene, frozen=True):
    """All that a seat sees of a match at one time; `print` shows it."""

    def __str__(self) -> str:
        return text.render(self)
