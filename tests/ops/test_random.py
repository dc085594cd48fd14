"""The random operators draw what the wheels drew, number for number."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core import distributions, mode
from paddle_compat.core import random as generators
from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError
from paddle_compat.core.op import Meta, find_op
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope
from paddle_compat.engine.executor import run_program

REFERENCES = Path(__file__).resolve().parents[1] / "references"
START = 11
# The cases whose numbers go through a logarithm, which another C library may round differently.
ROUNDED = ("gaussian", "exponential", "truncated")


@cache
def recorded(version: str) -> dict[str, np.ndarray]:
    with np.load(REFERENCES / f"random_{version}.npz") as file:
        return dict(file)


def cases() -> list[Any]:
    return [
        pytest.param(version, case, id=f"{case['name']}-{version}")
        for version in ("1.8.5", "2.6.2")
        for case in json.loads(str(recorded(version)["cases"]))
    ]


def attributes(case: dict[str, Any], version: str) -> dict[str, Any]:
    op = find_op(case["type"])
    assert op is not None
    given = {name: value for name, value in case["attrs"].items() if name in op.attrs or name in op.required}
    if version == "1.8.5" and "_engine" in op.attrs:
        given["_engine"] = "minstd"
    return given


@pytest.mark.parametrize(("version", "case"), cases())
def test_draws_what_the_wheel_drew(version: str, case: dict[str, Any]) -> None:
    reference = recorded(version)
    op = find_op(case["type"])
    assert op is not None
    generator = generators.seed(START)
    for run in range(2):
        inputs = {slot: torch.from_numpy(reference["inputs|" + name].copy()) for slot, name in case["inputs"].items()}
        values = op.fn(*(inputs.get(slot.name) for slot in op.inputs), **attributes(case, version))
        for slot, value in zip(op.returns, values if isinstance(values, tuple) else (values,)):
            wanted = reference[f"{case['name']}|{slot.name}|{run}"]
            if value.dtype == torch.bfloat16:
                value = value.view(torch.int16)
            got = value.numpy().view(wanted.dtype)
            if wanted.shape != got.shape:
                got = got.reshape(-1)[::97]
            if case["type"].startswith(ROUNDED):
                np.testing.assert_array_max_ulp(got, wanted, 4, wanted.dtype)
                assert (got == wanted).mean() > 0.99
            else:
                np.testing.assert_array_equal(got, wanted)
    if version == "2.6.2":
        assert generator.random() == int(reference[case["name"] + "|next"])


@pytest.mark.parametrize("seed", [0, 3, -3])
@pytest.mark.parametrize("version", ["1.8.5", "2.6.2"])
def test_dropout_keeps_what_the_wheel_kept(version: str, seed: int) -> None:
    with np.load(REFERENCES / f"random_dropout_{version}.npz") as file:
        if f"mask|{seed}" not in file:
            assert (version, seed) == ("1.8.5", 0)  # there the operating system decides
            return
        wanted = np.unpackbits(file[f"mask|{seed}"], count=2003).astype(bool)
    generators.seed(START)
    engine = generators.engine_for(seed, "minstd" if version == "1.8.5" else "mt19937_64", bits=64)
    np.testing.assert_array_equal(distributions.dropout_mask(engine, 2003, 0.3), wanted)


def drawn(type_: str, *inputs: Any, **attrs: Any) -> Any:
    op = find_op(type_)
    assert op is not None
    return op.fn(*inputs, **attrs)


def test_without_a_seed_paddle_1_draws_anew_each_time() -> None:
    first, second = (drawn("uniform_random", shape=[8], _engine="minstd") for _ in range(2))
    assert not torch.equal(first, second)
    first, second = (drawn("randperm", n=50, _engine="minstd") for _ in range(2))
    assert not torch.equal(first, second)
    assert drawn("seed").dtype == torch.int32 and not torch.equal(drawn("seed"), drawn("seed"))


def test_shapes_that_come_as_tensors() -> None:
    sizes = [torch.tensor([2]), torch.tensor([3])]
    assert drawn("gaussian_random", None, sizes, shape=[-1, 3]).shape == (2, 3)
    assert drawn("randint", torch.tensor([2, 3]), low=0, high=4).shape == (2, 3)
    op = find_op("randint")
    assert op is not None and op.infer is not None
    assert op.infer(None, [Meta((1,)), Meta((1,))], low=0, high=4, dtype=3, shape=[-1, 3]) == Meta(
        (-1, -1), torch.int64
    )
    assert op.infer(Meta((2,)), None, low=0, high=4, dtype=3) == Meta((-1, -1), torch.int64)


def test_a_program_draws_in_the_order_of_its_operators() -> None:
    """Also for what nobody fetches, and with an attribute that Python cannot spell."""
    uniform, bernoulli, exponential = (find_op(type_) for type_ in ("uniform_random", "bernoulli", "exponential"))
    assert uniform is not None and bernoulli is not None and exponential is not None
    mode.set_static(True)
    program = Program()
    with program_guard(program, Program()):
        first = uniform(shape=[3], min=0.0)
        bernoulli(first)
        second = exponential(first, **{"lambda": 2.0})
    generators.seed(START)
    engine = generators.Generator(torch.device("cpu"), START).engine
    for _ in range(2):
        got = run_program(program, {}, (first.name, second.name), Scope(), torch.device("cpu"), True)
        np.testing.assert_array_equal(got[0], distributions.uniform(engine, 3, 0.0, 1.0))
        engine.take(3)
        np.testing.assert_array_equal(got[1], distributions.exponential(engine, 3, 2.0))


def test_dirichlet_repeats_after_a_seed() -> None:
    alpha = torch.full((4000, 3), 2.0)
    generators.seed(5)
    first = drawn("dirichlet", alpha)
    generators.seed(5)
    assert torch.equal(first, drawn("dirichlet", alpha))
    torch.testing.assert_close(first.mean(0), torch.full((3,), 1 / 3), atol=0.02, rtol=0)
    torch.testing.assert_close(first.sum(1), torch.ones(4000))



def test_shuffled_rows_lead_their_gradient_back() -> None:
    x = torch.arange(60.0).reshape(10, 6).requires_grad_()
    out, order, _ = drawn("shuffle_batch", x, torch.tensor([11]))
    weight = torch.arange(10.0)[:, None].expand(10, 6)
    out.backward(weight)
    assert x.grad is not None and torch.equal(x.grad, weight[order])


def test_wrong_use() -> None:
    with pytest.raises(InvalidArgumentError, match="`low` of `randint`.*below high = 3. Received: 3"):
        drawn("randint", low=3, high=3, shape=[2])
    with pytest.raises(InvalidArgumentError, match="`min`.*below max = 1.0. Received: 1.0"):
        drawn("uniform_random", shape=[2], min=1.0, max=1.0, _engine="minstd")
    with pytest.raises(InvalidArgumentError, match="`shape`.*Received: \\[-1, 2\\]"):
        drawn("uniform_random", shape=[-1, 2])
    with pytest.raises(OutOfRangeError, match="chances up to 1. Received: 1.5"):
        drawn("bernoulli", torch.tensor([0.5, 1.5]))
    for weights, count, text in (
        ([0.1, 0.0], 2, "`num_samples` of `multinomial`.*Received: 2"),
        ([-0.5, 1.0], 1, "`x` of `multinomial`.*not negative.*Received: -0.5"),
        ([0.0, 0.0], 1, "`x` of `multinomial`.*above 0. Received: 0.0"),
        ([[[0.5]]], 1, "`x` of `multinomial`.*one or two dimensions"),
        ([0.5, 0.5], 0, "`num_samples` of `multinomial`.*above 0. Received: 0"),
    ):
        with pytest.raises(InvalidArgumentError, match=text):
            drawn("multinomial", torch.tensor(weights), num_samples=count)
    with pytest.raises(InvalidArgumentError, match="`shape`.*fewer dimensions"):
        drawn("random_crop", torch.zeros(3, 4), torch.tensor([1]), shape=[2, 2])
    with pytest.raises(InvalidArgumentError, match="`_engine`.*'mt19937_64'. Received: pcg"):
        drawn("uniform_random", shape=[2], _engine="pcg")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_draws_by_itself() -> None:
    from paddle_compat.core.place import set_run_device

    former = set_run_device(torch.device("cuda", 0))
    try:
        generators.seed(3)
        normal = drawn("gaussian_random", shape=[4000], mean=1.0, std=2.0)
        truncated = drawn("truncated_gaussian_random", shape=[4000], mean=1.0, std=2.0)
        whole = drawn("randint", low=2, high=5, shape=[4000])
        order = drawn("randperm", n=100)
        uniform = drawn("uniform_random", shape=[4000], min=-3.0, max=1.0)
        again = drawn("uniform_random", shape=[4000], seed=4), drawn("uniform_random", shape=[4000], seed=4)
        chosen = drawn("sampling_id", torch.tensor([[0.0, 1.0]], device="cuda").expand(50, 2))
    finally:
        set_run_device(former)
    assert all(value.is_cuda for value in (normal, truncated, whole, order, uniform))
    assert abs(float(normal.mean()) - 1) < 0.2 and abs(float(normal.std()) - 2) < 0.2
    assert float((truncated - 1).abs().max()) <= 4 and float(truncated.std()) > 1
    assert set(whole.tolist()) == {2, 3, 4}
    assert sorted(order.tolist()) == list(range(100))
    assert -3 <= float(uniform.min()) < -2.9 and 0.9 < float(uniform.max()) <= 1
    assert torch.equal(*again)
    assert chosen.tolist() == [1] * 50


@pytest.mark.parametrize("name", ["gaussian_random", "uniform_random", "truncated_gaussian_random", "randint"])
def test_numbers_are_no_view_that_a_program_would_copy(name: str) -> None:
    op = find_op(name)
    assert op is not None
    assert op.fn(shape=[2, 3], **({"low": 0, "high": 9} if name == "randint" else {}))._base is None


@pytest.mark.parametrize("count", [100, 40000])  # few and many elements go different ways
@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16])
def test_dropout_without_exact_numbers_keeps_a_share_and_scales_it(count: int, kind: torch.dtype) -> None:
    """The seed decides what is kept, the chance how much, and the gradient is that of what was kept."""

    def call(x: torch.Tensor, chance: float = 0.25) -> torch.Tensor:
        return drawn("dropout", x, dropout_prob=chance, dropout_implementation="upscale_in_train")

    x = torch.ones(count, dtype=kind, requires_grad=True)
    results = []
    for _ in range(2):
        generators.seed(5)
        results.append(call(x))
    assert torch.equal(*results) and not torch.equal(results[0], call(x))
    assert set(results[0].tolist()) == {0.0, torch.tensor(4 / 3, dtype=kind).item()}
    assert abs((results[0] != 0).double().mean().item() - 0.75) < 5 * (0.25 * 0.75 / count) ** 0.5
    (gradient,) = torch.autograd.grad(results[0].sum(), x)
    assert torch.equal(gradient, results[0])
    assert torch.equal(call(x, 0.0), x) and not call(x, 1.0).any()
