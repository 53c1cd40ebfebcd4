"""What is found, and what only looks like it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from scoring.model.portability import Finding, Place
from scoring.portability.assess import tallies
from scoring.portability.catalogue import LIBRARY, catalogue
from scoring.portability.scan import SourceFile, scan
from tests.scoring.portability.forms import FORMS


def found(*files: tuple[str, str]) -> list[Finding]:
    return scan([SourceFile(path, text.encode()) for path, text in files]).findings


def entries(text: str, path: str = "train.py") -> Counter[str]:
    return Counter(f.entry for f in found((path, text)))


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.entry)
def test_an_entry_is_found_once_and_its_near_misses_are_not(form) -> None:
    assert entries(form.text, form.path)[form.entry] == 1
    if form.path.startswith("csrc"):
        return
    assert [near for near in form.near if entries(near, form.path)[form.entry]] == []


@pytest.mark.parametrize("name", catalogue().libraries)
def test_a_library_is_found_by_its_import_and_not_in_its_own_tree(name: str) -> None:
    entry, top = LIBRARY + name, name.split(".")[0]
    text = f"import {name}\n"
    assert entries(text)[entry] == 1
    assert entries(f"'''{text}'''\n# {text}")[entry] == 0
    assert entries(f"import {top}x\n")[entry] == 0
    assert entries(f"from .{name} import a\n")[entry] == 0
    own = found((f"{top}/__init__.py", ""), (f"{top}/a.py", text), (f"{top}/tests/test_a.py", text))
    assert entry not in {f.entry for f in own}
    named = found(("pyproject.toml", f'[project]\nname = "{top}"\n'), ("src.py", text))
    assert entry not in {f.entry for f in named}


def test_every_entry_has_a_form() -> None:
    listed = {e for e in catalogue().entries if not e.startswith(LIBRARY)}
    assert listed == {form.entry for form in FORMS}


GUARDED = (
    "d = 'cuda' if torch.cuda.is_available() else 'cpu'\n",
    "if torch.cuda.is_available():\n    m.to('cuda')\nelse:\n    m.to('cpu')\n",
    "if not torch.cuda.is_available():\n    m.to('cpu')\nelse:\n    m.to('cuda')\n",
    "def f():\n    if not torch.cuda.is_available():\n        return m\n    return m.to('cuda')\n",
    "def f():\n    if torch.cuda.is_available():\n        return m.to('cuda')\n    return m\n",
    "use = torch.cuda.is_available()\nd = 'cuda' if use else 'cpu'\n",
    "if x.is_cuda:\n    m.to('cuda')\nelse:\n    pass\n",
    "d = 'cpu'\nif torch.cuda.is_available():\n    d = 'cuda'\n",
    "d = 'cpu'\nif torch.cuda.is_available():\n    d = 'cuda'\nelif mps():\n    d = 'mps'\n",
)
BARE = (
    "if torch.cuda.is_available():\n    m.to('cuda')\n",
    "m.to('cuda')\n",
    "if torch.cuda.is_available():\n    d = 'cuda'\n",
    "d = 'cpu'\nif torch.cuda.is_available():\n    d = e = m.to('cuda')\n",
    "x = f()\nif torch.cuda.is_available():\n    x = g(x, 'cuda')\n",
    "d = 'cpu'\nif cond:\n    d = 'cuda'\n",
    "if cond:\n    m.to('cuda')\nelse:\n    m.to('cpu')\n",
    "if not torch.cuda.is_available():\n    raise SystemExit\nm.to('cuda')\n",
    "if torch.cuda.is_available():\n    f()\nelse:\n    m.to('cuda')\n",
)


@pytest.mark.parametrize(("text", "guarded"), [*((t, True) for t in GUARDED), *((t, False) for t in BARE)])
def test_a_use_is_guarded_where_another_branch_takes_over(text: str, guarded: bool) -> None:
    device = [f for f in found(("a.py", "import torch\n" + text)) if f.entry == "device-value"]
    assert [f.guarded for f in device] == [guarded]


@pytest.mark.parametrize(
    ("handler", "guarded"),
    [
        ("except ImportError:\n    flash_attn = None\n", True),
        ("except ImportError as e:\n    raise RuntimeError from e\n", False),
        ("except KeyError:\n    pass\n", False),
    ],
)
def test_an_import_that_may_fail_is_guarded_where_it_goes_on(handler: str, guarded: bool) -> None:
    (one,) = found(("a.py", "try:\n    import flash_attn\n" + handler))
    assert one.guarded is guarded


@pytest.mark.parametrize("text", ['importlib.import_module("apex.amp")', '__import__("apex")', 'import_module("apex")'])
def test_a_library_that_is_imported_by_its_name(text: str) -> None:
    (one,) = found(("a.py", text))
    assert (one.entry, one.found) == ("library-apex", "apex")
    assert found(("a.py", text.replace("apex", "mine"))) == []


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a.py", Place.SOURCE),
        ("tests/a.py", Place.TEST),
        ("pkg/test_a.py", Place.TEST),
        ("examples/a.py", Place.EXAMPLE),
        ("contest/a.py", Place.SOURCE),
    ],
)
def test_tests_and_examples_stand_apart(path: str, place: Place) -> None:
    assert [f.place for f in found((path, "x.cuda()\n"))] == [place]


BROKEN = {
    "syntax": b"def cuda(:\n",
    "null-bytes": b"cuda\0 = 1\n",
    "encoding": b"x = '\xff cuda'\n",
    "too-deep": b"cuda = " + b"1+" * 100_000 + b"1",
}


@pytest.mark.parametrize("reason", BROKEN)
def test_a_broken_file_is_a_finding_and_the_next_is_read(reason: str) -> None:
    done = scan([SourceFile("bad.py", BROKEN[reason]), SourceFile("good.py", b"x.cuda()\n")])
    assert [(f.file, f.entry, f.found) for f in done.findings] == [
        ("bad.py", "unread-file", reason),
        ("good.py", "device-call", ".cuda()"),
    ]
    assert done.unread == 1


@pytest.mark.parametrize("opening", ["-", "not ", "(", "[", "lambda: ", "a.", "a(", "1 if a else ", "f'{"])
def test_no_nesting_ends_the_process(opening: str) -> None:
    done = scan([SourceFile("a.py", ("cuda = " + opening * 50_000 + "1").encode())])
    assert {f.entry for f in done.findings} == {"unread-file"}


def test_a_latin_file_says_so_and_is_read() -> None:
    assert entries_of(b"# coding: latin-1\nx = '\xe9'\ny.cuda()\n") == ["device-call"]


def entries_of(data: bytes) -> list[str]:
    return [f.entry for f in scan([SourceFile("a.py", data)]).findings]


def test_a_notebook_gives_cells_and_the_lines_of_its_file() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["x.cuda()"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "for i in y:\n", "    !pip install nvidia-dali\n"]},
        {"cell_type": "code", "source": ["x = 1\n", "x.cuda()\n", "!docker run --gpus all\n"]},
        {"cell_type": "code", "source": "def (:"},
    ]
    text = json.dumps({"cells": cells}, indent=1)
    told = [
        (f.cell, f.entry, text.splitlines()[f.line - 1].strip() if f.line else None) for f in found(("a.ipynb", text))
    ]
    assert told == [
        (2, "cuda-package", '"    !pip install nvidia-dali\\n"'),
        (3, "device-call", '"x.cuda()\\n",'),
        (3, "gpus-option", '"!docker run --gpus all\\n"'),
        (4, "unread-file", None),
    ]


def test_a_notebook_whose_lines_cannot_be_placed_is_not_searched_for_ever() -> None:
    lines = "\n".join(f"x{n}/y.cuda()" for n in range(2_000))
    text = json.dumps({"cells": [{"cell_type": "code", "source": lines}]}).replace("/", "\\/")
    assert {(f.entry, f.line) for f in found(("a.ipynb", text))} == {("device-call", None)}


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"cells": 3}', '{"cells": [{"cell_type": "code", "source": 3}]}']
)
def test_a_broken_notebook_is_a_finding(text: str) -> None:
    assert [f.found for f in found(("a.ipynb", text))] == ["notebook"]


ELSEWHERE = {
    "setup.py": ("setup(install_requires=['torch', 'flash-attn>=2'])\n", ["cuda-package"]),
    "ext.py": (
        "from torch.utils.cpp_extension import CUDAExtension\next = CUDAExtension\next('a', [])\n",
        ["cuda-extension"],
    ),
    "paths.py": ("a = os.path.join(here, 'cuda', '*.cu')\nb = root / 'cuda'\nc = root.joinpath('cuda')\n", []),
    "starts.py": ("if d.startswith('cuda') or d.startswith('cuda:'):\n    f()\n", ["device-comparison"] * 2),
    "nccl.py": ("import torch\nif b == torch.distributed.Backend.NCCL:\n    f()\n", ["nccl-comparison"]),
    "hf.py": ("TrainingArguments(fp16=True, optim='adamw_bnb_8bit')\n", ["float16", "bitsandbytes-option"]),
    "dtypes.py": (
        "import torch\nd = {'bf16': torch.bfloat16, 'h': torch.float16}\ne = torch.bfloat16 if b else torch.float16\n",
        ["float16-choice"] * 2,
    ),
    "smi.py": ("run(['nvidia-smi', '-q'])\nos.system('nvidia-smi --query-gpu=name,driver_version --format=csv')\n",
               ["nvidia-smi"] * 2),
    "Dockerfile": (
        "ARG BASE=nvidia/cuda:12.1-devel\nFROM me/pytorch-training:2.0.0-gpu-py310-cu118\nFROM a/transformers-gpu:1\n"
        "FROM python:3.12\nRUN pip install -U \\\n    bitsandbytes==0.41 \\\n    numpy\nRUN echo bitsandbytes\n"
        "RUN git clone https://github.com/NVIDIA/apex.git && cd apex\nRUN apt-get install -y libcudnn8\n",
        ["nvidia-image"] * 3 + ["cuda-package"] * 2 + ["nvidia-package"],
    ),
    "Makefile": ("run:\n\tdocker run --gpus all nvidia/cuda:12\n", ["nvidia-image", "gpus-option"]),
    "run.sh": (
        "#SBATCH -G 4\nmodule load cuda/11.7\npython a.py --device cuda --dist-backend nccl\npy a.py --device cpu\n",
        ["slurm-gpu", "nvidia-package", "device-setting", "nccl-setting"],
    ),
    "requirements.txt": (
        "git+https://github.com/NVIDIA/apex.git\n-e git+https://github.com/Dao-AILab/flash-attention.git#egg=flash_attn\n"
        "faiss-gpu==1.7\njax[cuda12]\nfaiss-cpu\n",
        ["cuda-package", "cuda-package", "cuda-wheel", "cuda-wheel"],
    ),
    "environment.yml": ("dependencies:\n  - pip:\n    - flash-attn==2\n    - torch\n", ["cuda-package"]),
    "labels.yml": ("labels:\n  - triton\n  - apex\n", []),
    "setup.cfg": ("[options]\ninstall_requires =\n    torch\n    flash-attn\n", ["cuda-package"]),
    "pyproject.toml": (
        '[dependency-groups]\ngpu = ["bitsandbytes"]\n[tool.poetry.group.gpu.dependencies]\nflash-attn = "2"\n'
        '[[tool.uv.index]]\nurl = "https://download.pytorch.org/whl/cu121"\n',
        ["cuda-package", "cuda-package", "cuda-wheel"],
    ),
    "conf/train.yaml": ('MODEL:\n  DEVICE: "cuda"\n  accelerator: gpu\n  a: {device: cuda}\n', ["device-setting"] * 3),
    "ds_config.json": (
        '{"fp16": {"enabled": true},\n "device": "cuda:0",\n "dist_backend": "nccl"}\n',
        ["cuda-setting", "device-setting", "nccl-setting"],
    ),
    "data/rows.json": ('{"device": "cuda"}\n', []),
    "conf/parts.yaml": ("_component_: bitsandbytes.optim.AdamW8bit\ncuda: True\n_target_: torch.optim.AdamW\n",
                        ["cuda-setting"] * 2),
    "job.toml": ('device = "cuda"\n', ["device-setting"]),
    ".github/workflows/ci.yml": ("jobs:\n  a:\n    container: nvidia/cuda:12.1\n", ["nvidia-image"]),
    "pod.yaml": ("runtimeClassName: nvidia\nx: {cloud.google.com/gke-accelerator: nvidia-tesla-a100}\n",
                 ["nvidia-runtime", "kubernetes-gpu"]),
}  # fmt: skip


@pytest.mark.parametrize("path", ELSEWHERE)
def test_what_real_code_bases_write_is_found(path: str) -> None:
    text, wanted = ELSEWHERE[path]
    assert sorted(f.entry for f in found((path, text))) == sorted(wanted)


def test_names_of_kernels_are_told() -> None:
    text = "template <int N>\n__global__ void __launch_bounds__(256) add(float *x) {}\n__global__ void mul(int y);"
    (one,) = found(("csrc/k.cu", text))
    assert one.found == "add, mul"


def test_a_reader_may_stop_at_any_file() -> None:
    answers = iter([None, "seconds"])
    done = scan([SourceFile(f"{name}.py", b"x.cuda()") for name in "abc"], lambda: next(answers))
    assert (len(done.findings), done.stopped_by) == (2, "seconds")


def test_counts_are_those_of_the_uses() -> None:
    """As counted by hand: chains once, strings that are no docstrings, formatted strings apart."""
    text = Path(__file__).with_name("counted.txt").read_text(encoding="utf-8")
    assert tallies(found(("a.py", text))) == {
        "backends": 3,
        "cuda-calls": 2,
        "device-strings": 6,
        "libraries": 2,
        "nccl": 2,
        "torch-cuda": 7,
    }
