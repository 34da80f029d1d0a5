"""Renaming a package in Python goes by scope: what is bound by its import, and nothing else."""

from __future__ import annotations

import ast
import types
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_new.python_names import rename_in_python
from agent_new.spelling import Spelling

OLD, NEW = "crm_client", "billing"
SPELLING = Spelling(OLD, NEW, frozenset({"http", "cli", "fetch"}))
ONE_WORD = Spelling("records", "billing", frozenset({"http", "fetch"}))


def renamed(source: str, spelling: Spelling = SPELLING) -> str:
    return rename_in_python(dedent(source).encode(), spelling).decode()


CHANGED = {
    "import crm_client": "import billing",
    "import crm_client.http": "import billing.http",
    "import crm_client as c, os": "import billing as c, os",
    "import os, crm_client.http as http": "import os, billing.http as http",
    "from crm_client import fetch": "from billing import fetch",
    "from crm_client.http import get as g": "from billing.http import get as g",
    "from crm_client import crm_client": "from billing import crm_client",
    "from crm_client import *": "from billing import *",
    "import crm_client\ncrm_client.fetch()": "import billing\nbilling.fetch()",
    "import crm_client.http\ncrm_client.http.get(crm_client)": (
        "import billing.http\nbilling.http.get(billing)"
    ),
    "import crm_client\ndel crm_client": "import billing\ndel billing",
    "import crm_client\nx: crm_client.Client": "import billing\nx: billing.Client",
    "import crm_client\ndef f():\n    return crm_client.fetch()": (
        "import billing\ndef f():\n    return billing.fetch()"
    ),
    "def f():\n    import crm_client\n    crm_client.fetch()": (
        "def f():\n    import billing\n    billing.fetch()"
    ),
    "if True:\n    from crm_client import fetch": "if True:\n    from billing import fetch",
    "try:\n    import crm_client\nexcept ImportError:\n    crm_client = None\nprint(crm_client)": (
        "try:\n    import billing\nexcept ImportError:\n    billing = None\nprint(billing)"
    ),
    "import crm_client\ndef f():\n    global crm_client\n    crm_client = 1": (
        "import billing\ndef f():\n    global billing\n    billing = 1"
    ),
    "import crm_client\nf(crm_client=crm_client)": "import billing\nf(crm_client=billing)",
    "import crm_client\nx.crm_client = crm_client.y": "import billing\nx.crm_client = billing.y",
    "import crm_client\n[crm_client.a for a in crm_client.b]": (
        "import billing\n[billing.a for a in billing.b]"
    ),
    "import crm_client\nf'{crm_client.x}'": "import billing\nf'{billing.x}'",
    'patch("crm_client.http.get")': 'patch("billing.http.get")',
    'x = "crm_client.cli:main"': 'x = "billing.cli:main"',
    'x: "crm_client.http.Client"': 'x: "billing.http.Client"',
    'x: "list[crm_client.http.Client]"': 'x: "list[billing.http.Client]"',
    'def f() -> "crm_client.x.Y | None": ...': 'def f() -> "billing.x.Y | None": ...',
    'import_module("crm_client")': 'import_module("billing")',
    'importlib.resources.files("crm_client")': 'importlib.resources.files("billing")',
    'version("crm-client")': 'version("billing")',
    'x = "packages/crm_client/src/crm_client/data.csv"': (
        'x = "packages/billing/src/billing/data.csv"'
    ),
    'x = ROOT / "packages" / "crm_client"': 'x = ROOT / "packages" / "billing"',
    'x = Path("src") / "crm_client"': 'x = Path("src") / "billing"',
    'x = f"see crm_client.http in {y}"': 'x = f"see billing.http in {y}"',
    "# as crm_client does it": "# as billing does it",
    '"""What crm_client offers."""': '"""What billing offers."""',
    'def f():\n    """See `crm_client`."""': 'def f():\n    """See `billing`."""',
    "import crm_client  # noqa: F401": "import billing  # noqa: F401",
}


@pytest.mark.parametrize("source", CHANGED)
def test_what_means_the_package_is_renamed(source: str) -> None:
    assert renamed(source) == CHANGED[source]


