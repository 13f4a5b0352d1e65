"""Find the user's data folder on this machine."""

import os
import sys
from functools import cache
from pathlib import Path

#: The environment variables that the folder depends on.
VARIABLES = ("SPARRING_DATA", "LOCALAPPDATA", "XDG_DATA_HOME", "HOME", "USERPROFILE")


def data_folder() -> Path:
    """Return the folder for the user's Sparring data, which the environment variable SPARRING_DATA overrides."""
    return _data_folder(*map(os.environ.get, VARIABLES))


@cache
def _data_folder(own: str | None, windows: str | None, linux: str | None, *_home: str | None) -> Path:
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(windows or Path.home() / "AppData/Local") / "Sparring"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Sparring"
    return Path(linux or Path.home() / ".local/share") / "sparring"
