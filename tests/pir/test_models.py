"""Models that Paddle 3.3 saved as JSON give here what they give there."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError
from paddle_compat.pir._rows import rows

KINDS = ("functions", "programs", "networks")


@cache
def recorded(kind: str) -> dict[str, Any]:
    """What the wheel saved, by name."""
    found: dict[str, Any] = json.loads(gzip.decompress((ROOT / "tests/references" / f"pir_{kind}_3.3.1.json.gz").read_bytes()))
    return found


def unpacked(text: str) -> np.ndarray:
    """An array in the data files."""
    found: np.ndarray = np.load(io.BytesIO(base64.b64decode(text)))
    return found


def written(case: dict[str, Any], folder: Path) -> str:
    """The files of a model; what their names begin with."""
    (folder / "model.json").write_text(json.dumps(case["model"]))
    (folder / "model.pdiparams").write_bytes(base64.b64decode(case["parameters"]))
    return str(folder / "model")


def same(found: Any, expected: list[str], tolerance: float = 2e-5) -> None:
    """Compare values, shapes and data types."""
    assert len(found) == len(expected)
    for got, text in zip(found, expected):
        wanted = unpacked(text)
        assert (np.asarray(got).dtype, np.asarray(got).shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(got, wanted, tolerance, tolerance)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in recorded(kind)])
def test_a_saved_model(kind: str, name: str, tmp_path: Path) -> None:
    case = recorded(kind)[name]
    prefix = written(case, tmp_path)
    paddle.enable_static()
    executor = paddle.static.Executor()
    with paddle.static.scope_guard(paddle.static.Scope()):
        program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
        found = executor.run(program, feed={feed: unpacked(case["feed"][feed]) for feed in feeds}, fetch_list=fetches)
    same(found, case["fetched"])


@pytest.mark.parametrize("name", recorded("networks"))
def test_a_saved_network_as_layer_and_predictor(name: str, tmp_path: Path) -> None:
    case = recorded("networks")[name]
    prefix = written(case, tmp_path)
    given = [unpacked(text) for text in case["feed"].values()]
    layer = paddle.jit.load(prefix)
    found = layer(*map(paddle.to_tensor, given))
    same([value.numpy() for value in (found if isinstance(found, (list, tuple)) else [found])], case["fetched"])
    predictor = paddle.inference.create_predictor(paddle.inference.Config(prefix + ".json", prefix + ".pdiparams"))
    assert predictor.get_input_names() == list(case["feed"])
    assert predictor.get_output_names() == [f"fetch_name_{n}" for n in range(len(case["fetched"]))]
    same(predictor.run(list(map(paddle.to_tensor, given))) and [
        predictor.get_output_handle(output).copy_to_cpu() for output in predictor.get_output_names()
    ], case["fetched"])  # fmt: skip


def test_a_predictor_of_a_model_without_parameters(tmp_path: Path) -> None:
    """3.3.1 writes no file of parameters then, and its predictors ask for none, whatever they were told."""
    case = next(case for case in recorded("functions").values() if not case["parameters"])
    prefix = written(case, tmp_path)
    (tmp_path / "model.pdiparams").unlink()
    predictor = paddle.inference.create_predictor(paddle.inference.Config(prefix + ".json", prefix + ".pdiparams"))
    assert sorted(predictor.get_input_names()) == sorted(case["feed"])


def test_a_saved_network_can_be_trained_and_saved_again(tmp_path: Path) -> None:
    case = recorded("networks")["trained"]
    layer = paddle.jit.load(written(case, tmp_path))
    x = paddle.to_tensor(unpacked(case["feed"]["x"]))
    layer.train()
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    losses = []
    for _ in range(4):
        loss = (layer(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses == pytest.approx([0.8334359, 0.4411385, 0.1269578, 0.06970803], rel=1e-5)  # 3.3.1's
    layer.eval()
    paddle.jit.save(layer, str(tmp_path / "again"), input_spec=[paddle.static.InputSpec([None, 4], name="x")])
    assert (tmp_path / "again.pdmodel").exists()
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "again"))(x).numpy(), layer(x).numpy(), 1e-6, 1e-6)


def test_a_predictor_of_a_folder_and_a_prefix(tmp_path: Path) -> None:
    written(recorded("networks")["trained"], tmp_path)
    config = paddle.inference.Config(str(tmp_path), "model")
    assert (config.prog_file(), config.params_file()) == (str(tmp_path / "model.json"), str(tmp_path / "model.pdiparams"))
    assert paddle.inference.create_predictor(config).get_input_names() == ["x"]


def test_its_parameters_by_name(tmp_path: Path) -> None:
    prefix = written(recorded("networks")["convolutions"], tmp_path)
    found = paddle.load(prefix)
    assert sorted(found) == [
        "batch_norm2d_0.b_0", "batch_norm2d_0.w_0", "batch_norm2d_0.w_1", "batch_norm2d_0.w_2", "conv2d_0.b_0", "conv2d_0.w_0",
        "conv2d_1.b_0", "conv2d_1.w_0", "linear_0.b_0", "linear_0.w_0",
    ]  # fmt: skip
    assert {parameter.name: list(parameter.shape) for parameter in paddle.jit.load(prefix).parameters()}["linear_0.w_0"] == [4, 3]


def test_methods_besides_forward(tmp_path: Path) -> None:
    case = recorded("networks")["structures"]
    prefix = written(case, tmp_path)
    for suffix in (".json", ".pdiparams"):
        (tmp_path / f"model.other{suffix}").write_bytes((tmp_path / f"model{suffix}").read_bytes())
    layer = paddle.jit.load(prefix)
    same([value.numpy() for value in layer.other(paddle.to_tensor(unpacked(case["feed"]["x"])))], case["fetched"])


def of(*operators: dict[str, Any]) -> bytes:
    """A model of some operators."""
    block = {"#": "block_0", "args": [], "ops": list(operators)}
    return json.dumps(
        {"base_code": {"magic": "pir", "version": 4}, "program": {"regions": [{"#": "region_0", "blocks": [block]}]}}
    ).encode()


FULL = {
    "#": "1.full", "I": [], "OA": [],
    "A": [
        {"N": "shape", "AT": {"#": "1.a_intarray", "D": [2]}}, {"N": "value", "AT": {"#": "0.a_f64", "D": 2.0}},
        {"N": "dtype", "AT": {"#": "1.a_dtype", "D": "float32"}},
    ],
    "O": [{"%": 1, "TT": {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, [2], "NCHW", [], 0]}}],
}  # fmt: skip


def encoded(value: Any) -> dict[str, Any]:
    """An attribute, as models write it."""
    if isinstance(value, list):
        return {"#": "0.a_array", "D": [encoded(one) for one in value]}
    kind = {bool: "a_bool", int: "a_i32", float: "a_f32", str: "a_str"}[type(value)]
    return {"#": f"0.{kind}", "D": value}


def value(number: int, array: Any) -> dict[str, Any]:
    """A result, as models write it: float32 of that shape."""
    return {"%": number, "TT": {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, list(np.shape(array)), "NCHW", [], 0]}}


def run(name: str, inputs: list[Any], attributes: dict[str, Any], output: int = 0) -> np.ndarray:
    """What the one operator of a model gives; None for an input that is not there."""
    given = {n: array for n, array in enumerate(inputs, 1) if array is not None}
    operators = [
        {"#": "1.data", "I": [], "A": [{"N": "name", "AT": encoded(f"x{n}")}], "O": [value(n, array)]} for n, array in given.items()
    ]
    told = [{"N": key, "AT": encoded(one)} for key, one in attributes.items()]
    numbers = [{"%": n if n in given else 0} for n in range(1, len(inputs) + 1)]
    results = [value(100 + n, 0.0) for n in range(output + 1)]
    fetch = [{"N": "name", "AT": encoded("out")}, {"N": "col", "AT": encoded(0)}]
    operators += [
        {"#": f"1.{name}", "I": numbers, "A": told, "O": results},
        {"#": "1.fetch", "I": [{"%": 100 + output}], "A": fetch, "O": [value(200, 0.0)]},
    ]
    paddle.enable_static()
    program = paddle.static.deserialize_program(of(*operators))
    (found,) = paddle.static.Executor().run(program, feed={f"x{n}": array for n, array in given.items()}, fetch_list=["out"])
    return np.asarray(found)


def floats(*shape: int) -> np.ndarray:
    return np.random.RandomState(sum(shape)).randn(*shape).astype("float32")


X, ROW, SQUARE = floats(2, 3, 4), floats(4), floats(4, 4)
HEADS, QKV = floats(2, 3, 2, 2), floats(3, 2, 2, 4)
DROPOUT = {"dropout_rate": 0.0, "is_test": True, "dropout_implementation": "upscale_in_train", "dropout_seed": 0, "dropout_fix_seed": False}
fused, functional = paddle.incubate.nn.functional, paddle.nn.functional


@pytest.mark.parametrize(
    ("name", "inputs", "attributes", "output", "function"),
    [
        (
            "flash_attn", [HEADS, HEADS, HEADS, None, None],
            {"dropout": 0.0, "causal": True, "return_softmax": False, "is_test": True, "rng_name": ""}, 0,
            lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        (
            "fused_gemm_epilogue", [X, SQUARE, ROW], {"trans_x": False, "trans_y": True, "activation": "relu"}, 0,
            lambda x, w, b: functional.relu(paddle.matmul(x, w, transpose_y=True) + b),
        ),
        ("linear_v2", [X, SQUARE, ROW], {"transpose_weight": True}, 0, lambda x, w, b: paddle.matmul(x, w, transpose_y=True) + b),
        (
            "fused_bias_dropout_residual_layer_norm", [X, X, ROW, ROW, ROW], {**DROPOUT, "ln_epsilon": 1e-5}, 0,
            lambda x, r, b, s, o: functional.layer_norm(x + b + r, [4], s, o),
        ),
        (
            "fused_feedforward", [X, None, None, SQUARE, ROW, SQUARE, ROW, ROW, ROW, None, None],
            {
                "pre_layer_norm": True, "ln1_epsilon": 1e-5, "ln2_epsilon": 1e-5, "act_method": "gelu", "dropout1_prob": 0.0,
                "dropout2_prob": 0.0, "dropout1_implementation": "upscale_in_train", "dropout2_implementation": "upscale_in_train",
                "is_test": True, "add_residual": True, "ring_id": -1,
            },
            0,
            lambda x, w1, b1, w2, b2, s, o: x + functional.linear(functional.gelu(functional.linear(
                functional.layer_norm(x, [4], s, o), w1, b1)), w2, b2),
        ),
        (
            "fused_attention", [X, None, None, QKV, None, None, None, SQUARE, ROW, ROW, ROW],
            {
                **DROPOUT, "num_heads": -1, "transpose_qkv_wb": False, "pre_layer_norm": False, "epsilon": 1e-5, "ln_epsilon": 1e-5,
                "attn_dropout_rate": 0.0, "attn_dropout_implementation": "upscale_in_train", "add_residual": True, "ring_id": -1,
            },
            19,
            lambda x, qkv, w, b, s, o: fused.fused_multi_head_attention(
                x, qkv, w, linear_bias=b, ln_scale=s, ln_bias=o, dropout_rate=0.0, attn_dropout_rate=0.0, training=False),
        ),
        (
            "fused_dropout_add", [X, X, None], {"p": 0.5, "is_test": True, "mode": "upscale_in_train", "seed": 0, "fix_seed": False}, 0,
            lambda x, y: x + y,
        ),
        ("std", [X], {"axis": [1], "keepdim": True, "unbiased": True}, 0, lambda x: paddle.std(x, 1, keepdim=True)),
        (
            "rms_norm", [X, None, None, ROW, None], {"epsilon": 1e-6, "begin_norm_axis": 2}, 0,
            lambda x, s: fused.fused_rms_norm(x, s, None, 1e-6, 2)[0],
        ),
        ("cumprod", [X], {"dim": 1, "exclusive": True, "reverse": True}, 0, lambda x: paddle.stack(
            [x[:, 1] * x[:, 2], x[:, 2], paddle.ones_like(x[:, 2])], 1)),
    ],
)  # fmt: skip
def test_what_the_wheel_computes_on_gpus_alone(
    name: str, inputs: list[Any], attributes: dict[str, Any], output: int, function: Callable[..., Any]
) -> None:
    found = run(name, inputs, attributes, output)
    paddle.disable_static()
    expected = function(*(paddle.to_tensor(array) for array in inputs if array is not None))
    np.testing.assert_allclose(found, expected.numpy(), 2e-5, 2e-5)


@pytest.mark.parametrize(
    ("operator", "said"),
    [
        ({"#": "1.no_such_operator", "A": [], "I": [{"%": 1}], "O": []}, r"pd_op\.no_such_operator"),
        ({"#": "1.softmax", "A": [], "I": [{"%": 1}, {"%": 1}], "O": FULL["O"]}, r"pd_op\.softmax` with 2 inputs"),
        ({"#": "4.my_operator", "A": [], "I": [{"%": 1}], "O": []}, r"4\.my_operator"),
        (
            {"#": "1.softmax", "A": [{"N": "turned", "AT": {"#": "0.a_bool", "D": True}}], "I": [{"%": 1}], "O": FULL["O"]},
            r"pd_op\.softmax` with turned=True",
        ),
    ],
)
def test_what_is_not_there_is_refused(operator: dict[str, Any], said: str) -> None:
    with pytest.raises(UnsupportedError, match=said):
        paddle.static.deserialize_program(of(FULL, operator))


def test_numbers_that_json_has_no_words_for() -> None:
    paddle.enable_static()
    infinite = json.loads(json.dumps(FULL).replace('"D": 2.0', '"VD": "-INF"'))
    fetch = {
        "#": "1.fetch", "I": [{"%": 1}], "OA": [], "O": [{**FULL["O"][0], "%": 2}],
        "A": [{"N": "name", "AT": {"#": "0.a_str", "D": "out"}}, {"N": "col", "AT": {"#": "0.a_i32", "D": 0}}],
    }  # fmt: skip
    program = paddle.static.deserialize_program(of(infinite, fetch))
    assert paddle.static.Executor().run(program, fetch_list=["out"])[0].tolist() == [-np.inf, -np.inf]


@pytest.mark.parametrize(
    "data", [b"{", b'{"base_code": {"magic": "pir"}}', b'{"base_code": {"magic": "other"}, "program": {"regions": []}}']
)
def test_other_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"a model of Paddle 3\.x, in JSON"):
        paddle.static.deserialize_program(data)


def test_rows() -> None:
    found = rows()
    assert found["reshape"].operator == "reshape2" and found["reshape"].inputs[1] == ("shape", "Shape", False)
    assert found["dropout"].attributes["mode"] == "dropout_implementation"
    assert found["set_value"].inputs[1] == ("starts", "StartsTensorList", True)
