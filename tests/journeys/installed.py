"""Sparring as its users install it: a wheel of this checkout in a clean environment."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flit_core.wheel import make_wheel_in

ROOT = Path(__file__).parent.parent.parent


def install(folder: Path) -> Path:
    """Install a wheel of this checkout into a new environment; return the folder of its programs.

    The environment sees the packages that the tests have, which takes a second instead of a minute, but not this
    checkout: paths in a `.pth` file are searched, but the `.pth` files there are not read.
    """
    wheel = make_wheel_in(ROOT / "pyproject.toml", folder).file
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
    where = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip())
    seen = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (packages / "packages-of-the-tests.pth").write_text("\n".join(seen))
    return python.parent


class Installation:
    """An installed Sparring with a person's own data, started in an empty folder."""

    def __init__(self, programs: Path, home: Path) -> None:
        self.programs = programs
        self.folder = home / "empty"
        self.folder.mkdir(parents=True)
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "SPARRING_DATA": str(home / "data"),
            "SPARRING_WARMING": "false", "SPARRING_MEASURING": "false", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip

    def run(self, program: str, *words: str) -> str:
        """Run an installed program, such as `sparring` or `python`, to its end; return what it prints."""
        done = subprocess.run(
            [self.programs / program, *words], cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout

    def install(self, package: str) -> None:
        """Install a person's own package as `pip install -e` does, but without the network.

        Use it in an environment of one journey only (`install`), since all others share theirs.
        """
        pip = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "-e")
        self.run("python", *pip, package)

    @contextmanager
    def serving(self, *words: str) -> Iterator[str]:
        """Yield the address that `sparring play` prints, and stop it as Ctrl-C does."""
        command = [str(self.programs / "sparring"), "play", "--no-browser", "--port", "0", *words]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as server:
            assert server.stdout
            try:
                first = server.stdout.readline()
                assert " at http://" in first, first + server.stdout.read()
                yield first.split(" at ")[1].strip()
            finally:
                server.send_signal(2)
                server.wait(timeout=20)
