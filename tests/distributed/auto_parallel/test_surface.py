"""Meshes, placements, and methods, states and gradients of dist tensors on two processes, as in Paddle 3.3; and errors' types."""

from __future__ import annotations

import json
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

import paddle_compat
from paddle_compat import _missing
from paddle_compat.errors import UnsupportedError

WHEEL, REFUSALS = (json.loads((ROOT / f"tests/references/mesh_{name}.json").read_text()) for name in ("surface", "refusals"))


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(ROOT / "tests/models/mesh_surface.py", 2, tmp_path_factory.mktemp("job"), "found,refused,ours")


def test_as_the_wheel(job: dict[str, list[Any]]) -> None:
    different = {name for name, real in WHEEL.items() if [own[name] for own in job["found"]] != real}
    assert not different
    assert list(job["found"][0]) == list(WHEEL)


def test_errors_are_of_the_wheels_types(job: dict[str, list[Any]]) -> None:
    """Ours may be of several types at once, of which one is the wheel's."""
    for name, real in REFUSALS.items():
        for own, (first, *_) in zip(job["refused"], real):
            assert first in own[name], (name, own[name], real)


@pytest.mark.parametrize("case", ["to_static", "saved", "lazy", "norm", "deepcopy", "other placements", "half"])
def test_beyond_the_wheel(case: str, job: dict[str, list[Any]]) -> None:
    """What the wheel refuses there (to_static, files), or does wrong (the norm of sharded gradients, copies)."""
    for own in job["ours"]:
        got, expected = own[case]
        if case in ("to_static", "lazy", "saved", "norm"):
            np.testing.assert_allclose(got, expected, rtol=1e-4)
        else:
            assert got == expected


def test_every_name_is_there_or_refused_by_name() -> None:
    """All that the wheels have under `paddle.distributed`; what hides behind a function of the same name hides there, too."""
    silent = set()
    for api in _missing.known_names():
        if api.startswith("paddle.distributed."):
            found: Any = paddle_compat
            for part in api.split(".")[1:]:
                try:
                    found = getattr(found, part)
                except UnsupportedError:
                    break
                except AttributeError:
                    if isinstance(found, ModuleType):
                        silent.add(api)
                    break
    assert not silent
    with pytest.raises(UnsupportedError, match=r"topology.EPHybridCommunicateGroup.*Use HybridCommunicateGroup"):
        import_module("paddle_compat.distributed.fleet.base.topology").EPHybridCommunicateGroup()


def test_marks_of_functions() -> None:
    """They change no value in eager mode, as in Paddle 2.6.2; a DistModel computes again what `recompute` marks."""
    import paddle_compat.distributed as dist
    from paddle_compat.distributed.fleet import auto

    x, mesh = paddle_compat.ones([1, 2]), dist.ProcessMesh([[0]], dim_names=["x", "y"])
    assert auto.recompute(lambda a, b: a * b)(x, b=3).tolist() == [[3.0, 3.0]]
    assert auto.exclude_ops_in_recompute(paddle_compat.exp)(x * 0).tolist() == [[1.0, 1.0]]
    add = auto.shard_op(paddle_compat.add, mesh, in_shard_specs=[["x", "y"], None], out_shard_specs=[[None, "x"]])
    assert add(x, x).tolist() == [[2.0, 2.0]]
    with mesh:
        assert auto.shard_op(paddle_compat.add)(x, x).tolist() == [[2.0, 2.0]]
    for wrong, message in (
        ((None,), "process_mesh"), ((3,), "process_mesh"), ((mesh, [3]), "in_shard_specs"), ((mesh, None, [3]), "out_shard_specs"),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match=message):
            auto.shard_op(paddle_compat.add, *wrong)
    for specs, message in ((([None],), "each of 2 arguments"), ((None, [None, None]), "each of 1 results")):
        with pytest.raises(AssertionError, match=message):
            auto.shard_op(paddle_compat.add, mesh, *specs)(x, x)
    with pytest.raises(ValueError, match="names of"):
        auto.shard_op(paddle_compat.add, mesh, [["z", None], None])

    class Net(paddle_compat.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = paddle_compat.nn.Linear(2, 4), paddle_compat.nn.Linear(4, 1)

        def forward(self, x: paddle_compat.Tensor) -> paddle_compat.Tensor:
            return self.second(auto.recompute(lambda given: paddle_compat.tanh(self.first(given)))(x))

    losses, counts = [], []
    for again in (False, True):
        paddle_compat.seed(3)
        net, strategy = Net(), dist.Strategy({"recompute": {"enable": again}})
        loader = paddle_compat.io.DataLoader(paddle_compat.io.TensorDataset([x, paddle_compat.zeros([1, 1])]))
        sgd = paddle_compat.optimizer.SGD(0.1, parameters=net.parameters())
        model: Any = dist.to_static(net, loader, paddle_compat.nn.MSELoss(), sgd, strategy)
        model.train()
        losses.append([float(model(x, paddle_compat.zeros([1, 1]))) for _ in range(2)])
        counts.append([op.type for op in model.dist_main_program().global_block().ops].count("tanh"))
    assert losses[0] == losses[1] and losses[0][1] < losses[0][0] and counts == [1, 2]
