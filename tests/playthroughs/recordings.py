"""Recorded matches: short ones as readable files, of each other one a checksum of the same text."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

CHECKSUMS = "checksums.txt"

#: What to do about a checksum that differs.
HOW = """\
{name} has changed, and only its checksum is recorded. Write it in full with and without your change, and compare:
    git stash; make generated ARGS="--full /tmp/before"; git stash pop
    make generated ARGS="--full /tmp/after"; diff -r /tmp/before /tmp/after"""


@dataclass(frozen=True)
class Recording:
    """A match as text."""

    name: str
    text: str
    readable: bool

    @property
    def checksum(self) -> str:
        """Return a checksum of the whole text."""
        return sha256(self.text.encode()).hexdigest()[:32]


def checksums(folder: Path) -> dict[str, str]:
    """Return the recorded checksums by name."""
    file = folder / CHECKSUMS
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split() for line in lines)


def readable_names(folder: Path) -> set[str]:
    """Return the names of the matches that are recorded as text."""
    return {file.stem for file in folder.glob("*.txt") if file.name != CHECKSUMS}


def compare(folder: Path, name: str, text: str) -> None:
    """Check a match's text against what is recorded of it."""
    if name in readable_names(folder):
        assert text == (folder / f"{name}.txt").read_text(encoding="utf-8")
    else:
        found = Recording(name, text, readable=False)
        assert found.checksum == checksums(folder)[name], HOW.format(name=name)


def record(folder: Path, recordings: Iterable[Recording], full: Path | None, whole: bool) -> None:
    """Write recordings, or all of them in full into the folder `full`; `whole` deletes what isn't among them."""
    if full:
        full.mkdir(parents=True, exist_ok=True)
    kept = {} if whole else checksums(folder)
    written = set() if whole else readable_names(folder)
    for one in recordings:
        print(f"{one.name}: {one.text.count(chr(10))} lines")
        if full:
            (full / f"{one.name}.txt").write_text(one.text, encoding="utf-8")
            continue
        kept.pop(one.name, None)
        written.discard(one.name)
        if one.readable:
            written.add(one.name)
            (folder / f"{one.name}.txt").write_text(one.text, encoding="utf-8")
        else:
            kept[one.name] = one.checksum
    if not full:
        for name in readable_names(folder) - written:
            (folder / f"{name}.txt").unlink()
        (folder / CHECKSUMS).write_text("".join(f"{name} {kept[name]}\n" for name in sorted(kept)), encoding="utf-8")
