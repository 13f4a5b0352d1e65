"""Check who may import whom: packages are layered, modules have no cycles, and neighbours keep apart."""

import ast
import subprocess
import sys
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "sparring"
#: The layers of each package, from the bottom up. A member may import members of lower layers, and of its own layer
#: only where NEIGHBOURS says why. Members that are not named are in the top layer.
LAYERS = {
    "sparring": (
        ("engine",), ("games", "scene"), ("bots", "printing", "tutorials"), ("research",), ("lab", "puzzles"),
        ("text", "settings"), ("terminal", "monitoring"), ("store",), ("people",), ("tables",), ("server",), ("site",),
        ("studio",), ("job_worker", "routes"), ("app",), ("serve",), ("server_processes",), ("cli",),
        ("__init__", "__main__"),
    ),
    "sparring.lab": (
        ("stats", "executors"), ("measures", "game_tree"), ("self_play", "traces"),
        ("decisions", "match_ups", "prior_fitting"), ("training",), ("experiments",), ("candidates", "objectives"),
        ("simulate", "tournament", "tuning"), ("speed", "standings"), ("benchmark_results",), ("benchmark",),
        ("benchmark_check", "report"),
    ),
    "sparring.store": (
        ("group_commit", "migrations", "networks", "person", "schema", "ttl_cache"), ("env",), ("database",),
        ("transactions",), ("change_store", "processes", "rating_model"),
        ("accounts", "backup", "friends", "moderation", "ratings", "table_lists"),
        ("chat_store", "finished_matches", "invitations", "notifications"), ("personal_data",), ("studio",),
        ("retention",), ("__init__", "versions"),
    ),
    "sparring.people": (
        ("fair_queue", "identity", "rate_limits"), ("passkeys", "passwords"), ("accounts", "api_tokens", "push"),
        ("emails",), ("notifications",),
    ),
    "sparring.tables": (
        ("workers",), ("state",), ("action_requests", "play"), ("seating",), ("creation",), ("halves",), ("tables",),
        ("friends", "lobby"), ("actions",),
    ),
    "sparring.server": (("database_watch", "monitoring", "protocol"), ("requests",), ("api",)),
    "sparring.site": (("texts",), ("table_parts",), ("pages",), ("account_pages", "text_mode"), ("replay",), ("api",)),
    "sparring.studio": (
        ("edits", "jobs"), ("sandboxes", "set_editor"), ("image_sandbox", "sets"), ("picture_pad", "set_sandbox"),
        ("studio_routes",), ("item_tables", "job_routes"), ("set_routes", "tuning_routes"),
    ),
}  # fmt: skip
#: The packages and modules that may use HTTP.
WEB = {"app", "people", "routes", "serve", "server", "server_processes", "site", "studio"}
#: Packages for HTTP, as client or server.
HTTP = {"aiohttp", "http", "httptools", "httpx", "litestar", "starlette", "uvicorn"}
#: Imports between neighbours of one layer, each with its reason.
NEIGHBOURS = {
    ("sparring.games", "sparring.scene"): "a game describes what its table looks like as a scene",
}


MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Return the dotted names that a file imports, also inside functions and for type checking."""
    return tuple(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    package = path.relative_to(SOURCE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join([*start, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def file_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)


def module_name(path: Path) -> str:
    return file_name(path).removesuffix(".__init__")


def imported_module(name: str, modules: Container[str]) -> str:
    """Return the module that an import loads: the name itself, or the module it is defined in."""
    return next((part for part in (name, name.rpartition(".")[0]) if part in modules), "")


def member(name: str, package: str) -> str:
    """Return the direct member of a package that a dotted name belongs to."""
    return [*name.removeprefix(f"{package}.").split("."), "__init__"][0]


def layer(package: str, name: str) -> int:
    layers = LAYERS[package]
    return next((number for number, names in enumerate(layers) if name in names), len(layers) - 1)


def forbidden(path: Path) -> Iterator[str]:
    """Yield the imports of a file that point to a higher layer, or to a neighbour without a reason."""
    own = file_name(path)
    for name in imports_of(path):
        for package in LAYERS:
            if not (own.startswith(f"{package}.") and name.startswith(f"{package}.")):
                continue
            here, there = member(own, package), member(name, package)
            above = layer(package, there) - layer(package, here)
            if here != there and above >= 0 and (f"{package}.{here}", f"{package}.{there}") not in NEIGHBOURS:
                yield f"{own} imports {name}"
    if own.startswith("sparring.games."):
        game = own.split(".")[2]
        yield from (name for name in imports_of(path) if name.startswith("sparring.games.") and game not in name)


def test_imports_point_to_lower_layers() -> None:
    assert [found for path in MODULES for found in forbidden(path)] == []


def test_only_some_packages_use_http() -> None:
    uses = {
        file_name(path).split(".")[1]
        for path in MODULES
        for name in imports_of(path)
        if name.split(".")[0] in HTTP or name.startswith("urllib.request")
    }
    assert uses == WEB


def test_every_layer_and_neighbour_exists() -> None:
    packages = {package: SOURCE.joinpath(*package.split(".")[1:]) for package in LAYERS}
    for package, layers in LAYERS.items():
        present = {path.stem for path in packages[package].iterdir() if path.suffix == ".py" or path.is_dir()}
        assert {name for names in layers for name in names} <= {*present, "__main__"}
    assert all(layer(*here.rsplit(".", 1)) == layer(*there.rsplit(".", 1)) for here, there in NEIGHBOURS)


def test_modules_have_no_import_cycles() -> None:
    """Imports inside functions and for type checking count, too."""
    names = {module_name(path): path for path in MODULES}
    needs = {
        name: {found for wanted in imports_of(path) if (found := imported_module(wanted, names)) and found != name}
        for name, path in names.items()
    }
    free: set[str] = set()
    while freed := {name for name in needs.keys() - free if needs[name] <= free}:
        free |= freed
    assert needs.keys() - free == set()


def test_no_text_is_shown_while_a_module_is_loaded() -> None:
    """It would stay in the language of the first reader."""
    script = """
from gettext import NullTranslations
from sparring.engine.game import games
from sparring.engine.messages import reading_in

shown = []

class Noted(NullTranslations):
    def gettext(self, message):
        shown.append(message)
        return message

with reading_in(Noted()):
    import sparring.app, sparring.terminal.terminal
    games()
assert not shown, shown
"""
    subprocess.run([sys.executable, "-c", script], check=True)
