"""What all charts have in common: the area, the baseline at zero, the words around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 280
FLOOR, CEILING = 236, 24
INK = "#3b76af"


@dataclass(frozen=True)
class Mark:
    """One value, none of them below zero, and the label under it."""

    label: str
    value: float


@dataclass(frozen=True)
class Spot:
    """Where a mark stands: the middle of its column, the column's width, and its height."""

    x: float
    width: float
    y: float


def spots(marks: Sequence[Mark]) -> list[Spot]:
    """Columns side by side; the highest mark touches the ceiling, zero is the floor."""
    width = WIDTH / max(len(marks), 1)
    highest = max((mark.value for mark in marks), default=0) or 1
    rise = (FLOOR - CEILING) / highest
    return [Spot((i + 0.5) * width, width, FLOOR - rise * m.value) for i, m in enumerate(marks)]


def chart(*, title: str, marks: Sequence[Mark], axis: str, drawn: str) -> str:
    """`drawn` on the baseline, with each value above and its label below; `axis` names the labels."""
    words = "\n".join(
        f'<text x="{spot.x:.1f}" y="{spot.y - 8:.1f}">{mark.value:g}</text>'
        f'<text x="{spot.x:.1f}" y="{FLOOR + 17}">{escape(mark.label)}</text>'
        for mark, spot in zip(marks, spots(marks), strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>{escape(title)}</title>\n{drawn}\n"
        f'<line x1="0" y1="{FLOOR}" x2="{WIDTH}" y2="{FLOOR}" stroke="currentColor"/>\n'
        f'<g font-family="system-ui, sans-serif" font-size="12" fill="currentColor" '
        f'text-anchor="middle">\n{words}\n'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}">{escape(axis)}</text>\n</g>\n</svg>'
    )
