"""The system prompt, put together from what the code enforces, so that the two cannot drift."""

from importlib.resources import files

from ..contracts import Identity, Refusals
from ..identity import IDENTITY
from ..refusals import REFUSALS

ROOT = __package__.rpartition(".")[0]


def system_prompt(identity: Identity = IDENTITY, refusals: Refusals = REFUSALS) -> str:
    """What the model is told: `prompt/system.md`, who it is, the data, and the refusal rules."""
    own = files(ROOT).joinpath("prompt", "system.md").read_text(encoding="utf-8").strip()
    sections = [
        f"# {identity.title}\n\n{own}",
        f"## Data\n\nStudy: {identity.study}\nUniverse: {identity.universe}",
        "## Asking back\n\nWhere a tool needs an argument that the conversation does not give, "
        "call `ask_user` with one short question. Do not guess.",
    ]
    if refusals.rules:
        rules = "\n".join(f"- `{name}`: {rule.when}." for name, rule in refusals.rules.items())
        sections.append(
            "## Refusals\n\nCall `refuse` with the rule and what met it, instead of answering, "
            f"when one of these holds:\n\n{rules}"
        )
    return "\n\n".join(sections) + "\n"
