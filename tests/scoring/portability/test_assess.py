"""What a scan means for a target."""

import pytest

from scoring.model.portability import (
    EffortClass,
    EffortTable,
    Finding,
    HourRange,
    Portability,
    PortabilitySetting,
    Support,
    TargetName,
)
from scoring.portability.assess import assess
from scoring.portability.baseline import new_uses
from scoring.portability.catalogue import catalogue
from scoring.portability.scan import SourceFile, scan
from scoring.portability.targets import target_named, targets

HOURS = EffortTable(
    blocker=HourRange(low=10, high=100), work=HourRange(low=1, high=8), configuration=HourRange(low=0.5, high=1)
)
TREE = {
    "train.py": (
        "import torch, apex, xformers\nx.cuda(); y.cuda()\nz.cuda()\n"
        "torch.cuda.nvtx.mark('a')\ntorch.cuda.nvtx.mark('b')\n"
    ),
    "csrc/add.cu": "__global__ void add() {}",
    "csrc/mul.cu": "__global__ void mul() {}",
    "tests/test_a.py": "x.cuda()\nimport apex\n",
    "guarded.py": "import torch\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\n",
}


def portability(tree: dict[str, str] = TREE, target: TargetName = "generic", **more: object) -> Portability:
    setting = PortabilitySetting.model_validate({"hours": HOURS, **more})
    return assess(scan(SourceFile(path, text.encode()) for path, text in tree.items()), setting, target)


def test_hours_are_of_units_in_source_without_a_guard() -> None:
    found = portability()
    units = {effort: one.units for effort, one in found.efforts.items()}
    assert units == {
        EffortClass.BLOCKER: 2,
        EffortClass.WORK: 3,
        EffortClass.CONFIGURATION: 2,
        EffortClass.INFORMATION: 0,
    }
    assert found.hours == HourRange(low=2 * 10 + 3 * 1 + 2 * 0.5, high=2 * 100 + 3 * 8 + 2 * 1)
    assert found.efforts[EffortClass.CONFIGURATION].guarded == 2


def test_kernels_are_named_until_they_are_settled() -> None:
    assert portability().kernels == ("add (csrc/add.cu)", "mul (csrc/mul.cu)")
    assert portability(kernels_settled=("add", "csrc/mul.cu")).kernels == ()


@pytest.mark.parametrize(
    ("target", "entry", "effort", "support"),
    [
        ("trainium", "device-call", EffortClass.CONFIGURATION, Support.REPLACED),
        ("trainium", "library-xformers", EffortClass.WORK, Support.NOT_KNOWN),
        ("trainium", "cuda-source", EffortClass.BLOCKER, Support.UNSUPPORTED),
        ("gaudi", "device-call", EffortClass.INFORMATION, Support.RUNS),
        ("gaudi", "library-apex", EffortClass.CONFIGURATION, Support.REPLACED),
        ("rocm", "cuda-source", EffortClass.WORK, Support.REPLACED),
        ("tpu", "cuda-source", EffortClass.BLOCKER, Support.UNSUPPORTED),
        ("generic", "cuda-nvtx", EffortClass.WORK, Support.NOT_KNOWN),
    ],
)
def test_a_target_has_its_own_answers(target: TargetName, entry: str, effort: EffortClass, support: Support) -> None:
    told = {(f.effort, f.support) for f in portability(target=target).findings if f.entry == entry}
    assert told == {(effort, support)}


def test_every_rule_names_entries_and_a_page_with_its_day() -> None:
    from fnmatch import filter as matching

    for target in targets().targets.values():
        for rule in target.rules:
            assert rule.source in targets().sources
            assert [pattern for pattern in rule.entries if not matching(catalogue().entries, pattern)] == []


@pytest.mark.parametrize(
    ("tree", "one", "places"),
    [
        ({"a.py": "device = 'cuda' if torch.cuda.is_available() else 'cpu'\n"}, True, 1),
        ({"a.py": "parser.add_argument('--device', default='cuda')\n"}, True, 1),
        ({"a.py": "device = 'cuda'\n", "b.py": "device = 'cuda'\n"}, False, 2),
        ({"a.py": "device = 'cuda'\nx.cuda()\n"}, False, 2),
        ({"a.py": "x = 1\n"}, True, 0),
    ],
)
def test_whether_the_device_is_one_value(tree: dict[str, str], one: bool, places: int) -> None:
    device = portability(tree).device
    assert (device.one_choke_point, device.places) == (one, places)


def findings(tree: dict[str, str]) -> tuple[Finding, ...]:
    return portability(tree).findings


@pytest.mark.parametrize(
    ("now", "new"),
    [
        ({"a.py": "x.cuda()\n"}, 0),
        ({"a.py": "\n\n\nx.cuda()\n"}, 0),
        ({"a.py": "x.cuda()\ny.cuda()\n"}, 1),
        ({"a.py": "x.cuda()\n", "b.py": "x.to('cuda')\n"}, 1),
        ({"a.py": "x.cuda()\n", "tests/test_b.py": "x.to('cuda')\n"}, 0),
        ({"a.py": "x.cuda()\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\n"}, 0),
        ({"a.py": "x.cuda()\nimport apex\n"}, 0),
    ],
)
def test_only_more_hard_coded_uses_than_before_are_new(now: dict[str, str], new: int) -> None:
    assert len(new_uses(findings(now), findings({"a.py": "x.cuda()\n"}))) == new


@pytest.mark.parametrize(
    ("machine", "target"),
    [
        ("trn2.48xlarge", "trainium"), ("Trainium2", "trainium"), ("inf2.24xlarge", "trainium"), ("gaudi2", "gaudi"),
        ("dl1.24xlarge", "gaudi"), ("MI300X", "rocm"), ("AMD Instinct MI250", "rocm"), ("tpu-v5e", "tpu"),
        ("ct5lp-hightpu-4t", "tpu"), ("h100", None), ("p5.48xlarge", None), ("b", None), ("mixed", None),
        ("inference", None),
    ],
)  # fmt: skip
def test_a_machine_belongs_to_a_target_by_its_name(machine: str, target: str | None) -> None:
    assert target_named(machine) == target
