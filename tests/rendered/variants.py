"""The answers that projects are rendered with: some at each push, every combination each night."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, cycle, product
from typing import Any

Answers = Mapping[str, Any]

SURFACES = ("mcp", "chat", "cron")
"""Those that a project has unless it says otherwise."""
BINDINGS = ("a2a-rest", "a2a-grpc")
"""Surfaces too, of A2A, that a project has only where it says so."""
AUTHS = ("clerk", "oidc")
FREE_TEXT = ("title", "description", "organization", "study", "universe")

AWKWARD = (
    r"""Zoë O'Nil "Zed" says '"hi"' in C:\new\table: {{ 7*7 }} {% raw %} {# no #} #tag 100% \\"""
)
MARKUP = "</script><!--script--><img src=x onerror=alert(1)> &amp; ${x} `日本語` 🐧"

# Layout depends on a name's length only by whether a line fits, so the two ends stand for all.
PER_PUSH: dict[str, Answers] = {
    "default": {"agent_name": "my-agent"},
    "bindings": {"agent_name": "my-agent", "surfaces": [*SURFACES, *BINDINGS]},
    "no_example": {
        "agent_name": "my-agent",
        "example": False,
        "surfaces": [*SURFACES, "a2a-rest"],
    },
    "no_surfaces": {"agent_name": "my-agent", "surfaces": []},
    "oidc": {
        "agent_name": "my-agent",
        "auth": "oidc",
        "surfaces": [*SURFACES, "a2a-grpc"],
    },
    "without_mcp": {
        "agent_name": "my-agent",
        "surfaces": ["chat", "cron", *BINDINGS],
        "auth": "oidc",
        "example": False,
    },
    "without_chat": {
        "agent_name": "my-agent",
        "surfaces": ["mcp", "cron", *BINDINGS],
        "auth": "oidc",
        "example": False,
    },
    "without_cron": {
        "agent_name": "my-agent",
        "surfaces": ["mcp", "chat", *BINDINGS],
        "auth": "oidc",
        "example": False,
    },
    "awkward_text": {
        "agent_name": "zq",
        "domain_package": "aa_notes",
        "title": r"""Zoë O'Nil "Zed" C:\new\table {{ 7*7 }} {% raw %} #tag 100%""",
        "description": f"Describes: {AWKWARD}",
        "organization": f"Offers: {AWKWARD}",
        "organization_url": "http://a.example:8080/?q=1&r=%20~(*)#é",
        "study": f"'Studies': {AWKWARD}",
        "universe": f'"Covers": {AWKWARD}',
    },
    "short_names_and_markup": {
        "agent_name": "aa",
        "domain_package": "zz",
        "title": MARKUP,
        "description": f"D {MARKUP}",
        "organization": f"O {MARKUP}",
        "study": f"S {MARKUP}",
        "universe": f"U {MARKUP}",
    },
    "short_text": {
        "agent_name": "b2",
        "domain_package": "a_1",
        **dict.fromkeys(FREE_TEXT, "'"),
        "organization_url": "http://a",
        "example": False,
    },
    "long_names": {
        "agent_name": "long-name-".ljust(32, "z"),
        "domain_package": "long_domain_".ljust(32, "a"),
        "title": "Title ".ljust(80, '"'),
        **{name: f"{name} ".ljust(300, "w") for name in FREE_TEXT[1:]},
        "organization_url": "https://example.org/".ljust(300, "u"),
    },
    "long_names_of_many_words": {
        "agent_name": "-".join("abcdefghijklmnop") + "0",
        "domain_package": "_".join("zyxwvutsrqponmlk") + "0",
        "example": False,
        "auth": "oidc",
    },
}


def every_combination() -> Iterator[tuple[str, Answers]]:
    """Each choice of example, surfaces and auth with each of the others; bindings take turns."""
    chosen = [some for n in range(len(SURFACES) + 1) for some in combinations(SURFACES, n)]
    others = product((True, False), chosen, AUTHS)
    turns: Iterator[tuple[str, ...]] = cycle([(), ("a2a-rest",), ("a2a-grpc",)])
    for (example, some, auth), bindings in zip(others, turns, strict=False):
        surfaces = (*some, *bindings)
        name = "_".join((auth, *(surfaces or ["a2a"]), *(() if example else ["empty"])))
        yield (
            name,
            {
                "agent_name": "my-agent",
                "example": example,
                "surfaces": list(surfaces),
                "auth": auth,
            },
        )


VARIANTS: dict[str, Answers] = {**PER_PUSH, **dict(every_combination())}

# Their own tests take long, and say the same of variants that differ in words only. Two files share
# them, so that two workers do.
WITHOUT_A_SURFACE = ("without_mcp", "without_chat", "without_cron")
TESTED_PER_PUSH = ("no_example", "no_surfaces", "bindings")
