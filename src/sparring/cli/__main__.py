"""Run the command line with `python -m sparring.cli`."""

from . import main

main()
