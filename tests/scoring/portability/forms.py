"""For every entry of the catalogue a text that holds it once, and texts that only look like it."""

from typing import NamedTuple

T = "import torch\n"


class Form(NamedTuple):
    """An entry, the file, what it is found in, and near misses."""

    entry: str
    text: str
    near: tuple[str, ...]
    path: str = "train.py"


FORMS = (
    Form("triton-kernel", "import triton\n@triton.jit\ndef k(x): pass\n", ("@mine.jit\ndef k(x): pass\n",)),
    Form("numba-kernel", "from numba import cuda\n@cuda.jit\ndef k(x): pass\n", ("@numba.jit\ndef k(x): pass\n",)),
    Form("cupy-kernel", "import cupy as cp\nk = cp.RawKernel(code, 'add')\n", ("k = mine.RawKernel(code, 'add')\n",)),
    Form(
        "pycuda-kernel",
        "from pycuda.compiler import SourceModule\nSourceModule('x')\n",
        ("from mine import SourceModule\nSourceModule('cuda')\n",),
    ),
    Form("nvrtc", "from cuda import nvrtc\n", ("from .cuda import nvrtc\n", "import mynvrtc\n")),
    Form(
        "cuda-extension",
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('ops', [])\n",
        ("from torch.utils.cpp_extension import CppExtension\nCppExtension('cuda', [])\n",),
        "setup.py",
    ),
    Form(
        "cuda-inline",
        "from torch.utils import cpp_extension\ncpp_extension.load_inline('k', cuda_sources=s)\n",
        ("from torch.utils import cpp_extension\ncpp_extension.load_inline('k', cpp_sources=s)\n",),
    ),
    Form("cuda-source", "__global__ void add(int *x) {}", ("",), "csrc/add.cu"),
    Form("cuda-launcher", '#include "k.cuh"\nvoid run() { go<64>(); }', ("",), "csrc/run.cu"),
    Form("ptx-source", ".version 7.0", ("",), "csrc/add.ptx"),
    Form("device-call", "x = model.cuda()\n", ("x = args.cuda\n", T + "torch.cuda()\n", "'''x.cuda()'''\n")),
    Form(
        "device-value",
        'x.to("cuda:0")\n',
        ('"""cuda"""\n', "def f():\n    'cuda'\n", "x = 'cuda toolkit'\n", "x = 'cudax'\n", "# cuda\n"),
    ),
    Form(
        "device-mapping", 'load(p, map_location="cuda")\n', ('load(p, map_location="cpu")\n', "f(device_map='auto')\n")
    ),
    Form("device-comparison", 'if x.type == "cuda":\n    f()\n', ('if x.type == "cpu":\n    cuda()\n',)),
    Form("device-formatted", 'd = f"cuda:{rank}"\n', ('d = f"not cuda:{rank}"\n', 'd = f"{cuda}"\n')),
    Form("tensor-is-cuda", "y = x.is_cuda\n", ("y = is_cuda(x)\n", "x.is_cuda = 1\n")),
    Form("visible-devices", "os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n", ("x = 'CUDA_VISIBLE_DEVICES_DOC'\n",)),
    Form("accelerator-value", 'Trainer(accelerator="gpu")\n', ('Trainer(accelerator="auto")\n', 'f(kind="gpu")\n')),
    Form(
        "cuda-tensor-name",
        T + "torch.set_default_tensor_type('torch.cuda.FloatTensor')\n",
        (T + "f('torch.FloatTensor')  # cuda\n", "f('torch.cuda.FloatTensor is old')\n"),
    ),
    Form("cuda-tensor-type", T + "x.type(torch.cuda.HalfTensor)\n", (T + "x.type(torch.HalfTensor)  # cuda\n",)),
    Form("cuda-query", T + "torch.cuda.device_count()\n", ("mine.torch.cuda.device_count()\n",)),
    Form("cuda-device", T + "torch.cuda.set_device(0)\n", ("import mytorch as torch\ntorch.cuda.set_device(0)\n",)),
    Form("cuda-synchronize", T + "torch.cuda.synchronize()\n", ("self.cuda.synchronize()\n",)),
    Form(
        "cuda-memory", "from torch import cuda\ncuda.empty_cache()\n", ("from mine import cuda\ncuda.empty_cache()\n",)
    ),
    Form("cuda-seed", T + "torch.cuda.manual_seed(1)\n", (T + "torch.manual_seed(1)  # torch.cuda.manual_seed\n",)),
    Form("cuda-stream", T + "torch.cuda.Stream()\n", (T + "torch.Stream()  # cuda\n",)),
    Form(
        "cuda-amp", "import torch.cuda.amp as amp\namp.autocast()\n", ("import mine.cuda.amp as amp\namp.autocast()\n",)
    ),
    Form("cuda-graph", T + "torch.cuda.CUDAGraph()\n", ("cuda.CUDAGraph()\n",)),
    Form("cuda-nvtx", T + "torch.cuda.nvtx.range_push('a')\n", ("cuda.nvtx.range_push('a')\n",)),
    Form("cuda-capability", T + "torch.cuda.get_device_name()\n", ("get_device_name('x cuda')\n",)),
    Form("cuda-other", T + "torch.cuda.something()\n", ("torch_cuda.something()\n",)),
    Form("cuda-import", "from torch.cuda.amp import autocast\n", ("from torch.amp import autocast  # cuda\n",)),
    Form("backend-flag", T + "torch.backends.cudnn.benchmark = True\n", ("mine.backends.cudnn.benchmark = True\n",)),
    Form("matmul-precision", T + "torch.set_float32_matmul_precision('high')\n", ("set_float32_matmul_precision()\n",)),
    Form("channels-last", T + "x.to(memory_format=torch.channels_last)\n", ("mine.channels_last\n",)),
    Form(
        "profiler-activity",
        T + "torch.profiler.ProfilerActivity.CUDA\n",
        (T + "torch.profiler.ProfilerActivity.CPU\n",),
    ),
    Form("compile-options", T + "torch.compile(m, mode='max-autotune')\n", (T + "torch.compile(m, mode='default')\n",)),
    Form("nccl-value", "init('nccl')\n", ("init('gloo')  # nccl\n", "'''nccl'''\n", "init('my-nccl')\n")),
    Form("nccl-comparison", "if backend == 'nccl':\n    f()\n", ("if backend == 'gloo':\n    nccl()\n",)),
    Form("nccl-variable", "os.environ['NCCL_DEBUG'] = 'INFO'\n", ("x = 'NCCL_ is a prefix'\n",)),
    Form("nccl-api", "import torch.distributed as dist\ndist.is_nccl_available()\n", ("mine.is_nccl_available()\n",)),
    Form("flash-option", "load(attn_implementation='flash_attention_2')\n", ("load(attn_implementation='sdpa')\n",)),
    Form(
        "bitsandbytes-option",
        "load(load_in_8bit=True)\n",
        ("load(load_in_8bit=False)\n", "f(optim='paged')\n", "f(name='adamw_8bit')\n"),
    ),
    Form("fp8", T + "x.to(torch.float8_e4m3fn)\n", ("mine.float8_e4m3fn\n",)),
    Form("float16", T + "x.to(torch.float16)\n", ("np.float16\n", "x = y.half\n")),
    Form(
        "float16-choice",
        T + "if dtype in (torch.float16, torch.bfloat16):\n    f()\n",
        (T + "x.to(torch.float16)\n", T + "d = {'half': torch.float16, 'full': torch.float32}\n"),
    ),
    Form(
        "grad-scaler",
        "from torch.amp import GradScaler\nGradScaler()\n",
        ("from mine import GradScaler\nGradScaler()\n", T + "def f(s: torch.amp.GradScaler | None): pass\n"),
    ),
    Form("item-in-loop", "for x in y:\n    x.item()\n", ("x.item()\n", "for x in y.item():\n    pass\n")),
    Form(
        "data-dependent-branch",
        "class M:\n    def forward(self, x):\n        if x.any():\n            f()\n",
        ("class M:\n    def other(self, x):\n        if x.any():\n            f()\n",),
    ),
    Form("dynamic-shape", T + "torch.nonzero(x)\n", ("np.nonzero(x)\n", "import numpy as np\nnp.nonzero(x)\n")),
    Form("jit-script", T + "torch.jit.script(m)\n", ("mine.jit.script(m)\n",)),
    Form(
        "nvidia-image", "FROM nvidia/cuda:12.4.1-base\n", ("# FROM nvidia/cuda\n", "FROM python:3.12\n"), "Dockerfile"
    ),
    Form("gpus-option", "docker run --gpus all x\n", ("# docker run --gpus all\n", "run --gpus-x\n"), "run.sh"),
    Form("cuda-wheel", "torch==2.4.0+cu121\n", ("torch==2.4.0+cpu\n", "# torch+cu121\n"), "requirements.txt"),
    Form("nvidia-package", "nvidia-cublas-cu12==12.1\n", ("not-nvidia-thing\n",), "requirements.txt"),
    Form("cuda-package", "flash-attn>=2\n", ("flash-attn-docs\n", "# flash-attn\n"), "requirements.txt"),
    Form("kubernetes-gpu", "limits: {nvidia.com/gpu: 1}\n", ("limits: {cpu: 1}  # nvidia.com/gpu\n",), "pod.yaml"),
    Form("slurm-gpu", "#SBATCH --gres=gpu:8\n", ("# --gres=gpu:8\n",), "job.sbatch"),
    Form("nvidia-runtime", "    runtime: nvidia\n", ("    runtime: runc\n",), "compose.yaml"),
    Form("device-setting", "device: cuda\n", ("device: cpu  # cuda\n", "text: device cuda\n"), "config.yml"),
    Form("nccl-setting", "backend: nccl\n", ("backend: gloo  # nccl\n",), "config.yml"),
    Form("nvidia-smi", "watch nvidia-smi -q\n", ("# nvidia-smi\n", "my-nvidia-smi\n", "nvidia-smi-x\n"), "run.sh"),
    Form("cuda-variable", "export CUDA_HOME=/usr/local/cuda\n", ("# CUDA_HOME\n", "MY_CUDA_HOMES=1\n"), "run.sh"),
    Form("cuda-setting", "fp16: true\n", ("fp16: false\n", "text: fp16 true\n", "nofp16: true\n"), "config.yml"),
    Form("unread-file", "def cuda(:\n", ("cuda = 1\n",)),
)
