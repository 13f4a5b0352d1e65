"""The drawings on the cards of Make Your Moves: simple shapes of our own, 100 x 100; ropes are the power."""

from functools import lru_cache

from sparring.scene import Picture

#: The lower side of every card: the ring from above, its ropes and corners.
BACK = Picture(
    "ring",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3" y="3" width="57" height="82" rx="3" class="ground"/>'
    '<g class="lines"><path d="M11 13h41v62H11zM15 17h33v54H15zM19 21h25v46H19z"/></g>'
    '<g class="posts"><circle cx="11" cy="13" r="4"/><circle cx="52" cy="13" r="4"/><circle cx="11" cy="75" r="4"/>'
    '<circle cx="52" cy="75" r="4"/></g><path class="star" d="M31.5 32l3.2 8.2 8.8.5-6.8 5.6 2.2 8.5-7.4-4.8-7.4 4.8 2.2-8.5'
    '-6.8-5.6 8.8-.5z"/>',
)


@lru_cache(maxsize=32)
def ropes(power: int, colour: str) -> Picture:
    """One, two or three ropes between two ring posts: the power of a card."""
    heights = {1: (9.5,), 2: (6.5, 12.5), 3: (4.5, 9.5, 14.5)}[power]
    lines = "".join(f'<path d="M6 {y}Q31.5 {y + 1.6} 57 {y}"/>' for y in heights)
    return Picture(
        f"{power} ropes",
        f'<g class="ropes tone-{colour}">{lines}</g><path class="post" d="M5 1v17M58 1v17"/>',
    )


SIGNS = {
    "Red": "",
    "Green": "",
    "Blue": "",
    "Yellow": "",
    "Wild": "",
}


def picture(name: str, colour: str) -> Picture:
    """The drawing for a card: its own, or one that says what kind of card it is."""
    return Picture(name, SIGNS[colour])