@pytest.mark.parametrize(
    "source",
    [
        "from . import crm_client",
        "from .crm_client import fetch",
        "from other import crm_client\ncrm_client.fetch()",
        "from other.crm_client import fetch",
        "import other.crm_client",
        "import other as crm_client\ncrm_client.fetch()",
        "crm_client = 1\nprint(crm_client)",
        "def f(crm_client):\n    return crm_client",
        "def crm_client(): ...",
        "class crm_client: ...",
        "class A:\n    crm_client = 1\n    def f(self):\n        return self.crm_client",
        "f(crm_client=1)",
        "{'crm_client': 1}['crm_client']",
        "x = 'crm_client'",
        "x = 'the crm_client of it'",
        "x = 'crm_client.unknown thing'",
        "x = 'https://example.org/packages/crm_client'",
        "crm_client_2 = my_crm_client = CRM_CLIENT = 1",
        "lambda crm_client: crm_client",
        "for crm_client in []:\n    crm_client()",
        "logging.info('crm-client')",
    ],
)
def test_what_only_looks_like_it_stays(source: str) -> None:
    assert renamed(source) == source


def test_a_local_that_hides_the_import_stays() -> None:
    source = """
        import crm_client

        def f(crm_client):
            return crm_client.fetch()

        def g():
            crm_client = 1
            return crm_client

        h = crm_client.fetch
        """

    changed = renamed(source)

    assert changed.count("billing") == 2
    assert "h = billing.fetch" in changed


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("import records\nrecords.fetch()", "import billing\nbilling.fetch()"),
        ("# the records of the year", None),
        ("# see `records` and records.http", "# see `billing` and billing.http"),
        ('"""Reads records from a file."""', None),
        ('x = "SELECT records.id FROM records"', None),
        ('x = "packages/records/src/records/a.py"', 'x = "packages/billing/src/billing/a.py"'),
    ],
)
def test_a_name_that_is_a_word_is_renamed_only_where_it_is_certain(
    source: str, changed: str | None
) -> None:
    assert renamed(source, ONE_WORD) == (changed or source)


@pytest.mark.parametrize(
    "source",
    [
        b"import crm_client\r\nx = 1\r\n",
        b"\xef\xbb\xbfimport crm_client\n",
        b"import crm_client",
        b"# -*- coding: latin-1 -*-\nimport crm_client  # \xe9\n",
        b"import crm_client\n\tx = 1\n"[:18],
        b"import   crm_client ;  x=1\n\n\n",
        b"import crm_client\n\x0c\nx = 1\n",
    ],
)
def test_everything_else_stays_byte_for_byte(source: bytes) -> None:
    assert rename_in_python(source, SPELLING) == source.replace(b"crm_client", b"billing")


USES = [
    "out.append(crm_client.fetch('a'))",
    "out.append(crm_client.http.get(1))",
    "def used(crm_client=3):\n    return crm_client\nout.append(used())",
    "def hidden():\n    crm_client = 'local'\n    return crm_client\nout.append(hidden())",
    "out.append([crm_client for crm_client in range(2)])",
    "class Holder:\n    crm_client = 'attribute'\nout.append(Holder.crm_client)",
    "out.append(dict(crm_client=1))",
    "from crm_client import fetch as f\nout.append(f('b'))",
    "def late():\n    import crm_client.http as h\n    return h.get(2)\nout.append(late())",
    "def nested():\n    def inner():\n        return crm_client.fetch('c')\n    return inner()\nout.append(nested())",
    "out.append((lambda crm_client: crm_client)('d'))",
]


def package(name: str) -> dict[str, types.ModuleType]:
    """A package that can be imported by that name, and answers the same under every name."""
    top, http = types.ModuleType(name), types.ModuleType(f"{name}.http")
    vars(top).update(fetch=lambda x: f"fetched {x}", http=http, __path__=[])
    vars(http).update(get=lambda x: f"got {x}")
    return {name: top, f"{name}.http": http}


@given(st.lists(st.sampled_from(USES), max_size=8))
def test_the_renamed_program_does_what_it_did(uses: list[str]) -> None:
    source = "\n".join(["import crm_client", "out = []", *uses, ""])

    before = result_of(source, OLD)
    changed = renamed(source)

    assert result_of(changed, NEW) == before
    assert renamed(changed) == changed
    back = rename_in_python(changed.encode(), Spelling(NEW, OLD, SPELLING.members)).decode()
    assert ast.dump(ast.parse(back)) == ast.dump(ast.parse(source))


def result_of(source: str, name: str) -> object:
    import sys

    modules = package(name)
    sys.modules.update(modules)
    try:
        space: dict[str, object] = {}
        exec(compile(source, "generated", "exec"), space)
        return space["out"]
    finally:
        for module in modules:
            del sys.modules[module]
