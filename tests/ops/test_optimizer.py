"""The update operators against what the wheels computed, and the fused calls against the single ones."""

from __future__ import annotations

import gc
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core.op import find_op
from paddle_compat.ops import _fused_updates, _packed, optimizer, optimizer_adaptive
from paddle_compat.ops._update_parts import single

REFERENCES = Path(__file__).resolve().parents[1] / "references"
VERSIONS = ("1.8.5", "2.6.2")
HEIGHT = 6


def recorded(name: str) -> dict[str, Any]:
    return json.loads(gzip.decompress((REFERENCES / name).read_bytes()))  # type: ignore[no-any-return]


OPERATORS = {v: recorded(f"optimizer_ops_{v}.json.gz") for v in VERSIONS}
V1 = ("adam", "lamb", "lars_momentum")  # types that 1.8 computes in its own way


def tensor(value: Any, dtype: str) -> torch.Tensor:
    array = np.array(value)
    return torch.tensor(array.astype(dtype) if array.dtype.kind == "f" else array)


def rows_gradient(values: torch.Tensor, rows: list[int]) -> torch.Tensor:
    return torch.sparse_coo_tensor(torch.tensor([rows]), values, (HEIGHT, values.shape[1]), check_invariants=True)


def arguments(op: Any, state: dict[str, Any]) -> list[Any]:
    return [None if s.name not in state else [state[s.name]] if s.is_list else state[s.name] for s in op.inputs]


@pytest.mark.parametrize(("version", "name"), [(v, n) for v in VERSIONS for n in OPERATORS[v]])
def test_operator_equals_wheel(version: str, name: str) -> None:
    case = OPERATORS[version][name]
    op = find_op(case["type"])
    assert op is not None
    attrs = dict(case["attrs"], **({"_v1": True} if version == "1.8.5" and case["type"] in V1 else {}))
    state = {slot: tensor(value, case["dtype"]) for slot, value in case["inputs"].items()}
    before = {slot: value.data_ptr() for slot, value in state.items()}
    for grad in case["grads"]:
        grad = tensor(grad, case["dtype"])
        state["Grad"] = rows_gradient(grad, case["rows"]) if case["rows"] else grad
        out = op.fn(*arguments(op, state), **attrs)
        first = out if isinstance(out, torch.Tensor) else out[0]
        assert (first[0] if isinstance(first, list) else first) is state["Param"]
    tight = 1e-12 if case["dtype"] == "float64" else 2e-6
    for slot, expected in case["final"].items():
        torch.testing.assert_close(state[slot], tensor(expected, case["dtype"]), rtol=tight, atol=tight)
        assert state[slot].data_ptr() == before[slot]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["early", "late"])
def test_average_accumulates_equals_wheel(version: str, name: str) -> None:
    case = recorded(f"optimizer_average_accumulates_{version}.json.gz")[name]
    op = find_op("average_accumulates")
    assert op is not None
    state = {s.name: torch.zeros(1, dtype=torch.int64) if "num" in s.name else torch.zeros(4) for s in op.inputs}
    for step in case["steps"]:
        state["param"] = tensor(step["param"], "float32")
        op.fn(*arguments(op, state), **case["attrs"])
        assert {slot: value.tolist() for slot, value in state.items()} == step


