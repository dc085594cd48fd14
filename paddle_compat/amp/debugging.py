"""`paddle.amp.debugging`: where numbers stop being finite, and in which precision operators compute."""

from __future__ import annotations

import functools
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.amp._comparison import WIDTHS, lines_of, table
from paddle_compat.amp._worksheets import write_tables
from paddle_compat.core import eager, finite
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import PreconditionNotMetError, failed_assertion, invalid_argument
from paddle_compat.core.finite import SHORT, tensors
from paddle_compat.core.random import default_generator
from paddle_compat.core.tensor import Tensor

__all__ = [
    "DebugMode", "TensorCheckerConfig", "check_layer_numerics", "check_numerics", "collect_operator_stats", "compare_accuracy",
    "disable_operator_stats_collection", "disable_tensor_checker", "enable_operator_stats_collection", "enable_tensor_checker",
]  # fmt: skip


class DebugMode(Enum):
    """What a check of numbers prints, and whether it raises.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.DebugMode.CHECK_NAN_INF.value
        1

    Follows Paddle 2.6.
    """

    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3


def check_numerics(
    tensor: Any, op_type: str, var_name: str, debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT
) -> tuple[Tensor, Tensor]:
    """Count the NaN, infinities and zeros of a tensor, and print a line where there is something to tell.

    Args:
        tensor (Tensor): floating numbers.
        op_type (str): said in the line.
        var_name (str): said in the line.
        debug_mode (DebugMode): when a line is printed, and whether a number that is not finite raises.
    Returns:
        tuple: counts of NaN, infinities and zeros; largest, smallest and mean number.
    Raises:
        ValueError: tensor or debug_mode is none.
        RuntimeError: a number is not finite and the mode says so, or they are no floating numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> counts, numbers = paddle.amp.debugging.check_numerics(paddle.to_tensor([0.0, 2.0]), "relu", "x")
        >>> counts.tolist(), numbers.tolist()
        ([0, 0, 1], [2.0, 0.0, 1.0])

    Follows Paddle 2.6.
    """
    if not isinstance(tensor, Tensor):
        raise invalid_argument("tensor", "a Tensor", type(tensor).__name__, "check_numerics")
    if not tensor._t.is_floating_point():
        raise PreconditionNotMetError(
            f"Invalid data type of argument `tensor` of `check_numerics`. Expected float16, bfloat16, float32 or float64. "
            f"Received: {dtype_name(tensor.dtype)}"
        )
    if not isinstance(debug_mode, DebugMode):
        raise invalid_argument("debug_mode", "a DebugMode", debug_mode, "check_numerics")
    counts, numbers = finite.describe(tensor._t, op_type, var_name, debug_mode.value)
    return Tensor(torch.tensor(counts)), Tensor(torch.tensor(numbers, dtype=torch.float32))


# ---- what operators compute in
_calls: dict[str, Counter[str]] = {}  # of the counting that goes on, or of the last one
_counting = False
_COUNTED_AS = {"cast": "transfer_dtype"}


def _watch_all(type_: str, args: list[Any], out: Any) -> None:
    """See an operator: count it, or check what it gave, and its gradients when they come."""
    if _counting:
        type_ = _COUNTED_AS.get(type_, type_)
        kind = next((SHORT.get(t.dtype, "other") for t in (*tensors(args), *tensors([out])) if t.is_floating_point()), "other")
        _calls.setdefault(type_, Counter())[kind] += 1
    if _checker is not None:
        _checker._look(type_, *tensors([out]))
        finite.watch_gradients(args, out, functools.partial(_checker._look, f"{type_}_grad"))


def _watch_or_not() -> None:
    eager.set_watch(_watch_all if _counting or _checker is not None else None)


def enable_operator_stats_collection() -> None:
    """Begin to count operators by the precision that they compute in.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.enable_operator_stats_collection()
        >>> _ = paddle.ones([2]) + paddle.ones([2])
        >>> paddle.amp.debugging.disable_operator_stats_collection()  # doctest: +ELLIPSIS
        <------...
        ...elementwise_add ...
        ...

    Follows Paddle 2.6.
    """
    global _counting
    _calls.clear()
    _counting = True
    _watch_or_not()


def disable_operator_stats_collection() -> None:
    """End the counting, and print the table.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.enable_operator_stats_collection()
        >>> paddle.amp.debugging.disable_operator_stats_collection()  # doctest: +ELLIPSIS
        <------...
        ... op count: 0 ...
        <BLANKLINE>

    Follows Paddle 2.6.
    """
    global _counting
    counted, _counting = _counting, False
    _watch_or_not()
    if not counted:
        return
    print_calls({name: _row(name) for name in _calls})


