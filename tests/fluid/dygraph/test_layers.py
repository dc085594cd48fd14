"""The functions of `fluid.layers` give in eager mode what they give under Paddle 1.8.5, values and gradients."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import dygraph_layers
import numpy as np
import pytest
from dygraph_differences import differences

from paddle_compat import fluid

ROOT = Path(__file__).resolve().parents[3]
# Without a seed of their own these draw other numbers in each run of the wheel.
DRAWN = {
    "uniform_random", "gaussian_random", "random_crop", "random_crop/none", "nce/program_seed", "sampling_id", "randint", "randn",
    "randperm", "gaussian_random_batch_size_like/none", "uniform_random_batch_size_like/none",
}  # fmt: skip
OTHERWISE = {
    "clip_by_norm": "the wheel has no gradient",
    "clip_by_norm/named": "the wheel has no gradient",
    "batch_norm/inplace": "the wheel loses the gradient",
    "inplace_abn": "the wheel loses the gradient",
    "inplace_abn/elu": "the wheel loses the gradient",
    "dist/zero": "a gradient of zeros is none here",
    "meshgrid": "a gradient of zeros is none here",
    "accuracy/k": "the counters are int64",
    "append_op/hash": "it makes a variable of a Program",
    "append_op/hash_long": "it makes a variable of a Program",
}


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave."""
    with gzip.open(ROOT / "tests/references/dygraph_layers_1.8.5.json.gz") as file:
        return json.load(file)  # type: ignore[no-any-return]


def compared(seen: dict[str, Any]) -> dict[str, Any]:
    """Values, and gradients where there are any; nobody can tell whether a value that depends on nothing stops gradients."""
    grads = [grad for grad in seen.get("grads", []) if grad is not None]
    return {"out": [{k: v for k, v in value.items() if k != "stop"} for value in seen["out"]], "grads": grads}


@pytest.mark.parametrize("name", [name for name in dygraph_layers.CASES if name not in DRAWN | OTHERWISE.keys()])
@pytest.mark.usefixtures("exact_random")
def test_layer(name: str) -> None:
    real = recorded()[name]
    if "raises" in real:
        pytest.skip("the wheel does not run it in eager mode")
    ours = dygraph_layers.observe(fluid, dygraph_layers.CASES[name])
    assert "raises" not in ours, ours
    found = differences(compared(ours), compared(real), "observed")
    assert not found, "\n".join(found[:8])


@pytest.mark.parametrize("name", [name for name in OTHERWISE if not name.startswith("append_op")])
def test_values_of_the_others(name: str) -> None:
    real, ours = recorded()[name], dygraph_layers.observe(fluid, dygraph_layers.CASES[name])
    found = differences([value["data"] for value in ours["out"]], [value["data"] for value in real["out"]], "out")
    assert not found, "\n".join(found[:8])


def test_a_parameter_shows_its_values() -> None:
    with fluid.dygraph.guard():
        fixed = fluid.ParamAttr(name="shown", initializer=fluid.initializer.Constant(0.5))
        weight = fluid.dygraph.Linear(1, 2, param_attr=fixed).weight
        head = "name shown, dtype: VarType.FP32 shape: [1, 2] \tlod: {}\n\tdim: 1, 2\n"
        assert repr(weight) == str(weight) and repr(weight).startswith(head)  # a VarBase shows its address instead
        assert repr(weight * 1).startswith("<") and "[0.5 0.5]" in repr([weight])


def test_what_holders_of_layers_refuse() -> None:
    with fluid.dygraph.guard():
        layers = [fluid.dygraph.Linear(2, 3), fluid.dygraph.Linear(3, 4)]
        for wrong in (layers, None, ["name", layers[0]]):
            with pytest.raises(AssertionError, match="Expected Layers, or tuples"):
                fluid.dygraph.Sequential(wrong)
        assert list(fluid.dygraph.Sequential(("a", layers[0]), ("b", layers[1])).state_dict())[:2] == ["a.weight", "a.bias"]
        with pytest.raises(ValueError, match="`shape` of a parameter"):
            layers[0].create_parameter([])


def test_one_process_needs_no_strategy() -> None:
    """`prepare_context` gives None for one process in Paddle 1.8."""
    with fluid.dygraph.guard():
        net = fluid.dygraph.DataParallel(fluid.dygraph.Linear(3, 2), None)
        loss = net.scale_loss(fluid.layers.reduce_mean(net(fluid.dygraph.to_variable(np.ones([1, 3], "float32")))))
        loss.backward()
        net.apply_collective_grads()
        assert net._layers.bias.gradient().tolist() == [0.5, 0.5]


# What a layer of `fluid.dygraph` takes where it is recorded: how to make it, the shape of each input, and the data types that it takes for
# each. Answers of 1.8.5.
HALF, WHOLE, PLAIN = ("float16", "float32", "float64"), ("int64",), ("float32", "float64")
RECORDED: list[tuple[str, tuple[Any, ...], list[list[int]], tuple[tuple[str, ...], ...]]] = [
    ("Conv2D", (3, 4, 2), [[3, 3, 8, 8]], (HALF,)),
    ("Conv2DTranspose", (3, 4, 2), [[3, 3, 8, 8]], (HALF,)),
    ("Pool2D", (2, "max", 2), [[3, 3, 8, 8]], ((*HALF, "int8", "uint8"),)),
    ("Linear", (8, 4), [[3, 8]], (HALF,)),
    ("Embedding", ([10, 4],), [[3, 3]], (WHOLE,)),
    ("LayerNorm", ([8],), [[3, 8]], (PLAIN,)),
    ("PRelu", ("all",), [[3, 3, 8]], (("float32",),)),
    ("SpectralNorm", ([3, 8],), [[3, 8]], (PLAIN,)),
    ("InstanceNorm", (3,), [[3, 3, 8, 8]], (PLAIN,)),
    ("GRUUnit", (15,), [[3, 15], [3, 5]], (PLAIN, PLAIN)),
    ("NCE", (20, 5), [[3, 5], [3, 1]], (PLAIN, WHOLE)),
    ("BilinearTensorProduct", (5, 4, 6), [[3, 5], [3, 4]], (PLAIN, PLAIN)),
]


@pytest.mark.parametrize(("name", "arguments", "shapes", "accepted"), RECORDED, ids=[row[0] for row in RECORDED])
def test_data_types_that_a_recorded_layer_takes(
    name: str, arguments: tuple[Any, ...], shapes: list[list[int]], accepted: tuple[tuple[str, ...], ...]
) -> None:
    kinds = (*HALF, "int32", "int64", "int16", "int8", "uint8", "bool")
    usual = ["float32" if "float32" in taken else taken[0] for taken in accepted]
    for place, taken in enumerate(accepted):
        for kind in kinds:
            dtypes = [kind if i == place else other for i, other in enumerate(usual)]
            with fluid.program_guard(fluid.Program(), fluid.Program()):
                inputs = [fluid.data(f"x{i}", shape, dtype) for i, (shape, dtype) in enumerate(zip(shapes, dtypes))]
                net = getattr(fluid.dygraph, name)(*arguments)
                if kind not in taken:
                    with pytest.raises(TypeError, match="Invalid data type of argument"):
                        net(*inputs)
                elif kind == usual[place]:
                    net(*inputs)
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError):
        getattr(fluid.dygraph, name)(*arguments)(*[np.ones(shape, "float32") for shape in shapes])
