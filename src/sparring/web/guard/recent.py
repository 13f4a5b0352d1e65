"""What was looked up lately: so many of it, and where several processes are one server, only for a moment."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from sparring.web.settings import Settings

V = TypeVar("V")

#: For how long a process believes what another one may have changed meanwhile (seconds).
MOMENT = 2.0


class Recent(Generic[V]):
    """Values by their names; what was asked for longest ago makes room."""

    def __init__(self, most: int, age: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._age, self._clock = most, age, clock
        self._kept = OrderedDict[str, tuple[float, V]]()

    def __contains__(self, name: str) -> bool:
        kept = self._kept.get(name)
        return kept is not None and (self._age is None or self._clock() - kept[0] < self._age)

    def __getitem__(self, name: str) -> V:
        self._kept.move_to_end(name)
        return self._kept[name][1]

    def __setitem__(self, name: str, value: V) -> None:
        self._kept[name] = self._clock(), value
        self._kept.move_to_end(name)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def forget(self, name: str) -> None:
        """Look it up anew next time."""
        self._kept.pop(name, None)


def age_of(settings: Settings) -> float | None:
    """For how long what was looked up is believed; a process that is alone knows of every change."""
    return MOMENT if settings.inside else None
