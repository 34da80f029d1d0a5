"""HTML that shows an answer: complete documents that load nothing from elsewhere."""

from .bar_chart import bar_chart
from .chart import Mark
from .line_chart import line_chart
from .page import page

__all__ = ["Mark", "bar_chart", "line_chart", "page"]
