"""Who one is beyond one browser: accounts, their ways in, and what holds signed cookies to them."""
