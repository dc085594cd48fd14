"""Mixed precision in Programs writes the operators that Paddle 2.6 and 1.8 write, and trains."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import amp_programs


def recorded(age: int) -> Any:
    return json.loads(gzip.decompress((ROOT / f"tests/references/amp_programs_{age}.json.gz").read_bytes()))


REAL, FLUID = recorded(2), recorded(1)


@pytest.fixture(autouse=True)
def static() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", amp_programs.DECORATED)
def test_decorated_programs(name: str) -> None:
    with amp_programs.everything_supported(paddle):
        assert plain(amp_programs.decorated(paddle, name)) == REAL[f"decorated/{name}"]


@pytest.mark.parametrize("name", amp_programs.CAST)
def test_cast_programs(name: str) -> None:
    with amp_programs.everything_supported(paddle):
        assert plain(amp_programs.cast(paddle, name)) == REAL[f"cast/{name}"]


@pytest.mark.parametrize("name", amp_programs.FLUID)
def test_decorated_programs_of_1_8(name: str) -> None:
    assert plain(amp_programs.fluid_decorated(fluid, name)) == FLUID[name]


@pytest.mark.parametrize("name", amp_programs.BF16)
def test_bf16_programs(name: str) -> None:
    assert plain(amp_programs.bf16_decorated(paddle, name)) == REAL[f"bf16/{name}"]


def test_bf16_lists_and_bits() -> None:
    bf16 = paddle.static.amp.bf16
    with pytest.raises(ValueError, match="overlap"):
        bf16.AutoMixedPrecisionListsBF16({"conv2d"}, {"conv2d"})
    assert bf16.convert_float_to_uint16(np.array([1.0, 1.00390625, -2.5], "float32")).tolist() == [16256, 16256, 49184]
    with pytest.raises(AssertionError):
        bf16.decorate_bf16(paddle.optimizer.SGD(0.1)).amp_init(paddle.CPUPlace())


def test_float16_has_no_effect_on_a_cpu() -> None:
    assert plain(amp_programs.decorated(paddle, "mlp")) == REAL["cpu"]


def trained(steps: int, dtype: str = "", supported: bool = False, **kwargs: Any) -> tuple[list[float], Any, Any]:
    """Losses of a small network, its Program and the values of its parameters."""
    main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
    main.random_seed = startup.random_seed = 3
    paddle.seed(3)
    rng = np.random.RandomState(0)
    x, y = rng.rand(32, 8).astype("float32"), rng.randint(0, 4, (32, 1))
    with paddle.static.program_guard(main, startup), paddle.static.scope_guard(scope), paddle.utils.unique_name.guard():
        hidden = paddle.static.nn.fc(paddle.static.data("x", [None, 8]), 16, activation="relu")
        logits = paddle.static.nn.fc(hidden, 4)
        loss = paddle.mean(paddle.nn.functional.cross_entropy(logits, paddle.static.data("y", [None, 1], "int64")))
        optimizer: Any = paddle.optimizer.Adam(0.05)
        if dtype:
            with amp_programs.everything_supported(paddle):
                optimizer = paddle.static.amp.decorate(optimizer, dtype=dtype, **kwargs)
                optimizer.minimize(loss)
        else:
            optimizer.minimize(loss)
        exe = paddle.static.Executor()
        exe.run(startup)
        if dtype:
            optimizer.amp_init(paddle.CPUPlace(), scope)
        fetched = [optimizer.get_scaled_loss(), optimizer.get_loss_scaling()] if dtype else [loss, loss]
        runs = [exe.run(main, feed={"x": x, "y": y}, fetch_list=fetched) for _ in range(steps)]
    if not dtype:
        return [float(value) for value, _ in runs], None, scope
    factors = [kwargs.get("init_loss_scaling", 2.0**16), *(float(factor[0]) for _, factor in runs)]
    return [float(value[0]) / factor for (value, _), factor in zip(runs, factors)], factors[-1], scope


@pytest.mark.parametrize(
    ("dtype", "kwargs"),
    [("bfloat16", {}), ("bfloat16", {"level": "O2"}), ("bfloat16", {"level": "O2", "master_grad": True}), ("float16", {"level": "O2"})],
)
def test_training_follows_full_precision(dtype: str, kwargs: dict[str, Any]) -> None:
    real, _, _ = trained(20)
    ours, _, scope = trained(20, dtype, **kwargs)
    assert real[-1] < 0.8 * real[0]
    late = dtype == "float16"  # the first scaling is too large, so the first step is left out
    assert ours != real and ours[late:] == pytest.approx(real[: 20 - late], rel=0.02)
    kept = scope.find_var("fc_0.w_0").get_tensor()._dtype()
    assert kept == (getattr(paddle, dtype) if kwargs else paddle.float32)


def test_an_infinite_step_changes_nothing_but_the_factor() -> None:
    """2**40 is too much for float16: every step is left out until the factor is small enough."""
    losses, factor, _ = trained(3, "float16", init_loss_scaling=2.0**40)
    assert losses[0] == losses[1] == losses[2]
    assert factor == 2.0**37


def test_the_factor_grows_after_finite_steps() -> None:
    _, factor, _ = trained(7, "float16", init_loss_scaling=8.0, incr_every_n_steps=2)
    assert factor == 64.0


def test_a_program_of_1_8_trains_in_float16() -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup), fluid.scope_guard(scope):
        loss = amp_programs._fluid_net(fluid, "mlp")
        optimizer = fluid.contrib.mixed_precision.decorate(
            fluid.optimizer.Adam(0.05), init_loss_scaling=2.0**22, decr_every_n_nan_or_inf=1, decr_ratio=0.25
        )
        optimizer.minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        rng = np.random.RandomState(0)
        feed = {"x": rng.rand(16, 8).astype("float32"), "y": rng.randint(0, 4, (16, 1))}
        fetched = [exe.run(main, feed=feed, fetch_list=[loss, optimizer.get_loss_scaling()]) for _ in range(30)]
    factors = [float(f[0]) for _, f in fetched]
    assert factors[-1] < 2.0**22
    skipped = sum(a != b for a, b in zip([2.0**22, *factors], factors))
    assert float(fetched[skipped - 1][0][0]) == float(fetched[0][0][0])
    assert float(fetched[-1][0][0]) < 0.95 * float(fetched[0][0][0])


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [({"level": "O3"}, ValueError), ({"dtype": "int8"}, ValueError), ({"nonsense": 1}, TypeError)],
)
def test_wrong_arguments(kwargs: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), **kwargs)


def test_wrong_use() -> None:
    with pytest.raises(RuntimeError, match="optimizer is expected to be"):
        paddle.static.amp.decorate("sgd")
    wrapped = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1))
    assert wrapped.get_scaled_loss() is None
    with pytest.raises(AssertionError, match="minimize"):
        wrapped.get_loss_scaling()
    with pytest.raises(AssertionError, match="minimize"):
        wrapped.amp_init(paddle.CPUPlace())
    for lists in (paddle.static.amp.AutoMixedPrecisionLists, fluid.contrib.mixed_precision.AutoMixedPrecisionLists):
        with pytest.raises(ValueError, match="overlap"):
            lists({"conv2d"}, {"conv2d"})


def test_lists() -> None:
    lists = paddle.static.amp.CustomOpLists({"lookup_table", "tanh"}, {"matmul"}, {"v"}, dtype=paddle.bfloat16)
    assert {"lookup_table", "tanh"} <= lists.white_list and "matmul" not in lists.white_list
    assert "matmul" in lists.black_list and "lookup_table" not in lists.black_list and "tanh" not in lists.gray_list
    assert (lists.amp_dtype, lists.black_varnames, lists.unsupported_list) == ("bfloat16", {"v"}, {"matmul"})
    assert "mul" in paddle.static.amp.AutoMixedPrecisionLists().unsupported_list


@pytest.mark.parametrize(
    ("found", "good", "bad", "scale", "stop", "expected"),
    [
        (False, 0, 0, 8.0, False, (8.0, 1, 0)),
        (False, 1, 0, 8.0, False, (16.0, 0, 0)),
        (False, 1, 0, 3e38, False, (3e38, 0, 0)),
        (False, 3, 1, 8.0, False, (8.0, 4, 0)),
        (True, 1, 0, 8.0, False, (8.0, 0, 1)),
        (True, 0, 1, 8.0, False, (4.0, 0, 0)),
        (True, 0, 1, 1.0, False, (1.0, 0, 0)),
        (True, 0, 1, 8.0, True, (8.0, 0, 1)),
    ],
)
def test_following_with_the_factor(found: bool, good: int, bad: int, scale: float, stop: bool, expected: tuple[float, int, int]) -> None:
    """As Paddle 2.6.2 answers."""
    from paddle_compat.static.amp.amp_nn import update_loss_scaling

    kinds = {"x": "float32", "found": "bool", "scale": "float32", "good": "int32", "bad": "int32"}
    with paddle.static.program_guard(paddle.static.Program()):
        x, f, s, g, b = (paddle.static.data(name, [1], kind) for name, kind in kinds.items())
        update_loss_scaling([x], f, s, g, b, 2, 2, 2.0, 0.5, stop_update=stop)
        values = (np.inf, found, scale, good, bad)
        feed = {name: np.array([value], kind) for (name, kind), value in zip(kinds.items(), values)}
        out = paddle.static.Executor().run(feed=feed, fetch_list=[x, s, g, b])
    assert out[0].tolist() == [0.0 if found else np.inf]
    assert tuple(np.concatenate(out[1:]).tolist()) == pytest.approx(expected)


def test_states_and_tables_of_low_parameters() -> None:
    """As 2.6.2 has them: velocities in float32 without master copies, too; a table outside a guard in float16, cast where it is read."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with amp_programs.everything_supported(paddle), paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        rows = paddle.static.nn.embedding(paddle.static.data("ids", [4, 1], "int64"), [5, 8])
        with paddle.static.amp.fp16_guard():
            loss = paddle.mean(paddle.static.nn.fc(paddle.mean(rows, 1), 3, bias_attr=False))
        momentum = paddle.static.amp.decorator.decorate(paddle.optimizer.Momentum(0.1), use_pure_fp16=True, use_fp16_guard=True)
        momentum.minimize(loss)
    kinds = {v.name: v.dtype for v in main.list_vars() if v.persistable}
    low, wide = paddle.float16, paddle.float32
    assert (kinds["embedding_0.w_0"], kinds["fc_0.w_0"]) == (low, low)
    assert (kinds["embedding_0.w_0_velocity_0"], kinds["fc_0.w_0_velocity_0"]) == (wide, wide)
    table, lookup = main.global_block().ops[:2]
    assert (table.type, table.input("X"), lookup.input("W")) == ("cast", ["embedding_0.w_0"], ["embedding_0.w_0.cast_fp32"])
