"""What operators write into the outputs that serve their gradients (Mean, Mask, XShape ...), fetched from Programs.

`fetch_all(fluid, core, case)` appends one operator to an empty Program and fetches every output, under a wheel or under ours.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import numpy as np

WHEELS = ("1.8.5", "2.6.2")


class Case(NamedTuple):
    """One operator: its fed inputs, its attributes and the outputs to fetch; `lens`: the lengths of fed sequences."""

    type: str
    inputs: Dict[str, Any]
    attrs: Dict[str, Any]
    outputs: Tuple[str, ...]
    lens: Tuple[int, ...] = ()
    versions: Tuple[str, ...] = WHEELS


def numbers(*shape: int) -> Any:
    """Fixed numbers around 0, zeros among them."""
    count = int(np.prod(shape))
    return ((np.arange(count) * 37 % 23 - 11) / 8.0).astype("float32").reshape(shape)


def classes(*shape: int) -> Any:
    """Class indices below three."""
    return (np.arange(int(np.prod(shape))) * 5 % 3).astype("int64").reshape(shape)


ONES3, ONES4, X = np.ones(3, "float32"), np.ones(4, "float32"), numbers(2, 4, 3, 2)
ROWS, OTHER = numbers(5, 3), numbers(15)[::-1].reshape(5, 3).copy()
SIGNS = np.sign(OTHER[:, :1]) + (OTHER[:, :1] == 0)
RUNNING = {"Mean": numbers(4), "Variance": np.full(4, 2, "float32")}
SCALED = {"Scale": numbers(4) + 2, "Bias": numbers(4)}
IN_PLACE = {"MeanOut": "Mean", "VarianceOut": "Variance"}
SAVED = ("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance")
GATES = numbers(5, 12)
LSTM = ("Hidden", "Cell", "BatchGate", "BatchCellPreAct")
GRU = ("BatchGate", "BatchResetHiddenPrev", "BatchHidden", "Hidden")
FUSED, BETWEEN = {"save_intermediate_out": True, "axis": -1}, ("Out", "IntermediateOut")
FIRST, LATER = ("1.8.5",), ("2.6.2",)

CASES: Dict[str, Case] = {
    "reshape2": Case("reshape2", {"X": X}, {"shape": [2, -1]}, ("Out", "XShape")),
    "transpose2": Case("transpose2", {"X": X}, {"axis": [0, 2, 3, 1]}, ("Out", "XShape")),
    "squeeze2": Case("squeeze2", {"X": X[:1]}, {"axes": [0]}, ("Out", "XShape")),
    "unsqueeze2": Case("unsqueeze2", {"X": X}, {"axes": [0]}, ("Out", "XShape")),
    "flatten2": Case("flatten2", {"X": X}, {"axis": 2}, ("Out", "XShape")),
    "flatten_range": Case("flatten_contiguous_range", {"X": X}, {"start_axis": 1, "stop_axis": 2}, ("Out", "XShape"), (), LATER),
    "cross_entropy2": Case("cross_entropy2", {"X": abs(ROWS) + 0.5, "Label": classes(5, 1)}, {}, ("Y", "XShape", "MatchX"), (), FIRST),
    "layer_norm": Case("layer_norm", {"X": X}, {"begin_norm_axis": 2, "epsilon": 1e-3}, ("Y", "Mean", "Variance")),
    "layer_norm_1": Case("layer_norm", {"X": X}, {"begin_norm_axis": 1}, ("Y", "Mean", "Variance")),
    "group_norm": Case("group_norm", {"X": X, **SCALED}, {"groups": 2, "epsilon": 1e-3}, ("Y", "Mean", "Variance")),
    "group_norm_last": Case(
        "group_norm", {"X": X.transpose(0, 2, 3, 1).copy(), **SCALED}, {"groups": 2, "data_layout": "NHWC"}, ("Y", "Mean", "Variance")
    ),
    "instance_norm": Case("instance_norm", {"X": X, **SCALED}, {"epsilon": 1e-3}, ("Y", "SavedMean", "SavedVariance")),
    "batch_norm": Case("batch_norm", {"X": X, **SCALED, **RUNNING}, {"epsilon": 1e-3}, SAVED),
    "batch_norm_last": Case("batch_norm", {"X": X.transpose(0, 2, 3, 1).copy(), **SCALED, **RUNNING}, {"data_layout": "NHWC"}, SAVED),
    "batch_norm_global": Case("batch_norm", {"X": X, **SCALED, **RUNNING}, {"use_global_stats": True}, SAVED[:3]),
    "batch_norm_test": Case("batch_norm", {"X": X, **SCALED, **RUNNING}, {"is_test": True}, SAVED[:3]),
    "dropout": Case("dropout", {"X": numbers(6, 5)}, {"dropout_prob": 0.4, "fix_seed": True, "seed": 3}, ("Out", "Mask")),
    "dropout_up": Case(
        "dropout",
        {"X": numbers(6, 5)},
        {"dropout_prob": 0.4, "fix_seed": True, "seed": 3, "dropout_implementation": "upscale_in_train"},
        ("Out", "Mask"),
    ),
    "dropout_all": Case(
        "dropout",
        {"X": numbers(6, 5)},
        {"dropout_prob": 1.0, "fix_seed": True, "seed": 3, "dropout_implementation": "upscale_in_train"},
        ("Out", "Mask"),
    ),
    "dropout_none": Case(
        "dropout",
        {"X": numbers(6, 5)},
        {"dropout_prob": 0.0, "fix_seed": True, "seed": 3, "dropout_implementation": "upscale_in_train"},
        ("Out", "Mask"),
    ),
    "dropout_test": Case("dropout", {"X": numbers(6, 5)}, {"dropout_prob": 0.4, "is_test": True}, ("Out", "Mask")),
    "norm": Case("norm", {"X": X}, {"axis": 1, "epsilon": 1e-3}, ("Out", "Norm")),
    "huber_loss": Case("huber_loss", {"X": ROWS[:, :1].copy(), "Y": OTHER[:, :1].copy()}, {"delta": 0.5}, ("Out", "Residual")),
    "smooth_l1_loss": Case("smooth_l1_loss", {"X": ROWS, "Y": OTHER}, {"sigma": 2.0}, ("Out", "Diff"), (), FIRST),
    "smooth_l1_weights": Case(
        "smooth_l1_loss",
        {"X": ROWS, "Y": OTHER, "InsideWeight": ROWS + 2, "OutsideWeight": OTHER + 2},
        {"sigma": 1.0},
        ("Out", "Diff"),
        (),
        FIRST,
    ),
    "margin_rank_loss": Case(
        "margin_rank_loss",
        {"X1": ROWS[:, :1].copy(), "X2": OTHER[:, :1].copy(), "Label": SIGNS},
        {"margin": 0.25},
        ("Out", "Activated"),
        (),
        FIRST,
    ),
    "modified_huber_loss": Case(
        "modified_huber_loss", {"X": ROWS[:, :1].copy(), "Y": (SIGNS + 1) / 2}, {}, ("Out", "IntermediateVal"), (), FIRST
    ),
    "squared_l2_distance": Case("squared_l2_distance", {"X": ROWS, "Y": OTHER}, {}, ("Out", "sub_result"), (), FIRST),
    "squared_l2_one": Case("squared_l2_distance", {"X": ROWS, "Y": OTHER[:1].copy()}, {}, ("Out", "sub_result"), (), FIRST),
    "sequence_pool": Case("sequence_pool", {"X": ROWS}, {"pooltype": "MAX"}, ("Out", "MaxIndex"), (2, 3)),
    "linear_chain_crf": Case(
        "linear_chain_crf",
        {"Emission": ROWS, "Transition": OTHER, "Label": classes(5, 1)},
        {},
        ("Alpha", "EmissionExps", "TransitionExps", "LogLikelihood"),
        (2, 3),
        FIRST,
    ),
    "linear_chain_crf_padded": Case(
        "linear_chain_crf",
        {"Emission": numbers(2, 3, 3), "Transition": OTHER, "Label": classes(2, 3), "Length": np.array([[3], [1]], "int64")},
        {},
        ("Alpha", "EmissionExps", "TransitionExps", "LogLikelihood"),
        (),
        FIRST,
    ),
    "yolov3_loss": Case(
        "yolov3_loss",
        {"X": numbers(2, 14, 3, 3), "GTBox": abs(numbers(2, 4, 4)) / 1.5, "GTLabel": classes(2, 4).astype("int32") % 2},
        {"anchors": [10, 13, 16, 30, 33, 23], "anchor_mask": [0, 2], "class_num": 2, "ignore_thresh": 0.5, "downsample_ratio": 32},
        ("Loss", "ObjectnessMask", "GTMatchMask"),
    ),
    "lstm": Case("lstm", {"Input": GATES, "Weight": numbers(3, 12) / 2, "Bias": numbers(1, 21)}, {}, LSTM, (1, 3, 1)),
    "lstm_states": Case(
        "lstm",
        {"Input": GATES, "H0": ROWS[:3], "C0": OTHER[:3], "Weight": numbers(3, 12) / 2, "Bias": numbers(1, 12)},
        {"use_peepholes": False, "is_reverse": True, "cell_activation": "relu", "gate_activation": "tanh"},
        LSTM,
        (1, 3, 1),
    ),
    "lstmp": Case(
        "lstmp",
        {"Input": GATES, "Weight": numbers(2, 12) / 2, "ProjWeight": numbers(3, 2), "Bias": numbers(1, 21)},
        {"proj_activation": "tanh"},
        ("Projection", "Cell", "BatchGate", "BatchCellPreAct", "BatchHidden"),
        (2, 3),
        FIRST,
    ),
    "gru": Case("gru", {"Input": numbers(5, 9), "Weight": numbers(3, 9) / 2, "Bias": numbers(1, 9)}, {}, GRU, (2, 3)),
    "gru_states": Case(
        "gru",
        {"Input": numbers(5, 9), "H0": ROWS[:2], "Weight": numbers(3, 9) / 2},
        {"is_reverse": True, "origin_mode": True, "activation": "relu"},
        GRU,
        (2, 3),
    ),
    "hierarchical_sigmoid": Case(
        "hierarchical_sigmoid",
        {"X": ROWS, "W": numbers(5, 3), "Label": np.array([[0], [3], [5], [2], [1]]), "Bias": numbers(5, 1)},
        {"num_classes": 6},
        ("Out", "PreOut"),
    ),
    "roi_pool": Case(
        "roi_pool",
        {"X": numbers(2, 2, 4, 5), "ROIs": np.array([[0, 0, 3, 3], [1, 1, 2, 1], [3, 2, 9, 9]], "float32")},
        {"pooled_height": 2, "pooled_width": 3, "spatial_scale": 0.5},
        ("Out", "Argmax"),
        (2, 1),
        FIRST,
    ),
    "fused_last": Case(
        "fused_elemwise_activation", {"X": ROWS, "Y": OTHER}, {**FUSED, "functor_list": ["relu", "elementwise_add"]}, BETWEEN
    ),
    "fused_first": Case(
        "fused_elemwise_activation",
        {"X": ROWS, "Y": OTHER[0]},
        {**FUSED, "functor_list": ["elementwise_add", "scale"], "scale": 3.0},
        BETWEEN,
    ),
    "eigvalsh": Case("eigvalsh", {"X": ROWS[:3] + ROWS[:3].T}, {"is_test": False}, ("Eigenvalues", "Eigenvectors"), (), LATER),
}


def fetch_all(fluid: Any, core: Any, case: Case) -> List[Any]:
    """Every output of the operator, from a run of a Program that holds nothing else."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        block, feeds, inputs = main.global_block(), {}, {}
        for slot, value in case.inputs.items():
            fed = slot in ("X", "Emission", "Label", "Input", "ROIs") and bool(case.lens) and (slot != "X" or "ROIs" not in case.inputs)
            inputs[slot] = [block.create_var(name=slot, shape=value.shape, dtype=str(value.dtype), lod_level=int(fed), stop_gradient=False)]
            feeds[slot] = core.LoDTensor() if hasattr(core, "LoDTensor") else core.Tensor()
            feeds[slot].set(np.ascontiguousarray(value), core.CPUPlace())
            if fed:
                feeds[slot].set_recursive_sequence_lengths([list(case.lens)])
        # running statistics are updated where they are
        names = {slot: inputs.get(IN_PLACE.get(slot, "")) or [block.create_var(name="out_" + slot)] for slot in case.outputs}
        if case.type == "batch_norm":  # the wheels demand all its outputs
            unread = {slot: [block.create_var(name="unread_" + slot)] for slot in (*SAVED[3:], "ReserveSpace")}
            outputs = dict(unread, **names)
        elif case.type == "hierarchical_sigmoid":
            outputs = dict(names, W_Out=[block.create_var(name="unread_W_Out")])
        else:
            outputs = names
        block.append_op(type=case.type, inputs=inputs, outputs=outputs, attrs=case.attrs)
    scope = core.Scope()
    values = fluid.Executor(core.CPUPlace()).run(
        main, feed=feeds, fetch_list=[v for slot in case.outputs for v in names[slot]], scope=scope, return_numpy=not case.lens
    )
    # None: the operator leaves the output empty
    return [np.array([] if value is None else value) for value in values]


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """Every output of every case."""

    def record() -> Dict[str, Any]:
        import paddle

        if version == "1.8.5":
            from paddle import fluid

            core = fluid.core
        else:
            fluid, core = paddle.static, paddle.base.core
            paddle.enable_static()
        found = {}
        for name, case in CASES.items():
            if version in case.versions:
                for slot, value in zip(case.outputs, fetch_all(fluid, core, case)):
                    found[f"{name}.{slot}"] = value
        return found

    return {f"described_outputs_{version}.npz": record}
