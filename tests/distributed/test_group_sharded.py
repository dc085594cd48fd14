"""`group_sharded_parallel` in two processes: the numbers of `paddle.DataParallel`, half of states, gradients and parameters each."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.distributed.sharding import group_sharded_parallel, save_group_sharded_model
from paddle_compat.distributed.sharding.group_sharded import check_kept
from paddle_compat.errors import UnsupportedError

JOB = """
import sys
import numpy as np
import paddle
from paddle import nn
from paddle.distributed.sharding import group_sharded_parallel, save_group_sharded_model

paddle.distributed.init_parallel_env()
rank = paddle.distributed.get_rank()
data = np.random.RandomState(rank).rand(3, 4, 5).astype("float32")

def net():
    paddle.seed(3)  # without a bias in front of the batch norm: its gradient would be rounding, of which Adam makes whole steps
    return nn.Sequential(nn.Linear(5, 7, bias_attr=False), nn.BatchNorm1D(7), nn.ReLU(), nn.Linear(7, 2), nn.Linear(2, 1))

def adamw(model):
    first, *rest = model.parameters()
    groups = [{"params": [first], "weight_decay": 0.5}, {"params": rest, "learning_rate": 0.1}]
    return paddle.optimizer.AdamW(0.1, parameters=groups, grad_clip=nn.ClipGradByNorm(0.5))

OPTIMIZERS = {
    "adam, global norm": lambda model: paddle.optimizer.Adam(
        paddle.optimizer.lr.StepDecay(0.1, 1), parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.1)),
    "adamw, groups": adamw,
    "momentum, decay": lambda model: paddle.optimizer.Momentum(0.1, parameters=model.parameters(), weight_decay=0.1),
}

def trained(make, level):
    model = net()
    optimizer, scaler = make(model), paddle.amp.GradScaler(enable=False)
    inner = optimizer
    if level is None:
        model = paddle.DataParallel(model)
    else:
        model, optimizer, scaler = group_sharded_parallel(model, optimizer, level, scaler, buffer_max_size=64)
    for x in data:
        loss = model(paddle.to_tensor(x)).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
    if level and isinstance(inner._learning_rate, paddle.optimizer.lr.LRScheduler):
        optimizer._learning_rate.step()
        assert abs(optimizer.get_lr() - 0.01) < 1e-9
    return model, optimizer, inner

for name, make in OPTIMIZERS.items():
    plain, _, whole = trained(make, None)
    count = lambda made: sum(v.size for v in made.state_dict().values() if isinstance(v, paddle.Tensor))
    for level in ("os", "os_g", "p_g_os"):
        model, optimizer, inner = trained(make, level)
        for wanted, found in zip(plain.parameters(), model.parameters()):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6, atol=1e-7, err_msg=f"{name} {level}")
        assert count(inner) < 0.75 * count(whole), (count(inner), count(whole))
    save_group_sharded_model(model, sys.argv[1], optimizer)
    state, values = paddle.load(sys.argv[1] + "/model.pdopt"), paddle.load(sys.argv[1] + "/model.pdmodel")
    given = [np.asarray(v) for k, v in state.items() if k not in ("LR_Scheduler", "master_weights")]
    known = [v.numpy() for k, v in whole.state_dict().items() if k not in ("LR_Scheduler", "master_weights")]
    assert sorted(v.sum() for v in given) == __import__("pytest").approx(sorted(v.sum() for v in known), rel=1e-4, abs=1e-5)
    assert list(values) == list(plain._layers.state_dict())
    optimizer.set_state_dict(state)

# piece by piece
from paddle.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
from paddle.distributed.fleet.meta_parallel.sharding.group_sharded_stage2 import GroupShardedStage2
from paddle.distributed.fleet.meta_parallel.sharding.group_sharded_stage3 import GroupShardedStage3
from paddle.distributed.fleet.meta_parallel.sharding.group_sharded_utils import GroupShardedScaler

group = paddle.distributed.new_group([0, 1])
plain, _, _ = trained(adamw, None)
for stage in (2, 3):
    model = net()
    optimizer = inner = adamw(model)
    if stage == 2:
        optimizer = GroupShardedOptimizerStage2(params=optimizer._parameter_list, optim=optimizer, group=group)
        model = GroupShardedStage2(model, optimizer, group=group, buffer_max_size=2**21)
    else:
        model = GroupShardedStage3(model, optimizer=optimizer, group=group, sync_comm=True, segment_size=2**15)
    scaler = GroupShardedScaler(paddle.amp.GradScaler(enable=False))
    for x in data:
        scaler.scale(model(paddle.to_tensor(x)).mean()).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
    for wanted, found in zip(plain.parameters(), model.parameters()):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6, atol=1e-7, err_msg=f"stage {stage}")
    assert len(inner.state_dict()) < 4 * len(plain.parameters())

frozen = net()
frozen[0].weight.stop_gradient = True
frozen.register_buffer("seen", paddle.full([1], rank))
model, sgd, _ = group_sharded_parallel(frozen, paddle.optimizer.SGD(0.1, parameters=frozen.parameters()), "os", sync_buffers=True)
before = frozen[0].weight.numpy()
for x in data:
    model(paddle.to_tensor(x)).mean().backward()
    sgd.step()
    sgd.clear_grad()
frozen.seen.set_value(paddle.full([1], rank + 5.0))
model(paddle.to_tensor(data[0]))
assert (before == frozen[0].weight.numpy()).all() and len(model.get_all_parameters()) == 6
assert frozen.seen.item() == 5.0

# gradients and parameters are shared out
from paddle.distributed.fleet.utils import recompute

