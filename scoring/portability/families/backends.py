"""Switches of the CUDA backend: cuDNN and TF32 flags, memory formats, options of the compiler."""

import ast
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module

FLAGS = ("torch.backends.cudnn", "torch.backends.cuda")
GRAPHS = ("reduce-overhead", "max-autotune")
BACKENDS = frozenset({"inductor", "cudagraphs", "tensorrt", "torch_tensorrt"})


def _attribute(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Attribute)  # noqa: S101 - by the table below
    if node.attr == "CUDA" and (module.dotted(node) or "").endswith("ProfilerActivity.CUDA"):
        yield Hit("profiler-activity", node, "ProfilerActivity.CUDA")
    elif node.attr in ("cudnn", "cuda", "channels_last", "channels_last_3d"):
        name = module.dotted(node)
        if name in FLAGS:
            yield Hit("backend-flag", node, name)
        elif name in ("torch.channels_last", "torch.channels_last_3d"):
            yield Hit("channels-last", node, name)


def _name(at: At, module: Module) -> Iterator[Hit]:
    """`import torch.backends.cudnn as cudnn` and then `cudnn.benchmark`."""
    node = at.node
    assert isinstance(node, ast.Name)  # noqa: S101 - by the table below
    meant = module.aliases.get(node.id)
    if meant in FLAGS and isinstance(at.up and at.up.node, ast.Attribute):
        yield Hit("backend-flag", node, meant)


def _called(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    name = module.dotted(node.func)
    if name == "torch.set_float32_matmul_precision":
        yield Hit("matmul-precision", node, name)
    elif name == "torch.compile":
        given = {k.arg: str(k.value.value) for k in node.keywords if isinstance(k.value, ast.Constant)}
        mode, backend = given.get("mode"), given.get("backend")
        if mode is not None and mode.startswith(GRAPHS):
            yield Hit("compile-options", node, f'torch.compile(mode="{mode[:40]}")')
        elif backend in BACKENDS:
            yield Hit("compile-options", node, f'torch.compile(backend="{backend}")')


VISITS: Visits = {ast.Attribute: _attribute, ast.Name: _name, ast.Call: _called}
