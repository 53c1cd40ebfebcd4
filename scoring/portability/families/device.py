"""The device written into the code: `.cuda()`, "cuda", map_location, device_map, CUDA_VISIBLE_DEVICES."""

import ast
import re
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

DEVICE = re.compile(r"cuda(?::\d+)?\Z", re.ASCII)
FORMATTED = re.compile(r"cuda:(?:%\w|\{[^}]*\})?\Z", re.ASCII)
SMI = re.compile(r"nvidia-smi(?![\w-])")
FORMS = (("cuda-tensor-name", re.compile(r"torch\.cuda\.\w{2,12}Tensor\Z")), ("nvidia-smi", SMI))
VARIABLES = (
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "PYTORCH_CUDA_ALLOC_CONF",
    "TORCH_CUDA_ARCH_LIST",
)
NAMED = {"CUDA_VISIBLE_DEVICES": "visible-devices", **dict.fromkeys(VARIABLES, "cuda-variable")}
LONGEST = 40
MAPPINGS = frozenset({"map_location", "device_map"})
PATHS = frozenset({"os.path.join", "path.join", "osp.join", "Path", "pathlib.Path", "PurePath"})
METHODS = frozenset({"startswith", "endswith"})


def _called(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    if isinstance(node.func, ast.Attribute) and node.func.attr == "cuda":
        name = module.dotted(node.func) or ""
        if name.partition(".")[0] not in ("numba", "cupy", "torch"):
            yield Hit("device-call", node, ".cuda()")


def _text(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Constant)  # noqa: S101 - by the table below
    value = node.value
    if not isinstance(value, str) or isinstance(at.up and at.up.node, ast.JoinedStr):
        return
    if len(value) > LONGEST and not SMI.match(value):
        return
    if DEVICE.match(value):
        if not _in_path(at, module):
            yield Hit(_role(at), node, f'"{value}"', _is_choice(at))
    elif FORMATTED.match(value):
        compared = _role(at) == "device-comparison"
        yield Hit("device-comparison" if compared else "device-formatted", node, f'"{value}"', _is_choice(at))
    elif value == "gpu":
        if isinstance(at.up and at.up.node, ast.keyword) and at.up.node.arg == "accelerator":  # type: ignore[union-attr]
            yield Hit("accelerator-value", node, 'accelerator="gpu"')
    else:
        entry = NAMED.get(value) or next((entry for entry, form in FORMS if form.match(value)), None)
        if entry is not None:
            yield Hit(entry, node, "nvidia-smi" if entry == "nvidia-smi" else value)


def _formatted(at: At, _: Module) -> Iterator[Hit]:
    """`f"cuda:{rank}"`."""
    node = at.node
    assert isinstance(node, ast.JoinedStr)  # noqa: S101 - by the table below
    first = node.values[0] if node.values else None
    if isinstance(first, ast.Constant) and first.value == "cuda:" and len(node.values) > 1:
        yield Hit("device-formatted", node, 'f"cuda:{…}"', _is_choice(at))


def _attribute(at: At, _: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Attribute)  # noqa: S101 - by the table below
    if node.attr == "is_cuda" and isinstance(node.ctx, ast.Load):
        yield Hit("tensor-is-cuda", node, ".is_cuda")


def _role(at: At) -> str:
    """What the string is for, by what holds it."""
    up = at.up
    while up is not None and isinstance(up.node, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
        up = up.up
    holder = up.node if up else None
    called = holder.func if isinstance(holder, ast.Call) else None
    if isinstance(holder, ast.Compare) or (isinstance(called, ast.Attribute) and called.attr in METHODS):
        return "device-comparison"
    mapping = isinstance(holder, ast.keyword) and holder.arg in MAPPINGS
    return "device-mapping" if mapping else "device-value"


def _in_path(at: At, module: Module) -> bool:
    """A folder of that name: `os.path.join(here, "cuda", "*.cu")`, `root / "cuda"`."""
    holder = at.up.node if at.up else None
    if isinstance(holder, ast.BinOp):
        return isinstance(holder.op, ast.Div)
    if not isinstance(holder, ast.Call) or isinstance(holder.func, ast.Constant):
        return False
    joins = isinstance(holder.func, ast.Attribute) and holder.func.attr == "joinpath"
    return joins or module.dotted(holder.func) in PATHS


def _is_choice(at: At) -> bool:
    """Whether a device is chosen here: a name or option called device takes the value."""
    up = at.up
    while up is not None and isinstance(up.node, (ast.IfExp, ast.Call, ast.keyword, ast.BoolOp, ast.Compare)):
        if isinstance(up.node, ast.Call) and _is_option(up.node):
            return True
        up = up.up
    node = up.node if up else None
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any("device" in _name(target).casefold() for target in targets)


def _is_option(call: ast.Call) -> bool:
    first = call.args[0] if call.args else None
    named = isinstance(first, ast.Constant) and isinstance(first.value, str) and "device" in first.value[:LONGEST]
    return named and isinstance(call.func, ast.Attribute) and call.func.attr in ("add_argument", "add_option", "get")


def _name(target: ast.AST) -> str:
    return target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""


VISITS: Visits = {ast.Call: _called, ast.Constant: _text, ast.JoinedStr: _formatted, ast.Attribute: _attribute}
