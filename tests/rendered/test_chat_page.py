"""The chat page in a real browser: what people type, see and reach."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect, sync_playwright

from rendered.javascript import CHAT, installed
from rendered.projects import Project, Served
from rendered.variants import MARKUP

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one system is enough")
NO_CHROMIUM = "no Chromium: install the package `chromium` of your system"
QUESTION = "How heavy are Gentoo penguins?"
WITHIN = 2000
"""Milliseconds in which the page shows what has come."""
PATIENCE = 30_000
"""For what a real agent does on a busy machine."""
expect.set_options(timeout=PATIENCE)
EVIL = "<img src=x onerror=document.title='hacked'>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None and os.environ.get("REQUIRE_CHROMIUM"):
        pytest.fail(NO_CHROMIUM)
    if path is None:
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new page, in which nothing goes wrong unseen."""
    with browser.new_context() as context:
        page = context.new_page()
        broken: list[str] = []
        page.on("pageerror", lambda error: broken.append(str(error)))
        yield page
        assert broken == []


@pytest.fixture
def chat(page: Page, agent: Served) -> Page:
    """The page of the real agent."""
    page.goto(f"{agent.url}/chat")
    return page


def posts(page: Page) -> list[str]:
    """The questions that the page sends from now on."""
    sent: list[str] = []

    def note(route: Route) -> None:
        request = route.request.post_data_json
        assert request is not None
        sent.append(request["messages"][-1]["parts"][0]["text"])
        route.fallback()

    page.route("**/api/chat", note)
    return sent


def answering(
    page: Page, *chunks: dict[str, Any], end: str = "data: [DONE]\n\n", **more: Any
) -> None:
    """Let every question be answered with these chunks, instead of by the agent."""
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + end
    answer = {"status": 200, "content_type": "text/event-stream", "body": body, **more}
    page.route("**/api/chat", lambda route: route.fulfill(**answer))


def ask(page: Page, text: str = QUESTION) -> None:
    page.fill("#text", text)
    page.press("#text", "Enter")


def usable_again(page: Page, within: float = PATIENCE) -> None:
    expect(page.locator("#send")).to_be_visible(timeout=within)
    expect(page.locator("#stop")).to_be_hidden()
    expect(page.locator("#text")).to_be_editable()


def press(page: Page, **key: object) -> None:
    """A keydown of Enter as a browser reports it."""
    page.evaluate(
        "key => document.querySelector('#text').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, ...key}))",
        key,
    )


def test_enter_that_ends_a_composition_sends_nothing(chat: Page) -> None:
    sent = posts(chat)
    chat.focus("#text")
    keyboard = chat.context.new_cdp_session(chat)

    keyboard.send(
        "Input.imeSetComposition", {"text": "むずか", "selectionStart": 3, "selectionEnd": 3}
    )
    press(chat, isComposing=True)
    press(chat, keyCode=229)
    keyboard.send("Input.insertText", {"text": "難か"})
    chat.keyboard.press("Shift+Enter")
    chat.keyboard.type("x")
    assert (sent, chat.input_value("#text")) == ([], "難か\nx")

    chat.keyboard.press("Enter")
    usable_again(chat)
    assert sent == ["難か\nx"]


def test_enter_twice_in_one_tick_sends_once(chat: Page) -> None:
    sent = posts(chat)
    chat.fill("#text", "hello")

    chat.evaluate(
        "() => { for (const _ of [1, 2]) document.querySelector('#text').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})) }"
    )

    expect(chat.locator("article")).to_have_count(2)
    usable_again(chat)
    assert sent == ["hello"]
    expect(chat.locator("article.person")).to_have_text(["hello"])


def test_while_a_reply_streams_nothing_is_sent_and_stop_stops_it(
    page: Page, slow_agent: Served
) -> None:
    page.goto(f"{slow_agent.url}/chat")
    sent = posts(page)

    ask(page, "Please wait")
    expect(page.locator("#text")).to_have_value("")
    ask(page, "And this?")
    page.evaluate("document.querySelector('form').requestSubmit()")
    expect(page.locator("#send")).to_be_hidden()
    expect(page.locator("#text")).to_have_value("And this?")  # it is not lost
    assert sent == ["Please wait"]

    expect(page.locator("article").last).to_have_text("Hm, ")
    page.click("#stop")
    expect(page.locator("article .error")).to_have_text("Stopped.", timeout=WITHIN)
    usable_again(page, WITHIN)
    page.press("#text", "Enter")
    expect(page.locator("article").last).to_have_text("As you say.")
    assert sent == ["Please wait", "And this?"]


