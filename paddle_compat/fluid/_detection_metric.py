"""The mean average precision as a part of a network, with what it adds up between batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import unique_name
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers
from paddle_compat.fluid.framework import program_guard
from paddle_compat.fluid.initializer import ConstantInitializer, NumpyArrayInitializer
from paddle_compat.fluid.layer_helper import LayerHelper

L: Any = layers


class DetectionMAP:
    """The mean average precision of detections, of each batch and of all batches since `reset`.

    Args:
        input: [N, 6] with LoD: category, score and box of each detection.
        gt_label: [M, 1] with LoD: categories of the boxes that are there.
        gt_box: [M, 4] with LoD.
        gt_difficult: [M, 1] with LoD, or None: whether a box is difficult.
        class_num: how many categories there are.
        background_label: categories with so many boxes do not count.
        overlap_threshold: how far a detection must overlap a box to be a hit.
        evaluate_difficult: difficult boxes count.
        ap_version: "integral" or "11point".

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     found, label, box = (fluid.data(n, [None, w], lod_level=1) for n, w in (("found", 6), ("label", 1), ("box", 4)))
        ...     metric = fluid.metrics.DetectionMAP(found, label, box, class_num=3)
        ...     batch, all_batches = metric.get_map_var()
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> metric.reset(exe)
        >>> rows = {"found": [1, 0.9, 0.1, 0.1, 0.5, 0.5], "label": [1], "box": [0.1, 0.1, 0.5, 0.5]}
        >>> feed = {n: fluid.create_lod_tensor(np.array([row], "float32"), [[1]], fluid.CPUPlace()) for n, row in rows.items()}
        >>> exe.run(main, feed=feed, fetch_list=[all_batches])[0].tolist()
        [1.0]
        >>> batch.shape, all_batches.shape
        ((1,), (1,))

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        input: Variable,
        gt_label: Variable,
        gt_box: Variable,
        gt_difficult: Variable | None = None,
        class_num: int | None = None,
        background_label: int = 0,
        overlap_threshold: float = 0.5,
        evaluate_difficult: bool = True,
        ap_version: str = "integral",
    ) -> None:
        if class_num is None:
            raise ValueError("Invalid value for argument `class_num` of `DetectionMAP`. Expected a number. Received: None")
        self.helper = LayerHelper("map_eval")
        parts = [L.cast(x=gt_label, dtype=gt_box.dtype)]
        if gt_difficult is not None:
            parts.append(L.cast(x=gt_difficult, dtype=gt_box.dtype))
        label = L.concat([*parts, gt_box], axis=1)
        options = {
            "class_num": class_num, "background_label": background_label, "overlap_threshold": overlap_threshold,
            "evaluate_difficult": evaluate_difficult, "ap_version": ap_version,
        }  # fmt: skip
        self.cur_map = L.detection.detection_map(input, label, **options)
        count = self._state("int32", [class_num, 1], "accum_pos_count")
        hits, misses = (self._state("float32", [1, 2], f"accum_{kind}_pos") for kind in ("true", "false"))
        self._sums = [count, hits, misses]
        self.has_state = self._state("int32", [1], "has_state")
        # where the hits of each category begin: a state has no LoD, so it is kept beside them
        begins = self._state("int32", [class_num + 1], "accum_begins", np.array([0] + [1] * class_num, "int32"))
        states = [count, L.lod_reset(hits, y=begins), L.lod_reset(misses, y=begins)]
        results = [count, *(self.helper.create_variable_for_type_inference("float32") for _ in range(2))]
        self.accum_map = L.detection.detection_map(
            input, label, has_state=self.has_state, input_states=states, out_states=results, **options
        )
        sizes = L.sequence_pool(L.scale(results[1], scale=0.0, bias=1.0), "sum")
        lengths = L.reshape(L.slice(sizes, axes=[1], starts=[0], ends=[1]), [class_num])
        ends = L.cumsum(L.concat([L.fill_constant([1], "float32", 0.0), lengths], axis=0))
        L.assign(L.cast(ends, "int32"), begins)
        L.assign(results[1], hits)
        L.assign(results[2], misses)
        L.fill_constant(shape=[1], value=1, dtype="int32", out=self.has_state)

    def _state(self, dtype: str, shape: list[int], kind: str, start: Any = None) -> Variable:
        """A variable that lives between batches."""
        name = "_".join([unique_name.generate(self.helper.name), kind])
        state: Variable = self.helper.create_global_variable(persistable=True, name=name, dtype=dtype, shape=shape)
        initializer = ConstantInitializer(0.0) if start is None else NumpyArrayInitializer(start)
        self.helper.set_variable_initializer(state, initializer)
        state.stop_gradient = True
        return state

    def get_map_var(self) -> tuple[Variable, Variable]:
        """The mean average precision of the batch, and that of all batches since `reset`.

        Returns:
            Two Variables of shape (1,).
        """
        return self.cur_map, self.accum_map

    def reset(self, executor: Any, reset_program: Program | None = None) -> None:
        """Start anew.

        Args:
            executor: runs what sets the state.
            reset_program: takes the operators; None: a Program of its own.
        """
        program = Program() if reset_program is None else reset_program
        with program_guard(program):
            block = program.global_block()
            state = block._add_var(name=self.has_state.name, shape=[1], dtype="int32", persistable=True)
            L.fill_constant(shape=[1], value=0, dtype="int32", out=state)
        executor.run(program)
