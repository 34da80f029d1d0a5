from __future__ import annotations

import builtins
import keyword
import re
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_new.answers import complete, given_answers
from agent_new.errors import ProblemsError, UsageError
from agent_new.names import agent_name_problem, clash_problem, domain_package_problem
from agent_new.reserved import AGENT_REASONS, COMMANDS, REASONS

GOOD_AGENT_NAMES = [
    "test-card",
    "urns",
    "pgx",
    "users",
    "orders-2",
    "my-agent",
    "ab",
    "a1",
    "a-b-c",
    "x9-1",
    "demo",
    "a" * 32,
    "mcp-agent",
]
BAD_AGENT_NAMES = [
    "", "a", "a" * 33, "2fast", "-rf", "a-", "a--b", "a_b", "Invoice-Bot", "acme.ai helper",
    "naïve-bot", "Привет", "a\n", "demo\n", " demo", "../escape", "a/b", "/tmp/abs-agent", "..",
    ".git", "con", "lpt1", "test", "tests", "json", "mcp", "a2a", "class", "None", "update",
    "con.txt", "acme---bot", "xn--a", "urn", "urn-1", "urn-isbn", "isbn", "oid", "nbn", "lex",
    "example", "dslforum-org", "user", "order", "select", "group", "all", "end", "analyse",
    "current-date", "left", "none", "public", "postgres", "pg-stats", "python", "python3", "type",
    "case", "_", "__", "print", "list", "lib", "dist", "-", "--", "--help", "a.b", "a\\b", "~", "$a",
    "new", "a2a-sdk", "pydantic-ai", "app", "src", "fastapi", "sse-starlette", "site", "match",
]  # fmt: skip
GOOD_PACKAGES = [
    "user",
    "isbn",
    "orders",
    "urn_1",
    "palmer_penguins",
    "ab",
    "claims",
    "a_1",
    "a" * 32,
    "skills",
]
BAD_PACKAGES = [
    "", "a", "a" * 33, "2fast", "_a", "a_", "a__b", "a-b", "Claims", "claims\n", "json", "class",
    "pydantic_ai", "sqlalchemy", "tests", "nul", "naïve", "queue", "email", "importlinter",
    "match", "type", "_", "print", "id", "dist", "venv", "conftest", "alembic", "../a", "a/b", "con",
]  # fmt: skip


def suggested(problem: str) -> str:
    """The name at the end of a message."""
    return problem.rpartition(" Try ")[2].removesuffix(".")


@pytest.mark.parametrize("name", GOOD_AGENT_NAMES)
def test_a_good_agent_name_is_taken(name: str) -> None:
    assert agent_name_problem(name) is None


@pytest.mark.parametrize("name", BAD_AGENT_NAMES)
def test_a_bad_agent_name_is_refused(name: str) -> None:
    assert agent_name_problem(name)


@pytest.mark.parametrize("name", GOOD_PACKAGES)
def test_a_good_package_name_is_taken(name: str) -> None:
    assert domain_package_problem(name) is None


@pytest.mark.parametrize("name", BAD_PACKAGES)
def test_a_bad_package_name_is_refused(name: str) -> None:
    assert domain_package_problem(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_word_is_no_agent_name(name: str) -> None:
    assert agent_name_problem(name)


typed_names = st.one_of(
    st.text(max_size=40),
    st.text(st.sampled_from("aAzé09-_./ "), max_size=45),
    st.sampled_from(sorted(AGENT_REASONS)).map(lambda name: name.replace("_", "-")),
    st.tuples(
        st.sampled_from(["urn-", "pg-", "xn--", "../", "-", "9"]),
        st.sampled_from(["x", "user", "9", "z" * 31, "a-" * 20, "agent"]),
    ).map("".join),
)


@settings(max_examples=1000, deadline=None)
@given(typed_names)
@example("urn-" + "a" * 28)
@example("pg-" + "a-" * 14 + "a")
def test_each_suggestion_is_itself_a_good_agent_name(name: str) -> None:
    if problem := agent_name_problem(name):
        assert agent_name_problem(suggested(problem)) is None, problem


@settings(max_examples=1000, deadline=None)
@given(typed_names.map(lambda name: name.replace("-", "_")))
@example("a" * 27 + "_data")
def test_each_suggestion_is_itself_a_good_package_name(name: str) -> None:
    if problem := domain_package_problem(name):
        assert domain_package_problem(suggested(problem)) is None, problem
    elif problem := clash_problem(name, name.replace("_", "-")):
        assert clash_problem(suggested(problem), name.replace("_", "-")) is None
        assert domain_package_problem(suggested(problem)) is None, problem


@pytest.mark.parametrize("name", sorted(name for name in AGENT_REASONS if name.islower()))
def test_each_reserved_name_is_refused_with_its_reason_and_a_way_out(name: str) -> None:
    problem = agent_name_problem(name.replace("_", "-"))

    assert problem
    assert AGENT_REASONS[name] in problem


def test_no_agent_name_breaks_a_rule_of_urns_or_of_vercel() -> None:
    urn_namespace = re.compile(r"(?!urn-|..--)[a-z0-9][a-z0-9-]{0,30}[a-z0-9]")  # RFC 8141
    vercel_project = re.compile(r"(?!.*---)[a-z0-9._-]{1,100}")
    for name in GOOD_AGENT_NAMES:
        assert urn_namespace.fullmatch(name)
        assert vercel_project.fullmatch(name)
    for name in ("urn-7", "xn--a", "acme---bot", "a" * 101):
        assert agent_name_problem(name)


def test_the_keywords_of_this_python_are_reserved() -> None:
    words = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}

    assert [word for word in words if not domain_package_problem(word)] == []


