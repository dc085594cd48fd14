"""The 2.x optimizers: what they write into Programs, and that eager steps and static runs move parameters alike.

That the Programs and the numbers are Paddle's is tested with the model scripts and with the operators.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import optimizer, regularizer
from paddle_compat.core import mode, unique_name
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import global_scope
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.engine import peephole
from paddle_compat.nn.clip import ClipGradByNorm, ClipGradByValue
from paddle_compat.nn.initializer import Assign
from paddle_compat.static import Executor

STEPS = 4
NAMES = ("a", "b")
SHAPES = {"a": (3, 2), "b": (2,)}


@pytest.fixture
def static() -> None:
    mode.set_static(True)


@pytest.fixture
def eager() -> None:
    mode.set_static(False)


def values(seed: int) -> dict[str, np.ndarray]:
    random = np.random.RandomState(seed)
    return {name: random.randn(*SHAPES[name]).astype("float32") for name in NAMES}


def parameters(dtype: str = "float32", **kwargs: Any) -> list[Any]:
    """Two parameters of the main program with their gradients, which a run is fed; the startup program fills them."""
    main, startup = paddle.static.default_main_program(), paddle.static.default_startup_program()
    pairs = []
    for name, value in values(0).items():
        param = main.global_block().create_parameter(name=name, shape=value.shape, dtype=dtype, **kwargs)
        fill = Assign(value)
        startup.global_block().create_parameter(name=name, shape=value.shape, dtype=dtype, initializer=fill)
        grad = main.global_block().create_var(name=name + "@GRAD", shape=value.shape, dtype=dtype, is_data=True)
        pairs.append((param, grad))
    return pairs


def run_static(make: Callable[[], Any], steps: int = STEPS) -> dict[str, np.ndarray]:
    """The parameters after some steps of apply_gradients in a Program."""
    make().apply_gradients(parameters())
    executor = Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    for step in range(steps):
        feed = {name + "@GRAD": value for name, value in values(step + 1).items()}
        out = executor.run(paddle.static.default_main_program(), feed=feed, fetch_list=list(NAMES))
    return dict(zip(NAMES, out))


def eager_parameters() -> list[EagerParamBase]:
    return [EagerParamBase(torch.from_numpy(value), name=name) for name, value in values(0).items()]


def take_steps(stepper: Any, params: list[Any], steps: int = STEPS, first: int = 0) -> dict[str, np.ndarray]:
    """The parameters after some eager steps."""
    for step in range(first, first + steps):
        for param, value in zip(params, values(step + 1).values()):
            param._t.grad = torch.from_numpy(value)
        stepper.step()
        stepper.clear_grad()
    return {param.name: param.numpy() for param in params}


L1, L2 = regularizer.L1Decay, regularizer.L2Decay
OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "SGD": lambda p: optimizer.SGD(0.1, p),
    "SGD with decay": lambda p: optimizer.SGD(0.1, p, weight_decay=0.1),
    "SGD with L1": lambda p: optimizer.SGD(0.1, p, weight_decay=L1(0.1)),
    "SGD clipped": lambda p: optimizer.SGD(0.1, p, grad_clip=ClipGradByValue(0.3)),
    "SGD clipped by norm": lambda p: optimizer.SGD(0.1, p, grad_clip=ClipGradByNorm(0.5)),
    "Momentum": lambda p: optimizer.Momentum(0.1, 0.8, p, use_nesterov=True, weight_decay=L2(0.1)),
    "Momentum with L1": lambda p: optimizer.Momentum(0.1, 0.8, p, weight_decay=L1(0.1)),
    "Adagrad": lambda p: optimizer.Adagrad(0.1, parameters=p, initial_accumulator_value=0.1),
    "Adam": lambda p: optimizer.Adam(0.1, parameters=p, epsilon=0.01, weight_decay=0.1),
    "AdamW": lambda p: optimizer.AdamW(0.1, parameters=p, apply_decay_param_fun=lambda name: name == "a"),
    "Adamax": lambda p: optimizer.Adamax(0.1, parameters=p),
    "Adadelta": lambda p: optimizer.Adadelta(0.5, parameters=p),
    "RMSProp": lambda p: optimizer.RMSProp(0.1, momentum=0.5, centered=True, epsilon=0.01, parameters=p),
    "Lamb": lambda p: optimizer.Lamb(0.1, parameters=p, exclude_from_weight_decay_fn=lambda q: q.name == "b"),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_eager_steps_equal_static_runs(name: str) -> None:
    make = OPTIMIZERS[name]
    mode.set_static(False)
    params = eager_parameters()
    stepped = take_steps(make(params), params)
    mode.set_static(True)
    ran = run_static(lambda: make(None))
    for key, value in ran.items():
        assert not np.allclose(value, values(0)[key])
        np.testing.assert_allclose(stepped[key], value, rtol=2e-6, atol=2e-6)


def test_a_parameter_has_a_rate_of_its_own(static: None) -> None:
    main = paddle.static.default_main_program()
    (a, grad_a), pair_b = parameters()
    a.optimize_attr["learning_rate"] = main.global_block().create_var(name="own_rate", shape=[1], dtype="float32")
    optimizer.SGD(0.1).apply_gradients([(a, grad_a), pair_b])
    rates = [op.input("LearningRate") for op in main.global_block().ops if op.type == "sgd"]
    assert rates == [["own_rate"], ["learning_rate_0"]]


def test_frozen_parameters_and_those_without_gradient_stay(static: None) -> None:
    (a, grad_a), (b, grad_b) = parameters()
    a.stop_gradient = True
    optimizer.Adam(0.1).apply_gradients([(a, grad_a), (b, None)])
    block = paddle.static.default_main_program().global_block()
    assert [op.type for op in block.ops] == []
    assert [v for v in block.vars if "moment" in v] == ["b_moment1_0", "b_moment2_0"]


def test_name_stands_in_accumulators(static: None) -> None:
    optimizer.Momentum(0.1, name="slow").apply_gradients(parameters())
    names = [v for v in paddle.static.default_main_program().global_block().vars if "velocity" in v]
    assert names == ["a_slow_velocity_0", "b_slow_velocity_0"]


def test_each_program_has_a_learning_rate(static: None) -> None:
    sgd = optimizer.SGD(0.1)
    sgd.apply_gradients(parameters())
    other = Program()
    with program_guard(other, Program()):
        sgd.apply_gradients(parameters())
    assert sgd._global_learning_rate(other).name == "learning_rate_1"
    assert sgd._global_learning_rate().name == "learning_rate_0"
    assert tuple(sgd._global_learning_rate().shape) == ()


def test_scheduler_feeds_every_run(static: None) -> None:
    scheduler = optimizer.lr.StepDecay(0.5, step_size=1, gamma=0.1)
    sgd = optimizer.SGD(scheduler)
    sgd.apply_gradients(parameters())
    main, executor = paddle.static.default_main_program(), Executor(paddle.CPUPlace())
    assert main.lr_scheduler is scheduler and main.lr_var.name == "learning_rate_0"  # type: ignore[attr-defined]
    for for_test, kept in ((False, {"lr_scheduler"}), (True, set())):
        assert {"lr_scheduler", "lr_var"} & set(main.clone(for_test).__dict__) == kept
    executor.run(paddle.static.default_startup_program())
    rates = []
    for step in range(3):
        feed = {name + "@GRAD": value for name, value in values(step).items()}
        rates.append(executor.run(main, feed=feed, fetch_list=["learning_rate_0"])[0])
        assert sgd.get_lr() == scheduler()
        scheduler.step()
    np.testing.assert_allclose(rates, [0.5, 0.05, 0.005], rtol=1e-6)


@pytest.mark.parametrize("make", [optimizer.SGD, optimizer.Momentum, optimizer.Adam, optimizer.AdamW, optimizer.Lamb])
def test_multi_precision_updates_a_float32_copy(static: None, make: Any) -> None:
    make(0.1, multi_precision=True).apply_gradients(parameters("float16"))
    main, startup = paddle.static.default_main_program(), paddle.static.default_startup_program()
    updates = [op for op in main.global_block().ops if "MasterParam" in op.inputs and op.input("MasterParam")]
    assert [op.input("MasterParam") for op in updates] == [["a_fp32_master_0"], ["b_fp32_master_0"]]
    assert [op.output("MasterParamOut") for op in updates] == [["a_fp32_master_0"], ["b_fp32_master_0"]]
    casts = [op.output("Out") for op in startup.global_block().ops if op.type == "cast"]
    assert casts[-2:] == [["a_fp32_master_0"], ["b_fp32_master_0"]]
    executor = Executor(paddle.CPUPlace())
    executor.run(startup)
    feed = {name + "@GRAD": value.astype("float16") for name, value in values(1).items()}
    half, wide = executor.run(main, feed=feed, fetch_list=["a", "a_fp32_master_0"])
    assert half.dtype == np.float16 and wide.dtype == np.float32
    assert not np.allclose(half, values(0)["a"], atol=1e-2)
    np.testing.assert_array_equal(half, wide.astype("float16"))


def test_beta_as_a_variable(static: None) -> None:
    beta = paddle.static.create_global_var([1], 0.5, "float32", persistable=True, name="beta")
    optimizer.Adam(0.1, beta1=beta).apply_gradients(parameters())
    adam = paddle.static.default_main_program().global_block().ops[-1]
    assert adam.input("Beta1Tensor") == ["beta"]
    executor = Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    feed = {name + "@GRAD": value for name, value in values(1).items()}
    executor.run(paddle.static.default_main_program(), feed=feed)
    power = global_scope().find_var("a_beta1_pow_acc_0").get_tensor()  # type: ignore[union-attr]
    np.testing.assert_allclose(np.array(power), [0.45], rtol=1e-6)


def test_eager_groups_have_rates_and_decays_of_their_own(eager: None) -> None:
    a, b = eager_parameters()
    grouped = optimizer.SGD(0.1, [{"params": [a], "learning_rate": 0.5}, {"params": [b], "weight_decay": 0.2}])
    stepped = take_steps(grouped, [a, b], 1)
    start, grad = values(0), values(1)
    np.testing.assert_allclose(stepped["a"], start["a"] - 0.05 * grad["a"], rtol=1e-6)
    np.testing.assert_allclose(stepped["b"], start["b"] - 0.1 * (grad["b"] + 0.2 * start["b"]), rtol=1e-6)


def test_eager_groups_have_coefficients_of_their_own(eager: None) -> None:
    a, b = eager_parameters()
    adam = optimizer.Adam(0.1, parameters=[{"params": [a], "beta1": 0.5}, {"params": [b]}])
    take_steps(adam, [a, b], 1)
    state = adam.state_dict()
    np.testing.assert_allclose(state["a_moment1_0"].numpy(), 0.5 * values(1)["a"], rtol=1e-6)
    np.testing.assert_allclose(state["b_moment1_0"].numpy(), 0.1 * values(1)["b"], rtol=1e-5)


def test_state_goes_into_a_new_optimizer(eager: None) -> None:
    def fresh(params: list[Any]) -> Any:
        return optimizer.Adam(optimizer.lr.StepDecay(0.1, 2), parameters=params)

    params = eager_parameters()
    first = fresh(params)
    assert set(first.state_dict()) == {"LR_Scheduler"}
    take_steps(first, params, 2)
    first._learning_rate.step()
    state = {k: v.numpy() if isinstance(v, Tensor) else v for k, v in first.state_dict().items()}
    assert sorted(k for k in state if k.startswith("a_")) == [
        "a_beta1_pow_acc_0", "a_beta2_pow_acc_0", "a_moment1_0", "a_moment2_0",
    ]  # fmt: skip
    copies = [EagerParamBase(p._t.detach().clone(), name=p.name) for p in params]
    with unique_name.guard():
        second = fresh(copies)
        second.set_state_dict(state)
        again = take_steps(second, copies, 2, first=2)
    for name, value in take_steps(first, params, 2, first=2).items():
        np.testing.assert_array_equal(again[name], value)


def test_set_state_dict_checks_what_it_gets(eager: None) -> None:
    params = eager_parameters()
    sgd = optimizer.Momentum(0.1, parameters=params)
    take_steps(sgd, params, 1)
    state = sgd.state_dict()
    with pytest.raises(AssertionError, match="b_velocity_0"):
        sgd.set_state_dict({"a_velocity_0": state["a_velocity_0"]})
    with pytest.raises(AssertionError, match=r"Expected shape \(3, 2\)"):
        sgd.set_state_dict({**state, "a_velocity_0": np.zeros(4, "float32")})


def test_eager_learning_rate_can_be_set(eager: None) -> None:
    a = eager_parameters()[0]
    sgd = optimizer.SGD(0.1, [a])
    take_steps(sgd, [a], 1)
    sgd.set_lr(0.0)
    before = a.numpy()
    np.testing.assert_array_equal(take_steps(sgd, [a], 1)["a"], before)
    sgd.set_lr_scheduler(optimizer.lr.StepDecay(0.5, 1))
    assert sgd.get_lr() == 0.5
    with pytest.raises(RuntimeError, match="LRScheduler"):
        sgd.set_lr(0.1)


def test_clear_grad_leaves_zeros(eager: None) -> None:
    a = eager_parameters()[0]
    sgd = optimizer.SGD(0.1, [a])
    a._t.grad = torch.ones(3, 2)
    sgd.clear_grad()
    assert a.grad.numpy().tolist() == np.zeros((3, 2)).tolist()
    sgd.clear_grad(set_to_zero=False)
    assert a.grad is None


def test_eager_step_takes_sparse_gradients(eager: None) -> None:
    table = EagerParamBase(torch.ones(4, 2), name="table")
    adam = optimizer.Adam(0.1, parameters=[table], lazy_mode=True)
    table._t.grad = torch.sparse_coo_tensor([[1, 1]], torch.ones(2, 2), (4, 2), check_invariants=True)
    adam.step()
    changed = (table.numpy() != 1).all(axis=1)
    assert changed.tolist() == [False, True, False, False]


def test_a_subclass_may_update_in_its_own_way(eager: None) -> None:
    class Halve(optimizer.Optimizer):
        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> None:
            param_and_grad[0]._t.mul_(0.5)

    a = eager_parameters()[0]
    take_steps(Halve(0.1, parameters=[a]), [a], 1)
    np.testing.assert_array_equal(a.numpy(), values(0)["a"] / 2)


def test_eager_needs_parameters(eager: None) -> None:
    with pytest.raises(AttributeError, match="should not be None in dygraph mode"):
        optimizer.SGD(0.1)


@pytest.mark.parametrize("method", ["step", "clear_grad", "state_dict"])
def test_what_only_eager_mode_has(static: None, method: str) -> None:
    with pytest.raises(AssertionError, match="dynamic graph mode"):
        getattr(optimizer.SGD(0.1), method)()


WRONG = [
    (lambda: optimizer.SGD(1), TypeError, "learning_rate"),
    (lambda: optimizer.SGD(None), ValueError, "learning_rate"),
    (lambda: optimizer.SGD(0.1, grad_clip=1.0), TypeError, "grad_clip"),
    (lambda: optimizer.SGD(0.1, parameters={"params": []}), TypeError, "parameters"),
    (lambda: optimizer.Momentum(0.1, momentum=None), ValueError, "momentum"),
    (lambda: optimizer.Adam(beta1=1.0), ValueError, "beta1"),
    (lambda: optimizer.Adam(epsilon=-1.0), ValueError, "epsilon"),
    (lambda: optimizer.Adam(beta2=None), AssertionError, "beta2"),
    (lambda: optimizer.AdamW(weight_decay="1"), TypeError, "weight_decay"),
    (lambda: optimizer.RMSProp(0.1, rho=-0.1), ValueError, "rho"),
    (lambda: optimizer.Adadelta(0.1, rho=None), ValueError, "rho"),
    (lambda: optimizer.SGD(0.1).minimize(3.0), AssertionError, "loss"),
    (lambda: optimizer.SGD(0.1).minimize(parameters()[0][0]), AssertionError, "loss"),
]


@pytest.mark.parametrize(("call", "error", "argument"), WRONG)
def test_wrong_arguments(static: None, call: Callable[[], Any], error: type[Exception], argument: str) -> None:
    with pytest.raises(error, match=f"`{argument}`.*Expected.*Received"):
        call()


def test_groups_must_not_share_parameters(eager: None) -> None:
    a, b = eager_parameters()
    with pytest.raises(ValueError, match="more than one parameter group"):
        optimizer.SGD(0.1, [{"params": [a]}, {"params": [a, b]}])
    with pytest.raises(TypeError, match="a set"):
        optimizer.SGD(0.1, [{"params": {a}}])


def test_error_names_the_line_of_the_user(static: None) -> None:
    optimizer.SGD(0.1).apply_gradients(parameters())
    assert "test_optimizer.py" in paddle.static.default_main_program().global_block().ops[-1].where


def test_cleared_gradients_are_zeros_to_whoever_holds_them(eager: None) -> None:
    a, b = eager_parameters()
    momentum = optimizer.Momentum(0.1, 0.5, [a, b])
    (a._t * 2).sum().backward()
    held = a.grad
    momentum.clear_grad()
    assert held.numpy().max() == 0 and b.grad is None
    del held
    (a._t * 2).sum().backward()
    momentum.step()
    momentum.clear_grad()
    assert a._t.grad is None  # zeros that nobody looked at are not written
    before = a.numpy()
    momentum.step()
    np.testing.assert_allclose(a.numpy(), before - 0.1 * 1.0, rtol=1e-6)
    assert a.grad.numpy().tolist() == np.zeros((3, 2)).tolist()
    momentum.clear_grad(set_to_zero=False)
    assert a.grad is None


def test_a_step_notices_what_changed_since_the_last_one(eager: None) -> None:
    a, b = eager_parameters()
    sgd = optimizer.SGD(0.5, [a, b])
    start, grad = values(0), values(1)
    take_steps(sgd, [a, b], 1)
    b.stop_gradient = True
    a.optimize_attr["learning_rate"] = 0.5
    take_steps(sgd, [a, b], 1)
    a.regularizer = regularizer.L2Decay(0.1)
    sgd.set_lr(0.25)
    again = values(1)["a"]
    after = start["a"] - 0.5 * grad["a"] - 0.25 * again
    np.testing.assert_allclose(take_steps(sgd, [a, b], 1)["a"], after - 0.125 * (again + 0.1 * after), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(b.numpy(), start["b"] - 0.5 * grad["b"], rtol=1e-6)


def test_lamb_of_double_precision_keeps_its_moments(eager: None) -> None:
    ends = []
    for kind in ("float32", "float64"):
        params = [EagerParamBase(torch.from_numpy(value.astype(kind)), name=name) for name, value in values(0).items()]
        lamb = optimizer.Lamb(0.1, parameters=params)
        for step in range(STEPS):
            for param, value in zip(params, values(step + 1).values()):
                param._t.grad = torch.from_numpy(value.astype(kind))
            lamb.step()
        ends.append({param.name: param.numpy() for param in params})
    np.testing.assert_allclose(ends[0]["a"], ends[1]["a"], rtol=1e-5)
    np.testing.assert_allclose(ends[0]["b"], ends[1]["b"], rtol=1e-5)


def test_look_ahead_minimizes(eager: None) -> None:
    (w,) = eager_parameters()[:1]
    start = w.numpy()
    ahead = paddle.incubate.LookAhead(optimizer.SGD(0.1, [w]), alpha=0.25, k=2)
    for _ in range(2):
        (w._t * 2).sum().backward()
        loss = paddle.zeros([])
        ahead.minimize(loss)
        ahead.clear_grad()
    fast, slow = start - 0.4, start - 0.2  # the slow weights begin after the first step
    np.testing.assert_allclose(w.numpy(), slow + 0.25 * (fast - slow), rtol=1e-6)


def test_a_new_rate_needs_no_new_plan(eager: None) -> None:
    a, b = eager_parameters()
    adam = optimizer.Adam(optimizer.lr.ExponentialDecay(0.1, 0.5), parameters=[a, b])
    take_steps(adam, [a, b], 1)
    plan = adam._plans[0]
    adam._learning_rate.step()
    take_steps(adam, [a, b], 1)
    assert adam._plans[0] is plan and float(adam._global_learning_rate()) == pytest.approx(0.05)
    adam._learning_rate = 0.25
    adam.set_lr(0.25)
    take_steps(adam, [a, b], 1)
    assert adam._plans[0] is plan and float(adam._global_learning_rate()) == 0.25
    adam.set_lr(0.5)
    assert float(adam._global_learning_rate()) == 0.5
    adam._beta1 = 0.5
    take_steps(adam, [a, b], 1)
    assert adam._plans[0] is not plan


def test_pairs_can_be_applied_outside_of_no_grad(eager: None) -> None:
    a, b = eager_parameters()
    sgd = optimizer.SGD(0.5, [a, b], weight_decay=0.5)
    ((a * 2.0).sum() + b.sum()).backward()
    pairs = [(p, p.grad) for p in (a, b)]
    start = values(0)
    assert sgd.apply_gradients(pairs) == [] and sgd._apply_optimize(None, None, pairs) == []
    once = start["a"] - 0.5 * (2.0 + 0.5 * start["a"])
    np.testing.assert_allclose(a.numpy(), once - 0.5 * (2.0 + 0.5 * once), rtol=1e-5)


def test_a_users_clip_and_regularizer_are_called(eager: None) -> None:
    class Half(paddle.nn.clip.ClipGradBase):
        def _dygraph_clip(self, params_grads: Any) -> Any:
            return [(p, g * 0.5) for p, g in params_grads]

    class Pull(regularizer.WeightDecayRegularizer):
        def __call__(self, param: Any, grad: Any, block: Any) -> Any:
            return param * 0.1

    (a,) = eager_parameters()[:1]
    sgd = optimizer.SGD(0.5, [a], weight_decay=Pull(), grad_clip=Half())
    (a * 2.0).sum().backward()
    sgd.step()
    np.testing.assert_allclose(a.numpy(), values(0)["a"] - 0.5 * (1.0 + 0.1 * values(0)["a"]), rtol=1e-5)


def test_adamw_prints_and_lamb_takes_any_beta(eager: None) -> None:
    (a,) = eager_parameters()[:1]
    assert str(optimizer.AdamW(parameters=[a])) == "Weight Decay, params: "
    assert optimizer.Lamb(beta1=1.5, parameters=[a])._beta1 == 1.5


class Words(paddle.nn.Layer):
    """The last state of a recurrent net over words, told apart."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.gru, self.out = paddle.nn.Embedding(20, 6), paddle.nn.GRU(6, 5), paddle.nn.Linear(5, 3)

    def forward(self, x: Any) -> Any:
        return self.out(self.gru(self.words(x))[0][:, -1])


