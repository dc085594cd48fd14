"""`paddle.fluid.evaluator`: metrics as a part of a network, which add up in the Scope. `fluid.metrics` took their place."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import _detection_metric, layers
from paddle_compat.fluid.framework import program_guard
from paddle_compat.fluid.layer_helper import LayerHelper

L: Any = layers


def _out_of_date(name: str) -> None:
    warnings.warn(f"`fluid.evaluator.{name}` is out of date; use `fluid.metrics.{name}`.", Warning, stacklevel=3)


class Evaluator:
    """Base of the evaluators: variables in the Scope that batches add to.

    Args:
        name: prefix of their names.
        kwargs: go to the LayerHelper.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.evaluator.Evaluator("mine").states
        []

    Follows Paddle 1.8.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        if type(self) is Evaluator:
            warnings.warn(f"`fluid.evaluator.{name}` is out of date; use `fluid.metrics`.", Warning, stacklevel=2)
        self.states: list[Variable] = []
        self.metrics: list[Variable] = []
        self.helper = LayerHelper(name, **kwargs)

    def reset(self, executor: Any, reset_program: Program | None = None) -> None:
        """Set the sums to 0.

        Args:
            executor: runs what sets them.
            reset_program: takes the operators; None: a Program of its own.
        """
        program = Program() if reset_program is None else reset_program
        with program_guard(program):
            for state in self.states:
                L.fill_constant(shape=list(state.shape), value=0.0, dtype=state.dtype, out=_twin(program, state))
        executor.run(program)

    def eval(self, executor: Any, eval_program: Program | None = None) -> Any:
        """The value so far.

        Args:
            executor: reads the sums.
            eval_program: reads them in; None: a Program of its own.
        Returns:
            Numbers, as arrays.
        Raises:
            UnimplementedError: the subclass does not define it.

        Example:
            >>> import warnings, paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()), warnings.catch_warnings():
            ...     warnings.simplefilter("ignore")
            ...     fluid.evaluator.Evaluator("mine").eval(None)
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnimplementedError: `Evaluator` defines no `eval`.
        """
        raise UnimplementedError(f"`{type(self).__name__}` defines no `eval`.")

    def _create_state(self, suffix: str, dtype: Any, shape: list[int]) -> Variable:
        name = "_".join([unique_name.generate(self.helper.name), suffix])
        state: Variable = self.helper.create_variable(name=name, persistable=True, dtype=dtype, shape=shape)
        self.states.append(state)
        return state


def _twin(program: Program, var: Variable) -> Variable:
    """The variable, as another Program has it."""
    return program.current_block()._clone_variable(var)


class ChunkEvaluator(Evaluator):
    """Precision, recall and F1 of chunks over all batches since `reset`.

    Args:
        input, label: int64 tags, sequences with LoD.
        chunk_scheme: "IOB", "IOE", "IOBES" or "plain".
        num_chunk_types: how many kinds of chunks.
        excluded_chunk_types: kinds that do not count.

    Example:
        >>> import warnings, numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup), warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     x, y = (fluid.data(name, [None, 1], "int64", lod_level=1) for name in "xy")
        ...     evaluator = fluid.evaluator.ChunkEvaluator(x, y, "IOB", 3)
        >>> exe, tags = fluid.Executor(fluid.CPUPlace()), fluid.create_lod_tensor([[0, 1]], [[2]], fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> evaluator.reset(exe)
        >>> _ = exe.run(main, feed={"x": tags, "y": tags})
        >>> precision, recall, f1 = evaluator.eval(exe)
        >>> precision.tolist()
        [1.0]

    Follows Paddle 1.8.
    """

    def __init__(
        self, input: Variable, label: Variable, chunk_scheme: str, num_chunk_types: int, excluded_chunk_types: list[int] | None = None
    ) -> None:
        _out_of_date("ChunkEvaluator")
        super().__init__("chunk_eval")
        kinds = ("infer", "label", "correct")
        sums = [self._create_state(f"num_{kind}_chunks", "int64", [1]) for kind in kinds]
        self.num_infer_chunks, self.num_label_chunks, self.num_correct_chunks = sums
        *self.metrics, found, there, right = L.chunk_eval(
            input=input, label=label, chunk_scheme=chunk_scheme, num_chunk_types=num_chunk_types, excluded_chunk_types=excluded_chunk_types
        )
        for total, count in zip(sums, (found, there, right)):
            L.sums(input=[total, count], out=total)

    def eval(self, executor: Any, eval_program: Program | None = None) -> Any:
        """Precision, recall and F1 so far.

        Args:
            executor: reads the sums.
            eval_program: reads them in; None: a Program of its own.
        Returns:
            Three arrays of one number.
        """
        found, there, right = _values(self, executor, eval_program)
        precision = right / found if found else right * 0
        recall = right / there if there else right * 0
        f1 = 2 * precision * recall / (precision + recall) if right else right * 0
        return tuple(value.astype("float32") for value in (precision, recall, f1))


