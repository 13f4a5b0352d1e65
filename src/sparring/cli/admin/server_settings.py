"""`sparring admin settings`: print a server's settings with their origins, as a settings file."""

import json
from typing import TYPE_CHECKING, Any

from sparring.cli.common import AsJson, out, settings_file, write_json

if TYPE_CHECKING:
    from sparring.settings import FoundSetting


def show_settings(as_json: AsJson = False) -> None:
    """Print every setting with its value, origin, default and meaning; passwords are hidden.

    The output is a valid settings file, in which settings with their default value are comments.
    """
    from sparring.settings import find_settings

    found = find_settings(file=settings_file.get())
    if as_json:
        write_json([described(each) for each in found.values()])
        return
    section = ""
    for each in found.values():
        if (now := each.setting.name.rpartition(".")[0]) != section:
            section = now
            out.print(f"\n[{section}]", markup=False)
        out.print(line(each), markup=False)


def line(found: "FoundSetting") -> str:
    """Return a setting as a line of a settings file."""
    setting, comment = found.setting, found.setting.meaning
    if found.origin != "default":
        usual = "" if setting.varies else f", default {shown(setting.default)}"
        comment = f"{found.origin}{usual}: {comment}"
    begin = "# " if found.origin == "default" else ""
    return f"{begin}{setting.name.rpartition('.')[2]} = {shown(found.value)}  # {comment}"


def shown(value: Any) -> str:
    """Return a value as it is written in the file, without passwords."""
    from sparring.settings.sources import hide_passwords, written

    return hide_passwords(written(value))


def described(found: "FoundSetting") -> dict[str, Any]:
    """Return a setting as JSON."""
    setting = found.setting
    return {
        "name": setting.name, "value": json.loads(shown(found.value)), "origin": found.origin,
        "default": None if setting.varies else setting.default, "variable": setting.variable,
        "allowed": setting.allowed, "meaning": setting.meaning,
    }  # fmt: skip
