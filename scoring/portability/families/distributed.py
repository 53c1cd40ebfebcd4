"""NCCL by name: as the backend, in comparisons, in its variables, in its interface."""

import ast
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

NAMES = frozenset({"nccl", "cuda:nccl", "cpu:gloo,cuda:nccl", "cuda:nccl,cpu:gloo"})
INTERFACE = frozenset({"is_nccl_available", "ProcessGroupNCCL"})
BACKENDS = ("Backend.NCCL", "dist_backend.NCCL")
HOLDERS = (ast.Tuple, ast.List, ast.Set)
LONGEST = 60


def _text(at: At, _: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Constant)  # noqa: S101 - by the table below
    value = node.value
    if not isinstance(value, str) or len(value) > LONGEST:
        return
    if value in NAMES:
        up = at.up.up if at.up and isinstance(at.up.node, HOLDERS) else at.up
        compared = up is not None and isinstance(up.node, ast.Compare)
        yield Hit("nccl-comparison" if compared else "nccl-value", node, f'"{value}"')
    elif value.startswith("NCCL_") and value.isupper() and value.isidentifier():
        yield Hit("nccl-variable", node, value)


def _attribute(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Attribute)  # noqa: S101 - by the table below
    if node.attr == "NCCL" and (module.dotted(node) or "").endswith(BACKENDS):
        compared = isinstance(at.up and at.up.node, ast.Compare)
        yield Hit("nccl-comparison" if compared else "nccl-value", node, "Backend.NCCL")
    if node.attr in INTERFACE and (module.dotted(node) or "").startswith("torch.distributed."):
        yield Hit("nccl-api", node, node.attr)


VISITS: Visits = {ast.Constant: _text, ast.Attribute: _attribute}
