"""`python -m sparring.cli`."""

from . import main

main()
