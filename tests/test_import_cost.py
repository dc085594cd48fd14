"""`import paddle_compat` costs little more than `import torch`, and loads the rest on first use."""

from __future__ import annotations

import re

from processes import ROOT, Runner

# What is slow to import and what a first Program does not need.
HEAVY = ("torch._dynamo", "torch._inductor", "torch.distributed.rpc", "torch.utils.data.dataloader", "sympy")
OWN_LAZY = ("fluid", "distributed", "vision", "hapi", "distribution", "audio", "text", "io", "amp", "jit", "metric")
LOADED = "import sys, {module}; print(*sys.modules)"


def test_nothing_heavy_is_loaded(full: Runner) -> None:
    torch, ours = (set(full.output("-c", LOADED.format(module=m)).split()) for m in ("torch", "paddle_compat"))
    more = ours - torch
    for name in HEAVY:
        assert not [module for module in more if module == name or module.startswith(name + ".")], name
    for name in OWN_LAZY:
        assert f"paddle_compat.{name}" not in more
    assert not [name for name in more if name.startswith("torch.fx.experimental")]


def test_eager_part_is_what_a_first_program_uses(full: Runner) -> None:
    """Building a first Program loads no further part of torch, so the import is where that cost shows."""
    code = "import sys, paddle_compat as p\nbefore = set(sys.modules)\np.core.program.Program().global_block()\n"
    code += "print([m for m in set(sys.modules) - before if m.startswith('torch')])"
    assert full.output("-c", code) == "[]\n"


def test_the_benchmark_measures(full: Runner) -> None:
    """Its exit status says whether the limits held, which a busy machine may decide."""
    _, out, err = full.run(str(ROOT / "benchmarks/import_cost.py"), "--pairs", "1")
    assert re.search(r"CPU time [+-]\d+\.\d% \(limit \+15%\)\n  memory [+-]\d+\.\d MiB \(limit \+20 MiB\)", out), out + err


def test_a_function_loads_its_own_file(full: Runner) -> None:
    loaded = set(full.output("-c", LOADED.format(module="paddle_compat; paddle_compat.tanh(paddle_compat.to_tensor([1.0]))")).split())
    assert "paddle_compat.tensor.ops" in loaded
    assert not {f"paddle_compat.tensor.{name}" for name in ("math", "linalg", "creation", "manipulation")} & loaded


def test_an_operator_loads_its_own_family(full: Runner) -> None:
    found = "paddle_compat.core.op as op; op.find_op('uniform_random')"
    loaded = set(full.output("-c", LOADED.format(module=found)).split())
    assert "paddle_compat.ops.random" in loaded
    assert not {f"paddle_compat.ops.{name}" for name in ("crf", "nms", "quantization")} & loaded


def test_an_eager_optimizer_writes_no_gradient_operators(full: Runner) -> None:
    loaded = set(full.output("-c", LOADED.format(module="paddle_compat; paddle_compat.optimizer.SGD")).split())
    assert "paddle_compat.optimizer.optimizer" in loaded and "paddle_compat.core.backward" not in loaded
