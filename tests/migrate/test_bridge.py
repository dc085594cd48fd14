"""Layers and torch modules, Tensors and torch tensors stand for each other: one memory, one gradient, one training mode."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.migrate import LayerModule, ModuleLayer, as_layer, as_module, from_torch, to_torch

nn = paddle.nn


def network() -> Any:
    """A network with parameters, buffers and layers that train otherwise than they infer."""
    paddle.seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 1))


def torchs() -> torch.nn.Module:
    """The like, of torch's."""
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(), torch.nn.Linear(8, 1))


def numbers(*shape: int) -> np.ndarray:
    """Numbers to compute with."""
    return np.random.default_rng(5).standard_normal(shape).astype(np.float32)


def test_tensors_share_memory_gradients_and_history() -> None:
    x = paddle.to_tensor(numbers(2, 3), stop_gradient=False)
    there = to_torch({"a": [x, 1], "b": (x * 2,)})
    assert there["a"][0] is x._t and there["a"][1] == 1
    back = from_torch({"loss": torch.tanh(there["b"][0]).sum()})["loss"]
    assert isinstance(back, paddle.Tensor) and not back.stop_gradient
    back.backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 / np.cosh(2 * numbers(2, 3)) ** 2, 1e-5)
    kept = torch.zeros(2)
    from_torch(kept).add_(paddle.ones([2]))
    assert kept.tolist() == [1.0, 1.0] and from_torch(kept).stop_gradient


def test_torchs_optimizers_train_a_layer_as_paddles_do() -> None:
    x, losses = paddle.to_tensor(numbers(16, 4)), []
    for kind in ("paddle", "torch"):
        net = network()
        module = as_module(net)
        ours = paddle.optimizer.Momentum(0.1, 0.9, net.parameters())
        theirs = torch.optim.SGD(module.parameters(), 0.1, 0.9)
        losses.append([])
        for _ in range(5):
            if kind == "paddle":
                loss = (net(x) ** 2).mean()
                loss.backward()
                ours.step()
                ours.clear_grad()
            else:
                theirs.zero_grad()
                loss = module(to_torch(x)).square().mean()
                loss.backward()
                theirs.step()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-5) and losses[0][-1] < losses[0][0]


def test_paddles_optimizers_train_a_module_as_torchs_do() -> None:
    x, losses = torch.from_numpy(numbers(16, 4)), []
    for kind in ("torch", "paddle"):
        module = torchs()
        net = as_layer(module)
        theirs = torch.optim.Adam(module.parameters(), 0.01)
        ours = paddle.optimizer.Adam(0.01, parameters=net.parameters())
        losses.append([])
        for _ in range(5):
            if kind == "torch":
                theirs.zero_grad()
                loss = module(x).square().mean()
                loss.backward()
                theirs.step()
            else:
                loss = (net(from_torch(x)) ** 2).mean()
                loss.backward()
                ours.step()
                ours.clear_grad()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-5) and losses[0][-1] < losses[0][0]


def test_names_and_values_of_what_they_hold() -> None:
    net, module = network(), torchs()
    held = as_module(net)
    assert [*held.state_dict()] == [*net.state_dict()] == [f"{n}.{w}" for n, ws in HELD for w in ws]
    assert [name for name, _ in held.named_parameters()] == [name for name, _ in net.named_parameters()]
    assert all(isinstance(p, torch.nn.Parameter) for p in held.parameters())
    assert [*as_layer(module).state_dict()] == [*module.state_dict()]
    assert all(p.persistable and not p.stop_gradient for p in as_layer(module).parameters())


HELD = ((0, ("weight", "bias")), (1, ("weight", "bias", "_mean", "_variance")), (4, ("weight", "bias")))


def test_one_mode_and_one_set_of_statistics() -> None:
    x = paddle.to_tensor(numbers(16, 4))
    outer = nn.Sequential(as_layer(torchs()), nn.Dropout())
    outer.eval()
    module = outer[0]._module
    assert not any(part.training for part in module.modules())
    before = module[1].running_mean.clone()
    outer(x)
    assert torch.equal(module[1].running_mean, before)
    outer.train()
    outer(x)
    assert not torch.equal(module[1].running_mean, before)
    assert outer[0].state_dict()["1.running_mean"].numpy().tolist() == module[1].running_mean.tolist()
    net = network()
    around = torch.nn.Sequential(as_module(net))
    around.eval()
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    net.train()
    assert around[0].training and around.get_submodule("0.1").training
    around(to_torch(x))
    assert around.state_dict()["0.1._mean"].tolist() == net[1]._mean.tolist() != [0.0] * 8


@pytest.mark.parametrize("move", [lambda m: m.double(), lambda m: m.to(torch.float64)])
def test_modules_that_are_cast(move: Callable[[torch.nn.Module], Any]) -> None:
    net = network()
    move(as_module(net))
    assert net[0].weight.dtype == paddle.float64 and net[1]._mean.dtype == paddle.float64
    assert net(paddle.ones([2, 4], "float64")).dtype == paddle.float64


def test_layers_that_are_cast() -> None:
    net, module = network(), torchs()
    held = as_module(net)
    net.to(dtype="float64")
    assert held(torch.ones(2, 4, dtype=torch.float64)).dtype is torch.float64
    assert {p.dtype for p in held.parameters()} == {torch.float64}
    layer = as_layer(module)
    layer.to(dtype="float64")
    assert layer(paddle.ones([2, 4], "float64")).dtype == paddle.float64 and module[0].weight.dtype is torch.float64


