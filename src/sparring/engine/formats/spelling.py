"""Normalize spelling."""

import re
from functools import lru_cache


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Remove differences in spelling: case, spaces, hyphens, brackets. The minus sign of a number stays."""
    return re.sub(r"[\s_()'’]+|(?<=\w)-(?!\d+,)|-(?!\d)", "", text.replace("\N{MINUS SIGN}", "-")).casefold()
