"""Number formats that not every accelerator has: fp8, and float16 with a gradient scaler where bf16 is the way."""

import ast
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

HALF = frozenset({"torch.float16", "torch.half"})
SCALERS = frozenset({"torch.amp.GradScaler", "torch.GradScaler", "torch.amp.grad_scaler.GradScaler"})


def _attribute(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Attribute)  # noqa: S101 - by the table below
    if node.attr.startswith(("float8", "float16", "half", "GradScaler")):
        name = module.dotted(node) or ""
        if name in HALF:
            yield Hit("float16-choice" if _is_choice(at) else "float16", node, name)
        elif name.startswith("torch.float8"):
            yield Hit("fp8", node, name)
        elif name in SCALERS and at.outer(ast.arg) is None:
            yield Hit("grad-scaler", node, name)


def _is_choice(at: At) -> bool:
    """Asked for and not taken: `dtype == torch.float16`, or one of several beside bfloat16."""
    up = at.up
    while up is not None and isinstance(up.node, (ast.Tuple, ast.List, ast.Set)):
        up = up.up
    holder = up.node if up else None
    if isinstance(holder, ast.Dict):
        return any(isinstance(value, ast.Attribute) and value.attr == "bfloat16" for value in holder.values)
    if isinstance(holder, ast.IfExp):
        return any(isinstance(part, ast.Attribute) and part.attr == "bfloat16" for part in (holder.body, holder.orelse))
    return isinstance(holder, ast.Compare)


def _called(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    function = node.func
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if (keyword.arg == "fp16" and value is True) or (keyword.arg == "mixed_precision" and value == "fp16"):
            yield Hit("float16", node, f"{keyword.arg}={value}")
    if isinstance(function, ast.Name) and module.dotted(function) in SCALERS:
        yield Hit("grad-scaler", node, "GradScaler")
    elif isinstance(function, ast.Attribute) and function.attr == "half" and not node.args:
        if module.dotted(function) != "torch.half":
            yield Hit("float16", node, ".half()")
    elif isinstance(function, ast.Attribute) and function.attr == "fp8_autocast":
        yield Hit("fp8", node, "fp8_autocast")


VISITS: Visits = {ast.Attribute: _attribute, ast.Call: _called}
