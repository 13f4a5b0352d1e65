"""Run a command line as on Windows: without what only other systems have. What the standard library needs stays."""

import asyncio
import os
import pkgutil
import signal
import sys
from importlib import import_module
from types import SimpleNamespace

import aiohttp  # noqa: F401 - other packages have their own ways on Windows, so they are imported before
import aiosqlite  # noqa: F401
import litestar  # noqa: F401
import numba  # noqa: F401
import sqlalchemy.ext.asyncio  # noqa: F401
import typer  # noqa: F401
import uvicorn.protocols.http.httptools_impl  # noqa: F401

#: Modules and functions that Windows lacks.
MODULES = ("fcntl", "pwd", "grp", "resource", "termios")
FUNCTIONS = ("chown", "fchown", "geteuid", "getuid", "killpg", "nice", "fork", "setsid")
SIGNALS = ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT")

for module in MODULES:
    sys.modules[module] = None  # type: ignore[assignment]
sys.modules["msvcrt"] = SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)  # type: ignore[assignment]
for place, names in ((os, FUNCTIONS), (signal, SIGNALS)):
    for name in names:
        delattr(place, name)
asyncio.ProactorEventLoop = asyncio.SelectorEventLoop  # type: ignore[attr-defined]
sys.platform = "win32"

import sparring.cli  # noqa: E402

SERVER = (
    "settings", "monitoring", "store", "people", "tables", "server", "site", "studio", "server_processes", "job_worker",
)  # fmt: skip
for package in (*(f"sparring.{name}" for name in SERVER), "sparring.cli"):
    path = getattr(import_module(package), "__path__", ())
    for found in pkgutil.walk_packages(path, f"{package}."):
        if not found.name.endswith(("__main__", "store.env")):  # they run when they are imported
            import_module(found.name)
sparring.cli.main()
