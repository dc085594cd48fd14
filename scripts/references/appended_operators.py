# ruff: noqa: E501 - a case is a line
"""What operators without a layer of their own compute, appended by hand as scripts do.

appended_operators_VERSION.json: {case: {output: [values, LoD]}; {"raises": type} where the wheel refuses}.
"""

from __future__ import annotations

from typing import Any, Callable

import native_cases
import numpy as np

WHEELS = ("1.8.5", "2.6.2")

X = np.array([[0.5, -1.25, 3.0], [2.0, 0.1, -0.7]], "float32")
TIES = np.array([[127.0, 2.5, -2.5], [3.5, 0.5, -0.5]], "float32")
IMAGE = np.random.RandomState(3).uniform(-1, 1, (2, 3, 4, 5)).astype("float32")
WEIGHT = np.arange(6, dtype="float32").reshape(3, 2)
TABLE = np.random.RandomState(4).uniform(-1, 1, (7, 3)).astype("float32")
IDS = np.array([[1, 2], [0, 6], [3, 3], [2, 5]], "int64")


def f(*values: float) -> np.ndarray:
    """A vector of floats."""
    return np.array(values, "float32")


_STATE = {"X": X, "InScale": f(2.5), "InAccum": f(1.5), "InState": f(1.2)}
_KEPT = ["Out", "OutScale", "OutState", "OutAccum"]
Case = tuple  # type, inputs, outputs, attributes, what is fetched, differentiated inputs

