"""What may be free text or a web address. `includes/text.jinja` says the same."""

from __future__ import annotations

import re

# Controls, line breaks, invisible marks that hide or reorder text, halves of a surrogate pair and
# non-characters: no format that the project has (TOML, JSON, YAML, Python) carries all of them.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_URL = re.compile(
    r"https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][^\s\"'<>\\^`{|}]*)?"
)
URL_LIMIT = 300


def text_problem(value: str, limit: int) -> str | None:
    if not value.strip():
        return "It is blank. Write at least one visible character."
    if found := _UNPRINTABLE.search(value):
        return (
            f"Leave out control characters, line breaks and invisible marks "
            f"(U+{ord(found[0]):04X} at character {found.start() + 1})."
        )
    if len(value) > limit:
        return f"Use at most {limit} characters; this has {len(value)}."
    return None


def url_problem(value: str) -> str | None:
    if problem := text_problem(value, URL_LIMIT):
        return problem
    if not _URL.fullmatch(value):
        return "Write a web address such as https://example.org, without spaces."
    return None
