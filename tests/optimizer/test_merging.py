"""Merged and compressed gradients: Programs and numbers as the wheels', and against the algorithms written out in numpy."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from optimizer.merging_cases import MERGES, dgc_cases, merged
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.core.errors import InvalidArgumentError

REFERENCES = ROOT / "tests" / "references"


def plain(case: Any) -> Any:
    """What a data file would hold of it."""
    return json.loads(json.dumps(case, default=lambda v: v.tolist() if hasattr(v, "tolist") else int(v)))


@pytest.mark.parametrize("version", ["1.8.5", "2.6.2"])
def test_compressing_operators(version: str) -> None:
    if version > "2":
        paddle.enable_static()
    recorded = json.loads((REFERENCES / f"dgc_operators_{version}.json").read_text())
    for ours, wheel in zip(plain(dgc_cases(fluid if version < "2" else paddle.base)), recorded, strict=True):
        for slot, values in wheel["found"].items():
            np.testing.assert_allclose(ours["found"][slot], values, rtol=1e-6, err_msg=f"{wheel['type']} {wheel['attrs']}")


@pytest.fixture(scope="module")
def wheel_merges() -> Any:
    with gzip.open(REFERENCES / "gradient_merge_2.6.2.json.gz") as stream:
        return json.load(stream)


@pytest.mark.parametrize("case", MERGES, ids=str)
def test_merged_gradients(case: tuple[str, int, bool], wheel_merges: Any) -> None:
    paddle.enable_static()
    ours, wheel = plain(merged(paddle, *case)), wheel_merges["_".join(map(str, case))]
    assert ours["main"] == wheel["main"]
    assert ours["startup"] == wheel["startup"]
    np.testing.assert_allclose(ours["losses"], wheel["losses"], atol=2e-6)
    np.testing.assert_allclose(ours["weights"], wheel["weights"], atol=1e-6)


def test_small_batches_merge_into_a_large_one() -> None:
    """Four runs of two rows move a parameter as one run of the eight."""
    paddle.enable_static()
    rows = np.random.RandomState(1).rand(8, 4).astype("float32")
    found = []
    for k in (1, 4):
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup), paddle.static.scope_guard(paddle.static.Scope()):
            start = paddle.nn.initializer.Constant(0.5)
            loss = paddle.mean(paddle.square(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3, weight_attr=start)))
            paddle.incubate.optimizer.GradientMergeOptimizer(paddle.optimizer.Adam(0.1), k_steps=k).minimize(loss)
            executor = paddle.static.Executor(paddle.CPUPlace())
            executor.run(startup)
            weight = main.all_parameters()[0].name
            for batch in np.split(rows, k):
                found.append(executor.run(main, feed={"x": batch}, fetch_list=[weight])[0])
    whole, *parts = found
    np.testing.assert_allclose(parts[-1], whole, atol=1e-7)
    for before in parts[:-1]:
        np.testing.assert_array_equal(before, np.full((4, 3), 0.5, "float32"))


@pytest.mark.parametrize(("arguments", "named"), [({"inner_optimizer": None}, "inner_optimizer"), ({"k_steps": 0}, "k_steps")])
def test_merging_needs(arguments: dict[str, Any], named: str) -> None:
    paddle.enable_static()
    with pytest.raises(AssertionError, match=named):
        paddle.incubate.optimizer.GradientMergeOptimizer(**{"inner_optimizer": paddle.optimizer.SGD(0.1), **arguments})


WIDTH, RANKS, BEGIN, STEPS = 128, 2, 2, 3
SPARSITY = [0.5, 0.999]


def compress(grads: list[np.ndarray], state: list[tuple[np.ndarray, np.ndarray]], step: int, nesterov: bool) -> np.ndarray:
    """The mean over the ranks of what each sends of its gradient; its velocity and its sum of velocities move on."""
    share = SPARSITY[min(int((step - BEGIN) * len(SPARSITY) / STEPS), len(SPARSITY) - 1)]
    count = int(grads[0].size * (1 - np.float32(share)))
    total = np.zeros_like(grads[0])
    for rank, grad in enumerate(grads):
        u, v = state[rank]
        u, v = (0.9 * (u + grad), v) if nesterov else (0.9 * u + grad, v)
        v = v + u + grad if nesterov else v + u
        sent = np.argsort(-np.abs(v), axis=None)[:count]
        total.flat[sent] += v.flat[sent]
        u.flat[sent] = v.flat[sent] = 0
        state[rank] = u, v
    return total / len(grads)


@pytest.mark.parametrize(("nesterov", "decay"), [(False, 0.0), (True, 0.01)])
def test_compressed_training(nesterov: bool, decay: float) -> None:
    """Replicas that send the largest elements, against the algorithm: the parameter, step by step."""
    rng = np.random.RandomState(3)
    start = (rng.rand(WIDTH, WIDTH).astype("float32") - 0.5) / 10
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        attr = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(start))
        out = fluid.layers.fc(fluid.data("x", [None, WIDTH]), WIDTH, param_attr=attr, bias_attr=False)
        loss = fluid.layers.mean(fluid.layers.square(out))
        optimizer = fluid.optimizer.DGCMomentumOptimizer(
            1.0, 0.9, BEGIN, STEPS, SPARSITY, use_nesterov=nesterov, regularization=fluid.regularizer.L2Decay(decay) if decay else None
        )
        optimizer.minimize(loss)
    assert [op.type for op in main.global_block().ops][-2:] == ["dgc", "dgc_momentum"]
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup)
    places = [fluid.CPUPlace()] * RANKS
    together = fluid.CompiledProgram(main).with_data_parallel(loss_name=loss.name, places=places)
    weight, velocity = start.astype("float64"), np.zeros_like(start, "float64")
    state = [(np.zeros_like(weight), np.zeros_like(weight)) for _ in range(RANKS)]
    for step in range(7):
        x = rng.rand(4 * RANKS, WIDTH).astype("float32")
        grads = [2 * part.T @ (part @ weight) / (4 * WIDTH) + decay * weight for part in np.split(x.astype("float64"), RANKS)]
        if step < BEGIN:
            mean = sum(grads) / RANKS
            velocity = 0.9 * velocity + mean
            weight = weight - 1.0 * (mean + 0.9 * velocity if nesterov else velocity)
            state = [(velocity.copy(), v) for _, v in state]
        else:
            weight = weight - 1.0 * compress(grads, state, step, nesterov)
        executor.run(together, feed={"x": x}, fetch_list=[loss])
        found = np.array(fluid.global_scope().find_var("fc_0.w_0").get_tensor())
        # where two elements are nearly as large, rounding decides which one is sent
        assert np.mean(np.abs(found - weight) > 1e-6) < 1e-3, f"step {step}"


def test_who_compresses() -> None:
    """Small parameters and other trainers' momentum go on as before; the clip is divided by the root of the trainers."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        large = fluid.layers.fc(fluid.data("x", [None, 128]), 128)
        loss = fluid.layers.mean(fluid.layers.fc(large, 127))
        clip = fluid.clip.GradientClipByNorm(1.0)
        fluid.optimizer.DGCMomentumOptimizer(0.1, 0.9, 2, 3, SPARSITY, num_trainers=4, grad_clip=clip).minimize(loss)
    ops = main.global_block().ops
    assert [op.input("Param")[0] for op in ops if op.type == "dgc_momentum"] == ["fc_0.w_0"]
    assert [op.input("Param")[0] for op in ops if op.type == "momentum"] == ["fc_0.b_0", "fc_1.b_0", "fc_1.w_0"]
    clipped = next(op for op in ops if op.type == "dgc_clip_by_norm")
    assert (clipped.input("X"), clipped.attr("max_norm")) == (["fc_0.w_0@GRAD"], 0.5)
    with pytest.raises(InvalidArgumentError, match="not useful when num_trainers <= 1, but now nranks=1"):
        executor = fluid.Executor(fluid.CPUPlace())
        startup = fluid.Program()
        with fluid.program_guard(fluid.Program(), startup):
            loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 128]), 128))
            fluid.optimizer.DGCMomentumOptimizer(0.1, 0.9, 0).minimize(loss)
        executor.run(startup)
        executor.run(loss.block.program, feed={"x": np.ones((1, 128), "float32")})