CASES: dict[str, Case] = {
    "abs_max": ("fake_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {}),
    "abs_max/4": ("fake_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}),
    "abs_max/ties": ("fake_quantize_abs_max", {"X": TIES}, ["Out", "OutScale"], {"bit_length": 8}),
    "abs_max/zeros": ("fake_quantize_abs_max", {"X": X * 0}, ["Out", "OutScale"], {}),
    "channels": ("fake_channel_wise_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}),
    "channels/image": ("fake_channel_wise_quantize_abs_max", {"X": IMAGE}, ["Out", "OutScale"], {"bit_length": 8}),
    "dequantize": ("fake_dequantize_max_abs", {"X": X, "Scale": f(2)}, ["Out"], {"max_range": 127.0}),
    "dequantize channels": ("fake_channel_wise_dequantize_max_abs", {"X": X, "Scales": [f(3, 2)]}, ["Out"], {"quant_bits": [8]}),
    "dequantize twice": ("fake_channel_wise_dequantize_max_abs", {"X": X, "Scales": [f(3, 2, 1), f(4)]}, ["Out"], {"quant_bits": [8, 4]}),
    "range/test": ("fake_quantize_range_abs_max", {"X": X, "InScale": f(2.5)}, ["Out", "OutScale"], {"is_test": True}, ["Out"]),
    "range/train": ("fake_quantize_range_abs_max", {"X": X, "InScale": f(0), "Iter": np.zeros(1, "int64")}, ["Out", "OutScale", "OutScales"], {"window_size": 1}),
    "moving": ("fake_quantize_moving_average_abs_max", _STATE, _KEPT, {"moving_rate": 0.8}),
    "moving/test": ("fake_quantize_moving_average_abs_max", {"X": X, "InScale": f(2.5)}, ["Out", "OutScale"], {"is_test": True}, ["Out"]),
    "both": ("fake_quantize_dequantize_moving_average_abs_max", _STATE, _KEPT, {"moving_rate": 0.8, "bit_length": 4}),
    "scale": ("moving_average_abs_max_scale", {n: v for n, v in _STATE.items() if n != "InScale"}, _KEPT, {"moving_rate": 0.8}),
    "scale/test": ("moving_average_abs_max_scale", {"X": X}, ["Out", "OutScale"], {"is_test": True}, ["Out"]),
    "pyramid/max": ("spp", {"X": IMAGE}, ["Out"], {"pyramid_height": 2, "pooling_type": "max"}),
    "pyramid/avg": ("spp", {"X": IMAGE}, ["Out"], {"pyramid_height": 2, "pooling_type": "avg"}),
    "pyramid/three": ("spp", {"X": np.tile(IMAGE, (1, 1, 2, 2))}, ["Out"], {"pyramid_height": 3, "pooling_type": "avg"}),
    "pyramid/gradient": ("spp", {"X": IMAGE}, ["Out"], {"pyramid_height": 2, "pooling_type": "avg"}, None, "X"),
    "fc": ("fc", {"Input": X, "W": WEIGHT, "Bias": f(1, -20)}, ["Out"], {"activation_type": "relu"}),
    "fc/plain": ("fc", {"Input": X.reshape(2, 1, 3), "W": WEIGHT}, ["Out"], {"in_num_col_dims": 2}),
    "fc/tanh": ("fc", {"Input": X, "W": WEIGHT}, ["Out"], {"activation_type": "tanh"}),
    **{
        f"fused/{'+'.join(functors)}": ("fused_elemwise_activation", {"X": X, "Y": f(1, -2, 0.5)}, ["Out", "IntermediateOut"], {"functor_list": functors, "axis": -1, "scale": 3.0, "save_intermediate_out": True}, ["Out"], "Y")
        for functors in (["relu", "elementwise_add"], ["elementwise_add", "relu"], ["scale", "elementwise_add"], ["elementwise_mul", "scale"], ["tanh", "elementwise_add"], ["elementwise_add", "sigmoid"])
    },
    "pooled": ("fused_embedding_seq_pool", {"W": TABLE, "Ids": (IDS[:, :1].copy(), [1, 3])}, ["Out"], {"combiner": "sum"}, None, "W"),
    "pooled/padding": ("fused_embedding_seq_pool", {"W": TABLE, "Ids": (IDS[:, :1].copy(), [3, 1])}, ["Out"], {"combiner": "sum", "padding_idx": 3}),
    **{
        f"backwards/{end}": ("strided_slice", {"Input": X}, ["Out"], {"axes": [1], "starts": [-1], "ends": [end], "strides": [-1], "infer_flags": [1]})
        for end in (-1, -2, -3, -9)
    },
}  # fmt: skip

_BOXES = np.sort(np.random.RandomState(7).rand(2, 6, 4), 2).astype("float32")
_SCORES = np.random.RandomState(8).rand(2, 3, 6).astype("float32")
_OF_CLASSES = {"BBoxes": np.sort(np.random.RandomState(9).rand(6, 3, 4), 2).astype("float32"), "Scores": np.random.RandomState(10).rand(6, 3).astype("float32")}
_SUPPRESSED = {"background_label": 0, "score_threshold": 0.1, "nms_top_k": 5, "keep_top_k": 3, "nms_threshold": 0.3}
_FALLEN = {"background_label": 0, "score_threshold": 0.1, "post_threshold": 0.2, "nms_top_k": 5, "keep_top_k": 3}
CASES.update({
    "boxes of each class": ("multiclass_nms2", {slot: (value, [4, 2]) for slot, value in _OF_CLASSES.items()}, ["Out", "Index"], _SUPPRESSED),
    "fallen scores": ("matrix_nms", {"BBoxes": _BOXES, "Scores": _SCORES}, ["Out", "Index"], _FALLEN),
})  # fmt: skip
NEW: dict[str, Case] = {
    "counted boxes": ("multiclass_nms3", {"BBoxes": _BOXES, "Scores": _SCORES}, ["Out", "Index", "NmsRoisNum"], _SUPPRESSED),
    "counted boxes/none": ("multiclass_nms3", {"BBoxes": _BOXES, "Scores": _SCORES}, ["Out", "Index", "NmsRoisNum"], dict(_SUPPRESSED, score_threshold=2.0)),
    "counted boxes/classes": ("multiclass_nms3", dict(_OF_CLASSES, RoisNum=np.array([4, 0, 2], "int32")), ["Out", "Index", "NmsRoisNum"], _SUPPRESSED),
    "counted fallen scores": ("matrix_nms", {"BBoxes": _BOXES, "Scores": _SCORES}, ["Out", "Index", "RoisNum"], dict(_FALLEN, use_gaussian=True)),
    "both/abs_max": ("fake_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}, None, "X"),
    "both/gradient": ("fake_quantize_dequantize_moving_average_abs_max", _STATE, _KEPT, {}, None, "X"),
    "both/channels": ("fake_channel_wise_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}, None, "X"),
    "both/columns": ("fake_channel_wise_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4, "quant_axis": 1}),
    "channels/columns": ("fake_channel_wise_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4, "quant_axis": 1}),
    "dequantize columns": ("fake_channel_wise_dequantize_max_abs", {"X": X, "Scales": [f(3, 2, 1)]}, ["Out"], {"quant_bits": [8], "quant_axis": 1}),
    "scale/gradient": ("moving_average_abs_max_scale", {n: v for n, v in _STATE.items() if n != "InScale"}, _KEPT, {}, ["Out"], "X"),
}  # fmt: skip


_DRAWN = np.random.RandomState(5)


def _some(*shape: int) -> np.ndarray:
    return _DRAWN.uniform(-0.5, 0.5, shape).astype("float32")


_ROWS = [2, 3, 1]
_GATES, _STATES = {"X": (_some(6, 2), _ROWS), "WeightX": _some(2, 12), "WeightH": _some(3, 12)}, {"H0": _some(3, 3), "C0": _some(3, 3)}
_LSTM_OUT = ["Hidden", "Cell", "XX", "BatchedInput", "BatchedHidden", "BatchedCell", "ReorderedH0", "ReorderedC0"]
_TABLE_GATES = {"Ids": (np.array([[1], [0], [3], [3], [6], [2]]), _ROWS), "Embeddings": _some(7, 12), "WeightH": _some(3, 12)}
_GRU_GATES = {"X": (_some(6, 2), _ROWS), "WeightX": _some(2, 9), "WeightH": _some(3, 9)}
_GRU_OUT = ["ReorderedH0", "XX", "BatchedInput", "BatchedOut", "Hidden"]
_LOOKING = {"X": (_some(6, 2), _ROWS), "C0": _some(3, 3), "AttentionWeight": _some(5, 1), "LSTMWeight": _some(5, 12), "LSTMBias": _some(1, 12)}
_LOOKING_MORE = {"H0": _some(3, 3), "AttentionBias": _some(1, 1), "AttentionScalar": _some(1, 1) + 1, "AttentionScalarBias": _some(1, 1)}
_LOOKING_OUT = ["Hidden", "Cell", "AttentionedX", "AttentionFCOut", "LSTMX", "LSTMOUT"]
_POOLED = [(_some(6, 3) + 1, _ROWS), (_some(4, 3) + 1, [1, 1, 2])]
_PACKED = np.random.RandomState(6).randint(0, 120, (5, 20)).astype("uint8").view("float32").copy()
_PACKED[:, 0], _PACKED[:, 1] = -1, np.arange(5) + 0.5
_TREE = np.array([[0, 0, 0, 1, 2], [0, 1, 0, 3, 4], [0, 1, 0, 5, 6], [0, 2, 1, 0, 0], [1, 2, 1, 0, 0], [2, 2, 2, 0, 0], [3, 2, 2, 0, 0]], "int32")
_PATHS = {"X": np.array([[0], [2], [3], [1]], "int32"), "Travel": np.array([[1, 3, 7], [1, 4, 8], [2, 5, 0], [2, 6, 9]], "int32"), "Layer": np.arange(1, 11, dtype="int32")[:, None]}
_LAYERS = {"layer_offset_lod": [0, 2, 6, 10], "dtype": 2}

# what only Paddle 1.8 has
OLD: dict[str, Case] = {
    "fusion_lstm": ("fusion_lstm", dict(_GATES, Bias=_some(1, 12)), [*_LSTM_OUT, "CheckedCell"], {"use_peepholes": False}, ["Hidden", "Cell"]),
    "fusion_lstm/peepholes": ("fusion_lstm", dict(_GATES, Bias=_some(1, 21), **_STATES), [*_LSTM_OUT, "CheckedCell"], {"is_reverse": True}, ["Hidden", "Cell"]),
    "fused_embedding_fc_lstm": ("fused_embedding_fc_lstm", dict(_TABLE_GATES, Bias=_some(1, 12)), _LSTM_OUT, {"use_peepholes": False}, ["Hidden", "Cell"]),
    "fused_embedding_fc_lstm/peepholes": ("fused_embedding_fc_lstm", dict(_TABLE_GATES, Bias=_some(1, 21), **_STATES), _LSTM_OUT, {"is_reverse": True}, ["Hidden", "Cell"]),
    "fusion_gru": ("fusion_gru", _GRU_GATES, _GRU_OUT, {}, ["Hidden"]),
    "fusion_gru/states": ("fusion_gru", dict(_GRU_GATES, H0=_some(3, 3), Bias=_some(1, 9)), _GRU_OUT, {"is_reverse": True, "activation": "relu"}, ["Hidden"]),
    "fusion_gru/origin": ("fusion_gru", _GRU_GATES, _GRU_OUT, {"origin_mode": True}, ["Hidden"]),
    "attention_lstm": ("attention_lstm", _LOOKING, _LOOKING_OUT, {}, ["Hidden", "Cell"]),
    "attention_lstm/all": ("attention_lstm", dict(_LOOKING, **_LOOKING_MORE), _LOOKING_OUT, {"cell_activation": "relu", "candidate_activation": "sigmoid"}, ["Hidden", "Cell"]),
    "windows": ("fusion_seqconv_eltadd_relu", {"X": (_some(6, 2), _ROWS), "Filter": _some(6, 4), "Bias": _some(1, 4)}, ["Out", "ColMat"], {"contextLength": 3, "contextStart": -1}),
    "expanded": ("fusion_seqexpand_concat_fc", {"X": [(_some(6, 2), _ROWS), (_some(3, 3), [1, 1, 1]), (_some(3, 1), [1, 1, 1])], "FCWeight": _some(6, 4), "FCBias": _some(1, 4)}, ["Out", "FCOut"], {"fc_activation": "tanh"}),
    **{
        f"pools/{kind}": ("fusion_seqpool_concat", {"X": _POOLED}, ["Out"], {"pooltype": kind}) for kind in ("SUM", "AVERAGE", "SQRT", "MAX")
    },
    "counted pools": ("fusion_seqpool_cvm_concat", {"X": _POOLED, "CVM": np.ones((3, 2), "float32")}, ["Out"], {"pooltype": "SUM"}),
    "layers": ("fusion_repeated_fc_relu", {"X": _some(3, 4), "W": [_some(4, 3), _some(3, 5), _some(5, 2)], "Bias": [_some(1, 3), _some(1, 5), _some(1, 2)]}, ["ReluOut", "Out"], {}, ["ReluOut", "ReluOut1", "Out"]),
    "squares": ("fusion_squared_mat_sub", {"X": _some(3, 4), "Y": _some(4, 2)}, ["SquaredX", "SquaredY", "SquaredXY", "Out"], {"scalar": 0.5}),
    "from int8": ("dequantize_abs_max", {"X": np.array([[127, -127], [5, 0]], "int8"), "Scale": f(2.5)}, ["Out"], {"max_range": 127.0}),
    "from logarithms": ("dequantize_log", {"X": np.array([[127, -128], [5, -3]], "int8"), "Dict": _some(128)}, ["Out"], {}),
    "packed table": ("lookup_table_dequant", {"W": _PACKED, "Ids": (np.array([[1], [4], [0]]), [1, 2])}, ["Out"], {"padding_idx": 4}),
    "matches": ("match_matrix_tensor", {"X": (_some(5, 2), [2, 3]), "Y": (_some(4, 2), [3, 1]), "W": _some(2, 3, 2)}, ["Out", "Tmp"], {"dim_t": 3}, None, "X Y W"),
    "sizes of their own": ("var_conv_2d", {"X": (_some(44, 1), [24, 20]), "ROW": (_some(5, 1), [3, 2]), "COLUMN": (_some(9, 1), [4, 5]), "W": _some(3, 12)}, ["Out", "Col"], {"InputChannel": 2, "OutputChannel": 3, "StrideH": 1, "StrideW": 2, "KernelH": 2, "KernelW": 3}, None, "X W"),
    "averages": ("sequence_topk_avg_pooling", {"X": (_some(28, 1), [24, 4]), "ROW": (_some(5, 1), [3, 2]), "COLUMN": (_some(5, 1), [4, 1])}, ["Out", "pos"], {"topks": [1, 3, 5], "channel_num": 2}, None, "X"),
    "encoded sequences": ("add_position_encoding", {"X": (_some(6, 4), _ROWS)}, ["Out"], {"alpha": 0.5, "beta": 0.7}),
    "a row taken twice": ("gather", {"X": _some(4, 2), "Index": np.array([1, 3, 1], "int32")}, ["Out"], {}, None, "X"),
    "rows that add up": ("gather", {"X": _some(4, 2), "Index": np.array([1, 3, 1], "int32")}, ["Out"], {"overwrite": False}, None, "X"),
    "a step": ("lstm_unit", {"X": (_some(6, 8), _ROWS), "C_prev": _some(6, 2)}, ["C", "H"], {"forget_bias": 0.5}),
    "smooth": ("smooth_l1_loss", {"X": (_some(6, 2), _ROWS), "Y": _some(6, 2)}, ["Out", "Diff"], {"sigma": 2.0}),
    "children": ("tdm_child", {"X": np.array([[1, 2], [5, 0]], "int32"), "TreeInfo": _TREE}, ["Child", "LeafMask"], {"child_nums": 2, "dtype": 3}),
    "paths": ("tdm_sampler", _PATHS, ["Out", "Labels", "Mask"], dict(_LAYERS, neg_samples_num_list=[1, 2, 3], seed=5)),
    "no paths": ("tdm_sampler", _PATHS, ["Out", "Labels", "Mask"], dict(_LAYERS, neg_samples_num_list=[1, 2, 2], seed=9, output_positive=False)),
}  # fmt: skip


# more of what only 2.6 has
NEW.update({
    **{
        f"some rows/{axis}{'/nesterov' * nesterov}": ("sparse_momentum", {"Param": _some(5, 4), "Grad": _some(4, 4), "Velocity": _some(5, 4), "Index": np.array(index, kind), "LearningRate": f(0.1)}, ["ParamOut", "VelocityOut"], {"mu": 0.9, "use_nesterov": nesterov, "regularization_method": "l2_decay" * nesterov, "regularization_coeff": 0.3, "rescale_grad": 2.0, "axis": axis})
        for axis, nesterov, index, kind in ((0, False, [1, 0, 4, 1], "int64"), (0, True, [[1], [0], [4], [3]], "int32"))
    },
    "some columns": ("sparse_momentum", {"Param": _some(4, 5), "Grad": _some(4, 3), "Velocity": _some(4, 5), "Index": np.array([4, 2, 4]), "Axis": np.array([1], "int32"), "LearningRate": f(0.1)}, ["ParamOut", "VelocityOut"], {"mu": 0.9}),
    "two-dimensional numbers of rows": ("sparse_momentum", {"Param": _some(5, 4), "Grad": _some(2, 4), "Velocity": _some(5, 4), "Index": np.array([[1, 2]]), "LearningRate": f(0.1)}, ["ParamOut", "VelocityOut"], {"mu": 0.9, "axis": 0}),
    **{
        f"fused adam/{kind}": ("fused_adam", {"Params": _some(2, 3), "Grads": _some(2, 3), "LearningRate": f(0.1), "Moments1": _some(2, 3), "Moments2": abs(_some(2, 3)), "Beta1Pows": f(0.9), "Beta2Pows": f(0.999)}, ["ParamsOut", "Moments1Out", "Moments2Out", "Beta1PowsOut", "Beta2PowsOut"], {"weight_decay": 0.1, "use_adamw": kind == "adamw", "chunk_size": 32768})
        for kind in ("adam", "adamw")
    },
    **{
        f"slices/{chance}/{implementation}{'/test' * test}": ("dropout_nd", {"X": X}, ["Out", "Mask"], {"dropout_prob": chance, "is_test": test, "dropout_implementation": implementation, "axis": [1]}, ["Out", "Mask"][: 2 - test], None if test else "X")
        for chance, implementation, test in ((0.0, "upscale_in_train", False), (0.5, "upscale_in_train", True), (0.5, "downgrade_in_infer", True))
    },
    **{
        f"added/{'+'.join(functors)}": ("fused_elemwise_add_activation", {"X": X, "Y": f(1, -2, 0.5)}, ["Out", "IntermediateOut"], {"functor_list": functors, "axis": -1, "scale": 3.0, "save_intermediate_out": True}, None, "X Y")
        for functors in (["relu", "elementwise_add"], ["elementwise_add", "relu"], ["scale", "elementwise_add"], ["elementwise_add", "scale"], ["tanh", "elementwise_add"], ["gelu", "elementwise_add"], ["elementwise_add", "tanh"], ["elementwise_mul", "scale"])
    },
    **{f"copied/{kind}": (kind, {slot: X}, [out], attrs) for kind, slot, out, attrs in (("memcpy_h2d", "X", "Out", {"dst_place_type": 1}), ("memcpy_d2h", "X", "Out", {"dst_place_type": 0}), ("npu_identity", "x", "out", {"format": -1}))},
    "copied nowhere": ("memcpy_d2h", {"X": X}, ["Out"], {"dst_place_type": 5}),
    "shared": ("share_buffer", {"X": X}, ["Out", "XOut"], {"share_dims_and_dtype": [True]}, ["Out"]),
    "another type": ("transfer_dtype", {"X": X}, ["Out"], {"in_dtype": 5, "out_dtype": 6}),
    "counted": ("check_numerics", {"tensor": f(1, 0, -3, 0)}, ["stats", "values"], {"op_type": "relu", "var_name": "x"}),
})  # fmt: skip


def compute(base: Any, case: Case, mean: Any) -> Any:
    """What one operator gives, and the gradient of the mean of its first output."""
    kind, inputs, outputs, attrs, fetched, wanted = (*case, *(None,) * (6 - len(case)))
    program, wanted = base.Program(), (wanted or "").split()
    with base.program_guard(program, base.Program()), base.unique_name.guard():
        block, feed, slots = program.global_block(), {}, {}
        for slot, given in inputs.items():
            slots[slot] = []
            for i, value in enumerate(given if isinstance(given, list) else [given]):
                name = "%s_%d" % (slot, i)
                value, lengths = value if isinstance(value, tuple) else (value, None)
                level = int(lengths is not None)
                slots[slot].append(block.create_var(name=name, shape=value.shape, dtype=str(value.dtype), stop_gradient=slot not in wanted, lod_level=level))
                feed[name] = base.create_lod_tensor(value, [lengths], base.CPUPlace()) if level else value
        made = {slot: [block.create_var(name=slot, dtype="float32")] for slot in outputs}
        made.update((slot, made[slot] + [block.create_var(name=slot + "1", dtype="float32")]) for slot in made if slot == "ReluOut")
        names = list(fetched or outputs)
        try:
            block.append_op(type=kind, inputs=slots, outputs=made, attrs=dict(attrs))
            if wanted:
                loss = mean(block.var(outputs[0]) * block.var(outputs[0]))
                names += [gradient.name for gradient in base.gradients([loss], [block.var(slot + "_0") for slot in wanted])]
            values = base.Executor(base.CPUPlace()).run(program, feed=feed, fetch_list=names, return_numpy=False)
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
            return {"raises": "ValueError" if "ValueError" in kinds else kinds[0]}
        return {name: [np.array(value).tolist(), value.lod()] for name, value in zip(names, values)}


def cases(version: str) -> dict[str, Case]:
    """What a wheel is asked."""
    return dict(CASES, **(NEW if version == "2.6.2" else OLD))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each wheel."""

    def answers() -> Any:
        base, names = native_cases.spelling(version)
        return {case: compute(base, given, names["reduced"]) for case, given in cases(version).items()}

    return {"appended_operators_%s.json" % version: answers}
