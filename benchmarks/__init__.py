"""How fast it is, as ratios against a peer that is measured in the same run."""

import sys
from pathlib import Path

# The tests know how to render a project and where its one environment is; nothing is made twice.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
