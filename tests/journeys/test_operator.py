"""Operator of a club's server behind nginx: upgrade, backup, kill, restore, bans and keys, as docs/hosting.md says."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from journeys.at_table import choose, create_table, history, wait_for
from journeys.installed import ROOT, Installation
from journeys.steps import Journey
from web.proxies import Proxy, free_port, needs, start_nginx
from web.upgrades.samples import unpacked

pytestmark = [pytest.mark.journey, needs("nginx")]

HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
PASSWORD = "three green teapots"


def documented(words: str, **values: str) -> list[str]:
    """Return the command of the docs that begins with these words, with these values for its placeholders."""
    found = re.search(rf"(?:`|^)sparring ({words}(?: [^`\n]*?)?)(?:`|$)", HOSTING, re.MULTILINE)
    assert found, f"docs/hosting.md has no command {words}"
    command = found[1].replace('"..."', "WHY")
    for name, value in values.items():
        assert name in command.split(), f"{command} has no {name}"
        command = command.replace(name, value)
    return command.split()


class Club:
    """The operator's machine: a data folder, nginx, and a server that can be killed and started again."""

    def __init__(self, place: Installation) -> None:
        self.place, self.port = place, free_port()
        self.server: subprocess.Popen[str] | None = None
        self.use("data")

    def use(self, name: str) -> None:
        """Use another data folder, with the settings file of the docs."""
        data = self.place.folder.parent / name
        data.mkdir(exist_ok=True)
        self.place.environment["SPARRING_DATA"] = str(data)
        settings = re.search(r"```toml\n +profile = .*?```", HOSTING, re.DOTALL)
        assert settings, "docs/hosting.md has no settings of a club"
        (data / "sparring.toml").write_text(settings[0].removeprefix("```toml").removesuffix("```"))

    def sparring(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the operator does: by the script in `deploy`, with this machine's folders and user."""
        data = self.place.environment["SPARRING_DATA"]
        script = (ROOT / "deploy" / "sparring").read_text(encoding="utf-8")
        for docs, here in (
            ("runuser -u sparring -- ", ""), ("/opt/sparring/.venv/bin", str(self.place.programs)),
            ("/var/lib/sparring", data), ("/var/cache/sparring", f"{data}/cache"),
        ):  # fmt: skip
            assert docs in script
            script = script.replace(docs, here)
        return subprocess.run(
            ["sh", "-c", script, "sparring", *words], cwd=self.place.folder, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, env=self.place.environment | {"TERM": "dumb"},
        )  # fmt: skip

    def admin(self, words: str, **values: str) -> str:
        """Run a command of the docs; return what it prints."""
        done = self.sparring(*documented(f"admin {words}", **values))
        assert done.returncode == 0, done.stdout
        return done.stdout

    def start(self) -> None:
        command = [str(self.place.programs / "sparring"), "play", "--no-browser", "--port", str(self.port)]
        self.server = subprocess.Popen(
            command, cwd=self.place.folder, env=self.place.environment, text=True, stdout=subprocess.PIPE
        )
        assert self.server.stdout
        assert " at http://" in self.server.stdout.readline()

    def stop(self, how: int = signal.SIGINT) -> None:
        if self.server:
            self.server.send_signal(how)
            self.server.communicate(timeout=30)
        self.server = None


@pytest.fixture
def club(installation: Installation) -> Iterator[Club]:
    started = Club(installation)
    yield started
    started.stop()


@contextmanager
def nginx(folder: Path, port: int) -> Iterator[Proxy]:
    folder.mkdir()
    started = start_nginx(folder, port)
    try:
        yield started
    finally:
        started.stop()


def take_turn(journey: Journey, *pages: Page) -> None:
    """Let the player whose turn it is choose."""
    choose(journey, next(page for page in cycle(pages) if wait_for(page, "choose", "wait") == "choose"))


def test_operator(browser: Browser, club: Club, journey: Journey, tmp_path: Path) -> None:
    file, data = tmp_path / "backup", Path(club.place.environment["SPARRING_DATA"])
    with journey.step("Update a server of an earlier version"):
        (data / "tables.sqlite3").write_bytes(unpacked("schema-0021", "sqlite"))
        club.start()
        old = json.loads(club.sparring("admin", "tables", "--json").stdout)
        assert len(old) > 3
        assert (data / "tables.sqlite3.before-upgrade").exists()
    with journey.step("Start a second server by mistake"):
        second = club.sparring("play", "--no-browser", "--port", "0")
        assert second.returncode == 2
        assert "Another server uses" in second.stdout
    with journey.step("Mistype the data folder"):
        club.use("mistyped")
        missed = club.sparring(*documented("admin backup")[:2], str(tmp_path / "nothing"))
        assert missed.returncode == 2
        looked = data.parent / "mistyped" / "tables.sqlite3"
        assert f"no server's database at {looked} (from SPARRING_DATA)" in missed.stdout
        assert not (tmp_path / "nothing").exists()
        club.use("data")
    with nginx(tmp_path / "nginx", club.port) as proxy:
        with journey.step("Look at its health through nginx"):
            anna = journey.open(browser, proxy.url, ignore_https_errors=True)
            anna.goto("/health")
            assert "Everything works." in anna.locator("body").inner_text()
        with journey.step("Create an account"):
            anna.goto("/")
            journey.click(anna.get_by_role("link", name="Create account"))
            anna.get_by_label("Sign-in name").fill("Anna")
            anna.get_by_label("Password", exact=True).fill(PASSWORD)
            journey.click(anna.get_by_role("button", name="Create account"))
            expect(anna.locator("body")).to_contain_text("Anna")
        with journey.step("Invite a friend to a table"):
            anna.goto("/")
            create_table(journey, anna, "Make Your Moves Lite", "open")
            link = anna.locator("#link-to-send").input_value()
            assert link.startswith(proxy.url)
            ben = journey.open(browser, proxy.url, ignore_https_errors=True)
            ben.goto(link)
            ben.get_by_label("Your name").fill("Ben")
            journey.click(ben.get_by_role("button", name="Take seat 2"))
            expect(anna.locator("#sitting")).to_contain_text("Ben")
        with journey.step("Back up while they play"):
            admin, backup, *_ = documented("admin backup")  # to a file named by its date
            running = subprocess.Popen(
                [str(club.place.programs / "sparring"), admin, backup, str(file)], env=club.place.environment,
                cwd=club.place.folder, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            while running.poll() is None:
                take_turn(journey, anna, ben)
            said = running.communicate()[0]
            assert re.search(rf"Backed up \d+ tables, \d+ accounts?.* from {re.escape(str(data))}", said)
            assert "is complete: " in club.admin("backup --check", **{"/backups/2026-11-22": str(file)})
            take_turn(journey, anna, ben)
            anna.reload()
            shown = history(anna)
        with journey.step("Kill the server, and restore into another folder"):
            club.stop(signal.SIGKILL)
            expect(anna.get_by_text("Connection lost")).to_be_visible()
            club.use("restored")
            club.admin("restore /backups/2026-11-22", **{"/backups/2026-11-22": str(file)})
            club.start()
        with journey.step("Play on where the backup was made"):
            for page in (anna, ben):
                page.goto(link)
                page.wait_for_selector("form.scene")
            restored = history(anna)
            assert restored
            # The last line may have grown since: "discards Chop", "discards Chop and Jab".
            assert restored[:-1] == shown[: len(restored) - 1]
            expect(anna.locator("header.bar")).to_contain_text("Anna")
            take_turn(journey, anna, ben)
        with journey.step("Ban a person"):
            for name, refusal in (("Bem", "no person called Bem"), ("Ben", "Several people are called Ben")):
                refused = club.sparring(*documented("admin ban", PERSON=name))
                assert refused.returncode == 2
                assert refusal in refused.stdout
            [person] = re.findall(r"^Ben \(guest, id (\S+),", club.admin("people --here"), re.MULTILINE)
            assert f"Banned: Ben (guest, id {person}" in club.admin("ban", PERSON=person)
            for _ in range(20):  # the server learns within seconds what the command has written
                ben.goto(link)
                if "WHY" in ben.locator("body").inner_text():
                    break
                ben.wait_for_timeout(500)
            expect(ben.locator("body")).to_contain_text("WHY")
        with journey.step("Replace the cookie key: everybody stays"):
            club.admin("new-key")
            club.stop()
            club.start()
            anna.reload()
            expect(anna.locator("header.bar")).to_contain_text("Anna")
        with journey.step("Forget a key that has leaked: everybody signs in again"):
            assert "`--forget`" in HOSTING
            assert "Created a new key" in club.sparring("admin", "new-key", "--forget").stdout
            club.stop()
            club.start()
            anna.goto("/")
            journey.click(anna.get_by_role("link", name="Sign in"))
            anna.get_by_label("Sign-in name").fill("Anna")
            anna.get_by_label("Password", exact=True).fill(PASSWORD)
            journey.click(anna.get_by_role("button", name="Sign in"))
            expect(anna.locator("header.bar")).to_contain_text("Anna")
        with journey.step("Restore access to an account"):
            told = club.admin("reset-password", PERSON="anna")
            path = re.search(r"^https://table\.example(/\S+)$", told, re.MULTILINE)
            assert path, told
            anna.context.clear_cookies()
            anna.goto(path[1])
            journey.click(anna.get_by_role("button", name="Sign in"))
            expect(anna.locator("header.bar")).to_contain_text("Anna")
