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


def stacked_cases() -> list[dict[str, Any]]:
    """The `rnn` operator of 2.6, over [T, B, I]."""
    cases = []
    for name, mode, layers, ways, sized in (
        ("lstm", "LSTM", 1, 1, False),
        ("lstm_deep", "LSTM", 2, 2, True),
        ("gru", "GRU", 1, 1, True),
        ("gru_deep", "GRU", 2, 2, False),
        ("tanh", "RNN_TANH", 1, 2, True),
        ("relu", "RNN_RELU", 2, 1, False),
    ):
        gates = {"LSTM": 4, "GRU": 3}.get(mode, 1)
        inputs, hidden = 4, 3
        weights, biases = [], []
        for layer in range(layers):
            for way in range(ways):
                seed = 50 + 10 * layer + 4 * way
                wide = inputs if layer == 0 else hidden * ways
                weights += [floats(seed, (gates * hidden, wide)), floats(seed + 1, (gates * hidden, hidden))]
                biases += [floats(seed + 2, (gates * hidden,)), floats(seed + 3, (gates * hidden,))]
        states = [floats(80 + i, (layers * ways, 3, hidden)) for i in range(2 if mode == "LSTM" else 1)]
        fed = {"Input": floats(82, (5, 3, inputs)), "PreState": states, "WeightList": weights + biases}
        attrs = {"mode": mode, "num_layers": layers, "is_bidirec": ways == 2, "input_size": inputs}
        attrs.update(hidden_size=hidden, dropout_prob=0.0, is_test=False, seed=0)
        if sized:
            if ways == 2:  # the wheel's backward direction mistakes the initial state for zeros in its weights' gradient
                for state in states:
                    state.array[:] = 0
            fed["SequenceLength"] = Fed(np.array([3, 5, 2], "int32"), rows_known=True)
        outputs = f"Out State*{len(states)}"
        cases.append(case(name, "rnn", fed, attrs, outputs, "Input PreState WeightList", "Out State"))
    return cases


def structured_cases() -> list[dict[str, Any]]:
    """Operators of paddle_compat.ops.crf, .ctc and .beam_search."""
    lod = [[3, 1, 4, 2]]
    rng = np.random.RandomState(100)
    emission, transition = floats(101, (10, 5), lod), floats(102, (7, 5))
    label = ints(rng.randint(0, 5, (10, 1)), lod)
    padded = batch(103, (3, 4, 5))
    padded_label, length = ints(rng.randint(0, 5, (3, 4, 1))), ints([[3], [4], [1]])
    sizes = {"Length": length}
    crf = {"Emission": emission, "Transition": transition, "Label": label}
    padded_crf = {"Emission": padded, "Transition": transition, "Label": padded_label, **sizes}
    cases = [
        case("crf", "linear_chain_crf", crf, {}, "LogLikelihood", "Emission Transition"),
        case("crf_padded", "linear_chain_crf", padded_crf, {}, "LogLikelihood", "Emission Transition"),
        case("crf_path", "crf_decoding", {"Emission": emission, "Transition": transition}, {}, "ViterbiPath"),
        case("crf_right", "crf_decoding", crf, {}, "ViterbiPath"),
        case(
            "crf_path_padded",
            "crf_decoding",
            {"Emission": padded, "Transition": transition, **sizes},
            {},
            "ViterbiPath",
        ),
        case("crf_right_padded", "crf_decoding", padded_crf, {}, "ViterbiPath"),
    ]
    tags = {"IOB": 2, "IOE": 2, "IOBES": 4, "plain": 1}
    for scheme, count in tags.items():
        fed = {slot: ints(rng.randint(0, count * 2 + 1, (40, 1)), [[15, 5, 20]]) for slot in ("Inference", "Label")}
        fed["Inference"].array[::2] = fed["Label"].array[::2]
        attrs = {"chunk_scheme": scheme, "num_chunk_types": 2, "excluded_chunk_types": []}
        outputs = "Precision Recall F1-Score NumInferChunks NumLabelChunks NumCorrectChunks"
        cases.append(case(f"chunk_{scheme.lower()}", "chunk_eval", fed, attrs, outputs))
        attrs = {**attrs, "excluded_chunk_types": [1]}
        cases.append(case(f"chunk_{scheme.lower()}_excluded", "chunk_eval", fed, attrs, outputs))
    fed = {slot: ints(rng.randint(0, 5, (3, 8))) for slot in ("Inference", "Label")}
    fed["SeqLength"] = ints([8, 3, 5])
    fed["Inference"].array[:, 2:] = fed["Label"].array[:, 2:]
    attrs = {"chunk_scheme": "IOB", "num_chunk_types": 2, "excluded_chunk_types": []}
    cases.append(case("chunk_padded", "chunk_eval", fed, attrs, outputs))

    logits = floats(104, (12, 4), [[5, 4, 3]])
    words = ints([[1], [1], [2], [3], [2], [1]], [[3, 2, 1]], "int32")
    time_major = {
        "Logits": floats(105, (5, 3, 4)),
        "Label": ints([[1, 1, 2], [3, 1, 0], [2, 0, 0]], dtype="int32"),
        "LogitsLength": ints([5, 4, 2]),
        "LabelLength": ints([3, 2, 1]),
    }
    short = {**time_major, "LogitsLength": ints([3, 1, 2])}  # no path fits the first two
    for name, fed, attrs in (
        ("ctc", {"Logits": logits, "Label": words}, {"blank": 0, "norm_by_times": False}),
        ("ctc_by_times", {"Logits": logits, "Label": words}, {"blank": 0, "norm_by_times": True}),
        (
            "ctc_blank",
            {"Logits": logits, "Label": ints([[1], [1], [2], [0], [2], [1]], [[3, 2, 1]], "int32")},
            {"blank": 3},
        ),
        ("ctc_padded", time_major, {"blank": 0, "norm_by_times": False}),
        ("ctc_padded_by_times", time_major, {"blank": 0, "norm_by_times": True}),
        ("ctc_short", short, {"blank": 0, "norm_by_times": False}),
    ):
        cases.append(case(name, "warpctc", fed, attrs, "Loss", "Logits"))
    said = ints(rng.randint(0, 4, (9, 1)), [[3, 2, 4]])
    meant = ints(rng.randint(0, 4, (8, 1)), [[4, 1, 3]])
    rows = {"Hyps": ints(rng.randint(0, 4, (3, 4))), "Refs": ints(rng.randint(0, 4, (3, 5)))}
    rows.update(HypsLength=ints([4, 2, 3]), RefsLength=ints([5, 1, 3]))
    aligned = ints([[0], [1], [1], [0], [2], [2], [2], [0], [3], [0], [0], [3]], [[5, 1, 6]], "int32")
    rows_aligned = {
        "Input": ints([[0, 1, 1, 0, 2, 2], [3, 3, 0, 3, 1, 1]], dtype="int32"),
        "InputLength": ints([[6], [5]], dtype="int32"),
    }
    blanks = ints([[0], [0], [0]], [[2, 1]], "int32")
    for normalized in (False, True):
        attrs = {"normalized": normalized}
        more = "_normalized" if normalized else ""
        cases += [
            case("edit" + more, "edit_distance", {"Hyps": said, "Refs": meant}, attrs, "Out SequenceNum"),
            case("edit_padded" + more, "edit_distance", rows, attrs, "Out SequenceNum"),
        ]
    cases += [
        case("align", "ctc_align", {"Input": aligned}, {"blank": 0, "merge_repeated": True}, "Output"),
        case("align_all", "ctc_align", {"Input": aligned}, {"blank": 1, "merge_repeated": False}, "Output"),
        case("align_empty", "ctc_align", {"Input": blanks}, {"blank": 0, "merge_repeated": True}, "Output"),
        case("align_padded", "ctc_align", rows_aligned, {"blank": 0, "padding_value": 9}, "Output OutputLength"),
    ]
    parents = {"Ids": ints(rng.randint(0, 9, (4, 2, 3))), "Parents": ints(rng.randint(0, 3, (4, 2, 3)))}
    cases.append(case("tree", "gather_tree", parents, {}, "Out"))
    return cases + beam_cases()


