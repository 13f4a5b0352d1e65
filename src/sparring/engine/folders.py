"""Where a person's own things are kept on this machine."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder for a person's Sparring data; the environment variable SPARRING_DATA names another one."""
    own = os.environ.get("SPARRING_DATA")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Sparring"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Sparring"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "sparring"
