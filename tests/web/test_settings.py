"""Settings: their sources, precedence, and the messages for mistakes."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import pytest
from msgspec import Meta

from benchmarks.load.__main__ import LEVELS
from benchmarks.load.server import SETTINGS as SETTINGS_OF_LOAD
from sparring.serve import prepare
from sparring.settings import (
    PROFILES,
    SETTINGS,
    Limits,
    MailSettings,
    PushSettings,
    Settings,
    check_notifications,
    find_settings,
)  # fmt: skip
from sparring.settings.sources import InvalidSettings, Setting, read, settings_of, written

PAGE = Path(__file__).parent.parent.parent / "docs" / "settings.md"

ALL = "`sparring admin settings --json` lists all settings."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sparring.toml"


def mistakes(file: Path, text: str, monkeypatch: pytest.MonkeyPatch | None = None, **variables: str) -> str:
    file.write_text(text)
    for name, value in variables.items():
        assert monkeypatch
        monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings) as found:
        find_settings(file.parent)
    return str(found.value).replace(str(file), "FILE")


def test_option_over_variable_over_file_over_default(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('port = 1\nhost = "::1"\nheartbeat = 5\n[limits]\nstreams = 7\n')
    monkeypatch.setenv("SPARRING_PORT", "2")
    monkeypatch.setenv("SPARRING_HOST", "192.0.2.1")
    monkeypatch.setenv("SPARRING_NAMES", "a.example, b.example")
    monkeypatch.setenv("SPARRING_LIMITS_STREAMS_EACH", "9")
    monkeypatch.setenv("SPARRING_WARMING", "false")
    found = find_settings(tmp_path, options={"port": 3})
    told = {name: (each.value, each.origin) for name, each in found.items() if each.origin != "default"}
    assert told == {
        "port": (3, "--port"), "host": ("192.0.2.1", "SPARRING_HOST"), "heartbeat": (5.0, str(file)),
        "names": (("a.example", "b.example"), "SPARRING_NAMES"), "limits.streams": (7, str(file)),
        "limits.streams_each": (9, "SPARRING_LIMITS_STREAMS_EACH"), "warming": (False, "SPARRING_WARMING"),
    }  # fmt: skip
    usual = Settings.load(tmp_path, port=3)
    assert (usual.port, usual.host, usual.names) == (3, "192.0.2.1", ("a.example", "b.example"))
    assert usual.limits == Limits(streams=7, streams_each=9)


def test_the_settings_file_is_given_by_option_variable_or_data_folder(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, given = tmp_path / "named.toml", tmp_path / "given.toml"
    for number, path in enumerate((file, named, given), 1):
        path.write_text(f"port = {number}")
    assert Settings.load(tmp_path).port == 1
    monkeypatch.setenv("SPARRING_SETTINGS", str(named))
    assert Settings.load(tmp_path).port == 2
    assert Settings.load(tmp_path, given).port == 3
    with pytest.raises(InvalidSettings, match=r"nowhere\.toml: No such file or directory\."):
        Settings.load(tmp_path, tmp_path / "nowhere.toml")


def test_an_empty_variable_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_PROXY", "")
    monkeypatch.setenv("SPARRING_PORT", " ")
    assert {each.origin for each in find_settings(tmp_path).values()} == {"default"}


def test_explicit_settings_override_a_profile(file: Path, tmp_path: Path) -> None:
    file.write_text('profile = "club"\n[limits]\nstreams = 900\n')
    found = find_settings(tmp_path)
    assert (found["limits.streams"].value, found["limits.streams"].origin) == (900, str(file))
    assert found["limits.connections"].origin == 'profile "club"'
    assert Settings.load(tmp_path).limits.connections == PROFILES["club"]["limits.connections"] > Limits().connections


def test_the_load_test_uses_a_documented_profile(tmp_path: Path) -> None:
    limits = Settings.load(tmp_path, SETTINGS_OF_LOAD).limits
    assert min(limits.connections_each, limits.streams_from, limits.tables_going_on) > 2 * max(LEVELS)


POSTGRES = "postgresql+asyncpg://sparring@localhost/sparring"


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({}, 1),
        ({"processes": "auto", "database": "sqlite+aiosqlite:///tables.sqlite3"}, 1),
        ({"processes": 3}, 3),
        ({"database": POSTGRES}, 6),
        ({"processes": "auto", "database": POSTGRES}, 6),
        ({"processes": 2, "database": POSTGRES}, 2),
        ({"database": POSTGRES, "jobs": "postgresql://localhost/jobs"}, 6),
    ],
)
def test_one_process_per_core_on_postgresql_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], count: int
) -> None:
    monkeypatch.setattr("sparring.settings.server._cores", lambda: 6)
    assert Settings.load(tmp_path, **given).process_count == count


def test_profiles_consist_of_settings() -> None:
    assert {"home", *PROFILES} == set(get_args(get_args(get_type_hints(Settings, include_extras=True)["profile"])[0]))
    for profile in PROFILES.values():
        assert profile.keys() <= SETTINGS.keys()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("streems = 4", "streems in FILE isn't a setting; did you mean limits.streams?"),
        ("[limits]\nprot = 4", "limits.prot in FILE isn't a setting; did you mean port?"),
        ("qwxyz = 4", f"qwxyz in FILE isn't a setting; {ALL}"),
        ("[server]\nport = 4", "server in FILE isn't a setting; "),
        ('secret = "x"', "secret in FILE isn't a setting; "),
        ("limits = 4", "limits in FILE is a section: write [limits] with its settings below."),
        ('port = "80"', 'port in FILE must be a whole number from 0 to 65,535, not "80".'),
        ("port = 65536", "port in FILE must be a whole number from 0 to 65,535, not 65536."),
        ("port = true", "port in FILE must be a whole number from 0 to 65,535, not true."),
        ("heartbeat = nan", "heartbeat in FILE must be a number from 0.1 to 3,600, not nan."),
        ("[limits]\nstreams = 0", "limits.streams in FILE must be a whole number, at least 1, not 0."),
        ("processes = 0", 'processes in FILE must be a whole number, at least 1, or "auto", not 0.'),
        ('processes = "all"', 'processes in FILE must be a whole number, at least 1, or "auto", not "all".'),
        ("[limits.streams]\na = 1", 'limits.streams in FILE must be a whole number, at least 1, not {"a":1}.'),
        ("names = 'a'", 'names in FILE must be a list of strings, not "a".'),
        ("warming = 'no'", 'warming in FILE must be true or false, not "no".'),
        ("host = 1979-05-27", 'host in FILE must be a string, not "1979-05-27".'),
        ("profile = 'pub'", 'profile in FILE must be "club" or "home", not "pub".'),
        ("host = 5" + "0" * 18, "host in FILE must be a string, not 5" + "0" * 18 + "."),
        ("names = " + "'" + "x" * 99 + "'", 'names in FILE must be a list of strings, not "' + "x" * 59 + "...."),
        ("port =", "The settings file FILE isn't valid TOML: Invalid value (at end of document)."),
    ],
)
def test_a_mistake_in_the_file_gets_one_sentence(file: Path, text: str, sentence: str) -> None:
    told = mistakes(file, text)
    assert sentence in told
    assert "\n" not in told


def test_a_file_that_is_not_text_gets_one_sentence(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidSettings, match="isn't valid TOML: 'utf-8' codec"):
        find_settings(file.parent)


def test_all_mistakes_are_reported_at_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = mistakes(
        file, "port = -1\nstreems = 2", monkeypatch, SPARRING_WARMING="maybe", SPARRING_LIMITS_STREEMS="4",
        SPARRING_LIMITS_QWXYZ="1", SPARRING_SOMETHING="else",
    )  # fmt: skip
    assert sorted(told.splitlines()) == sorted(
        [
            "port in FILE must be a whole number from 0 to 65,535, not -1.",
            "streems in FILE isn't a setting; did you mean limits.streams?",
            "The environment variable SPARRING_LIMITS_STREEMS isn't a setting; did you mean SPARRING_LIMITS_STREAMS?",
            f"The environment variable SPARRING_LIMITS_QWXYZ isn't a setting; {ALL}",
            'SPARRING_WARMING must be true or false, not "maybe".',
        ]
    )


def test_the_proxys_address_is_checked_before_a_server_starts(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings) as found:
        prepare(replace(Settings.load(tmp_path), proxy="proxy.example"), None, browser=False, say=print)
    assert str(found.value) == '`proxy` must be an IP address, such as 127.0.0.1, not "proxy.example".'


MAIL = {
    "server": "smtps://a:b@mail.example",
    "sender": "Sparring <play@table.example>",
    "site": "https://table.example",
}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"server": "mail.example:25"}, "`mail.server` must be written smtps://USER:PASSWORD@HOST:PORT"),
        ({"sender": "Sparring"}, "`mail.sender` must be an e-mail address, such as Sparring <play@table.example>, not"),
        ({"site": ""}, '`mail.site` must be the server\'s URL, such as https://table.example, not "".'),
        ({"site": "table.example"}, "`mail.site` must be the server's URL"),
    ],
)
def test_mail_settings_are_checked_before_a_server_starts(more: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidSettings) as found:
        check_notifications(settings_with(mail=MailSettings(**{**MAIL, **more})))
    assert str(found.value).startswith(sentence)
    check_notifications(settings_with(mail=MailSettings(**MAIL)))
    check_notifications(settings_with())


def test_the_contact_for_push_services_is_checked() -> None:
    with pytest.raises(InvalidSettings, match="must begin with mailto: or https://"):
        check_notifications(settings_with(push=PushSettings(contact="you@table.example")))
    check_notifications(settings_with(push=PushSettings(contact="mailto:you@table.example")))


@pytest.mark.parametrize(
    ("name", "more"),
    [("mail.server", {"mail": MailSettings(**MAIL)}), ("push.contact", {"push": PushSettings(contact="https://a.example")})],
)  # fmt: skip
def test_notifications_without_their_packages_say_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, name: str, more: dict[str, Any]
) -> None:
    monkeypatch.setattr("sparring.settings.server.find_spec", lambda _: None)
    with pytest.raises(InvalidSettings) as found:
        check_notifications(settings_with(**more))
    assert str(found.value).startswith(f'`{name}` needs more packages (extra `notify`): pip install "')
    assert "aiosmtplib>=" in str(found.value)


def settings_with(**more: Any) -> Settings:
    return Settings(database="", secret="known", **more)


def test_sections_are_read_from_file_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sparring.toml").write_text(
        '[mail]\nserver = "smtp://mail.example"\n[push]\nservices = ["a.example"]\n'
    )
    monkeypatch.setenv("SPARRING_MAIL_SENDER", "play@table.example")
    found = Settings.load(tmp_path)
    assert (found.mail.server, found.mail.sender) == ("smtp://mail.example", "play@table.example")
    assert found.push.services == ("a.example",)


def test_settings_are_derived_from_declared_fields() -> None:
    @dataclass(frozen=True)
    class Part:
        plain: int = 3

    @dataclass(frozen=True)
    class Whole:
        told: Annotated[int, Meta(description="Told")] = 1
        untold: int = 2
        part: Part = Part()

    assert list(settings_of(Whole)) == ["told", "part.plain"]
    assert read(Whole, environment={"SPARRING_PART_PLAIN": "4"})["part.plain"].value == 4
    assert {f"limits.{field.name}" for field in fields(Limits)} < set(SETTINGS)


@pytest.mark.parametrize("name", list(SETTINGS))
def test_every_setting_has_a_description_and_a_valid_default(name: str, tmp_path: Path) -> None:
    setting = SETTINGS[name]
    assert setting.meaning, f"describe {name}: Annotated[..., Meta(description=...)]"
    value = find_settings(tmp_path)[name].value
    file = tmp_path / "other.toml"
    section, _, key = name.rpartition(".")
    file.write_text(f"{f'[{section}]' * bool(section)}\n{key} = {written(value)}")
    assert find_settings(tmp_path, file)[name].value == value


def row(setting: Setting) -> str:
    """Return the row of a setting in `docs/settings.md`."""
    default = "" if setting.varies else f"`{written(setting.default)}`"
    return f"| `{setting.name}` | {default} | {setting.allowed} | {setting.meaning} |"


def test_the_docs_list_every_setting() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert "\n".join(rows) == "\n".join(map(row, SETTINGS.values()))


def test_the_docs_show_what_profiles_set() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, value in PROFILES["club"].items():
        assert f"\n{name.removeprefix('limits.')} = {value}\n" in page


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("broker", "workers get jobs from the database `jobs`"),
        ("inside", "servers on several machines need only the same database"),
    ],
)
def test_settings_of_earlier_versions_are_ignored_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, why: str
) -> None:
    """A server that was started with one still starts, whatever its source."""
    sentence = f"The setting `{name}` is deprecated and has no effect: {why}."
    file = tmp_path / "sparring.toml"
    file.write_text(f'{name} = "redis://10.0.0.9:6379"')
    Settings.load(tmp_path, file)
    monkeypatch.setenv(f"SPARRING_{name.upper()}", "redis://10.0.0.9:6379")
    Settings.load(tmp_path)
    said: dict[str, Any] = {name: "redis://10.0.0.9:6379"}
    Settings.load(tmp_path, file, **said)
    monkeypatch.delenv(f"SPARRING_{name.upper()}")
    Settings.load(tmp_path, **said)
    assert [record.getMessage() for record in caplog.records] == 4 * [sentence]
