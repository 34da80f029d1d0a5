"""A bar chart as inline SVG."""

from collections.abc import Sequence

from .chart import FLOOR, INK, Mark, chart, spots

WIDEST = 120


def bar_chart(*, title: str, marks: Sequence[Mark], axis: str) -> str:
    """Bars side by side, from zero up."""
    drawn = []
    for spot in spots(marks):
        width = min(spot.width - 4, WIDEST)
        drawn.append(
            f'<rect x="{spot.x - width / 2:.1f}" y="{spot.y:.1f}" width="{width:.1f}" '
            f'height="{FLOOR - spot.y:.1f}" fill="{INK}"/>'
        )
    return chart(title=title, marks=marks, axis=axis, drawn="\n".join(drawn))
