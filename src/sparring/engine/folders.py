"""Find the user's data folder on this machine, and keep its files usable for its owner."""

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


def match_owner(file: Path) -> None:
    """Give a file that root has created to the owner of its folder, so that the server can use it."""
    if sys.platform != "win32" and os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid, follow_symlinks=False)


def user_name(user: int) -> str:
    """Return the name of a user of this machine, or the number if it has none."""
    from pwd import getpwuid

    try:
        return getpwuid(user).pw_name
    except KeyError:
        return str(user)


def no_permission(file: Path) -> str:
    """Say that this process may not use a file that the operator chose. Suggest no `chown`: its folder may be /root."""
    if sys.platform == "win32":
        return f"No permission for {file}. Choose a file in another folder."
    me = user_name(os.geteuid())
    return f"{me} has no permission for {file}. Choose a file in a folder that belongs to {me}."


def access_problem(file: Path) -> str:
    """Say who owns a file, or its folder, that this process may not use, and what to do; return nothing if it may."""
    if sys.platform == "win32":
        return ""
    wanted, me = os.R_OK | os.W_OK, os.geteuid()
    for each, how in ((file.parent, wanted | os.X_OK), (file, wanted)):
        exists = os.path.lexists(each) if each is file else os.path.isdir(each)  # noqa: PTH112 - Path.is_dir may raise
        if exists and not os.access(each, how, effective_ids=os.access in os.supports_effective_ids):
            if os.statvfs(each).f_flag & os.ST_RDONLY:
                return f"{each} can't be written to: its disk is mounted read-only."
            owner = each.stat().st_uid
            user = user_name(me)
            remedy = f"chown {user} {each}" if owner != me else f"chmod u+rwX {each}"
            return f"{each} belongs to {user_name(owner)}, and this process runs as {user}. Run `{remedy}` as root."
    return ""
