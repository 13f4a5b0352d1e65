"""Import the scripts of `examples/`."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

EXAMPLES = Path(__file__).parents[1] / "examples"


def load_script(name: str) -> ModuleType:
    """Import a script by its name."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # compiled code finds its module by name
    spec.loader.exec_module(module)
    return module
