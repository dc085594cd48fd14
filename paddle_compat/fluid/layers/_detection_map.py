"""`fluid.layers.detection.detection_map`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer, run


@layer
def detection_map(
    detect_res: Variable,
    label: Variable,
    class_num: int,
    background_label: int = 0,
    overlap_threshold: float = 0.3,
    evaluate_difficult: bool = True,
    has_state: Variable | None = None,
    input_states: Sequence[Variable] | None = None,
    out_states: Sequence[Variable] | None = None,
    ap_version: str = "integral",
) -> Variable:
    """The mean average precision of detections.

    Args:
        detect_res: [N, 6] with LoD: category, score and box of each detection.
        label: [M, 6] with LoD: category, whether it is difficult, and box; or [M, 5] without the second.
        class_num: how many categories there are.
        background_label: categories with so many boxes do not count.
        overlap_threshold: how far a detection must overlap a box to be a hit.
        evaluate_difficult: difficult boxes count.
        has_state: int32 [1]: whether the states hold earlier batches.
        input_states, out_states: count of boxes, hits and misses of the batches before, and of all.
        ap_version: "integral" or "11point".
    Returns:
        Variable float32 [1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     found, there = (fluid.data(name, [None, 6], lod_level=1) for name in ("found", "there"))
        ...     fluid.layers.detection.detection_map(found, there, class_num=21).shape
        (1,)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("detection_map")
    dtypes = {"MAP": "float32", "AccumPosCount": "int32", "AccumTruePos": "float32", "AccumFalsePos": "float32"}
    outputs: dict[str, Any] = {}
    for slot, dtype in dtypes.items():
        if slot == "MAP" or out_states is None:
            outputs[slot] = helper.create_variable_for_type_inference(dtype)
    outputs.update(zip(("AccumPosCount", "AccumTruePos", "AccumFalsePos"), out_states or ()))
    return run(
        "detection_map", detect_res, label, has_state, *(input_states or (None, None, None)), helper=helper, outputs=outputs,
        class_num=class_num, background_label=background_label, overlap_threshold=overlap_threshold,
        evaluate_difficult=evaluate_difficult, ap_type=ap_version,
    )[3]  # fmt: skip


__all__ = ["detection_map"]
