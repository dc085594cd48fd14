"""`import paddle_compat` costs little more than `import torch`, and loads the rest on first use."""

from __future__ import annotations

import json
import re
import sys

import pytest
from processes import ROOT, Runner

# What is slow to import and what a first Program does not need.
HEAVY = ("torch._dynamo", "torch._inductor", "torch.distributed.rpc", "torch.utils.data.dataloader", "sympy")
OWN_LAZY = ("fluid", "distributed", "vision", "hapi", "distribution", "audio", "text", "io", "amp", "jit", "metric")
# What is loaded after `import torch`, `import paddle_compat`, and then each of USES in a fork of its own.
USES = {
    "program": "p.core.program.Program().global_block()",
    "function": "p.tanh(p.to_tensor([1.0]))",
    "operator": "import paddle_compat.core.op as op; op.find_op('uniform_random')",
    "optimizer": "p.optimizer.SGD",
}
STAGES = """import json, os, sys
def tell(stage): print(json.dumps([stage, [*sys.modules]]), flush=True)
import torch
tell("torch")
import paddle_compat as p
tell("package")
for stage, code in {uses}.items():
    pid = os.fork()
    if not pid:
        exec(code)
        tell(stage)
        os._exit(0)
    os.waitpid(pid, 0)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Stage -> names of modules."""
    fresh = Runner(sys.executable, ROOT, tmp_path_factory.mktemp("imports"))
    lines = [json.loads(line) for line in fresh.output("-c", STAGES.format(uses=USES)).splitlines()]
    assert [stage for stage, _ in lines] == ["torch", "package", *USES]
    return {stage: set(names) for stage, names in lines}


def test_nothing_heavy_is_loaded(loaded: dict[str, set[str]]) -> None:
    more = loaded["package"] - loaded["torch"]
    for name in HEAVY:
        assert not [module for module in more if module == name or module.startswith(name + ".")], name
    for name in OWN_LAZY:
        assert f"paddle_compat.{name}" not in more
    assert not [name for name in more if name.startswith("torch.fx.experimental")]


def test_eager_part_is_what_a_first_program_uses(loaded: dict[str, set[str]]) -> None:
    """Building a first Program loads no further part of torch, so the import is where that cost shows."""
    assert not [name for name in loaded["program"] - loaded["package"] if name.startswith("torch")]


def test_the_benchmark_measures(fresh: Runner) -> None:
    """Its exit status says whether the limits held, which a busy machine may decide."""
    _, out, err = fresh.run(str(ROOT / "benchmarks/import_cost.py"), "--pairs", "1")
    assert re.search(r"CPU time [+-]\d+\.\d% \(limit \+15%\)\n  memory [+-]\d+\.\d MiB \(limit \+20 MiB\)", out), out + err


def test_a_function_loads_its_own_file(loaded: dict[str, set[str]]) -> None:
    assert "paddle_compat.tensor.ops" in loaded["function"]
    assert not {f"paddle_compat.tensor.{name}" for name in ("math", "linalg", "creation", "manipulation")} & loaded["function"]


def test_an_operator_loads_its_own_family(loaded: dict[str, set[str]]) -> None:
    assert "paddle_compat.ops.random" in loaded["operator"]
    assert not {f"paddle_compat.ops.{name}" for name in ("crf", "nms", "quantization")} & loaded["operator"]


def test_an_eager_optimizer_writes_no_gradient_operators(loaded: dict[str, set[str]]) -> None:
    assert "paddle_compat.optimizer.optimizer" in loaded["optimizer"] and "paddle_compat.core.backward" not in loaded["optimizer"]


FROZEN = """import gc, sys
if "torch" in sys.argv:
    import torch
import paddle_compat
print(gc.get_freeze_count() > 100_000, gc.isenabled())
"""


@pytest.mark.parametrize("first, frozen", [("", True), ("torch", False)])
def test_garbage_is_not_looked_for_in_torch(fresh: Runner, first: str, frozen: bool) -> None:
    assert fresh.output("-c", FROZEN, first).split() == [str(frozen), "True"]
