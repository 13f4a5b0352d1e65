"""Compile rules to machine code with Numba, cache the code, and run it in loops over whole matches."""
