"""Find the user's data folder on this machine."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Return the folder for the user's Sparring data, which the environment variable SPARRING_DATA overrides."""
    own = os.environ.get("SPARRING_DATA")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Sparring"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Sparring"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "sparring"