def print_calls(calls: Mapping[str, Sequence[int]]) -> None:
    """Print a table of operators.

    Args:
        calls (dict): type of operator -> how often it computes in float16, bfloat16, float32 and other types.

    Example:
        >>> from paddle_compat.amp.debugging import print_calls
        >>> print_calls({"relu": (0, 0, 1, 0)})  # doctest: +ELLIPSIS
        <------...
        ...relu ...
        <------... op count: 1 ...
        <BLANKLINE>

    Follows Paddle 2.6.
    """
    print(f"<{' op list ':-^120}>")
    heads = (" FP16 Calls ", " BF16 Calls ", " FP32 Calls", " Other Calls ")
    print(f"<{' Op Name ':-^40} | " + " | ".join(f"{head:-^17}" for head in heads) + ">")
    for name in sorted(calls):
        print(f"  {name:<40}|" + "|".join(f"  {number:<17}" for number in calls[name]))
    print(f"<{f' op count: {len(calls)} ':-^120}>\n")


def _row(type_: str) -> tuple[int, int, int, int]:
    count = _calls[type_]
    return count["fp16"], count["bf16"], count["fp32"], count["fp64"] + count["other"]


def get_low_precision_op_list() -> dict[str, str]:
    """How often operators ran, of the counting that goes on or of the last one.

    Returns:
        dict: type of operator -> numbers of calls in float16, bfloat16, float32 and other types, with commas.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.enable_operator_stats_collection()
        >>> _ = paddle.ones([2]) + paddle.ones([2])
        >>> paddle.base.core.get_low_precision_op_list()["elementwise_add"]
        '0,0,1,0'
        >>> paddle.base.core.clear_low_precision_op_list()
        >>> paddle.amp.debugging.disable_operator_stats_collection()  # doctest: +ELLIPSIS
        <------...
        ... op count: 0 ...
        <BLANKLINE>

    Follows Paddle 2.6.
    """
    return {name: ",".join(map(str, _row(name))) for name in sorted(_calls)}


