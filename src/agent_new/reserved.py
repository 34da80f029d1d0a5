"""Names that an agent or its domain package cannot have, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

# `python -m agent_new.reserved > includes/reserved.jinja` writes the copy that the template reads;
# a test compares both.

COMMANDS = """
    add create doctor help new probe rename secrets skills strip update
""".split()

KEYWORDS = """
    and as assert async await break case class continue def del elif else except finally for
    from global if import in is lambda match nonlocal not or pass raise return try type
    while with yield
""".split()

# Of every Python from 3.11 on: the new project may be opened with another one than ours.
STANDARD_LIBRARY = """
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii binhex bisect builtins bz2 calendar cgi cgitb chunk cmath
    cmd code codecs codeop collections colorsys compileall compression concurrent
    configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes curses
    dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip
    enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
    idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3
    linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder
    msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
    operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
    plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
    pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
    sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
    socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics
    string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile
    telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize
    tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
    unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref
    xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
""".split()

# Python would still find them, but a file that imports the package by that name loses the builtin.
BUILTINS = """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
    classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec
    exit filter float format frozendict frozenset getattr globals hasattr hash help hex id
    input int isinstance issubclass iter len license list locals map max memoryview min next
    object oct open ord pow print property quit range repr reversed round sentinel set
    setattr slice sorted staticmethod str sum super tuple vars zip
""".split()

# What stands in the new project beside the package, or is imported by that name from its root.
FOLDERS = """
    app conftest docs examples hooks packages scripts site src static template templates
    test tests
""".split()

# `dist/` stands in the project's own .gitignore, the rest in those that people bring along: a
# package of that name would be missing from a commit without a word.
NEVER_IN_GIT = """
    build dist downloads eggs env lib lib64 parts sdist target var venv wheels
""".split()

WINDOWS_DEVICES = """
    aux com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7
    lpt8 lpt9 nul prn
""".split()

# Import names and distribution names of what the new project installs, with `_` for `-`.
DEPENDENCIES = """
    a2a a2a_lint a2a_sdk aiologic aiosqlite alembic annotated_doc annotated_types anyio
    ast_serialize asyncpg attr attrs certifi cffi charset_normalizer check_jsonschema
    click colorama copier cryptography culsans dbos dotenv fastapi filelock genai_prices
    google google_api_core google_auth googleapis_common_protos greenlet griffe
    griffelib grimp grpc grpc_reflection grpc_tools grpcio grpcio_reflection grpcio_tools
    h11 httpcore httpcore2 httptools httpx httpx2 hypothesis idna import_linter importlinter iniconfig jinja2 jiter json_rpc jsonrpc jsonschema
    jsonschema_specifications jwt librt logfire logfire_api mako markdown_it
    markdown_it_py markupsafe mcp mcp_types mdurl multipart mypy mypy_extensions mypyc
    openai opentelemetry opentelemetry_api packaging pathspec pip platformdirs pluggy
    proto proto_plus protobuf psycopg psycopg_binary psycopg_pool py pyasn1
    pyasn1_modules pycparser pydantic pydantic_ai pydantic_ai_slim pydantic_core
    pydantic_graph pydantic_settings pygments pyjwt pytest pytest_asyncio python_dotenv
    python_multipart pyyaml referencing regex requests rfc8785 rich rpds rpds_py ruff
    setuptools shellingham sniffio sortedcontainers sqlalchemy sse_starlette starlette tiktoken
    tiktoken_ext truststore typer types_grpcio types_protobuf typing_extensions
    typing_inspection urllib3 uv uvicorn uvloop vercel vercel_runtime watchfiles websockets
    wheel wrapt
    yaml
