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
Case = tuple  # type, inputs, outputs, attributes, what is fetched, differentiated input

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
    "pooled": ("fused_embedding_seq_pool", {"W": TABLE, "Ids": IDS[:, :1].copy()}, ["Out"], {"combiner": "sum"}, None, "W", [[1, 3]]),
    "pooled/padding": ("fused_embedding_seq_pool", {"W": TABLE, "Ids": IDS[:, :1].copy()}, ["Out"], {"combiner": "sum", "padding_idx": 3}, None, None, [[3, 1]]),
    **{
        f"backwards/{end}": ("strided_slice", {"Input": X}, ["Out"], {"axes": [1], "starts": [-1], "ends": [end], "strides": [-1], "infer_flags": [1]})
        for end in (-1, -2, -3, -9)
    },
}  # fmt: skip

NEW: dict[str, Case] = {
    "both/abs_max": ("fake_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}, None, "X"),
    "both/gradient": ("fake_quantize_dequantize_moving_average_abs_max", _STATE, _KEPT, {}, None, "X"),
    "both/channels": ("fake_channel_wise_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4}, None, "X"),
    "both/columns": ("fake_channel_wise_quantize_dequantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4, "quant_axis": 1}),
    "channels/columns": ("fake_channel_wise_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 4, "quant_axis": 1}),
    "dequantize columns": ("fake_channel_wise_dequantize_max_abs", {"X": X, "Scales": [f(3, 2, 1)]}, ["Out"], {"quant_bits": [8], "quant_axis": 1}),
    "scale/gradient": ("moving_average_abs_max_scale", {n: v for n, v in _STATE.items() if n != "InScale"}, _KEPT, {}, ["Out"], "X"),
}  # fmt: skip


def compute(base: Any, case: Case, mean: Any) -> Any:
    """What one operator gives, and the gradient of the mean of its first output."""
    kind, inputs, outputs, attrs, fetched, wanted, lengths = (*case, *(None,) * (7 - len(case)))
    program = base.Program()
    with base.program_guard(program, base.Program()), base.unique_name.guard():
        block, feed, slots = program.global_block(), {}, {}
        for slot, given in inputs.items():
            slots[slot] = []
            for i, value in enumerate(given if isinstance(given, list) else [given]):
                name = "%s_%d" % (slot, i)
                level = int(slot == "Ids" and lengths is not None)
                slots[slot].append(block.create_var(name=name, shape=value.shape, dtype=str(value.dtype), stop_gradient=slot != wanted, lod_level=level))
                feed[name] = base.create_lod_tensor(value, lengths, base.CPUPlace()) if level else value
        made = {slot: [block.create_var(name=slot, dtype="float32")] for slot in outputs}
        names = list(fetched or outputs)
        try:
            block.append_op(type=kind, inputs=slots, outputs=made, attrs=dict(attrs))
            if wanted is not None:
                loss = mean(block.var(outputs[0]) * block.var(outputs[0]))
                (gradient,) = base.gradients([loss], [block.var(wanted + "_0")])
                names.append(gradient.name)
            values = base.Executor(base.CPUPlace()).run(program, feed=feed, fetch_list=names, return_numpy=False)
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
            return {"raises": "ValueError" if "ValueError" in kinds else kinds[0]}
        return {name: [np.array(value).tolist(), value.lod()] for name, value in zip(names, values)}


def cases(version: str) -> dict[str, Case]:
    """What a wheel is asked."""
    return dict(CASES, **(NEW if version == "2.6.2" else {}))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each wheel."""

    def answers() -> Any:
        base, names = native_cases.spelling(version)
        return {case: compute(base, given, names["reduced"]) for case, given in cases(version).items()}

    return {"appended_operators_%s.json" % version: answers}
