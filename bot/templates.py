"""Where the templates and the demo's sample are: inside the installed package, or beside it in a checkout."""

from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGED = _HERE / "_templates"
ROOT = _PACKAGED if _PACKAGED.is_dir() else _HERE.parent / "templates"


_PACKAGED_SAMPLES = _HERE / "_samples"
SAMPLES = _PACKAGED_SAMPLES if _PACKAGED_SAMPLES.is_dir() else _HERE.parent / "samples"


def sample_path(name: str) -> Path:
    """The folder of a sample; an installed package has the demo's alone."""
    return SAMPLES / name


def template_path(name: str) -> Path:
    """The path of a template by its name below `templates/`; it need not exist."""
    return ROOT / name