def test_a_transpiler_sums_what_was_compressed() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 128]), 128))
        fluid.optimizer.DGCMomentumOptimizer(0.1, 0.9, 0).minimize(loss)
    assert main._enable_dgc
    endpoints = ["127.0.0.1:6170", "127.0.0.1:6171"]
    fluid.transpiler.collective.GradAllReduce().transpile(startup, main, 0, endpoints, endpoints[0], False)
    slots = {"dgc": "Grad", "c_allreduce_sum": "X"}
    found = [(op.type, op.input(slots[op.type])) for op in main.global_block().ops if op.type in slots]
    weight, bias = ["fc_0.w_0@GRAD"], ["fc_0.b_0@GRAD"]
    assert found == [("c_allreduce_sum", bias), ("dgc", weight), ("c_allreduce_sum", weight)]


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"rampup_begin_step": -1}, AssertionError, "rampup_begin_step"),
        ({"grad_clip": fluid.clip.GradientClipByGlobalNorm(1.0), "num_trainers": 2}, TypeError, "grad_clip"),
        ({"grad_clip": fluid.clip.GradientClipByNorm(1.0)}, AssertionError, "num_trainers"),
        ({"momentum": None}, AssertionError, "momentum"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        fluid.optimizer.DGCMomentumOptimizer(**{"learning_rate": 0.1, "momentum": 0.9, "rampup_begin_step": 0, **arguments})


def test_no_compression_in_eager_mode() -> None:
    with fluid.dygraph.guard(), pytest.raises(Exception, match="In dygraph, don't support DGCMomentumOptimizer"):
        fluid.optimizer.DGCMomentumOptimizer(0.1, 0.9, 0, parameter_list=fluid.dygraph.Linear(2, 2).parameters())


def test_sums_say_whose_gradients_they_are() -> None:
    """And the operators that make the gradients no longer. Answers of 2.6.2."""
    paddle.enable_static()
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        loss = static.nn.fc(static.data("x", [None, 3]), 2).mean()
        paddle.incubate.optimizer.GradientMergeOptimizer(paddle.optimizer.SGD(0.1), k_steps=2).minimize(loss)
    ops = main.global_block().ops
    assert [op.has_attr("op_role_var") for op in ops if op.type in ("mul_grad", "elementwise_add_grad")] == [False, False]
    said = [op.attr("op_role_var") for op in ops if op.type == "elementwise_add" and op.has_attr("grad_merge_cond_name")]
    assert said == [[f"fc_0.{name}", f"fc_0.{name}@GRAD@GradientMerge"] for name in ("w_0", "b_0")]
    assert main.block(1).ops[-1].input_names == ["ShapeTensor", "ShapeTensorList", "ValueTensor"]
