"""Compare the speed of play and search with C++ written by hand for the same rules, and with another commit."""
