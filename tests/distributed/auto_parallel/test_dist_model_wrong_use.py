"""What `paddle.distributed.to_static` and a DistModel refuse: kinds as the 3.3.1 wheel raises, and what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat import nn
from paddle_compat.errors import UnsupportedError

MESH = dist.ProcessMesh([0], dim_names=["x"])


def parts() -> tuple[Any, Any, Any]:
    """A layer, a loader and an optimizer."""
    layer = nn.Linear(4, 2)
    layer.weight = dist.shard_tensor(layer.weight, MESH, [dist.Shard(1)])
    data = paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 2])])
    return layer, paddle.io.DataLoader(data, batch_size=2), paddle.optimizer.SGD(0.1, parameters=layer.parameters())


def test_arguments() -> None:
    """Of wrong types."""
    layer, loader, optimizer = parts()
    with pytest.raises(TypeError, match="`layer`"):
        dist.to_static(3, loader)
    with pytest.raises(TypeError, match="`loss`"):
        dist.to_static(layer, loader, 3, optimizer)
    with pytest.raises(TypeError, match="`optimizer`"):
        dist.to_static(layer, loader, nn.MSELoss(), 3)
    with pytest.raises(TypeError, match="`strategy`"):
        dist.to_static(layer, loader, nn.MSELoss(), optimizer, strategy=3)
    with pytest.raises(TypeError, match="`loader`"):
        dist.to_static(layer, None, nn.MSELoss(), optimizer)
    three = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 4])] * 3), batch_size=2)
    with pytest.raises(ValueError, match="batches of 3"):
        dist.to_static(layer, three, nn.MSELoss(), optimizer)


def test_modes_that_nothing_was_given_for() -> None:
    """Without loss, or without optimizer."""
    layer, loader, _ = parts()
    model = dist.to_static(layer, loader)
    assert model._mode == "predict"
    with pytest.raises(TypeError, match="needs a loss and an optimizer"):
        model.train()
    with pytest.raises(ValueError, match="needs a loss"):
        model.eval()
    with pytest.raises(ValueError, match="can only be 'train', 'eval' or 'predict'"):
        model.dist_main_program("foo")
    with pytest.raises(KeyError, match="train"):
        model.serial_main_program("train")
    assert dist.to_static(layer, loader, nn.MSELoss())._mode == "eval"


def test_calls_and_states() -> None:
    """Too few Tensors, no Tensors, states of no mesh, of another name and of another shape."""
    layer, loader, optimizer = parts()
    model = dist.to_static(layer, loader, nn.MSELoss(), optimizer)
    x, y = paddle.ones([2, 4]), paddle.zeros([2, 2])
    with pytest.raises(ValueError, match=r"The model takes \['input0', 'label0'\] as input"):
        model(x)
    with pytest.raises(TypeError, match="should be list or tensor"):
        model(x.numpy(), y.numpy())
    assert model([x], [y]).shape == ()
    with pytest.raises(ValueError, match="`mode`"):
        model.state_dict("foo")
    with pytest.raises(AssertionError, match="weight"):
        model.set_state_dict({"weight": paddle.ones([4, 2])})
    with pytest.raises(RuntimeError, match="zz is not found"):
        model.set_state_dict({"zz": dist.shard_tensor(paddle.ones([4, 2]), MESH, [])})
    with pytest.raises(ValueError, match="bias of shape"):
        model.set_state_dict({"bias": dist.shard_tensor(paddle.ones([3]), MESH, [])})


def test_loader_is_not_consumed() -> None:
    """Nor are random numbers drawn."""

    class Noisy(paddle.io.Dataset):
        def __getitem__(self, index: int) -> Any:
            return np.random.rand(4).astype("float32"), np.zeros(2, "float32")

        def __len__(self) -> int:
            return 4

    layer, _, optimizer = parts()
    loader = paddle.io.DataLoader(Noisy(), batch_size=2)
    drawn = np.random.get_state()[1].tolist()
    iterator = iter(loader)
    model = dist.to_static(layer, loader, nn.MSELoss(), optimizer)
    assert np.random.get_state()[1].tolist() == drawn
    assert len(list(iterator)) == 2
    model.predict()
    assert model(paddle.ones([2, 4]))["out0"].shape == (2, 2)


def test_shapes_of_inputs_may_be_given() -> None:
    """In place of what the loader tells, which is not looked at; sizes have to be known."""
    layer, _, optimizer = parts()
    spec = [[paddle.static.InputSpec([2, 4], "float32", "x")], [paddle.static.InputSpec([2, 2], "float32", "y")]]
    model = dist.to_static(layer, None, nn.MSELoss(), optimizer, input_spec=spec)
    assert [model.dist_main_program().global_block().vars[name].shape for name in ("x", "y")] == [(2, 4), (2, 2)]
    losses = [float(model(paddle.ones([2, 4]), paddle.zeros([2, 2]))) for _ in range(2)]
    assert losses[1] < losses[0]
    for wrong in (spec[0], [[paddle.static.InputSpec([None, 4])], []]):
        with pytest.raises(ValueError, match="input_spec"):
            dist.to_static(layer, None, nn.MSELoss(), optimizer, input_spec=wrong)


def test_what_is_not_done() -> None:
    """Is refused by name."""
    layer, loader, _ = parts()
    groups = paddle.optimizer.SGD(0.1, parameters=[{"params": layer.parameters()}])
    with pytest.raises(UnsupportedError, match="groups"):
        dist.to_static(layer, loader, nn.MSELoss(), groups)


def test_mesh_of_more_processes_than_there_are() -> None:
    """On one process, which may plan with them."""
    laid = dist.shard_tensor(paddle.ones([2, 2]), dist.ProcessMesh([0, 1]), [dist.Shard(0)])
    with pytest.raises(ValueError, match="--nproc_per_node"):
        laid.numpy()
