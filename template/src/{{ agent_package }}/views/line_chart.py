"""A line chart as inline SVG."""

from collections.abc import Sequence

from .chart import INK, Mark, chart, spots


def line_chart(*, title: str, marks: Sequence[Mark], axis: str) -> str:
    """A dot for each mark and a line through them, over a baseline at zero."""
    at = spots(marks)
    line = " ".join(f"{spot.x:.1f},{spot.y:.1f}" for spot in at)
    dots = "".join(f'<circle cx="{s.x:.1f}" cy="{s.y:.1f}" r="4" fill="{INK}"/>' for s in at)
    drawn = f'<polyline points="{line}" fill="none" stroke="{INK}" stroke-width="2"/>\n{dots}'
    return chart(title=title, marks=marks, axis=axis, drawn=drawn)
