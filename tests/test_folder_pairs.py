"""Count the folders of the server that import each other.

A folder imports another if one of its modules does, also inside functions. A name that an `__init__` exports counts
where it is defined. A folder and its parent are two folders. Run this file with `PYTHONPATH=tests` to print the pairs.
"""

from functools import cache

from test_imports import MODULES, SOURCE, imports_of, module_name

#: The packages of the server.
SERVER = tuple(f"sparring.{room}" for room in ("store", "people", "tables", "server", "site", "studio"))

PATHS = {module_name(path): path for path in MODULES}


@cache
def defined_in(name: str) -> str:
    """Return the module that defines a dotted name, or an empty string if it isn't Sparring's."""
    if name in PATHS:
        return name
    package, _, last = name.rpartition(".")
    if package not in PATHS:
        return ""
    if PATHS[package].name != "__init__.py":
        return package
    exported = (each for each in imports_of(PATHS[package]) if each.rpartition(".")[2] == last)
    return next(filter(None, map(defined_in, exported)), package)


def folder(module: str) -> str:
    return PATHS[module].parent.relative_to(SOURCE).as_posix()


def mutual_pairs() -> list[tuple[str, str]]:
    """Return the pairs of folders that import each other."""
    own = {module for module in PATHS if module.startswith(SERVER)}
    arrows = {
        (folder(module), folder(found))
        for module in own
        for name in imports_of(PATHS[module])
        if (found := defined_in(name)) in own
    }
    return sorted((one, other) for one, other in arrows if one < other and (other, one) in arrows)


def test_exported_names_count_where_they_are_defined() -> None:
    assert defined_in("sparring.store.moderation.BanStore") == "sparring.store.moderation"


def test_no_folders_import_each_other() -> None:
    assert mutual_pairs() == []


if __name__ == "__main__":
    for pair in mutual_pairs():
        print(*pair)
    print(len(mutual_pairs()), "pairs")