def clear_low_precision_op_list() -> None:
    """Forget how often operators ran.

    Example:
        >>> from paddle_compat.base import core
        >>> core.clear_low_precision_op_list(); core.get_low_precision_op_list()
        {}

    Follows Paddle 2.6.
    """
    _calls.clear()


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Inside the block, operators are counted; the table is printed at its end.

    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.amp.debugging.collect_operator_stats():  # doctest: +ELLIPSIS
        ...     _ = paddle.ones([2]) * 3.0
        <------...

    Follows Paddle 2.6.
    """
    enable_operator_stats_collection()
    try:
        yield
    finally:
        disable_operator_stats_collection()


# ---- where numbers stop being finite
_lists: dict[str, Any] = {"checked_op_list": None, "skipped_op_list": None}  # where a configuration has none


def _check_list(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, (list, tuple)):
        raise ValueError(f"{name} must be list or tuple. Received: {value!r}")


def _remember(name: str, value: Any) -> None:
    _check_list(name, value)
    if value is not None:
        _lists[name] = list(value)


def set_checked_op_list(checked_op_list: Any) -> None:
    """Check these types of operators alone, where a TensorCheckerConfig names none.

    Args:
        checked_op_list (list|tuple|None): types of operators; None changes nothing.
    Raises:
        ValueError: it is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.set_checked_op_list([])

    Follows Paddle 2.6.
    """
    _remember("checked_op_list", checked_op_list)


def set_skipped_op_list(skipped_op_list: Any) -> None:
    """Do not check these types of operators, where a TensorCheckerConfig names none.

    Args:
        skipped_op_list (list|tuple|None): types of operators; None changes nothing.
    Raises:
        ValueError: it is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.set_skipped_op_list([])

    Follows Paddle 2.6.
    """
    _remember("skipped_op_list", skipped_op_list)


class TensorCheckerConfig:
    """How operators' results are checked.

    Args:
        enable (bool): whether to.
        debug_mode (DebugMode): what is printed, and whether it raises.
        output_dir (str|None): whose file `worker_DEVICE` gets the lines; None: they are printed.
        checked_op_list (list|tuple|None): types of operators that are checked, `TYPE_grad` of those whose gradients are; None: all.
        skipped_op_list (list|tuple|None): types that are not.
        debug_step (list|tuple|None): first step, and the one after the last; None: all.
        stack_height_limit (int): kept.
    Raises:
        ValueError: a list, debug_mode or, when the checks begin, stack_height_limit is none.
        TypeError: a list holds something else than types, or, when the checks begin, output_dir is none.
        AssertionError: debug_step is not two numbers, the smaller first.

    Example:
        >>> import paddle_compat as paddle
        >>> debugging = paddle.amp.debugging
        >>> config = debugging.TensorCheckerConfig(False, debugging.DebugMode.CHECK_NAN_INF)
        >>> config.update_and_check_step_id(), config.start_check_nan_inf(), config.stop_check_nan_inf()
        (False, None, None)

    Follows Paddle 2.6.
    """

    current_step_id = 0  # of the present step; all configurations share it

    def __init__(
        self,
        enable: bool,
        debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
        output_dir: str | None = None,
        checked_op_list: Any = None,
        skipped_op_list: Any = None,
        debug_step: Any = None,
        stack_height_limit: int = 1,
    ) -> None:
        self.enable, self.debug_mode = enable, debug_mode
        self.output_dir, self.stack_height_limit = output_dir, stack_height_limit
        self.checked_op_list, self.skipped_op_list, self.debug_step = checked_op_list, skipped_op_list, debug_step
        self.start_step = self.end_step = None
        for name, value in (("debug_step", debug_step), ("checked_op_list", checked_op_list), ("skipped_op_list", skipped_op_list)):
            _check_list(name, value)
        if debug_step is not None:
            if len(debug_step) != 2 or not debug_step[0] < debug_step[1]:
                raise AssertionError(
                    f"Invalid value for argument `debug_step`. Expected two steps, the first first. Received: {debug_step}"
                )
            self.start_step, self.end_step = debug_step
        if not isinstance(debug_mode, DebugMode):
            raise invalid_argument("debug_mode", "a DebugMode", debug_mode, "TensorCheckerConfig")
        for name in (*(checked_op_list or ()), *(skipped_op_list or ())):
            if not isinstance(name, str):
                raise TypeError(f"Invalid type for argument `checked_op_list` or `skipped_op_list`. Expected names. Received: {name!r}")
        self.initial_seed = self.seed = 123
        if enable:
            self.initial_seed = default_generator().initial_seed()
            self.seed = self.initial_seed if self.initial_seed <= np.iinfo(np.uint32).max else 123
            self._fix_seeds()

    def _fix_seeds(self) -> None:
        from paddle_compat.framework.random import seed

        seed(self.seed)
        np.random.seed(self.seed)
        random.seed(self.seed)
        print("AMP Debugging TensorCheckerConfig: seed ", self.seed)
        print("AMP Debugging TensorCheckerConfig: FLAGS_cpu_deterministic is ", self.enable)

    def _look(self, type_: str, *values: Any) -> None:
        checked = self.checked_op_list or _lists["checked_op_list"]
        skipped = self.skipped_op_list or _lists["skipped_op_list"]
        if (not checked or type_ in checked) and type_ not in (skipped or ()):
            for value in values:
                if value.is_floating_point() and value.dtype in SHORT:
                    finite.describe(value, type_, "", self.debug_mode.value, self.output_dir)

    def update_and_check_step_id(self) -> bool:
        """Whether the present step is checked; the next one begins.

        Returns:
            bool.
        """
        if not self.enable:
            return False
        if self.start_step is not None and self.end_step is not None:
            present = TensorCheckerConfig.current_step_id
            TensorCheckerConfig.current_step_id += 1
            return bool(self.start_step <= present < self.end_step)
        return True

    def start_check_nan_inf(self) -> None:
        """Check every operator from now on.

        Raises:
            ValueError: stack_height_limit is no number.
            TypeError: output_dir is no path.
        """
        global _checker
        if self.enable:
            if not isinstance(self.stack_height_limit, int):
                raise ValueError(f"stack_height_limit must be int. Received: {self.stack_height_limit!r}")
            if not isinstance(self.output_dir, (str, type(None))):
                raise TypeError(f"Invalid type for argument `output_dir`. Expected a folder's path. Received: {self.output_dir!r}")
            _checker = self
            _watch_or_not()

    def stop_check_nan_inf(self) -> None:
        """Check no operator from now on."""
        disable_tensor_checker()


_checker: TensorCheckerConfig | None = None


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Check the results of operators, call it at the beginning of each step.

    Args:
        checker_config (TensorCheckerConfig): how.

    Example:
        >>> import paddle_compat as paddle
        >>> debugging = paddle.amp.debugging
        >>> config = debugging.TensorCheckerConfig(True, debugging.DebugMode.CHECK_NAN_INF)  # doctest: +ELLIPSIS
        AMP Debugging...
        >>> debugging.enable_tensor_checker(config)
        >>> _ = paddle.ones([1]) / paddle.zeros([1])  # doctest: +ELLIPSIS
        [PRECISION] [ERROR] in [device=cpu, op=elementwise_div, ...
        >>> debugging.disable_tensor_checker()

    Follows Paddle 2.6.
    """
    if checker_config.update_and_check_step_id():
        checker_config.start_check_nan_inf()
    else:
        checker_config.stop_check_nan_inf()


