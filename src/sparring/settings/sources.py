"""Read settings from command options, environment variables, a TOML file, a profile, or their defaults, in that order.

A setting is declared once, as a dataclass field: `streams: Annotated[int, Meta(ge=1, description="...")] = 800`.
A field that is a dataclass itself is a section, and all of its fields are settings.
"""

import logging
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from sparring.engine.errors import SparringError

log = logging.getLogger(__name__)

#: The prefix of environment variables.
PREFIX = "SPARRING_"
#: The setting that chooses a profile.
PROFILE = "profile"
#: The longest value that a message quotes, in characters.
LONGEST_QUOTE = 60


#: The password in an address, even if that has a typo: after a user name, or in the query.
PASSWORDS = re.compile(r'((?<=:/)/?[^/:@"]*:|(?<![^"])(?!mailto:)[^/:@"]*:(?!/))[^"]*@|(?<=password=)[^&"]+')


class InvalidSettings(SparringError):
    """The server can't start with these settings; the message has one line per mistake."""


@dataclass(frozen=True)
class Setting:
    """A setting that an operator can change; `varies` if its default depends on the machine."""

    name: str
    type: Any
    default: Any
    varies: bool

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it."""
        return PREFIX + self.name.replace(".", "_").upper()

    @cached_property
    def _info(self) -> tuple[inspect.Type, str]:
        info = inspect.type_info(self.type)
        if isinstance(info, inspect.Metadata):
            return info.type, (info.extra_json_schema or {}).get("description", "")
        return info, ""

    @property
    def meaning(self) -> str:
        """Return its description, one line."""
        return self._info[1]

    @property
    def allowed(self) -> str:
        """Describe its possible values."""
        return _described(self._info[0])

    def parse(self, text: str) -> Any:
        """Return the value of an environment variable; items of a list are separated by commas."""
        if isinstance(self._info[0], inspect.VarTupleType):
            return tuple(part.strip() for part in text.split(",") if part.strip())
        return msgspec.convert(text.strip(), self.type, strict=False)


@dataclass(frozen=True)
class FoundSetting:
    """The value of a setting and its source."""

    setting: Setting
    value: Any
    origin: str = "default"


def settings_of(kind: type, section: str = "") -> dict[str, Setting]:
    """Return the settings that a dataclass declares, by name; those of a section are called `section.name`."""
    result = dict[str, Setting]()
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        default = field.default if field.default_factory is MISSING else field.default_factory()
        setting = Setting(section + field.name, hints[field.name], default, varies=field.default is MISSING)
        if is_dataclass(setting.type):
            result |= settings_of(setting.type, f"{setting.name}.")  # type: ignore[arg-type]
        elif section or setting.meaning:
            result[setting.name] = setting
    return result


def read(
    kind: type, *, file: Path | None = None, options: Mapping[str, Any] | None = None,
    profiles: Mapping[str, Mapping[str, Any]] | None = None, environment: Mapping[str, str] | None = None,
    retired: Mapping[str, str] | None = None,
) -> dict[str, FoundSetting]:  # fmt: skip
    """Return the settings of a dataclass, each with its source; raise InvalidSettings with all mistakes.

    The names in `retired` are ignored with a warning, which says why.
    """
    reader = _Reader(settings_of(kind), retired or {})
    given = dict(reader.from_file(file) if file else ())
    given.update(reader.from_environment(os.environ if environment is None else environment))
    given.update(reader.from_options(options or {}))
    if reader.mistakes:
        raise InvalidSettings("\n".join(reader.mistakes))
    for name in sorted(reader.ignored):
        log.warning("The setting `%s` is deprecated and has no effect: %s.", name, reader.retired[name])
    found = {name: given.get(name, FoundSetting(setting, setting.default)) for name, setting in reader.known.items()}
    if profiles and (profile := found[PROFILE].value) in profiles:
        for name, value in profiles[profile].items():
            if name not in given:
                found[name] = FoundSetting(reader.known[name], value, f'profile "{profile}"')
    return found


def values_of(found: Mapping[str, FoundSetting], section: str = "") -> dict[str, Any]:
    """Return the values of one section by field name; without a section, of all settings outside sections."""
    prefix = f"{section}." if section else ""
    return {
        name.removeprefix(prefix): each.value
        for name, each in found.items()
        if name.startswith(prefix) and "." not in name.removeprefix(prefix)
    }


def _described(info: inspect.Type) -> str:
    """Describe the values of a type."""
    if isinstance(info, inspect.IntType | inspect.FloatType):
        kind = "a whole number" if isinstance(info, inspect.IntType) else "a number"
        if info.le is not None:
            return f"{kind} from {info.ge:,} to {info.le:,}"
        return kind if info.ge is None else f"{kind}, at least {info.ge:,}"
    if isinstance(info, inspect.LiteralType):
        return " or ".join(f'"{value}"' for value in info.values)
    if isinstance(info, inspect.UnionType):
        return ", or ".join(map(_described, info.types))
    names = {inspect.BoolType: "true or false", inspect.VarTupleType: "a list of strings"}
    return names.get(type(info), "a string")


class _Reader:
    """Read the sources and collect all mistakes."""

    def __init__(self, known: Mapping[str, Setting], retired: Mapping[str, str]) -> None:
        self.known, self.retired = known, retired
        self.ignored: set[str] = set()
        self.mistakes: list[str] = []
        self._sections = {name.partition(".")[0] for name in known if "." in name}

    def from_file(self, file: Path) -> Iterator[tuple[str, FoundSetting]]:
        for name, value in self._entries(file):
            if name in self.retired:
                self.ignored.add(name)
            elif name not in self.known:
                near = self._nearest(name.rpartition(".")[2])
                self._unknown(f"{name} in {file}", near.name if near else None)
            else:
                yield from self._checked(name, value, f"{name} in {file}", str(file))

    def from_environment(self, environment: Mapping[str, str]) -> Iterator[tuple[str, FoundSetting]]:
        names = {setting.variable: name for name, setting in self.known.items()}
        sections = tuple(f"{PREFIX}{section.upper()}_" for section in self._sections)
        self.ignored.update(name for name in self.retired if environment.get(f"{PREFIX}{name.upper()}", "").strip())
        for variable, text in sorted(environment.items()):
            if variable in names and text.strip():
                setting = self.known[names[variable]]
                try:
                    yield setting.name, FoundSetting(setting, setting.parse(text), variable)
                except msgspec.ValidationError:
                    self._mistake(variable, setting, text)
            elif variable not in names and variable.startswith(sections):
                near = self._nearest(variable.removeprefix(PREFIX).partition("_")[2].lower())
                self._unknown(f"The environment variable {variable}", near.variable if near else None)

    def from_options(self, options: Mapping[str, Any]) -> Iterator[tuple[str, FoundSetting]]:
        for name, value in options.items():
            if name in self.retired:
                self.ignored.add(name)
                continue
            option = f"--{name.replace('_', '-')}"
            yield from self._checked(name, value, option, option)

    def _entries(self, file: Path) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a file, by names of settings."""
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as problem:
            raise InvalidSettings(f"Can't read the settings file {file}: {problem.strerror or problem}.") from None
        except ValueError as problem:
            raise InvalidSettings(f"The settings file {file} isn't valid TOML: {problem}.") from None
        for key, value in table.items():
            if key not in self._sections:
                yield key, value
            elif isinstance(value, dict):
                yield from ((f"{key}.{name}", inner) for name, inner in value.items())
            else:
                self.mistakes.append(f"{key} in {file} is a section: write [{key}] with its settings below.")

    def _checked(self, name: str, value: Any, where: str, origin: str) -> Iterator[tuple[str, FoundSetting]]:
        setting = self.known[name]
        try:
            yield name, FoundSetting(setting, msgspec.convert(value, setting.type), origin)
        except msgspec.ValidationError:
            self._mistake(where, setting, value)

    def _mistake(self, where: str, setting: Setting, value: Any) -> None:
        quoted = hide_passwords(written(value))
        quoted = quoted if len(quoted) <= LONGEST_QUOTE else f"{quoted[:LONGEST_QUOTE]}..."
        self.mistakes.append(f"{where} must be {setting.allowed}, not {quoted}.")

    def _unknown(self, what: str, near: str | None) -> None:
        hint = f"did you mean {near}?" if near else "`sparring admin settings --json` lists all settings."
        self.mistakes.append(f"{what} isn't a setting; {hint}")

    def _nearest(self, key: str) -> Setting | None:
        """Return the setting, of any section, whose name is most like a key."""
        tails = {name.rpartition(".")[2]: setting for name, setting in self.known.items()}
        near = get_close_matches(key, tails, 1)
        return tails[near[0]] if near else None


def written(value: Any) -> str:
    """Return a value as it is written in a settings file."""
    return repr(value) if isinstance(value, float) else msgspec.json.encode(value, enc_hook=str).decode()


def hide_passwords(text: str) -> str:
    """Return a text without the passwords of the addresses in it."""
    return PASSWORDS.sub(lambda found: f"{found[1]}***@" if found[1] else "***", text)
