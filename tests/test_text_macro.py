"""Free text reaches a rendered Python, JSON or YAML file character for character."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jinja2 import FileSystemLoader
from jinja2.sandbox import SandboxedEnvironment

from agent_new.text import text_problem
from support import ROOT

RUFF = str(Path(sys.executable).with_name("ruff"))
AWKWARD = r"""Says "hi" to C:\new\table - 100% {{ 7*7 }} {% raw %} #tag Zoë O'Nil "Zed" \\' \" """

texts = st.one_of(
    st.text(st.sampled_from("ab\\'\"{}%#$`& é日"), min_size=1, max_size=40),
    st.text(min_size=1, max_size=60),
).filter(lambda text: text_problem(text, 300) is None)

environment = SandboxedEnvironment(
    loader=FileSystemLoader(ROOT),
    keep_trailing_newline=True,
    extensions=["jinja2_ansible_filters.AnsibleCoreFiltersExtension"],
)
as_python = environment.from_string(
    "{%- from 'includes/text.jinja' import py -%}\n"
    "VALUES = (\n{% for value in values %}    {{ py(value) }},\n{% endfor %})\n"
)
as_json = environment.from_string("{{ value | to_json(ensure_ascii=False) }}")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(texts, min_size=2, max_size=30))
@example([AWKWARD, "it's"])
@example(["\\", "'"])
@example(["''\"", '""\''])
def test_a_python_literal_keeps_the_text_and_is_as_ruff_leaves_it(values: list[str]) -> None:
    source = as_python.render(values=values)

    assert ast.literal_eval(source.removeprefix("VALUES = ")) == tuple(values)
    formatted = subprocess.run(
        [RUFF, "format", "--isolated", "--line-length=100", "-"],
        input=source.encode(),
        capture_output=True,
        check=True,
    )
    assert formatted.stdout.decode() == source


@settings(max_examples=300, deadline=None)
@given(texts)
@example(AWKWARD)
def test_a_json_literal_is_right_in_json_toml_and_yaml(value: str) -> None:
    literal = as_json.render(value=value)

    assert json.loads(literal) == value
    assert tomllib.loads(f"a = {literal}")["a"] == value
    assert yaml.safe_load(f"a: {literal}")["a"] == value
