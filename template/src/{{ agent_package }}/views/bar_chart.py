"""A bar chart as inline SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 280
LEFT, TOP, BOTTOM = 8, 24, 40


@dataclass(frozen=True)
class Bar:
    """One bar; its height follows `value`."""

    label: str
    value: float


def bar_chart(*, title: str, bars: Sequence[Bar], axis: str) -> str:
    """Bars side by side, each with its value above and its label below; `axis` names the labels."""
    step = (WIDTH - 2 * LEFT) / max(len(bars), 1)
    highest = max((bar.value for bar in bars), default=0) or 1
    drawn = "\n".join(_bar(bar, LEFT + i * step, step, highest) for i, bar in enumerate(bars))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<g font-family="system-ui, sans-serif" font-size="12" fill="currentColor" '
        f'text-anchor="middle">\n{drawn}\n'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}">{escape(axis)}</text>\n</g>\n</svg>'
    )


def _bar(bar: Bar, left: float, step: float, highest: float) -> str:
    floor = HEIGHT - BOTTOM
    height = (floor - TOP) * bar.value / highest
    middle = left + step / 2
    return (
        f'<rect x="{left + 2:.1f}" y="{floor - height:.1f}" width="{step - 4:.1f}" '
        f'height="{height:.1f}" fill="#3b76af"/>'
        f'<text x="{middle:.1f}" y="{floor - height - 5:.1f}">{bar.value:g}</text>'
        f'<text x="{middle:.1f}" y="{floor + 15}">{escape(bar.label)}</text>'
    )
