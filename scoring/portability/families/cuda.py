"""Uses of `torch.cuda`, each attribute chain once, by what is used of it; and import statements of it."""

import ast
from collections.abc import Iterator

from scoring.portability.catalogue import member_entry
from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

NAME = "torch.cuda"


def _attribute(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Attribute)  # noqa: S101 - by the table below
    if node.attr == "cuda" and module.dotted(node) == NAME:
        yield _use(at, node)


def _name(at: At, module: Module) -> Iterator[Hit]:
    """`from torch import cuda` and then `cuda.synchronize()`."""
    node = at.node
    assert isinstance(node, ast.Name)  # noqa: S101 - by the table below
    meant = module.aliases.get(node.id)
    if meant is None or not isinstance(at.up and at.up.node, ast.Attribute):
        return
    if meant == NAME:
        yield _use(at, node)
    elif meant.startswith(f"{NAME}."):
        yield Hit(member_entry(meant.split(".")[2]), node, meant)


def _use(at: At, node: ast.AST) -> Hit:
    up = at.up.node if at.up else None
    member = up.attr if isinstance(up, ast.Attribute) else None
    return Hit(member_entry(member) if member else "cuda-other", node, f"{NAME}.{member}" if member else NAME)


def _imported(at: At, _: Module) -> Iterator[Hit]:
    node = at.node
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        assert isinstance(node, ast.ImportFrom)  # noqa: S101 - by the table below
        names = [] if node.level else [f"{node.module}.{alias.name}" for alias in node.names]
    found = [name for name in names if name == NAME or name.startswith(f"{NAME}.")]
    if found:
        yield Hit("cuda-import", node, ", ".join(found))


VISITS: Visits = {ast.Attribute: _attribute, ast.Name: _name, ast.Import: _imported, ast.ImportFrom: _imported}