""".split()

REASONS = {
    **dict.fromkeys(DEPENDENCIES, "the name of a library that the project installs"),
    **dict.fromkeys(FOLDERS, "a file or folder of the project itself"),
    **dict.fromkeys(NEVER_IN_GIT, "a folder that is usually kept out of git"),
    **dict.fromkeys(BUILTINS, "a builtin of Python"),
    **dict.fromkeys(STANDARD_LIBRARY, "a module of Python's standard library"),
    **dict.fromkeys(WINDOWS_DEVICES, "a device name on Windows"),
    **dict.fromkeys(KEYWORDS, "a Python keyword"),
}
"""Reason by name, in the underscore form; for an agent and for its domain package."""

# The rest is only for agents: their name is also a command, a namespace of URNs, and what people
# call the agent's database and role.

# "Reserved" in the key word appendix of PostgreSQL's documentation, those that can be function or
# type included: `CREATE DATABASE user` and `CREATE ROLE user` are syntax errors.
POSTGRESQL = """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast
    check collate collation column concurrently constraint create cross current_catalog
    current_date current_role current_schema current_time current_timestamp current_user
    default deferrable desc distinct do else end except false fetch for foreign freeze from
    full grant group having ilike in initially inner intersect into is isnull join lateral
    leading left like limit localtime localtimestamp natural not notnull null offset on only
    or order outer overlaps placing primary references returning right select session_user
    similar some symmetric system_user table tablesample then to trailing true union unique
    user using variadic verbose when where window with
""".split()

POSTGRESQL_OWN = """
    none postgres public template0 template1
""".split()

# Formal namespaces of the IANA registry, and those that RFC 8141 keeps.
URN_NAMESPACES = """
    adid alert bbf broadband_forum_org cablelabs ccsds cgi clei ddi dev dgiwg dslforum_org
    dvb ebu eidr epc epcglobal etsi eurosystem example fdc fipa geant globus gsma hbbtv ieee
    ietf iptc isan isbn iso issn itu ivis lex liberty mace mef mpeg mrn nato nbn nena newsml
    nfc nzl oasis ogc ogf oid oipf oma onf pin publicid reso s1000d schac service smpte swift
    tva uci ucode urn uuid web3d xmlorg xmpp
""".split()

# In the folder of the environment where the agent's own command goes, and would replace them.
ENVIRONMENT_COMMANDS = """
    a2a_db activate activate_this cffi_gen_src deactivate dmypy dotenv genai_prices httpx
    httpx2 idna import_linter jsonschema lint_imports mako_render markdown_it mcp mypy mypyc
    normalizer pai pydoc pygmentize pytest python python3 python_grpc_tools_protoc pythonw
    ruff stubgen stubtest uvicorn
""".split()

AGENT_REASONS = {
    **dict.fromkeys(ENVIRONMENT_COMMANDS, "a command of the environment that the project installs"),
    **dict.fromkeys(URN_NAMESPACES, "a registered namespace of URNs"),
    **dict.fromkeys(POSTGRESQL_OWN, "a database or role that PostgreSQL keeps for itself"),
    **dict.fromkeys(POSTGRESQL, "a reserved word of PostgreSQL"),
    **REASONS,
    **dict.fromkeys((name.replace("-", "_") for name in COMMANDS), "a command of agent-new"),
}

AGENT_PREFIXES = {
    "pg_": "PostgreSQL keeps names that start with pg_ for itself",
    "urn_": "URNs whose namespace starts with urn- are given out by IANA (RFC 8141)",
}
"""Reason by how a name must not start, in the underscore form; only for agents."""


def as_jinja() -> str:
    tables = {
        "reserved": REASONS,
        "reserved_for_agents": AGENT_REASONS,
        "agent_prefixes": AGENT_PREFIXES,
    }
    return (
        "{#- Written by `python -m agent_new.reserved`; change agent_new/reserved.py. -#}\n"
        + "".join(_as_jinja_table(name, table) for name, table in tables.items())
    )


def _as_jinja_table(name: str, table: Mapping[str, str]) -> str:
    lines = "\n".join(f'  "{key}": "{reason}",' for key, reason in sorted(table.items()))
    return f"{{%- set {name} = {{\n{lines}\n}} -%}}\n"


if __name__ == "__main__":
    print(as_jinja(), end="")
