"""Words as people write them."""

import re
from functools import lru_cache


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Words without what people write differently: case, spaces, hyphens, brackets; the minus of a number stays."""
    return re.sub(r"[\s_()'’]+|(?<=\w)-(?!\d+,)|-(?!\d)", "", text.replace("\N{MINUS SIGN}", "-")).casefold()
