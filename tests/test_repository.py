"""The repository as a whole: layers of imports, the contents of the wheel, and the lock files."""

import ast
import re
import tomllib
import zipfile
from collections.abc import Container, Iterator
from itertools import chain, pairwise
from pathlib import Path

import pytest
from flit_core import buildapi

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "sparring"
#: Layers, lowest first: each may import from its own and from lower ones.
LAYERS = (
    ("engine",), ("games", "scene"), ("bots", "lab", "printing", "tutorials"),
    ("web", "cli", "__init__", "__main__"),
)  # fmt: skip
#: Layers inside `web`; modules that aren't listed may import all of them.
WEB_LAYERS = (
    ("settings", "settings_sources", "random_ids", "identity", "rating"), ("bots",), ("security",), ("storage",),
    ("accounts",), ("tables", "api_tokens"), ("requests",), ("pages",), ("text_mode",), ("studio",), ("replay",),
    ("account_pages",), ("api",), ("cluster",),
)  # fmt: skip
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\$", re.MULTILINE)


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports, also inside functions."""
    package = path.relative_to(SOURCE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join([*start, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def layer_of(name: str) -> int:
    room = [*name.split("."), "__init__"][1]
    return next((floor for floor, rooms in enumerate(LAYERS) if room in rooms), len(LAYERS) - 1)


def web_layer_of(name: str) -> int:
    """Return the layer of a module of the web: that of `tables` for `sparring.web.tables.player_feed`."""
    return next((storey for storey, rooms in enumerate(WEB_LAYERS) if name.split(".")[2] in rooms), len(WEB_LAYERS))


def lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=]", requirement)[0].replace("_", "-")


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_layers_import_only_lower_layers(path: Path) -> None:
    own = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    ours = [name for name in imports_of(path) if name.split(".")[0] == "sparring"]
    assert [name for name in ours if layer_of(name) > layer_of(own)] == []
    if own.startswith("sparring.games."):
        game = own.split(".")[2]
        assert [name for name in ours if name.startswith("sparring.games.") and name.split(".")[2] != game] == []


@pytest.mark.parametrize("path", sorted((SOURCE / "web").rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_web_packages_import_only_lower_ones(path: Path) -> None:
    own = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    web = [name for name in imports_of(path) if name.startswith("sparring.web.")]
    assert [name for name in web if web_layer_of(name) > web_layer_of(own)] == []


def test_there_are_no_import_cycles() -> None:
    """Includes imports inside functions, and those for types only."""
    names = {module_of(path): path for path in SOURCE.rglob("*.py")}
    needs = {
        name: {found for wanted in imports_of(path) if (found := module_with(wanted, names)) and found != name}
        for name, path in names.items()
    }
    free: set[str] = set()
    while freed := {name for name in needs.keys() - free if needs[name] <= free}:
        free |= freed
    assert needs.keys() - free == set()


def module_of(path: Path) -> str:
    """Return the dotted name of a module; `__init__.py` has the name of its package."""
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def module_with(name: str, modules: Container[str]) -> str:
    """Return the module that an import loads: the name itself, or the module that defines it."""
    return next((part for part in (name, name.rpartition(".")[0]) if part in modules), "")


def test_the_wheel_contains_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / buildapi.build_wheel(str(tmp_path))) as wheel:
        held = {name for name in wheel.namelist() if name.startswith("sparring/")}
        entries = next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith("entry_points.txt"))
    files = (path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert held == {path.relative_to(SOURCE.parent).as_posix() for path in files}
    assert "sparring=sparring.cli:main" in entries
    assert "[sparring.games]" in entries


@pytest.mark.parametrize("name", ["play", "serve", "dev", "peers"])
def test_a_lock_pins_everything_by_hash_without_addresses(name: str) -> None:
    lines = lock(name).splitlines()
    hashes = [line for line in lines if re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line)]
    pins = [line for line in lines if PIN.fullmatch(line)]
    assert len(pins) + len(hashes) == len(lines)
    assert all(after in hashes for line, after in pairwise(lines) if line in pins)


def test_locks_agree_and_cover_the_dependencies() -> None:
    play, serve, dev, peers = (set(PIN.findall(lock(name))) for name in ("play", "serve", "dev", "peers"))
    assert play <= serve <= dev
    held = {name for name, _ in dev}
    assert {(name, version) for name, version in peers if name in held} <= dev
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    builds, project = table["build-system"]["requires"], table["project"]
    assert {name_of(entry) for entry in [*project["dependencies"], *builds]} <= {name for name, _ in play}
    extras = chain.from_iterable(project["optional-dependencies"].values())
    assert {name_of(entry) for entry in extras} <= held | {name for name, _ in peers}
    assert table["dependency-groups"]["build"] == builds


def test_every_threat_names_existing_tests() -> None:
    """Resolve bare names in the folder of their section; every other name is a full path."""
    paper = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    for section in re.split("^## ", paper, flags=re.MULTILINE)[1:]:
        told = re.search(r"[Tt]he tests are in\s+`(tests/[a-z/]+)`", section)
        folder = told[1] if told else "tests/web/attacks/"
        for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
            head, line, *rows = table.splitlines()
            assert (head, line) == ("| Threat | Defence | Test |", "|---|---|---|")
            for row in rows:
                threat, _, tests = row.strip("| ").split(" | ")
                names = re.findall(r"`([^`]+)`", tests)
                assert names, threat
                for name in names:
                    path = name if "/" in name else f"{folder}{name}"
                    assert (ROOT / path).is_file(), (threat, name)