def many(type_: str, sparse: bool = False, count: int = 4) -> dict[str, list[torch.Tensor]]:
    """Columns of inputs for `count` operators, two of them with a learning rate of their own."""
    generator = torch.Generator().manual_seed(3)

    def rand(*shape: int) -> torch.Tensor:
        return torch.rand(shape, generator=generator)

    shapes = [(HEIGHT, i + 1) for i in range(count)]
    shared, other = torch.tensor([0.1]), torch.tensor([0.02])
    rows = [1, 4, 1]
    columns = {
        "Param": [rand(*s) - 0.5 for s in shapes],
        "Grad": [rows_gradient(rand(3, s[1]), rows) if sparse and i else rand(*s) - 0.5 for i, s in enumerate(shapes)],
        "LearningRate": [other if i in (1, 2) else shared for i in range(count)],
        "Velocity": [rand(*s) for s in shapes],
        "Moment1": [rand(*s) for s in shapes],
        "Moment2": [rand(*s) for s in shapes],
        **{name: [rand(*s) for s in shapes] for name in ("Moment", "InfNorm", "AvgSquaredGrad", "AvgSquaredUpdate", "MeanGrad")},
        "MeanSquare": [rand(*s) + 1 for s in shapes],
        "Beta1Pow": [torch.tensor([0.9 ** (i // 3 + 1)]) for i in range(count)],
        "Beta2Pow": [torch.tensor([0.999 ** (i // 3 + 1)]) for i in range(count)],
    }
    op = find_op(type_)
    assert op is not None
    return {s.name: columns.get(s.name, [None] * count) for s in op.inputs}  # type: ignore[misc]


FUSED = [
    ("sgd", {}),
    ("momentum", {"mu": 0.9}),
    ("momentum", {"mu": 0.9, "use_nesterov": True, "regularization_method": "l2_decay", "regularization_coeff": 0.1}),
    ("adam", {"epsilon": 0.01}),
    ("adam", {"epsilon": 0.01, "_v1": True}),
    ("adam", {"lazy_mode": True, "use_global_beta_pow": True}),
    ("adamw", {"with_decay": True, "coeff": 0.1, "lr_ratio": 0.5}),
    ("adamw", {"with_decay": False, "beta1": 0.8}),
    ("adagrad", {"epsilon": 0.01}),
    ("adamax", {"beta1": 0.8, "epsilon": 0.01}),
    ("adadelta", {"rho": 0.9, "epsilon": 0.01}),
    ("rmsprop", {"epsilon": 0.01, "momentum": 0.5}),
    ("rmsprop", {"centered": True, "decay": 0.8}),
    ("lamb", {"weight_decay": 0.1, "epsilon": 0.01}),
    ("lamb", {"weight_decay": 0.0, "beta2": 0.9}),
    ("lamb", {"weight_decay": 0.0, "always_adapt": True}),
    ("lamb", {"weight_decay": 0.1, "_v1": True}),
]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("type_", "attrs"), FUSED)
def test_fused_equals_single(type_: str, attrs: dict[str, Any], sparse: bool) -> None:
    op = find_op(type_)
    assert op is not None and op.fused is not None
    together, apart = many(type_, sparse), many(type_, sparse)
    for _ in range(3):
        out = op.fused(*together.values(), **attrs)
        for row in zip(*apart.values()):
            op.fn(*row, **attrs)
    assert len(out) == len(op.returns)
    assert all(a is b for a, b in zip(out[0], together["Param"]))
    for slot, values in apart.items():
        for expected, received in zip(values, together[slot]):
            if expected is not None and not expected.is_sparse:
                torch.testing.assert_close(received, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("type_", ["sgd", "adam"])
def test_fused_takes_absent_columns(type_: str) -> None:
    op = find_op(type_)
    assert op is not None and op.fused is not None
    whole, short = many(type_), many(type_)
    op.fused(*whole.values())
    filled = [column if column[0] is not None else None for column in short.values()]
    while filled[-1] is None:
        filled.pop()
    assert op.fused(*filled)[-1] is None
    for expected, received in zip(whole["Param"], short["Param"]):
        torch.testing.assert_close(received, expected)


@pytest.mark.parametrize(("block", "small"), [(1, 0), (7, 0), (7, 5), (30, 10)])
@pytest.mark.parametrize(("type_", "attrs"), FUSED[9:16])
def test_pieces_of_parameters(type_: str, attrs: dict[str, Any], block: int, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_packed, "LARGEST", block)
    monkeypatch.setattr(_packed, "SMALL", small)
    test_fused_equals_single(type_, attrs, False)


def test_adadelta_without_a_learning_rate_runs_one_by_one() -> None:
    op = find_op("adadelta")
    assert op is not None and op.fused is not None
    together, apart = many("adadelta"), many("adadelta")
    op.fused(*list(together.values())[:4], epsilon=0.01)
    for row in zip(*list(apart.values())[:4]):
        op.fn(*row, epsilon=0.01)
    for expected, received in zip(apart["Param"], together["Param"]):
        assert torch.equal(received, expected)


@pytest.mark.parametrize("type_", ["adam", "adamw"])
def test_fused_on_a_device_equals_single(type_: str) -> None:
    # the path for devices reads no number; its arithmetic can be checked on the CPU
    attrs = {"epsilon": 0.01, **({"with_decay": True, "coeff": 0.1} if type_ == "adamw" else {})}
    op = find_op(type_)
    assert op is not None
    together, apart = many(type_), many(type_)
    lists = [together[s.name] for s in op.inputs[:7]]
    for _ in range(3):
        _fused_updates._adam_by_tensors(*lists[:5], lists[6], single(0.9), single(0.999), attrs)
        for column, beta in ((lists[5], 0.9), (lists[6], 0.999)):
            torch._foreach_mul_(column, single(beta))
        for row in zip(*apart.values()):
            op.fn(*row, **attrs)
    for slot in ("Param", "Moment1", "Moment2"):
        for expected, received in zip(apart[slot], together[slot]):
            torch.testing.assert_close(received, expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(("version", "name"), [(v, n) for v in VERSIONS for n in OPERATORS[v] if "ratio" not in n])
def test_operator_without_reading_numbers(version: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (optimizer, optimizer_adaptive):
        monkeypatch.setattr(module, "number", lambda value: value)
    test_operator_equals_wheel(version, name)


def test_fused_takes_gradients_in_any_layout() -> None:
    op = find_op("momentum")
    assert op is not None and op.fused is not None
    param, velocity, grad = torch.ones(3, 2), torch.zeros(3, 2), torch.arange(6.0).view(2, 3).t()
    op.fused([param], [grad], [velocity], [torch.tensor([0.5])], [None], mu=0.9)
    torch.testing.assert_close(param, 1 - 0.5 * grad)


@pytest.mark.parametrize(("type_", "attrs"), FUSED[:4] + FUSED[6:7] + FUSED[8:14])
def test_master_parameter_takes_the_step(type_: str, attrs: dict[str, Any]) -> None:
    op = find_op(type_)
    assert op is not None and op.fused is not None
    plain, half = many(type_, count=1), many(type_, count=1)
    half["MasterParam"] = [half["Param"][0].clone()]
    half["Param"] = [half["Param"][0].half()]
    plain["Grad"] = [plain["Grad"][0].half().float()]
    half["Grad"] = [half["Grad"][0].half()]
    op.fn(*(c[0] for c in plain.values()), **attrs)
    out = op.fused(*half.values(), **attrs)
    torch.testing.assert_close(half["MasterParam"][0], plain["Param"][0])
    torch.testing.assert_close(half["Param"][0], plain["Param"][0].half())
    assert out[[slot.name for slot in op.outputs].index("MasterParamOut")][0] is half["MasterParam"][0]


def test_half_precision_and_parameters_that_require_grad() -> None:
    op = find_op("sgd")
    assert op is not None
    param = torch.ones(4, dtype=torch.bfloat16).requires_grad_()
    op.fn(param, torch.ones(4, dtype=torch.bfloat16), torch.tensor([0.5]))
    assert param.requires_grad and param.grad_fn is None and param.tolist() == [0.5] * 4


@pytest.mark.parametrize("version", VERSIONS)
def test_slots_and_attributes_are_those_of_the_wheel(version: str) -> None:
    protos = recorded(f"op_protos_{version}.json.gz")
    age = 1 if version.startswith("1.") else 2
    generic = {"op_device", "op_callstack", "op_namescope", "op_role", "op_role_var", "with_quant_attr", "use_mkldnn"}
    for type_ in sorted({case["type"] for case in OPERATORS[version].values()} | {"average_accumulates"}):
        op, proto = find_op(type_), protos[type_]
        assert op is not None
        for slots, names in ((op.inputs, proto["inputs"]), (op.outputs, proto["outputs"])):
            assert {s.name for s in slots if s.age in (0, age)} == {n.rstrip("*?~") for n in names}, type_
        assert set(proto["attrs"]) - generic <= set(op.attrs) | op.required, type_
        for name, (_, *default) in proto["attrs"].items():
            if default and name in op.attrs:
                assert op.attrs[name] == pytest.approx(default[0]), (type_, name)


@pytest.mark.parametrize("type_", ["adam", "adamax", "adadelta", "rmsprop", "lamb"])
def test_state_that_was_replaced_or_copied_counts(type_: str) -> None:
    attrs = {"weight_decay": 0.1} if type_ == "lamb" else {}
    op = find_op(type_)
    assert op is not None and op.fused is not None
    together, apart = many(type_), many(type_)
    for turn in range(4):
        for columns in (together, apart):
            for name, column in columns.items():
                if name not in ("Param", "Grad", "LearningRate") and column[1] is not None and turn == 1:
                    column[1] = column[1] * 0.9  # as loading a checkpoint does
                if column[2] is not None and turn == 2:
                    column[2].data = column[2].data.clone()
        op.fused(*together.values(), **attrs)
        for row in zip(*apart.values()):
            op.fn(*row, **attrs)
        if turn == 2:
            for columns in (together, apart):
                for column in columns.values():
                    del column[0]
    for slot, values in apart.items():
        for expected, received in zip(values, together[slot]):
            if expected is not None:
                torch.testing.assert_close(received, expected, rtol=1e-6, atol=1e-6)


def test_powers_that_operators_share() -> None:
    op = find_op("adam")
    assert op is not None and op.fused is not None
    together, apart = many("adam"), many("adam")
    for columns in (together, apart):
        columns["Beta1Pow"] = [columns["Beta1Pow"][0]] * len(columns["Param"])
        columns["Beta2Pow"] = [columns["Beta2Pow"][0]] * len(columns["Param"])
    for _ in range(2):
        op.fused(*together.values(), use_global_beta_pow=True)
        for row in zip(*apart.values()):
            op.fn(*row, use_global_beta_pow=True)
        for columns in (together, apart):
            columns["Beta1Pow"][0].mul_(0.9)
    for expected, received in zip(apart["Param"], together["Param"]):
        torch.testing.assert_close(received, expected, rtol=1e-6, atol=1e-6)


def test_parameters_that_are_gone_leave_nothing_behind() -> None:
    op = find_op("adamax")
    assert op is not None and op.fused is not None
    op.fused(*many("adamax").values())
    gc.collect()
    before = len(_packed._cuts), len(_packed._buffers)
    op.fused(*many("adamax").values())
    gc.collect()
    assert (len(_packed._cuts), len(_packed._buffers)) == before