def beam_cases() -> list[dict[str, Any]]:
    """Steps of a beam search over two sentences."""
    cases = []
    for name, prefixes, ended, accumulated, ids in (
        ("first", [[1, 1]], (), True, True),
        ("later", [[2, 2], [1, 1, 1, 1]], (), True, True),
        ("uneven", [[1, 3], [1, 1, 1, 1]], (), True, True),
        ("ended", [[2, 2], [1, 1, 1, 1]], (1, 3), True, True),
        ("finished", [[2, 2], [1, 1, 1, 1]], (0, 1), True, True),
        ("probabilities", [[2, 2], [1, 1, 1, 1]], (2,), False, True),
        ("vocabulary", [[2, 2], [1, 1, 1, 1]], (2,), True, False),
    ):
        rng = np.random.RandomState(120 + len(cases))
        rows = sum(prefixes[-1])
        lod = prefixes if len(prefixes) == 2 else [[1] * rows, [1] * rows]
        before = np.full((rows, 1), 5)
        before[list(ended)] = 0
        width = 4 if ids else 6
        scores = rng.uniform(0.01, 1, (rows, width)).astype("float32")
        fed = {"pre_ids": ints(before, lod), "pre_scores": Fed(rng.uniform(-1, 0.5, (rows, 1)).astype("float32"), lod)}
        if ids:
            fed["ids"] = ints(np.stack([rng.permutation(6)[:width] for _ in range(rows)]), lod)
        fed["scores"] = Fed(scores, lod)
        attrs = {"level": 0, "beam_size": 2, "end_id": 0, "is_accumulated": accumulated}
        cases.append(case(f"beam_{name}", "beam_search", fed, attrs, "selected_ids selected_scores parent_idx"))
    return cases


FILES = {
    "ops_seq_sequence.npz": (("1.8.5",), sequence_cases),
    "ops_seq_recurrent.npz": (("1.8.5",), recurrent_cases),
    "ops_seq_structured.npz": (("1.8.5",), structured_cases),
    "ops_seq_stacked.npz": (("2.6.2",), stacked_cases),
}


def recordings(version: str) -> dict[str, Any]:
    """The data files of one wheel."""
    return {name: (lambda cases=cases: record(cases())) for name, (wheels, cases) in FILES.items() if version in wheels}
