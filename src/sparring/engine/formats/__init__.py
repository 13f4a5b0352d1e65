"""Read and write the text formats: positions, choices, TOML content, and card pictures; normalize what people type."""

import re
from functools import lru_cache


@lru_cache(maxsize=4096)
def normalize(text: str) -> str:
    """Normalize a text: lower case, without spaces, underscores, hyphens, brackets and apostrophes.

    The minus sign of a number stays.
    """
    return re.sub(r"[\s_()'’]+|(?<=\w)-(?!\d+,)|-(?!\d)", "", text.replace("\N{MINUS SIGN}", "-")).casefold()
