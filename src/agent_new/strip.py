"""The verb `strip`: take the example out; what the person has made of it stays."""

from __future__ import annotations

from collections.abc import Iterator

from .carry_out import DONE, Deed, carry_out
from .environment import is_installed, own_variables, project_python
from .host import run
from .needed import Packages
from .project import Project, find_project
from .questions import BY_KEY
from .repository import open_repository
from .retemplate import Plan, retemplate
from .scratch import scratch_folder
from .source import find_source
from .terminal import say, step
from .versions import refuse_unrecordable, version_of
from .without_example import SNAPSHOT, WithoutExample

_WORDS_OF_THE_EXAMPLE = ("description", "study", "universe")


def strip(*, test: bool = True) -> int:
    """The exit code."""
    project = find_project()
    if project.answers.get("example") is False:
        print(f"There is no example in {project.root}: it was left out, or stripped before.")
        return DONE
    repository = open_repository(project.root)
    example = WithoutExample(Packages(project.agent_package, project.domain_package))
    with scratch_folder() as scratch:
        source = find_source(scratch)
        refuse_unrecordable(source)
        ref = version_of(project, source).ref
        with step("Rendering with and without the example"):
            plan = retemplate(
                project,
                repository,
                source,
                scratch,
                {**project.answers, "example": False},
                ref=ref,
                prepare=example.prepare,
            )
        then = (*_told(example), *_first_steps(project))
        deed = Deed("Stripped the example", "Strip the example", test, then)
        return carry_out(plan, deed, lambda: _accept_prompt(project, plan, example))


def _told(example: WithoutExample) -> Iterator[str]:
    for path, why in example.kept.items():
        yield f"  kept  {path}: {why}"


def _first_steps(project: Project) -> Iterator[str]:
    yield "\nThe first tool of your own: agent-new add tool NAME --kind discovery (or visual)"
    named = [
        key for key in _WORDS_OF_THE_EXAMPLE if project.answers.get(key) == BY_KEY[key].default
    ]
    if named:
        words = " ".join(f'--data {key}="..."' for key in named)
        yield f"Still named after the example; say yours: agent-new update {words}"
    if project.domain_package == BY_KEY["domain_package"].default:
        yield "The same of your domain package: agent-new rename PACKAGE"


def _accept_prompt(project: Project, plan: Plan, example: WithoutExample) -> None:
    """The snapshot shows what the model is told; it follows from other files."""
    if not example.stale_snapshot or not (project.root / SNAPSHOT).is_file():
        return
    made = None
    if is_installed(project.root):
        code = f"from {project.agent_package}.cli import main; main(['prompt'])"
        python = str(project_python(project.root))
        made = run([python, "-c", code], own_variables(), folder=project.root)
    if made is None or made.returncode != 0 or not made.stdout:
        say(
            f"The prompt has changed. Accept it: uv run {project.answers['agent_name']} prompt > {SNAPSHOT}"
        )
        return
    (project.root / SNAPSHOT).write_text(made.stdout, encoding="utf-8", newline="\n")
    plan.repository.git("add", "--", f"{plan.repository.prefix}{SNAPSHOT}")