def test_an_answer_has_its_chart_and_its_source_and_breaks_no_policy(chat: Page) -> None:
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        said.append(message.text)

    chat.on("console", note)

    ask(chat)

    reply = chat.locator("article").last
    expect(reply.locator(".text")).to_contain_text("5076.02 g")
    expect(reply.locator(".source")).to_contain_text("base n=123")
    chart = reply.frame_locator("iframe[sandbox='']")
    expect(chart.locator("svg rect").first).to_be_visible()
    assert chart.locator("h1").evaluate("e => getComputedStyle(e).fontSize") != "32px"
    usable_again(chat)
    assert said == []


def test_a_refusal_looks_unlike_an_answer(chat: Page) -> None:
    ask(chat, "How heavy are emperor penguins?")

    refusal = chat.locator("article .refusal")
    expect(refusal).to_contain_text("population_outside_data")
    border = "e => getComputedStyle(e).borderInlineStartWidth"
    assert refusal.evaluate(border) != chat.locator("article .text").evaluate(border)
    usable_again(chat)


def test_a_question_back_is_answered_in_the_same_conversation(chat: Page) -> None:
    ask(chat, "How heavy are they?")
    usable_again(chat)

    ask(chat, "Gentoo")

    expect(chat.locator("article").last).to_contain_text("5076.02 g")


def test_pieces_of_text_are_joined_in_their_order(chat: Page) -> None:
    pieces = [{"type": "text-delta", "id": "t", "delta": piece} for piece in ("a ", "b ", "c")]
    answering(chat, {"type": "text-start", "id": "t"}, *pieces, {"type": "text-end", "id": "t"})

    ask(chat)

    expect(chat.locator("article").last).to_have_text("a b c", timeout=WITHIN)
    usable_again(chat)


JSON, HTML = "application/json", "text/html"
ODD: dict[str, tuple[dict[str, Any], str]] = {
    "an error in the stream": (
        {"body": 'data: {"type": "error", "errorText": "It broke. Reference: x."}\n\n'
         "data: [DONE]\n\n"},
        "It broke. Reference: x.",
    ),
    "a stream without its end": (
        {"body": 'data: {"type": "start"}\n\n'},
        "The connection broke before the answer was complete.",
    ),
    "a stream that ends amid a chunk": (
        {"body": 'data: {"type": "te'},
        "The connection broke before the answer was complete.",
    ),
    "a stream of something else": ({"body": "data: nonsense\n\ndata: [DONE]\n\n"}, "not readable"),
    "text that was never begun": (
        {"body": 'data: {"type": "text-delta", "id": "t", "delta": "Hi"}\n\ndata: [DONE]\n\n'},
        "not readable",
    ),
    "an empty reply": ({"body": "data: [DONE]\n\n"}, "The agent said nothing."),
    "no body": ({"body": ""}, "The connection broke before the answer was complete."),
    "401 in JSON": (
        {"status": 401, "content_type": JSON, "body": '{"error": {"message": "Sign in first."}}'},
        "Sign in first.",
    ),
    "401 in HTML": ({"status": 401, "content_type": HTML, "body": "<h1>No</h1>"}, "status 401"),
    "500 in JSON": ({"status": 500, "content_type": JSON, "body": '{"detail": 1}'}, "status 500"),
    "500 in HTML": ({"status": 500, "content_type": HTML, "body": "<h1>No</h1>"}, "status 500"),
    "503 as JSON-RPC": (
        {"status": 503, "content_type": JSON, "body": '{"error": {"message": "Starting."}}'},
        "Starting.",
    ),
    "200 in HTML": ({"content_type": HTML, "body": "<h1>Sign in</h1>"}, "status 200"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "shown"), ODD.values(), ids=ODD)
def test_what_goes_wrong_is_shown_and_the_next_question_can_be_asked(
    chat: Page, answer: dict[str, Any], shown: str
) -> None:
    answering(chat, end="", **answer)

    ask(chat)

    expect(chat.locator("article").last).to_contain_text(shown, timeout=WITHIN)
    expect(chat.locator("article").last).not_to_contain_text("…")
    usable_again(chat, WITHIN)
    expect(chat.locator("article").last.locator(".error")).to_be_visible()


def test_a_reply_that_grows_is_followed(chat: Page) -> None:
    pieces = [{"type": "text-delta", "id": "t", "delta": f"line {n}\n"} for n in range(15)]
    answering(chat, {"type": "text-start", "id": "t"}, *pieces, {"type": "text-end", "id": "t"})

    ask(chat)
    usable_again(chat)

    text, form = (chat.locator(find).bounding_box() for find in ("article .text", "form"))
    assert text
    assert form
    assert 0 <= text["y"] < text["y"] + text["height"] <= form["y"]  # not hidden behind the input


