"""What makes a compiler of static graphs wait or compile anew: values read back, shapes and branches by data."""

import ast
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

SHAPES = frozenset({"torch.nonzero", "torch.masked_select", "torch.unique", "torch.argwhere"})
METHODS = frozenset({"nonzero", "masked_select"})
SCRIPTS = frozenset({"torch.jit.script", "torch.jit.trace"})
VALUES = frozenset({"item", "any", "all"})


def _called(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    name, function = module.dotted(node.func), node.func
    method = function.attr if isinstance(function, ast.Attribute) and name not in SHAPES else None
    if method == "item" and at.loop and not node.args:
        yield Hit("item-in-loop", node, ".item()")
    if name in SHAPES or (method in METHODS and not (name or "").startswith(("np.", "numpy."))):
        yield Hit("dynamic-shape", node, name if name in SHAPES else f".{method}()")
    if name in SCRIPTS:
        yield Hit("jit-script", node, name)
    if name == "torch.compile" and any(_is_dynamic(keyword) for keyword in node.keywords):
        yield Hit("dynamic-shape", node, "torch.compile(dynamic=True)")


def _is_dynamic(keyword: ast.keyword) -> bool:
    return keyword.arg == "dynamic" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True


def _branch(at: At, _: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, (ast.If, ast.While))  # noqa: S101 - by the table below
    if at.compiled:
        calls = (part for part in ast.walk(node.test) if isinstance(part, ast.Call) and not part.args)
        methods = (c.func.attr for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr in VALUES)
        for method in methods:
            yield Hit("data-dependent-branch", node, f"if ….{method}()")


def _decorated(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.FunctionDef)  # noqa: S101 - by the table below
    for decorator in node.decorator_list:
        name = module.dotted(decorator)
        if name in SCRIPTS:
            yield Hit("jit-script", decorator, name)


VISITS: Visits = {ast.Call: _called, ast.If: _branch, ast.While: _branch, ast.FunctionDef: _decorated}
