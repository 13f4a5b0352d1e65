"""The scene class that games use: the model, which prints as text."""

from . import model, text


class PrintableScene(model.Scene, frozen=True):
    """What a seat sees of a match at one time; `print` shows it as text."""

    def __str__(self) -> str:
        return text.render(self)