def test_every_module_of_this_python_is_reserved() -> None:
    importable = {name for name in sys.stdlib_module_names if not name.startswith("_")}

    assert importable <= set(REASONS)


def test_every_problem_is_told_at_once_with_the_value_and_the_way_out() -> None:
    pairs = [
        "titel=x",
        "example=flase",
        "surfaces=[mpc]",
        "auth=clark",
        "domain_package=json",
        "organization_url=example.org",
        "study= ",
        "universe=a\u2028b",
        f"title={'x' * 81}",
    ]

    with pytest.raises(ProblemsError) as refused:
        given_answers("Invoice Bot", pairs, None)

    assert refused.value.problems == (
        "There is no question `titel`. Did you mean `title`?",
        "`example` is 'flase'. Say yes or no.",
        "`surfaces` is '[mpc]'. There is no 'mpc'. Did you mean `mcp`? Choose from: mcp, chat, cron, a2a-rest, a2a-grpc, or none.",
        "`auth` is 'clark'. There is no such choice. Did you mean `clerk`? Choose from: clerk, oidc.",
        "`domain_package` is 'json'. It is a module of Python's standard library. Try json_data.",
        "`organization_url` is 'example.org'. "
        "Write a web address such as https://example.org, without spaces.",
        "`study` is ' '. It is blank. Write at least one visible character.",
        "`universe` is 'a\\u2028b'. Leave out control characters, line breaks and invisible marks "
        "(U+2028 at character 2).",
        f"`title` is '{'x' * 81}'. Use at most 80 characters; this has 81.",
        "`agent_name` is 'Invoice Bot'. Use small letters, digits and single hyphens, "
        "and start with a letter. Try invoice-bot.",
    )


def test_defaults_fill_what_is_not_given() -> None:
    answers = complete(given_answers("invoice-bot2", ["surfaces=[]"], None))

    assert answers["title"] == "Invoice Bot2"
    assert answers["domain_package"] == "palmer_penguins"
    assert answers["surfaces"] == []
    assert answers["example"] is True
    assert answers["auth"] == "clerk"


@pytest.mark.parametrize("text", ["[mcp]", "mcp", "['mcp']", '["mcp"]', " [ mcp , mcp ] "])
def test_a_list_may_be_written_as_people_write_it(text: str) -> None:
    assert given_answers(None, [f"surfaces={text}"], None) == {"surfaces": ["mcp"]}


def test_data_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "answers.yml"
    file.write_text("_commit: v1\ntitle: From file\nexample: false\nsurfaces: []\n")

    answers = given_answers("demo", ["title=a=b"], file)

    assert answers == {"title": "a=b", "example": False, "surfaces": [], "agent_name": "demo"}


def test_a_file_may_be_json_with_every_character_escaped(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text(r'{"title": "Zo\u00eb \ud83d\udc27"}')

    assert given_answers(None, [], file) == {"title": "Zoë 🐧"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("title: 2024\n", "must be a text, not a int"),
        ("example: maybe\n", "yes or no"),
        ("surfaces: {mcp: true}\n", "Write a list"),
        ("auth: [oidc]\n", "Choose from: clerk, oidc."),
        ("nope: 1\n", "no question `nope`"),
        ("- a\n", "must hold lines such as"),
        ("a: [\n", "is not YAML"),
        ("title: a\ntitle: b\n", "`title` stands twice"),
        ('{"title": "a", "title": "b"}', "`title` stands twice"),
        ("agent_name: no\n", "must be a text, not a bool"),
        ("title: \n", "must be a text, not a NoneType"),
    ],
)
def test_a_file_with_wrong_answers_is_refused(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "answers.yml"
    file.write_text(content)

    with pytest.raises(UsageError, match=said):
        given_answers("demo", [], file)


def test_the_domain_package_is_not_the_agents_own() -> None:
    with pytest.raises(ProblemsError, match="also the package of the agent palmer-penguins"):
        complete(given_answers("palmer-penguins", [], None))


def test_two_different_names_are_refused_together_with_what_else_is_wrong() -> None:
    with pytest.raises(ProblemsError) as refused:
        given_answers("demo", ["agent_name=other", "title=a", "title=b", "novalue", "nope=1"], None)

    assert [problem.split(".")[0] for problem in refused.value.problems] == [
        "`title` is 'a' and 'b'",
        "--data 'novalue' has no `=`",
        "NAME is 'demo', but `agent_name` is 'other'",
        "There is no question `nope`",
    ]


def test_the_same_answer_may_be_given_twice() -> None:
    assert given_answers(None, ["title=a", "title=a"], None) == {"title": "a"}


def test_a_very_long_value_is_shown_in_part() -> None:
    with pytest.raises(ProblemsError) as refused:
        given_answers(None, [f"title={'x' * 10_000}"], None)

    assert len(str(refused.value)) < 600
    assert "Use at most 80 characters; this has 10000." in str(refused.value)