words = np.random.RandomState(rank).randint(0, 16, (4, 4, 6))

class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down, self.unused = nn.LayerNorm(8), nn.Linear(8, 16), nn.Linear(16, 8), nn.Linear(8, 4)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

class Language(nn.Layer):  # its table gives the logits too, a block is computed again, some of it is frozen and some unused
    def __init__(self, sparse):
        super().__init__()
        self.words, self.first, self.second, self.frozen = nn.Embedding(16, 8), Block(), Block(), nn.Linear(8, 8)
        self.more, self.scale = nn.Embedding(16, 8, sparse=sparse), self.create_parameter([8])
        self.frozen.weight.stop_gradient = True

    def forward(self, ids):
        table = self.words.weight
        x = recompute(self.second, self.frozen(self.first(self.words(ids) + self.more(ids))))
        return paddle.matmul(x * self.scale, table, transpose_y=True)

def language(make, level, sparse, way, **settings):
    paddle.seed(3)
    model = Language(sparse)
    optimizer = make(0.01, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.5))
    if level is None:
        model = paddle.DataParallel(model, find_unused_parameters=True)
    else:
        model, optimizer, _ = group_sharded_parallel(model, optimizer, level, buffer_max_size=64, offload=True, **settings)
    losses = []
    for number, batch in enumerate(words):
        for half, part in enumerate(np.split(batch, 2)):
            part = paddle.to_tensor(part)
            with model.no_sync() if way == "no_sync" and not half else paddle.enable_grad():
                loss = nn.functional.cross_entropy(model(part), part)
                loss.backward()
        with paddle.no_grad():
            losses += [float(loss), float(model(part).mean())]
        grads = sum(p._t.grad.numel() for p in model.parameters() if p._t.grad is not None)
        optimizer.step()
        optimizer.clear_grad()
    return model, optimizer, losses, grads

kept = lambda model: sum(p._t.untyped_storage().nbytes() for p in model.parameters() if p._t.device.type == "cpu")
all_of_it = dict(segment_size=0)
for make, sparse, way, level, settings in (
    (paddle.optimizer.Lamb, False, "no_sync", "os_g", {}), (paddle.optimizer.Lamb, False, "no_sync", "p_g_os", all_of_it),
    (paddle.optimizer.Momentum, True, "twice", "os_g", {}),
    (paddle.optimizer.Momentum, True, "twice", "p_g_os", dict(segment_size=8, exclude_layer=["Embedding"])),
):
    plain, _, wanted, whole = language(make, None, sparse, way)
    model, optimizer, found, part = language(make, level, sparse, way, **settings)
    text = f"{make.__name__} {way} {level}"
    assert 0.3 * whole < part < 0.7 * whole, (text, part, whole)
    if settings:
        assert kept(model) < (0.7 if settings is all_of_it else 0.85) * kept(plain), (text, kept(model), kept(plain))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, err_msg=text)
    away = [p for p in model.parameters() if p._t.device.type == "meta"]
    assert bool(away) == bool(settings)
    for parameter in away[:1]:
        try:
            parameter.numpy()
        except NotImplementedError as error:
            assert "no data" in str(error), error
        else:
            raise AssertionError("read what is not there")
    save_group_sharded_model(model, sys.argv[1], optimizer)
    read = paddle.load(sys.argv[1] + "/model.pdmodel")
    assert not settings or kept(model) < 0.85 * kept(plain)
    for (name, value), known in zip(plain.state_dict().items(), read.values(), strict=True):
        np.testing.assert_allclose(known.numpy(), value.numpy(), rtol=2e-5, atol=2e-6, err_msg=f"{text} {name}")
    model.set_state_dict({name: value * 0 + rank + 1 for name, value in read.items()})
    assert all((value.numpy() > 0).all() for value in model.get_all_parameters())
assert optimizer._agreed_by(paddle.to_tensor([rank + 1.0])._t).tolist() == [3.0]
print("done")
"""


def test_training_in_two_processes(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(JOB)
    for status, text in run_job(script, 2, arguments=[str(tmp_path / "saved")]):
        assert status == 0 and "done" in text, text


def test_what_is_refused(tmp_path: Path) -> None:
    net = paddle.nn.Linear(2, 1)
    sgd = paddle.optimizer.SGD(parameters=net.parameters())
    for wrong, message in (
        ((sgd, sgd, "os"), "argument `model`.*Expected a paddle.nn.Layer"),
        ((net, net, "os"), "argument `optimizer`.*Expected a paddle.optimizer.Optimizer"),
        ((net, sgd, "o"), "argument `level`.*Received: 'o'"),
        ((net, sgd, "os"), "Expected two processes or more"),
    ):
        with pytest.raises(AssertionError, match=message):
            group_sharded_parallel(*wrong)
    with pytest.raises(AssertionError, match="Expected two processes or more"):
        group_sharded_parallel(net, sgd, "os", offload=True)  # which the CPU's states are anyway
    with torch.device("meta"):
        elsewhere = paddle.Tensor(torch.zeros(2))
    with pytest.raises(UnsupportedError, match="offload"):
        check_kept("group_sharded_parallel", True, [elsewhere])
    with pytest.raises(UnsupportedError, match="LBFGS"):
        group_sharded_parallel(net, paddle.optimizer.LBFGS(parameters=net.parameters()), "os")
    with pytest.raises(ValueError, match="argument `model`.*Expected what group_sharded_parallel returned"):
        save_group_sharded_model(net, str(tmp_path / "x"))
    (tmp_path / "file").write_text("")
    with pytest.raises(AssertionError, match="argument `output`.*Expected a folder"):
        save_group_sharded_model(net, str(tmp_path / "file"))