def two_layers() -> Any:
    return paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 3))


def convolved() -> Any:
    nn = paddle.nn
    return nn.Sequential(nn.Conv2D(1, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(16, 3))


def encoded() -> Any:
    nn = paddle.nn
    return nn.Sequential(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), nn.LayerNorm([5, 4]), nn.Flatten(), nn.Linear(20, 3))


# what makes the network, the shape and type of its batches, and what makes the optimizer
SAME_MODELS: dict[str, tuple[Callable[[], Any], tuple[int, ...], str, Callable[[Any], Any]]] = {
    "sgd": (two_layers, (6, 4), "float32", lambda p: optimizer.SGD(0.1, p, weight_decay=0.01)),
    "momentum": (convolved, (6, 1, 6, 6), "float32", lambda p: optimizer.Momentum(0.1, 0.9, p)),
    "adam": (Words, (6, 5), "int64", lambda p: optimizer.Adam(0.01, parameters=p)),
    "adamw": (encoded, (6, 5, 4), "float32", lambda p: optimizer.AdamW(0.01, parameters=p)),
}


@pytest.mark.parametrize("name", SAME_MODELS)
def test_a_program_and_eager_mode_give_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same network from the same seed: the loss of every step and the state in the end."""
    # attention in one call is another operator, with sums in another order
    monkeypatch.setattr(peephole, "ENABLED", [each for each in peephole.ENABLED if each != "attention"])
    make, shape, kind, make_optimizer = SAME_MODELS[name]
    random, loss_of = np.random.RandomState(1), paddle.nn.functional.cross_entropy
    drawn = [(random.randint(0, 20, shape) if kind == "int64" else random.randn(*shape)).astype(kind) for _ in range(STEPS)]
    # in memory of torch's: the order of a product's sums depends on the address of what it reads, and numpy aligns to 16 bytes only
    batches = [torch.from_numpy(batch).clone().numpy() for batch in drawn]
    labels = random.randint(0, 3, (6,))
    found: list[list[np.ndarray]] = []
    for is_static in (False, True):
        mode.set_static(is_static)
        paddle.seed(5)
        with unique_name.guard():
            if is_static:
                x, y = paddle.static.data("x", shape, kind), paddle.static.data("y", (6,), "int64")
                net = make()
                loss = loss_of(net(x), y)
                make_optimizer(net.parameters()).minimize(loss)
                executor = Executor(paddle.CPUPlace())
                executor.run(paddle.static.default_startup_program())
                found.append([executor.run(feed={"x": batch, "y": labels}, fetch_list=[loss])[0] for batch in batches])
                found[-1] += [np.array(global_scope().find_var(value.name).get_tensor()) for value in net.state_dict().values()]
            else:
                net = make()
                stepper = make_optimizer(net.parameters())
                found.append([])
                for batch in batches:
                    loss = loss_of(net(paddle.to_tensor(batch)), paddle.to_tensor(labels))
                    loss.backward()
                    stepper.step()
                    stepper.clear_grad()
                    found[-1].append(loss.numpy())
                found[-1] += [value.numpy() for value in net.state_dict().values()]
    eager, static = found
    assert len(eager) == len(static) > STEPS
    for at, (ours, other) in enumerate(zip(eager, static)):
        np.testing.assert_array_equal(ours, other, err_msg=f"value {at}")


@pytest.mark.parametrize(
    ("name", "which", "expected"),
    [
        ("Adamax", "beta1", [0.73727, -2.29199]),
        ("Adamax", "beta2", [0.660738, -2.287679]),
        ("Lamb", "beta1", [0.533801, -2.517929]),
        ("Lamb", "beta2", [0.45195, -2.392208]),
    ],
)
def test_betas_are_taken_out_of_tensors(name: str, which: str, expected: list[float]) -> None:
    """Paddle 2.6.2 ends there; Lamb's power of beta begins at the usual beta, whatever the Tensor says."""
    paddle.disable_static()
    weight = paddle.create_parameter([2], "float32")
    weight.set_value(paddle.to_tensor([1.0, -2.0]))
    stepper = getattr(optimizer, name)(0.1, parameters=[weight], **{which: paddle.full([1], 0.5)})
    for _ in range(3):
        (weight * weight * weight).sum().backward()
        stepper.step()
        stepper.clear_grad()
    np.testing.assert_allclose(weight.numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "which", "expected"),
    [
        ("Momentum", "momentum", 0.27), ("Momentum", "rescale_grad", 0.23), ("Adagrad", "initial_accumulator_value", 0.361941),
        ("Adagrad", "epsilon", 0.3858004), ("RMSProp", "rho", 0.2578757), ("RMSProp", "momentum", -0.2189756),
        ("Adadelta", "rho", 0.4996953),
    ],
)  # fmt: skip
def test_other_numbers_are_taken_out_of_tensors(name: str, which: str, expected: float) -> None:
    """What Paddle 2.6.2 gives after two steps from 0.5, with 0.5 in a Tensor."""
    paddle.disable_static()
    weight = paddle.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Constant(0.5))
    stepper = getattr(optimizer, name)(0.1, parameters=[weight], **{which: paddle.to_tensor([0.5])})
    for _ in range(2):
        (weight * weight).sum().backward()
        stepper.step()
        stepper.clear_grad()
    np.testing.assert_allclose(weight.numpy(), [expected] * 3, rtol=1e-5)
