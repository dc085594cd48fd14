"""What the sequence, recurrent, CRF, CTC and beam search operators compute, forward and backward.

The data files are laid out as sequence_recording.py says.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from sequence_recording import Fed, Lengths, case, record

WHEELS = ("1.8.5", "2.6.2")


def floats(seed: int, shape: Sequence[int], lengths: Lengths = (), low: float = -1.0, high: float = 1.0) -> Fed:
    """Uniform float32 numbers; without LoD all dimensions count as known."""
    array = np.random.RandomState(seed).uniform(low, high, shape).astype("float32")
    return Fed(array, lengths, rows_known=not lengths)


def batch(seed: int, shape: Sequence[int], low: float = -1.0, high: float = 1.0) -> Fed:
    """Uniform float32 numbers with an unknown number of rows and no LoD."""
    return Fed(np.random.RandomState(seed).uniform(low, high, shape).astype("float32"))


def ints(values: Any, lengths: Lengths = (), dtype: str = "int64") -> Fed:
    """Whole numbers."""
    return Fed(np.asarray(values, dtype=dtype), lengths)


def sequence_cases() -> list[dict[str, Any]]:
    """Operators of paddle_compat.ops.sequence."""
    one = [[3, 0, 2, 4]]
    full = [[3, 1, 2, 4]]
    two = [[2, 1, 1], [3, 0, 2, 4]]
    cases = []
    for kind in ("AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"):
        low = kind.lower()
        cases += [
            case(
                f"pool_{low}",
                "sequence_pool",
                {"X": floats(1, (9, 4), one)},
                {"pooltype": kind, "pad_value": 0.5},
                "Out",
                "X",
            ),
            case(f"pool_{low}_two", "sequence_pool", {"X": floats(2, (9, 2, 3), two)}, {"pooltype": kind}, "Out", "X"),
        ]
    ties = Fed(np.array([[1, 2], [1, 3], [0, 3], [2, 2]], "float32"), [[3, 1]])
    cases.append(case("pool_max_ties", "sequence_pool", {"X": ties}, {"pooltype": "MAX"}, "Out", "X"))
    for start, length, trainable in ((-1, 3, False), (-2, 4, True), (0, 2, True), (1, 3, False), (-1, 3, True)):
        up, down = max(0, -start), max(0, start + length - 1)
        fed = {"X": floats(3, (10, 4), full), "Filter": floats(4, (length * 4, 5))}
        if trainable:
            fed["PaddingData"] = floats(5, (up + down, 4))
        cases.append(
            case(
                f"conv_{start}_{length}_{int(trainable)}",
                "sequence_conv",
                fed,
                {"contextStart": start, "contextLength": length, "contextStride": 1, "paddingTrainable": trainable},
                "Out",
                # the wheel's filter gradient is wrong when the window starts behind its row
                "X" + (" Filter" if start <= 0 else "") + (" PaddingData" if trainable else ""),
            )
        )
    cases += [
        case("softmax", "sequence_softmax", {"X": floats(6, (10, 1), full)}, {}, "Out", "X"),
        case("softmax_flat", "sequence_softmax", {"X": floats(6, (9,), one)}, {}, "Out", "X"),
        case(
            "expand_plain",
            "sequence_expand",
            {"X": batch(7, (3, 2)), "Y": floats(8, (6, 1), [[2, 3, 1]])},
            {},
            "Out",
            "X",
        ),
        case(
            "expand_zero",
            "sequence_expand",
            {"X": batch(7, (3, 2)), "Y": floats(8, (5, 1), [[2, 0, 3]])},
            {"ref_level": 0},
            "Out",
            "X",
        ),
        case(
            "expand_lod",
            "sequence_expand",
            {"X": floats(7, (4, 2), [[2, 2]]), "Y": floats(8, (8, 1), [[2, 2], [3, 3, 1, 1]])},
            {"ref_level": 0},
            "Out",
            "X",
        ),
        case(
            "expand_lod_uneven",
            "sequence_expand",
            {"X": floats(7, (6, 2), [[1, 3, 2]]), "Y": floats(8, (6, 1), [[3, 1, 2]])},
            {"ref_level": 0},
            "Out",
            "X",
        ),
        case(
            "expand_last_level",
            "sequence_expand",
            {"X": batch(7, (4, 2)), "Y": floats(8, (8, 1), [[2, 2], [3, 3, 1, 1]])},
            {"ref_level": -1},
            "Out",
            "X",
        ),
        case("expand_as", "sequence_expand_as", {"X": batch(9, (4, 2)), "Y": floats(8, (9, 1), one)}, {}, "Out", "X"),
        case(
            "pad",
            "sequence_pad",
            {"X": floats(10, (10, 2, 3), full), "PadValue": floats(11, (1,))},
            {},
            "Out Length",
            "X",
        ),
        case(
            "pad_row",
            "sequence_pad",
            {"X": floats(10, (10, 3), full), "PadValue": floats(11, (3,))},
            {},
            "Out Length",
            "X",
        ),
        case(
            "pad_empty",
            "sequence_pad",
            {"X": floats(10, (9, 3), one), "PadValue": floats(11, (1,))},
            {},
            "Out Length",
            "X",
        ),
        case(
            "pad_six",
            "sequence_pad",
            {"X": floats(10, (10, 3), full), "PadValue": floats(11, (1,))},
            {"padded_length": 6},
            "Out Length",
            "X",
        ),
        case(
            "pad_ints",
            "sequence_pad",
            {"X": ints(np.arange(9)[:, None], one), "PadValue": Fed(np.array([7]), rows_known=True)},
            {},
            "Out Length",
        ),
        case("unpad", "sequence_unpad", {"X": batch(12, (3, 4, 2)), "Length": ints([2, 4, 1])}, {}, "Out", "X"),
        case("unpad_zero", "sequence_unpad", {"X": batch(12, (3, 4)), "Length": ints([2, 0, 1])}, {}, "Out", "X"),
        case("mask", "sequence_mask", {"X": ints([[1, 3], [0, 2]])}, {"maxlen": 4, "out_dtype": 3}, "Y"),
        case("mask_auto", "sequence_mask", {"X": ints([1, 3, 2], dtype="int32")}, {"maxlen": -1, "out_dtype": 5}, "Y"),
        case("mask_bool", "sequence_mask", {"X": ints([1, 3, 2])}, {"maxlen": -1, "out_dtype": 0}, "Y"),
        case(
            "mask_tensor",
            "sequence_mask",
            {"X": ints([1, 3, 2]), "MaxLenTensor": ints([5], dtype="int32")},
            {"maxlen": -1, "out_dtype": 2},
            "Y",
        ),
        case("reverse", "sequence_reverse", {"X": floats(13, (9, 2), one)}, {}, "Y", "X"),
        case(
            "concat",
            "sequence_concat",
            {"X": [floats(14, (10, 2), full), floats(15, (6, 2), [[1, 2, 1, 2]])]},
            {},
            "Out",
            "X",
        ),
        case(
            "concat_empty",
            "sequence_concat",
            {"X": [floats(14, (9, 2), one), floats(15, (6, 2), [[1, 2, 1, 2]])]},
            {},
            "Out",
            "X",
        ),
        case(
            "slice",
            "sequence_slice",
            {
                "X": floats(16, (10, 2), full),
                "Offset": ints([[0], [0], [1], [2]]),
                "Length": ints([[2], [1], [1], [2]]),
            },
            {},
            "Out",
            "X",
        ),
        case("reshape_wider", "sequence_reshape", {"X": floats(17, (10, 2), [[4, 2, 4]])}, {"new_dim": 4}, "Out", "X"),
        case("reshape_narrower", "sequence_reshape", {"X": floats(17, (10, 2), full)}, {"new_dim": 1}, "Out", "X"),
        case(
            "scatter",
            "sequence_scatter",
            {
                "X": batch(18, (3, 6)),
                "Ids": ints([[1], [3], [1], [5], [0], [2]], [[3, 1, 2]]),
                "Updates": floats(19, (6, 1), [[3, 1, 2]]),
            },
            {},
            "Out",
            "X Updates",
        ),
        case(
            "enumerate",
            "sequence_enumerate",
            {"X": ints(np.arange(1, 10)[:, None], one)},
            {"win_size": 3, "pad_value": 0},
            "Out",
        ),
        case(
            "enumerate_two",
            "sequence_enumerate",
            {"X": ints(np.arange(1, 10)[:, None], one)},
            {"win_size": 2, "pad_value": 9},
            "Out",
        ),
        case(
            "erase",
            "sequence_erase",
            {"X": ints([[2], [1], [2], [5], [3], [2], [2], [2], [4]], one)},
            {"tokens": [2, 3]},
            "Out",
        ),
        case("reset_target", "lod_reset", {"X": floats(20, (6, 2), [[2, 4]])}, {"target_lod": [0, 3, 6]}, "Out", "X"),
        case(
            "reset_like",
            "lod_reset",
            {"X": floats(20, (6, 2), [[2, 4]]), "Y": floats(21, (6, 1), [[1, 2], [2, 2, 2]])},
            {},
            "Out",
            "X",
        ),
        case("reset_data", "lod_reset", {"X": batch(20, (6, 2)), "Y": ints([0, 4, 6], dtype="int32")}, {}, "Out", "X"),
        case(
            "reset_append",
            "lod_reset",
            {"X": floats(20, (6, 2), [[6]])},
            {"target_lod": [0, 1, 2, 3, 4, 5, 6], "append": True},
            "Out",
        ),
        case(
            "im2sequence",
            "im2sequence",
            {"X": batch(24, (2, 3, 5, 6))},
            {"kernels": [2, 3], "strides": [1, 2], "paddings": [0, 1, 1, 0], "out_stride": [1, 1]},
            "Out",
            "X",
        ),
    ]
    return cases


def recurrent_cases() -> list[dict[str, Any]]:
    """Operators of paddle_compat.ops.rnn in 1.8."""
    lod = [[3, 1, 4, 2]]
    cases = []
    plain = {
        "use_peepholes": False,
        "is_reverse": False,
        "gate_activation": "sigmoid",
        "cell_activation": "tanh",
        "candidate_activation": "tanh",
    }
    for name, changed, state in (
        ("plain", {}, False),
        ("peepholes", {"use_peepholes": True}, False),
        ("reverse", {"is_reverse": True}, False),
        ("state", {"use_peepholes": True}, True),
        ("state_reverse", {"use_peepholes": True, "is_reverse": True}, True),
        ("relu", {"cell_activation": "relu", "candidate_activation": "identity"}, False),
    ):
        attrs = {**plain, **changed}
        fed = {"Input": floats(30, (10, 12), lod)}
        if state:
            fed.update(H0=batch(31, (4, 3)), C0=batch(32, (4, 3)))
        fed.update(Weight=floats(33, (3, 12)), Bias=floats(34, (1, 21 if attrs["use_peepholes"] else 12)))
        cases.append(case(f"lstm_{name}", "lstm", fed, attrs, "Hidden Cell", " ".join(fed), "Hidden"))
    empty = {"Input": floats(30, (9, 12), [[3, 0, 4, 2]]), "Weight": floats(33, (3, 12)), "Bias": floats(34, (1, 12))}
    cases.append(case("lstm_empty", "lstm", empty, plain, "Hidden Cell", "Input Weight Bias", "Hidden"))
    for name, changed, state in (
        ("plain", {}, False),
        ("peepholes", {"use_peepholes": True, "is_reverse": True}, False),
        ("clip", {"cell_clip": 0.3, "proj_clip": 0.2}, False),
        ("state", {"use_peepholes": True, "proj_activation": "sigmoid"}, True),
    ):
        attrs = {**plain, "proj_activation": "tanh", "cell_clip": 0.0, "proj_clip": 0.0, **changed}
        fed = {"Input": floats(35, (10, 12), lod)}
        if state:
            fed.update(H0=batch(31, (4, 2)), C0=batch(32, (4, 3)))
        fed.update(
            Weight=floats(33, (2, 12)),
            ProjWeight=floats(36, (3, 2)),
            Bias=floats(34, (1, 21 if attrs["use_peepholes"] else 12)),
        )
        cases.append(case(f"lstmp_{name}", "lstmp", fed, attrs, "Projection Cell", " ".join(fed), "Projection"))
    for name, attrs, state in (
        ("plain", {}, False),
        ("origin", {"origin_mode": True}, True),
        ("reverse", {"is_reverse": True, "activation": "relu"}, True),
    ):
        fed = {"Input": floats(37, (10, 9), lod)}
        if state:
            fed["H0"] = batch(38, (4, 3))
        fed.update(Weight=floats(39, (3, 9)), Bias=floats(40, (1, 9)))
        cases.append(case(f"gru_{name}", "gru", fed, attrs, "Hidden", " ".join(fed)))
    nobias = {"Input": floats(37, (10, 9), lod), "Weight": floats(39, (3, 9))}
    cases.append(case("gru_nobias", "gru", nobias, {}, "Hidden", "Input Weight"))
    for name, attrs in (
        ("plain", {"activation": 2, "gate_activation": 1, "origin_mode": False}),
        ("origin", {"activation": 3, "gate_activation": 1, "origin_mode": True}),
    ):
        fed = {"Input": batch(41, (4, 9)), "HiddenPrev": batch(42, (4, 3)), "Weight": floats(43, (3, 9))}
        fed["Bias"] = floats(44, (1, 9))
        cases.append(case(f"gru_unit_{name}", "gru_unit", fed, attrs, "Hidden Gate ResetHiddenPrev", " ".join(fed)))
    fed = {"X": batch(45, (4, 12)), "C_prev": batch(46, (4, 3))}
    cases.append(case("lstm_unit", "lstm_unit", fed, {"forget_bias": 0.5}, "C H", "X C_prev", "C H"))
    return cases


FILES = {
    "ops_seq_sequence.npz": (("1.8.5",), sequence_cases),
    "ops_seq_recurrent.npz": (("1.8.5",), recurrent_cases),
}


def recordings(version: str) -> dict[str, Any]:
    """The data files of one wheel."""
    return {name: (lambda cases=cases: record(cases())) for name, (wheels, cases) in FILES.items() if version in wheels}
