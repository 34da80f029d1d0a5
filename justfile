# The first set-up is in README.md; these run in its environment.
uv := if os() == "windows" { "uv" } else { ".venv/bin/uv" }

# Show the verbs
_default:
    @just --list

# Lint, format, types, imports: what CI checks before the tests
check:
    {{ uv }} run ruff check .
    {{ uv }} run ruff format --check .
    {{ uv }} run mypy
    {{ uv }} run lint-imports

# All tests
test *args:
    {{ uv }} run pytest {{ args }}

# The tests that need no rendered project at work: an answer in seconds
quick *args:
    {{ uv }} run pytest -m "not slow" {{ args }}

# Speed as ratios against peers, on this machine; `just bench --quick` only shows that it runs
bench *args:
    {{ uv }} run python -m benchmarks {{ args }}

# Make the project of these answers in build/demo, without an install; `just render --data surfaces=[]`
render *args:
    rm -rf build/demo
    {{ uv }} run agent-new demo --defaults --no-install --no-git --into build {{ args }}

# Write the pages of docs/reference that the code already says
docs:
    {{ uv }} run python docs/generate.py
    WRITE_DOCS=1 {{ uv }} run pytest -n0 -q tests/rendered/test_reference.py
