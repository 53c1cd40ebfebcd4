"""Where the templates are: inside the installed package, or beside it in a checkout."""

from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGED = _HERE / "_templates"
ROOT = _PACKAGED if _PACKAGED.is_dir() else _HERE.parent / "templates"


def template_path(name: str) -> Path:
    """The path of a template by its name below `templates/`; it need not exist."""
    return ROOT / name