def disable_tensor_checker() -> None:
    """Check no operator any more.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.debugging.disable_tensor_checker()

    Follows Paddle 2.6.
    """
    global _checker
    _checker = None
    _watch_or_not()


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a layer's `forward` so that its input and its operators are checked; gradients flow into the input then.

    Args:
        func (callable): the `forward`.
    Returns:
        callable: raises RuntimeError where a number is not finite.
    Raises:
        RuntimeError: when called without a Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> class Half(paddle.nn.Layer):
        ...     @paddle.amp.debugging.check_layer_numerics
        ...     def forward(self, x):
        ...         return x / 2.0
        >>> Half()(paddle.ones([1])).tolist()
        [0.5]

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        global _checker
        if not args:
            raise RuntimeError("No elements found in args.")
        if not isinstance(args[0], Tensor):
            raise RuntimeError(f"First input of this layer must be tensor. Received: {type(args[0]).__name__}")
        args[0].stop_gradient = False  # and stays so, as in Paddle
        if args[0]._t.is_floating_point():
            finite.describe(args[0]._t, "enable_check_model_nan_inf", "", finite.ABORT)
        former, _checker = _checker, _EVERYTHING
        _watch_or_not()
        try:
            return func(self, *args, **kwargs)
        finally:
            _checker = former
            _watch_or_not()

    return checked


_EVERYTHING = TensorCheckerConfig(False)


def compare_accuracy(
    dump_path: str, another_dump_path: str, output_filename: str, loss_scale: float = 1, dump_all_tensors: bool = False
) -> None:
    """Put what two runs wrote to their `output_dir` side by side: a table for each device, what half precision does not hold in red.

    Args:
        dump_path (str): `output_dir` of the run in full precision.
        another_dump_path (str): that of the run in half precision.
        output_filename (str): the `.xlsx` file to write.
        loss_scale (float): what the loss was multiplied by in half precision.
        dump_all_tensors (bool): False, as files of tensors cannot be compared.
    Raises:
        AssertionError: dump_all_tensors is True, or the runs did not do the same.
        FileNotFoundError: dump_path does not exist.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> debugging, folder = paddle.amp.debugging, tempfile.mkdtemp()
        >>> for dtype in ("float32", "float16"):
        ...     lines = os.path.join(folder, dtype)
        ...     config = debugging.TensorCheckerConfig(True, debugging.DebugMode.CHECK_ALL, lines)  # doctest: +ELLIPSIS
        ...     debugging.enable_tensor_checker(config)
        ...     _ = paddle.full([2], 300.0, dtype) * 300.0
        ...     debugging.disable_tensor_checker()
        AMP Debugging...
        >>> both = (os.path.join(folder, "float32"), os.path.join(folder, "float16"))
        >>> debugging.compare_accuracy(*both, os.path.join(folder, "both.xlsx"))  # doctest: +ELLIPSIS
        -- OP Types produce infinite outputs: ['scale']
        -- Write to ...both.xlsx

    Follows Paddle 2.6.
    """
    if dump_all_tensors:
        raise failed_assertion("dump_all_tensors", "False: files of tensors cannot be compared", dump_all_tensors, "compare_accuracy")
    tables = {}
    for name in sorted(name for name in os.listdir(dump_path) if "worker_" in name):
        full, half = (lines_of(os.path.join(folder, name)) for folder in (dump_path, another_dump_path))
        tables[name], failing = table(full, half, loss_scale)
        print(f"-- OP Types produce infinite outputs: {failing}")
    write_tables(output_filename, tables, WIDTHS)
    print(f"-- Write to {output_filename}")


__getattr__ = missing(__name__)