def test_an_agent_that_is_gone_is_told_in_words(chat: Page) -> None:
    chat.route("**/api/chat", lambda route: route.abort("connectionrefused"))

    ask(chat)

    expect(chat.locator("article .error")).to_have_text("The agent cannot be reached.")
    usable_again(chat)


def test_a_stream_that_breaks_after_words_keeps_them(page: Page, agent: Served) -> None:
    page.goto(f"{agent.url}/chat")
    with breaking_stream() as url:
        page.route("**/api/chat", lambda route: route.continue_(url=url))
        ask(page)

        expect(page.locator("article").last).to_contain_text("Half an", timeout=WITHIN)
        expect(page.locator("article .error")).to_be_visible(timeout=WITHIN)
        usable_again(page)


@contextmanager
def breaking_stream() -> Iterator[str]:
    """A server that hangs up in the middle of its answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", "10000")
            self.end_headers()
            for chunk in (
                {"type": "text-start", "id": "t"},
                {"type": "text-delta", "id": "t", "delta": "Half an"},
            ):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            time.sleep(0.5)  # what comes together with the end is not read

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/chat"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_nothing_from_outside_becomes_markup(chat: Page) -> None:
    title = chat.title()
    citation = {
        "study": EVIL,
        "period": EVIL,
        "base": 1,
        "weight": EVIL,
        "source": {"table": EVIL, "column": EVIL},
    }
    call = {"toolCallId": "c", "toolName": EVIL, "input": {EVIL: EVIL}}
    view = f"<p>{EVIL}</p><script>parent.document.title = 'hacked'</script>"
    answering(
        chat,
        {"type": "tool-input-available", **call},
        {"type": "tool-output-available", "toolCallId": "c", "output": {"view": view}},
        {"type": "text-start", "id": "t"},
        {"type": "text-delta", "id": "t", "delta": EVIL},
        {"type": "data-citations", "data": {"citations": [citation]}},
        {"type": "data-refusal", "data": {"rule": EVIL}},
        {"type": "error", "errorText": EVIL},
    )

    ask(chat, EVIL)

    expect(chat.locator("article .error")).to_have_text(EVIL)
    usable_again(chat)
    expect(chat.locator("article.person")).to_have_text(EVIL)
    assert chat.locator("img").count() == 0
    assert chat.title() == title


def test_title_and_description_are_shown_as_they_were_given(
    page: Page,
    project_of: Callable[[str], Project],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    project = project_of("short_names_and_markup")
    with project.served(tmp_path_factory.mktemp("data")) as served:
        page.goto(f"{served.url}/chat")

        assert page.title() == MARKUP
        expect(page.locator("h1")).to_have_text(MARKUP)
        expect(page.locator("header p")).to_have_text(f"D {MARKUP}")
        assert page.locator("img").count() == 0
        ask(page)
        expect(page.locator("article .source")).to_contain_text(f"S {MARKUP}")


def test_the_page_is_used_by_keyboard_alone(chat: Page) -> None:
    chat.keyboard.press("Tab")
    chat.keyboard.press("Enter")  # the first of the questions that are offered

    expect(chat.locator("article.person")).to_have_text(QUESTION)
    usable_again(chat)
    for _ in range(20):
        if chat.evaluate("document.activeElement.id") == "text":
            break
        chat.keyboard.press("Tab")
    chat.keyboard.type("How heavy are emperor penguins?")
    chat.keyboard.press("Tab")
    assert chat.evaluate("document.activeElement.id") == "send"
    chat.keyboard.press("Enter")
    expect(chat.locator("article .refusal")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1200])
def test_the_page_fits_its_screen_and_leaves_nobody_out(
    chat: Page, width: int, scheme: Any
) -> None:
    chat.set_viewport_size({"width": width, "height": 844})
    chat.emulate_media(color_scheme=scheme)
    for question in (QUESTION, "How heavy are emperor penguins?"):
        ask(chat, question)
        usable_again(chat)

    assert chat.evaluate("document.documentElement.scrollWidth") == width
    last = chat.locator("article .refusal").bounding_box()
    form = chat.locator("form").bounding_box()
    assert last
    assert form
    assert last["y"] + last["height"] <= form["y"]  # not hidden behind the input
    chat.evaluate(
        (installed(CHAT) / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    )
    violations = chat.evaluate("async () => (await axe.run()).violations")
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in violations] == []
