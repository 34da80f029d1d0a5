"""What a person at a browser reads where a token is missing."""

from html import escape

from ..identity import IDENTITY
from ..settings import Settings
from .credentials import SESSION_COOKIE

HEADERS = (
    ("content-security-policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
)


def no_token_page(settings: Settings, reason: str) -> str:
    """One document, without script or anything from elsewhere."""
    ways = _on_this_machine() if settings.development_tokens else _from_the_issuer()
    paragraphs = "\n".join(f"<p>{way}</p>" for way in ways)
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(IDENTITY.title)}: no valid token</title></head>
<body>
<h1>You are not let in yet</h1>
<p>{escape(IDENTITY.title)} answers people who bring a session token. This request brought none that
is valid; the reason is <code>{escape(reason)}</code>.</p>
{paragraphs}
<p>A browser brings the token as the cookie <code>{SESSION_COOKIE}</code>, a program as the header
<code>Authorization: Bearer &lt;token&gt;</code>.</p>
</body>
</html>
"""


def _on_this_machine() -> tuple[str, ...]:
    return (
        f"Make a token in the folder of the project: <code>uv run {IDENTITY.name} token</code>.",
        "Then type into the console of this page, which the developer tools of the browser have, "
        f'<code>document.cookie = "{SESSION_COOKIE}=&lt;token&gt;; path=/"</code>, and load the '
        "page again.",
    )


def _from_the_issuer() -> tuple[str, ...]:
    return (
        "Sign in where your organization has you sign in, and come back.",
        "For whoever runs the agent: <code>AUTH_SIGN_IN_URL</code> is where people without a "
        "session are sent, and <code>AUTH_ISSUER</code> is whose sessions are taken.",
    )
