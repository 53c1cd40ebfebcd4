"""Kernels of one's own: what must be rewritten before another backend runs at all."""

import ast
from collections.abc import Iterator

from scoring.portability.families import Visits
from scoring.portability.syntax import CUDA_BUILT, At, Hit, Module

TRITON = ("triton.jit", "triton.runtime.jit.jit")
NUMBA = ("numba.cuda.jit",)
CUPY = ("RawKernel", "RawModule", "ElementwiseKernel", "ReductionKernel")
EXTENSION = "torch.utils.cpp_extension."
SOURCES = (".cu", ".cuh")


def _decorated(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))  # noqa: S101 - by the table below
    for decorator in node.decorator_list:
        name = module.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name in TRITON:
            yield Hit("triton-kernel", decorator, node.name)
        elif name in NUMBA:
            yield Hit("numba-kernel", decorator, node.name)


def _called(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    assert isinstance(node, ast.Call)  # noqa: S101 - by the table below
    name = module.dotted(node.func) or ""
    last = name.rpartition(".")[2]
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if name.endswith(CUDA_BUILT):
        yield Hit("cuda-extension", node, _first_text(node) or "CUDAExtension")
    elif "cpp_extension." in name and last in ("load", "load_inline"):
        if given.get("cuda_sources") is not None or _has_cuda_source(given.get("sources")):
            yield Hit("cuda-inline", node, _text(given.get("name")) or _first_text(node) or last)
    elif name.startswith("cupy.") and last in CUPY:
        yield Hit("cupy-kernel", node, _kernel_name(node, last))
    elif name == "pycuda.compiler.SourceModule":
        yield Hit("pycuda-kernel", node, last)


def _named(at: At, module: Module) -> Iterator[Hit]:
    """`extension = CUDAExtension`, which is called by another name."""
    assert isinstance(at.node, (ast.Name, ast.Attribute))  # noqa: S101 - by the table below
    holder = at.up.node if at.up else None
    is_part = isinstance(holder, ast.Attribute) or (isinstance(holder, ast.Call) and holder.func is at.node)
    if not is_part and (module.dotted(at.node) or "").endswith(CUDA_BUILT):
        yield Hit("cuda-extension", at.node, "CUDAExtension")


def _imported(at: At, module: Module) -> Iterator[Hit]:
    node = at.node
    names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    if isinstance(node, ast.ImportFrom):
        if node.level:
            return
        names = [f"{node.module}.{name}" for name in names]
    for name in names:
        if "nvrtc" in name.split(".") or name.split(".")[0] == "pynvrtc":
            yield Hit("nvrtc", node, name)


def _has_cuda_source(sources: ast.AST | None) -> bool:
    texts = (_text(part) for part in ast.walk(sources)) if isinstance(sources, (ast.List, ast.Tuple)) else ()
    return any(text.endswith(SOURCES) for text in texts if text)


def _kernel_name(node: ast.Call, default: str) -> str:
    """`RawKernel(code, name)`."""
    return (_text(node.args[1]) if default == "RawKernel" and len(node.args) > 1 else None) or default


def _first_text(node: ast.Call) -> str | None:
    return _text(node.args[0]) if node.args else next((_text(k.value) for k in node.keywords if k.arg == "name"), None)


def _text(node: ast.AST | None) -> str | None:
    return node.value[:100] if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


VISITS: Visits = {
    ast.FunctionDef: _decorated,
    ast.AsyncFunctionDef: _decorated,
    ast.Call: _called,
    ast.Name: _named,
    ast.Attribute: _named,
    ast.Import: _imported,
    ast.ImportFrom: _imported,
}