@pytest.mark.parametrize("assign", [False, True])
def test_states_of_either_side(assign: bool, tmp_path: Path) -> None:
    net, other = network(), network()
    for parameter in other.parameters():
        parameter.set_value(parameter + 1)
    torch.save(as_module(other).state_dict(), tmp_path / "state.pt")
    held = as_module(net)
    held.load_state_dict(torch.load(tmp_path / "state.pt"), assign=assign)
    assert net[0].weight.tolist() == other[0].weight.tolist()
    optimizer = torch.optim.SGD(held.parameters(), 0.1)
    held(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    assert net[4].bias.tolist() != other[4].bias.tolist()
    module = torchs()
    paddle.save(as_layer(torchs()).state_dict(), str(tmp_path / "state.pdparams"))
    with torch.no_grad():
        module[0].weight.zero_()
    as_layer(module).set_state_dict(paddle.load(str(tmp_path / "state.pdparams")))
    assert module[0].weight.tolist() == torchs()[0].weight.tolist()


def test_one_inside_the_other_and_back() -> None:
    net, module = network(), torchs()
    assert as_layer(as_module(net)) is net and as_module(as_layer(module)) is module
    inner = as_module(nn.Sequential(nn.Flatten(1), as_layer(torch.nn.Linear(4, 2))))
    mixed = torch.nn.Sequential(module, torch.nn.Unflatten(0, (4, 4)), inner)
    assert [name for name, _ in mixed.named_parameters()][-2:] == ["2.1.weight", "2.1.bias"]
    assert type(mixed.get_submodule("2.1")) is torch.nn.Linear and isinstance(mixed[2], LayerModule)
    out = mixed(torch.from_numpy(numbers(16, 4)))
    out.sum().backward()
    assert out.shape == (4, 2) and all(p.grad is not None for p in mixed.parameters())
    first, _, last = as_layer(mixed).children()
    assert isinstance(first, ModuleLayer) and isinstance(last, nn.Sequential)


def test_copies_hold_their_own() -> None:
    held = as_module(network())
    pickled = io.BytesIO()
    torch.save(held, pickled)
    pickled.seek(0)
    for twin in (copy.deepcopy(held), torch.load(pickled, weights_only=False)):
        with torch.no_grad():
            twin.get_parameter("0.weight").zero_()
        assert not twin._layer[0].weight.numpy().any() and held._layer[0].weight.numpy().any()
    layer = as_layer(torchs())
    twin = copy.deepcopy(layer)
    twin.set_state_dict({name: value + 1 for name, value in layer.state_dict().items()})
    assert twin._module[0].bias.tolist() == (layer._module[0].bias + 1).tolist()


def test_hooks_weights_of_two_parts_and_keywords() -> None:
    net = nn.utils.weight_norm(nn.Linear(4, 2))
    net.register_forward_post_hook(lambda layer, given, out: out * 2)
    held, x = as_module(net), numbers(3, 4)
    np.testing.assert_allclose(held(torch.from_numpy(x)).detach().numpy(), net(paddle.to_tensor(x)).numpy(), 1e-6)
    assert {"weight_g", "weight_v"} < {*held.state_dict()}
    lstm = as_module(nn.LSTM(4, 3))
    out, (h, c) = lstm(torch.from_numpy(numbers(2, 5, 4)), sequence_length=torch.tensor([5, 3]))
    assert out.shape == (2, 5, 3) and h.shape == c.shape == (1, 2, 3) and isinstance(h, torch.Tensor)


def test_frozen_parameters_stay_so() -> None:
    net, module = network(), torchs()
    net[0].weight.stop_gradient = True
    module[0].weight.requires_grad_(False)
    held, layer = as_module(net), as_layer(module)
    held(torch.ones(2, 4)).sum().backward()
    layer(paddle.ones([2, 4])).sum().backward()
    assert held.get_parameter("0.weight").grad is None and held.get_parameter("0.bias").grad is not None
    weight, bias, *_ = layer.parameters()
    assert weight.stop_gradient and weight.grad is None and bias.grad is not None


def test_paddles_trainer_trains_a_module() -> None:
    module = torchs()
    before = module[0].weight.detach().clone()
    model = paddle.Model(as_layer(module), [paddle.static.InputSpec([None, 4], name="x")])
    model.prepare(paddle.optimizer.Adam(0.01, parameters=model.parameters()), nn.MSELoss())
    data = paddle.io.TensorDataset([paddle.to_tensor(numbers(16, 4)), paddle.zeros([16, 1])])
    model.fit(data, batch_size=8, epochs=2, verbose=0)
    assert not torch.equal(module[0].weight, before)


def test_what_is_neither() -> None:
    with pytest.raises(TypeError, match="argument `layer` of as_module. Expected paddle.nn.Layer. Received: Linear"):
        as_module(torch.nn.Linear(2, 2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument `module` of as_layer. Expected torch.nn.Module. Received: function"):
        as_layer(network)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`x` of `tanh`. Expected a tensor. Received: a torch tensor, of which .*from_torch makes a Tensor"):
        paddle.tanh(torch.ones(2))
    with pytest.raises(TypeError, match="Expected Tensors. Received: those of a torch module, which .*as_layer makes a Layer"):
        paddle.optimizer.SGD(parameters=torchs().parameters())
