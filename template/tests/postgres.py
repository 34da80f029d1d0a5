"""A Postgres server for the tests, from whatever `postgres` is installed."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def own_server() -> Iterator[str | None]:
    """Its URL while it runs; None where no Postgres is installed."""
    binaries = _binaries()
    if binaries is None:
        yield None
        return
    # Postgres refuses to run as root, and who runs it then may enter /tmp, if not our TMPDIR.
    as_root = os.name == "posix" and os.getuid() == 0
    with (
        TemporaryDirectory(prefix="postgres", dir="/tmp" if as_root else None) as folder,
        _running(binaries, Path(folder), as_root=as_root) as url,
    ):
        yield url


@contextmanager
def _running(binaries: Path, folder: Path, *, as_root: bool) -> Iterator[str]:
    as_user = ["runuser", "-u", "postgres", "--"] if as_root else []
    folder.chmod(0o777 if as_root else 0o700)
    data, port = str(folder / "data"), _free_port()
    create = [*as_user, str(binaries / "initdb"), "-D", data, "-A", "trust", "-U", "postgres"]
    control = [*as_user, str(binaries / "pg_ctl"), "-D", data, "-w", "-l", str(folder / "log")]
    options = f"-p {port} -k {folder} -c fsync=off"
    _run(create, folder)
    _run([*control, "-o", options, "start"], folder)
    try:
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    finally:
        _run([*control, "-m", "immediate", "stop"], folder)


def _binaries() -> Path | None:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return Path(found).parent if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
