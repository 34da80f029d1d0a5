"""HTML that shows an answer: complete documents that load nothing from elsewhere."""

from .bar_chart import Bar, bar_chart
from .page import page

__all__ = ["Bar", "bar_chart", "page"]
