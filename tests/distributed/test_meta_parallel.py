"""Layers of models that processes share out, with one process: first values, results and training as in the 2.6.2 wheel on a CPU."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.nn import functional as F

meta = fleet.meta_parallel
# the wheel's numbers
ROW = [-1.0315972566604614, 0.6078758239746094, 0.5015407204627991, 0.09756457805633545]
ROWS = [[-0.1834954023361206, 0.7587248086929321, 0.20178282260894775, 0.24410641193389893],
        [0.06101691722869873, -0.655246376991272, -0.046965956687927246, 0.5829802751541138]]  # fmt: skip
LOSSES = [2.3978703022003174, 2.3889877796173096, 1.7825918197631836, 1.2621663808822632]
STAGE = [0.4193100035190582, 0.39972126483917236]
SHARED = [[-1.1770728826522827, -1.1507062911987305, -0.9381902813911438, -1.4044761657714844],
          [-2.3804807662963867, -0.5367285013198853, -1.3011767864227295, -0.4520595073699951],
          [-4.371250629425049, 5.334109783172607, 0.19589966535568237, -5.829204082489014]]  # fmt: skip


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 1, "pp_degree": 1}
    fleet.init(is_collective=True, strategy=strategy)
    with paddle.utils.unique_name.guard():
        yield
    meta.get_rng_state_tracker().reset()


def close(value: Any, expected: Any, **tolerance: float) -> None:
    np.testing.assert_allclose(value.numpy(), np.asarray(expected, "float32"), **{"rtol": 2e-5, "atol": 1e-6, **tolerance})


def test_linear_layers_and_tables() -> None:
    paddle.seed(1)
    column = meta.ColumnParallelLinear(3, 4)
    assert [p.name for p in column.parameters()] == ["linear_0.w_0"] and column.bias is None and column.gather_output
    close(column(paddle.ones([2, 3])), [ROW, ROW])
    paddle.seed(1)
    row = meta.RowParallelLinear(3, 4, input_is_parallel=True)
    assert [p.shape for p in row.parameters()] == [[3, 4], [4]] and row.weight.is_distributed is False
    close(row(paddle.ones([2, 3])), [ROW, ROW])
    paddle.seed(1)
    close(meta.VocabParallelEmbedding(5, 4)(paddle.to_tensor([[1, 2]])), [ROWS])
    logits, labels = paddle.to_tensor([[0.1, 2.0, 0.3]]), paddle.to_tensor([1])
    loss = meta.ParallelCrossEntropy()(logits, labels)
    close(loss, F.cross_entropy(logits, labels, reduction="none").reshape([1, 1]).numpy())
    assert float(meta.ParallelCrossEntropy(ignore_index=1)(logits, labels.unsqueeze(-1))) == 0.0


class Attention(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table = meta.VocabParallelEmbedding(11, 8, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Normal(0, 0.02)))
        self.qkv = meta.ColumnParallelLinear(8, 24, has_bias=True, gather_output=False)
        self.out = meta.RowParallelLinear(8, 8, input_is_parallel=True)

    def forward(self, ids: Any, labels: Any) -> Any:
        q, k, v = paddle.split(self.qkv(self.table(ids)), 3, -1)
        hidden = self.out(F.softmax(paddle.matmul(q, k, transpose_y=True), -1) @ v)
        return meta.ParallelCrossEntropy()(paddle.matmul(hidden, self.table.weight, transpose_y=True), labels.unsqueeze(-1)).mean()


def test_training() -> None:
    paddle.seed(4)
    model = fleet.distributed_model(Attention())
    adam = paddle.optimizer.AdamW(0.1, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))
    adam = fleet.distributed_optimizer(adam)
    losses = []
    for _ in LOSSES:
        loss = model(paddle.to_tensor([[1, 2, 3]]), paddle.to_tensor([[2, 3, 4]]))
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    np.testing.assert_allclose(losses, LOSSES, rtol=1e-5)


def test_states_of_random_numbers() -> None:
    tracker = meta.get_rng_state_tracker()
    with pytest.raises(ValueError, match="state abc does not exist"), tracker.rng_state("abc"):
        pass
    tracker.add("global_seed", 1)
    for name, seed in (("global_seed", 2), ("other", 1)):
        with pytest.raises(ValueError, match="already exists"):
            tracker.add(name, seed)
    paddle.seed(9)
    close(paddle.rand([2]), [0.9213590025901794, 0.295550137758255])
    with tracker.rng_state("global_seed"):
        close(paddle.rand([2]), [0.017876267433166504, 0.764923095703125])
    close(paddle.rand([2]), [0.11099900305271149, 0.9204587936401367])
    with tracker.rng_state("global_seed"):
        close(paddle.rand([2]), [0.6760573387145996, 0.046205785125494])
    meta.model_parallel_random_seed(5)
    close(paddle.rand([2]), [0.9200540781021118, 0.5363290309906006])
    with tracker.rng_state():
        close(paddle.rand([2]), [0.7127118706703186, 0.7037700414657593])
    np.random.seed(7)
    meta.model_parallel_random_seed()
    assert tracker.seeds_ == {9413}


def test_models_of_one_stage(tmp_path: Path) -> None:
    described = [meta.LayerDesc(nn.Linear, 4, 4), F.relu, meta.LayerDesc(nn.Linear, 4, 2), lambda x: x * 2.0]
    model = meta.PipelineLayer(described, num_stages=1, loss_fn=nn.CrossEntropyLoss())
    assert [(name, p.name) for name, p in model.named_parameters()] == [
        ("0.weight", "linear_0.w_0"), ("0.bias", "linear_0.b_0"), ("2.weight", "linear_1.w_0"), ("2.bias", "linear_1.b_0"),
    ]  # fmt: skip
    close(model(paddle.ones([2, 4])), [STAGE, STAGE])
    model.save_state_dict(str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"layer_0{n}-tensor_00-model_states.pdparams" for n in (0, 2)]
    model.set_state_dict({name: value * 0.0 for name, value in model.state_dict().items()})
    model.set_state_dir(str(tmp_path))
    close(model(paddle.ones([2, 4])), [STAGE, STAGE])


@pytest.mark.parametrize("again", [0, 1, 3])
def test_layers_that_come_twice(again: int) -> None:
    table = ("emb", nn.Embedding)

    def logits(layer: Any, x: Any) -> Any:
        return paddle.matmul(x, layer.weight, transpose_y=True)

    paddle.seed(2)
    described = [meta.SharedLayerDesc(*table, None, "weight", 5, 4), meta.LayerDesc(nn.LayerNorm, 4), nn.Linear(4, 4),
                 meta.SharedLayerDesc(*table, logits, "weight", 5, 4)]  # fmt: skip
    group = fleet.get_hybrid_communicate_group().get_model_parallel_group()
    model = meta.PipelineLayer(described, num_stages=1, recompute_interval=again, recompute_ctx={"mp_group": group})
    assert sorted(model.state_dict()) == ["1.bias", "1.weight", "2.bias", "2.weight", "shared_layers.emb.weight"]
    model(paddle.to_tensor([[1, 2]])).sum().backward()
    close(model.shared_layers["emb"].weight.grad[:3], SHARED, rtol=1e-4, atol=1e-5)


def test_what_needs_several_processes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"num_stages\(2\) which can be divided by world_size\(1\)"):
        meta.PipelineLayer([nn.Linear(2, 2)], num_stages=2)
    with pytest.raises(AssertionError, match="start with layer"):
        meta.PipelineLayer([nn.Linear(2, 2)], num_stages=1, num_virtual_pipeline_stages=2)
    group = paddle.distributed.collective.Group(0, 7, [0, 1])
    with pytest.raises(ValueError, match="state model_parallel_rng does not exist"):
        meta.ColumnParallelLinear(2, 2, mp_group=group)
    for wrong in (lambda: meta.ColumnParallelLinear(2, 3, mp_group=group), lambda: meta.RowParallelLinear(3, 2, mp_group=group),
                  lambda: meta.VocabParallelEmbedding(3, 2, mp_group=group)):  # fmt: skip
        with pytest.raises(AssertionError, match="must be divisible"):
            wrong()
    fused = meta.RowParallelLinear(2, 2, fuse_matmul_bias=True)
    close(fused(paddle.ones([1, 2])), F.linear(paddle.ones([1, 2]), fused.weight, fused.bias).numpy())
    with pytest.raises(ValueError, match="num_stages or topology"):
        meta.PipelineLayer([nn.Linear(2, 2)])
    with pytest.raises(AssertionError):
        meta.PipelineLayer([nn.Linear(2, 2)], num_stages=1, recompute_interval=1)
    with pytest.raises(TypeError):
        meta.LayerDesc(print)


def test_computing_again_in_such_models() -> None:
    from paddle_compat.distributed.fleet.recompute import recompute_hybrid

    x = paddle.to_tensor([3.0], stop_gradient=False)
    group = fleet.get_hybrid_communicate_group().get_model_parallel_group()
    recompute_hybrid({"mp_group": group}, lambda v: v * v, x).backward()
    close(x.grad, [6.0])
    with pytest.raises(AssertionError):
        recompute_hybrid({}, paddle.square, x)
    with pytest.raises(UnsupportedError, match="offload"):
        recompute_hybrid({"mp_group": group, "offload": True}, paddle.square, x)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("layers.mpu", "ColumnParallelLinear"), ("layers.mpu.mp_layers", "RowParallelLinear"), ("layers.mpu.mp_ops", "split"),
        ("layers.mpu.random", "get_rng_state_tracker"), ("meta_parallel.parallel_layers", "PipelineLayer"),
        ("meta_parallel.parallel_layers.mp_layers", "VocabParallelEmbedding"), ("meta_parallel.parallel_layers.pp_layers", "LayerDesc"),
        ("meta_parallel.parallel_layers.random", "RNGStatesTracker"), ("recompute.recompute", "recompute"),
        ("recompute.recompute_hybrid", "recompute_hybrid"),
    ],
)  # fmt: skip
def test_paths(module: str, name: str) -> None:
    assert callable(getattr(importlib.import_module(f"paddle_compat.distributed.fleet.{module}"), name))


@pytest.mark.parametrize("scaled", [False, True])
def test_a_step_of_small_batches(scaled: bool) -> None:
    strategy = fleet.DistributedStrategy()
    strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 3}
    groups = fleet.get_hybrid_communicate_group()
    layers = meta.PipelineLayer([nn.Linear(4, 4), F.tanh, nn.Linear(4, 1)], num_stages=1, loss_fn=nn.MSELoss())
    model = meta.PipelineParallel(layers, groups, strategy)
    paddle.seed(3)
    x, y = paddle.rand([6, 4]), paddle.rand([6, 1])
    plain = meta.PipelineLayer([nn.Linear(4, 4), F.tanh, nn.Linear(4, 1)], num_stages=1)
    plain.set_state_dict(layers.state_dict())
    rate = paddle.optimizer.lr.StepDecay(0.1, 1)
    sgd, other = (paddle.optimizer.SGD(rate, parameters=each.parameters()) for each in (model, plain))
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0) if scaled else None
    for _ in range(3):
        expected = F.mse_loss(plain(x), y)
        expected.backward()
        other.step()
        other.clear_grad()
        got = model.train_batch([x, y], sgd, rate, scaler)
        np.testing.assert_allclose(float(got), float(expected), rtol=1e-5)
    assert rate.last_epoch == 3
    close(model.eval_batch([x, y], compute_loss=True), float(F.mse_loss(plain(x), y)))
    assert [out.shape for out in model.eval_batch([x, y])] == [[3, 1], [3, 1]]
    with pytest.raises(AssertionError, match="6 samples"):
        model.train_batch([x[:4], y[:4]], sgd)
    with pytest.raises(TypeError, match="PipelineLayer"):
        meta.PipelineParallel(nn.Linear(2, 2), groups, strategy)


def test_models_in_their_wrappers() -> None:
    groups, strategy = fleet.get_hybrid_communicate_group(), fleet.DistributedStrategy()
    for kind in (meta.TensorParallel, meta.ShardingParallel, meta.SegmentParallel):
        inner = nn.Linear(2, 2)
        model = kind(inner, groups, strategy)
        assert sorted(model.state_dict()) == ["_layers.bias", "_layers.weight"]
        assert all(one is other for one, other in zip(model.parameters(), inner.parameters()))
        close(model(paddle.ones([1, 2])), inner(paddle.ones([1, 2])).numpy())
        model.eval()
        assert not inner.training


def test_numbers_have_a_module_among_the_layers() -> None:
    from paddle_compat.distributed.fleet.meta_parallel.parallel_layers import random

    assert random.get_rng_state_tracker is meta.get_rng_state_tracker
    assert random.dropout(paddle.ones([4]), 0.0).tolist() == [1.0] * 4


@pytest.mark.parametrize(("size", "expected"), [(2, [True, True, False]), (1, [False, False, False])])
def test_layers_know_what_the_strategy_asks_of_gpus(size: int, expected: list[bool]) -> None:  # 2.6.2 and 3.3.1, of one process
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"mp_configs": {"mp_async_allreduce": True, "mp_skip_c_identity": True}}
    fleet.init(is_collective=True, strategy=strategy)
    meta.model_parallel_random_seed(1)
    group = SimpleNamespace(nranks=size, rank=0)
    for made in (meta.ColumnParallelLinear(4, 4, mp_group=group), meta.RowParallelLinear(4, 4, mp_group=group)):
        assert [made.mp_async_allreduce, made.mp_skip_c_identity, made.mp_fused_linear_param_grad_add] == expected
    fleet.init(is_collective=True)
