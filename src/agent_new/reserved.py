"""Names that an agent or its domain package cannot have, each with the reason."""

from __future__ import annotations

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

# What stands in the new project beside the package, or is imported by that name from its root.
FOLDERS = """
    app conftest docs examples hooks packages scripts site src static template templates
    test tests
""".split()

WINDOWS_DEVICES = """
    aux com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7
    lpt8 lpt9 nul prn
""".split()

# Import names and distribution names of what the new project installs, with `_` for `-`.
DEPENDENCIES = """
    a2a a2a_lint a2a_sdk aiologic aiosqlite alembic annotated_doc annotated_types anyio
    asyncpg attr attrs certifi cffi charset_normalizer check_jsonschema click colorama
    copier cryptography culsans dbos fastapi filelock genai_prices google google_api_core
    google_auth googleapis_common_protos greenlet griffe griffelib grimp grpc grpcio h11
    httpcore httpcore2 httptools httpx httpx2 hypothesis idna import_linter importlinter
    iniconfig jinja2 json_rpc jsonrpc jsonschema jsonschema_specifications jwt librt logfire
    logfire_api mako markdown_it markdown_it_py markupsafe mcp mcp_types mdurl multipart
    mypy mypy_extensions openai opentelemetry opentelemetry_api packaging pathspec pip
    platformdirs pluggy proto proto_plus protobuf psycopg psycopg_binary psycopg_pool py pyasn1 pyasn1_modules pycparser
    pydantic pydantic_ai pydantic_ai_slim pydantic_core pydantic_graph pydantic_settings
    pygments pyjwt pytest pytest_asyncio python_dotenv python_multipart pyyaml referencing
    requests rich rpds rpds_py ruff setuptools shellingham sniffio sortedcontainers
    sqlalchemy sse_starlette starlette truststore typer typing_extensions typing_inspection
    urllib3 uv uvicorn uvloop watchfiles websockets wheel wrapt yaml
""".split()

REASONS = {
    **dict.fromkeys(DEPENDENCIES, "the name of a library that the project installs"),
    **dict.fromkeys(FOLDERS, "a file or folder of the project itself"),
    **dict.fromkeys(STANDARD_LIBRARY, "a module of Python's standard library"),
    **dict.fromkeys(WINDOWS_DEVICES, "a device name on Windows"),
    **dict.fromkeys(KEYWORDS, "a Python keyword"),
}
"""Reason by name, in the underscore form."""


def as_jinja() -> str:
    commands = ", ".join(f'"{name}"' for name in sorted(COMMANDS))
    reasons = "\n".join(f'  "{name}": "{reason}",' for name, reason in sorted(REASONS.items()))
    return (
        "{#- Written by `python -m agent_new.reserved`; change agent_new/reserved.py. -#}\n"
        f"{{%- set commands = [{commands}] -%}}\n"
        f"{{%- set reserved = {{\n{reasons}\n}} -%}}\n"
    )


if __name__ == "__main__":
    print(as_jinja(), end="")
