"""`group_sharded_parallel` in two processes: the numbers of `paddle.DataParallel`, half of the optimizer's state each, files; refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.distributed.sharding import group_sharded_parallel, save_group_sharded_model
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
    paddle.seed(3)
    return nn.Sequential(nn.Linear(5, 7), nn.BatchNorm1D(7), nn.ReLU(), nn.Linear(7, 2), nn.Linear(2, 1))

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
assert (before == frozen[0].weight.numpy()).all() and len(model.get_all_parameters()) == 7
assert frozen.seen.item() == 5.0
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
    with pytest.raises(UnsupportedError, match="offload"):
        group_sharded_parallel(net, sgd, "os", offload=True)
    with pytest.raises(UnsupportedError, match="LBFGS"):
        group_sharded_parallel(net, paddle.optimizer.LBFGS(parameters=net.parameters()), "os")
    with pytest.raises(ValueError, match="argument `model`.*Expected what group_sharded_parallel returned"):
        save_group_sharded_model(net, str(tmp_path / "x"))
    (tmp_path / "file").write_text("")
    with pytest.raises(AssertionError, match="argument `output`.*Expected a folder"):
        save_group_sharded_model(net, str(tmp_path / "file"))
