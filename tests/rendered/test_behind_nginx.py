"""Behind nginx as it comes: streams arrive while they are told, and two processes are one agent."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from rendered.projects import Project, Served, free_port
from rendered.slow_model import slow_model
from rendered.test_both_databases import NO_POSTGRES, postgres_module

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NO_NGINX = "no nginx: install the package `nginx-light` of your system"
RPC = "/api/a2a/jsonrpc"
V1 = {"A2A-Version": "1.0"}
CONFIGURATION = """\
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  gzip on;
  upstream localhost {{ {servers} }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://localhost;
      {more}
    }}
  }}
}}
"""
Call = Callable[..., dict[str, Any]]


@contextmanager
def nginx(folder: Path, ports: list[int], more: str = "") -> Iterator[httpx.Client]:
    if NGINX is None and os.environ.get("REQUIRE_NGINX"):
        pytest.fail(NO_NGINX)
    if NGINX is None:
        pytest.skip(NO_NGINX)
    port = free_port()
    servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
    written = CONFIGURATION.format(folder=folder, servers=servers, port=port, more=more)
    (folder / "nginx.conf").write_text(written)
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as proxy:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                _wait_until(lambda: _answers(client))
                yield client
        finally:
            proxy.terminate()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/api/health").is_success
    except httpx.TransportError:
        return False


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def body(method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def message(text: str, **ids: str) -> dict[str, Any]:
    said = {"messageId": text, "role": "ROLE_USER", "parts": [{"text": text}], **ids}
    return {"message": said}


def old_message(text: str) -> dict[str, Any]:
    parts = [{"kind": "text", "text": text}]
    return {"message": {"kind": "message", "messageId": "m", "role": "user", "parts": parts}}


@pytest.fixture(scope="module")
def proxy(slow_agent: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    port = slow_agent.client.base_url.port
    assert port
    with nginx(tmp_path_factory.mktemp("nginx"), [port]) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "params", "headers"),
    [
        ("SendStreamingMessage", message("tell me slowly"), V1),
        ("message/stream", old_message("tell me slowly"), {}),
    ],
    ids=["1.0", "0.3"],
)
def test_a_stream_arrives_while_it_is_told(
    proxy: httpx.Client, method: str, params: dict[str, Any], headers: dict[str, str]
) -> None:
    proxy.post(RPC, json=body("SendMessage", message("warm up")), headers=V1)
    sent = {**headers, "Accept-Encoding": "gzip"}
    began, arrivals = time.monotonic(), []

    with proxy.stream("POST", RPC, json=body(method, params), headers=sent) as response:
        for line in response.iter_lines():
            if line.startswith("data:"):
                arrivals.append(time.monotonic() - began)

    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] in {"no-store", "no-cache"}
    assert "content-encoding" not in response.headers
    assert arrivals[0] < 1
    assert arrivals[-1] > 1.5  # the model takes as long
    assert len({round(arrival / 0.3) for arrival in arrivals}) >= 3


def test_the_card_names_the_public_address_whatever_a_proxy_says(
    project_of: Callable[[str], Project], tmp_path: Path
) -> None:
    public = "https://agent.example.com"
    forwarded = "proxy_set_header Host agent.example.com; proxy_set_header X-Forwarded-Host evil;"
    with (
        project_of("default").served(tmp_path, PUBLIC_BASE_URL=public) as served,
        nginx(tmp_path, [served.client.base_url.port or 0], forwarded) as client,
    ):
        card = client.get("/.well-known/agent-card.json").json()

    assert card["url"] == f"{public}{RPC}"
    assert {i["url"] for i in card["supportedInterfaces"]} == {f"{public}{RPC}"}
    assert "127.0.0.1" not in json.dumps(card)
    assert "evil" not in json.dumps(card)


class Instances:
    """Two processes of one agent on one Postgres, behind one address."""

    def __init__(self, start: Callable[[int], None], stop: Callable[[int], None]) -> None:
        self._start = start
        self._stop = stop

    def restart(self, number: int) -> None:
        self._stop(number)
        self._start(number)


@pytest.fixture(scope="module")
def instances(
    project_of: Callable[[str], Project], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[httpx.Client, Instances]]:
    project, ports = project_of("default"), [free_port(), free_port()]
    folders = [tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")]
    running: dict[int, ExitStack] = {}
    with ExitStack() as stack:
        url = stack.enter_context(postgres_module().own_server())
        if url is None and os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail(NO_POSTGRES)
        if url is None:
            pytest.skip(NO_POSTGRES)
        settings = {**stack.enter_context(slow_model()), "DATABASE_URL": url}
        project.run(
            "python", "-c", f"from {project.package}.cli import main; main()", "migrate", **settings
        )

        def start(number: int) -> None:
            running[number] = ExitStack()
            served = project.served(folders[number], ports[number], **settings)
            running[number].enter_context(served)

        def stop(number: int) -> None:
            running.pop(number).close()

        start(0)
        start(1)
        proxy = nginx(
            tmp_path_factory.mktemp("nginx"),
            ports,
            "proxy_next_upstream error timeout http_503 non_idempotent;",
        )
        with proxy as client:
            yield client, Instances(start, stop)
        for number in list(running):
            stop(number)


@pytest.fixture
def call(instances: tuple[httpx.Client, Instances]) -> Call:
    """One A2A call; one after the other goes to the other process."""
    client, _ = instances

    def made(method: str, params: object) -> dict[str, Any]:
        answer: dict[str, Any] = client.post(RPC, json=body(method, params), headers=V1).json()
        return answer

    return made


def test_one_task_is_started_followed_read_and_cancelled_at_two_processes(
    instances: tuple[httpx.Client, Instances], call: Call
) -> None:
    client, _ = instances
    for _ in range(2):  # so that each process has each part
        sent = message("wait a while") | {"configuration": {"returnImmediately": True}}
        task = call("SendMessage", sent)["result"]["task"]
        following = body("SubscribeToTask", {"id": task["id"]})
        states = []
        with client.stream("POST", RPC, json=following, headers=V1) as response:
            for line in response.iter_lines():
                if line.startswith("data:"):
                    event = json.loads(line.removeprefix("data:"))["result"]
                    told = event.get("task") or event.get("statusUpdate")
                    if told:
                        states.append(told["status"]["state"])
                    if len(states) == 1:
                        call("CancelTask", {"id": task["id"]})

        assert states[-1] == "TASK_STATE_CANCELED"
        for _ in range(2):
            read = call("GetTask", {"id": task["id"]})["result"]
            assert read["status"]["state"] == "TASK_STATE_CANCELED"


def test_a_conversation_goes_on_at_whichever_process(call: Call) -> None:
    parts = [{"data": {"skill": "get_species_profile", "args": {}}}]
    asked = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": parts}}
    for _ in range(2):
        task = call("SendMessage", asked)["result"]["task"]
        assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        answered = call("SendMessage", message("Gentoo", taskId=task["id"]))["result"]["task"]
        assert (answered["id"], answered["status"]["state"]) == (task["id"], "TASK_STATE_COMPLETED")


def test_a_rolling_restart_fails_no_request_and_loses_no_task(
    instances: tuple[httpx.Client, Instances], call: Call
) -> None:
    _, processes = instances
    answers: list[dict[str, Any]] = []
    done = threading.Event()

    def go_on() -> None:
        while not done.is_set():
            answers.append(call("SendMessage", message("tell me slowly")))

    callers = [threading.Thread(target=go_on) for _ in range(3)]
    for caller in callers:
        caller.start()
    for number in (0, 1):
        processes.restart(number)
    done.set()
    for caller in callers:
        caller.join()

    states = {answer["result"]["task"]["status"]["state"] for answer in answers}
    assert states == {"TASK_STATE_COMPLETED"}
    assert len(answers) > 3
    working = call("ListTasks", {"status": "TASK_STATE_WORKING"})["result"]["tasks"]
    assert working == []
