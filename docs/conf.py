"""How the papers become pages: `make docs`."""

from importlib.metadata import version as version_of

project = "Sparring"
author = "the Sparring authors"
copyright = "2026, the Sparring authors"
version = release = version_of("sparring")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "description"
autodoc_member_order = "bysource"
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Sparring"
html_theme_options = {"navigation_with_keys": True}