def _values(evaluator: Evaluator, executor: Any, eval_program: Program | None) -> Any:
    program = Program() if eval_program is None else eval_program
    with program_guard(program):
        return executor.run(program, fetch_list=[_twin(program, state) for state in evaluator.states])


class EditDistance(Evaluator):
    """The mean edit distance, as a share of the label's length, and the share of sequences with one, over all batches since `reset`.

    Args:
        input, label: int64, sequences with LoD.
        ignored_tokens: ids that do not count.
        kwargs: go to the LayerHelper.

    Example:
        >>> import warnings, numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup), warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     x, y = (fluid.data(name, [None, 1], "int64", lod_level=1) for name in "xy")
        ...     evaluator = fluid.evaluator.EditDistance(x, y)
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> evaluator.reset(exe)
        >>> words = fluid.create_lod_tensor([[1, 2]], [[2]], fluid.CPUPlace())
        >>> other = fluid.create_lod_tensor([[1, 3]], [[2]], fluid.CPUPlace())
        >>> _ = exe.run(main, feed={"x": words, "y": other})
        >>> distance, share = evaluator.eval(exe)
        >>> distance.tolist(), share.tolist()
        ([0.5], [1.0])

    Follows Paddle 1.8.
    """

    def __init__(self, input: Variable, label: Variable, ignored_tokens: list[int] | None = None, **kwargs: Any) -> None:
        _out_of_date("EditDistance")
        super().__init__("edit_distance", **kwargs)
        self.total_distance = self._create_state("total_distance", "float32", [1])
        self.seq_num = self._create_state("seq_num", "int64", [1])
        self.instance_error = self._create_state("instance_error", "int64", [1])
        distances, count = L.edit_distance(input=input, label=label, ignored_tokens=ignored_tokens)
        right = L.reduce_sum(L.cast(L.equal(distances, L.fill_constant([1], "float32", 0.0)), "int64"))
        wrong = L.elementwise_sub(count, right)
        distance = L.reduce_sum(distances)
        for total, value in ((self.total_distance, distance), (self.seq_num, count), (self.instance_error, wrong)):
            L.sums(input=[total, value], out=total)
        self.metrics = [distance, wrong]

    def eval(self, executor: Any, eval_program: Program | None = None) -> Any:
        """The mean distance and the share so far.

        Args:
            executor: reads the sums.
            eval_program: reads them in; None: a Program of its own.
        Returns:
            Two arrays of one number.
        """
        distance, count, wrong = _values(self, executor, eval_program)
        return distance / count.astype("float32"), wrong.astype("float32") / count.astype("float32")


class DetectionMAP(_detection_metric.DetectionMAP, Evaluator):
    """As `fluid.metrics.DetectionMAP`.

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
        >>> import warnings, paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     found, label, box = (fluid.data(n, [None, w], lod_level=1) for n, w in (("found", 6), ("label", 1), ("box", 4)))
        ...     len(fluid.evaluator.DetectionMAP(found, label, box, class_num=21).get_map_var())
        2

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
        _out_of_date("DetectionMAP")
        _detection_metric.DetectionMAP.__init__(
            self, input, gt_label, gt_box, gt_difficult, class_num, background_label, overlap_threshold, evaluate_difficult, ap_version
        )
        self.states, self.metrics = self._sums, [self.cur_map, self.accum_map]


__all__ = ["ChunkEvaluator", "DetectionMAP", "EditDistance"]

__getattr__ = missing(__name__)
