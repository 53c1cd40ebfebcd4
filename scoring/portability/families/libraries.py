"""Libraries that need CUDA: imported, required by a setup.py, or called for by an option of another library."""

import ast
import re
from collections.abc import Iterator

from scoring.portability.catalogue import LIBRARY, library_of
from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module
from scoring.portability.text_files import is_package

_NAME = re.compile(r"[A-Za-z][\w.-]*")


FLASH = re.compile(r"flash_attention_[23]\Z")
BITS = re.compile(r"(?:adamw|adam|lion|rmsprop|ademamix)_(?:bnb_)?8bit\Z|paged_\w{1,30}\Z")
REQUIRED = frozenset({"install_requires", "extras_require", "setup_requires"})
LONGEST = 100


def _text(at: At, _: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Constant)  # noqa: S101 - by the table below
    value = node.value
    if not isinstance(value, str) or len(value) > LONGEST:
        return
    if FLASH.match(value):
        yield Hit("flash-option", node, f'"{value}"')
    elif BITS.match(value):
        if isinstance(at.up and at.up.node, ast.keyword) and at.up.node.arg == "optim":  # type: ignore[union-attr]
            yield Hit("bitsandbytes-option", node, f'optim="{value}"')
    elif (name := _NAME.match(value)) and is_package(name[0]) and _is_required(at):
        yield Hit("cuda-package", node, name[0])


def _is_required(at: At) -> bool:
    keyword = at.outer(ast.keyword)
    return isinstance(keyword, ast.keyword) and keyword.arg in REQUIRED


def _called(at: At, _: Module) -> Iterator[Hit]:
    """`from_pretrained(…, load_in_8bit=True)` reads with bitsandbytes, which nobody imports; imports by name."""
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    for keyword in node.keywords:
        is_on = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        if is_on and keyword.arg in ("load_in_8bit", "load_in_4bit"):
            yield Hit("bitsandbytes-option", node, f"{keyword.arg}=True")
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    named = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if called in ("import_module", "__import__") and isinstance(named, str):
        name = library_of(named)
        if name is not None:
            yield Hit(LIBRARY + name, node, name)


def _imported(at: At, _: Module) -> Iterator[Hit]:
    """One hit for each library of a statement."""
    node = at.node
    assert isinstance(node, ast.Import)  # noqa: S101 - by the table below
    for name in dict.fromkeys(library_of(alias.name) for alias in node.names):
        if name is not None:
            yield Hit(LIBRARY + name, node, name)


def _from(at: At, _: Module) -> Iterator[Hit]:
    """`from numba import cuda` is an import of numba.cuda."""
    node = at.node
    assert isinstance(node, ast.ImportFrom)  # noqa: S101 - by the table below
    if node.level or not node.module:
        return
    found = [library_of(node.module), *(library_of(f"{node.module}.{alias.name}") for alias in node.names)]
    for name in dict.fromkeys(found):
        if name is not None:
            yield Hit(LIBRARY + name, node, name)


VISITS: Visits = {ast.Import: _imported, ast.ImportFrom: _from, ast.Constant: _text, ast.Call: _called}
