"""One answer as a complete HTML document."""

from html import escape

# The policy is the proof that a view needs nothing from the network.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 1rem; max-width: 44rem }}
h1 {{ font-size: 1.15rem; margin: 0 0 .5rem }}
svg {{ width: 100%; height: auto }}
footer {{ font-size: .8rem; opacity: .75; border-top: 1px solid; margin-top: 1rem; padding-top: .5rem }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{text}</p>
{figure}
<footer>{source}</footer>
</body>
</html>
"""


def page(*, title: str, text: str, figure: str, source: str) -> str:
    """`figure` is HTML of our own and goes in as it is; everything else is escaped."""
    return _PAGE.format(
        title=escape(title), text=escape(text), figure=figure, source=escape(source)
    )
