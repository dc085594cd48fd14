"""Switches and questions of `paddle.base.core` that 1.8 does not have."""

from __future__ import annotations

import os
from importlib import import_module

import torch

from paddle_compat.core.attributes import attr_kind
from paddle_compat.core.composition import GRADIENT, blacklist, prim_config
from paddle_compat.core.errors import type_error
from paddle_compat.static import native
from paddle_compat.static._native_builds import supports_bfloat16

_in_primitives = False


def set_prim_eager_enabled(value: bool) -> None:
    """Note that operators of eager mode are to be differentiated in primitives; torch does that itself where it is of use.

    Args:
        value (bool): on or off.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_prim_eager_enabled(True); core._is_eager_prim_enabled()
        True
        >>> core.set_prim_eager_enabled(False)

    Follows Paddle 2.6.
    """
    global _in_primitives
    _in_primitives = bool(value)


def _is_eager_prim_enabled() -> bool:
    """What `set_prim_eager_enabled` was told last.

    Returns:
        bool: False at the start.

    Example:
        >>> from paddle_compat.base import core
        >>> core._is_eager_prim_enabled()
        False

    Follows Paddle 2.6.
    """
    return _in_primitives


def check_and_set_prim_all_enabled() -> None:
    """Switch as FLAGS_prim_all in the environment says, or else as FLAGS_prim_forward and FLAGS_prim_backward do.

    Raises:
        TypeError: the flag says neither yes nor no.

    Example:
        >>> from paddle_compat.base import core
        >>> core.check_and_set_prim_all_enabled(); core._is_all_prim_enabled()
        False

    Follows Paddle 2.6.
    """
    switches = {
        "FLAGS_prim_all": native._set_prim_all_enabled,
        "FLAGS_prim_backward": native._set_prim_backward_enabled,
        "FLAGS_prim_forward": native._set_prim_forward_enabled,
    }
    for flag, switch in switches.items():
        given = os.environ.get(flag)
        if given is not None and given.lower() not in ("true", "false"):
            raise TypeError(f"Invalid value for the environment variable {flag}. Expected true or false. Received: {given!r}")
        if given is not None:
            switch(given.lower() == "true")
        if given is not None and flag == "FLAGS_prim_all":
            return


def _set_prim_forward_blacklist(*args: str) -> None:
    """Note operators that are not to be taken apart into primitives, beside those noted before.

    Args:
        args (str): their types.
    Raises:
        TypeError: an argument is no str.

    Example:
        >>> from paddle_compat.base import core
        >>> core._set_prim_forward_blacklist("softmax"); sorted(core.prim_config["forward_blacklist"])
        ['softmax']
        >>> core.prim_config["forward_blacklist"].clear()

    Follows Paddle 2.6.
    """
    prim_config["forward_blacklist"].update(map(_type_of_operator, args))


def _set_prim_backward_blacklist(*args: str) -> None:
    """Note operators whose gradients are not to be taken apart into primitives, beside those noted before.

    Args:
        args (str): their types.
    Raises:
        TypeError: an argument is no str.

    Example:
        >>> from paddle_compat.base import core
        >>> core._set_prim_backward_blacklist("softmax")
        >>> core._remove_skip_comp_ops("softmax")

    Follows Paddle 2.6.
    """
    blacklist.update([_type_of_operator(each) for each in args])


def _set_bwd_prim_blacklist(ops: set[str]) -> None:
    """As `_set_prim_backward_blacklist`, with a set.

    Args:
        ops (set of str): types of operators.

    Example:
        >>> from paddle_compat.base import core
        >>> core._set_bwd_prim_blacklist({"softmax"})
        >>> core._remove_skip_comp_ops("softmax")

    Follows Paddle 2.6.
    """
    _set_prim_backward_blacklist(*ops)


def _add_skip_comp_ops(op: str) -> None:
    """Note one operator whose gradient is not to be taken apart into primitives.

    Args:
        op (str): its type.

    Example:
        >>> from paddle_compat.base import core
        >>> core._add_skip_comp_ops("softmax")
        >>> core._remove_skip_comp_ops("softmax")

    Follows Paddle 2.6.
    """
    _set_prim_backward_blacklist(op)


def _remove_skip_comp_ops(op: str) -> None:
    """Take an operator's gradient apart again.

    Args:
        op (str): its type.

    Example:
        >>> from paddle_compat.base import core
        >>> core._remove_skip_comp_ops("softmax")

    Follows Paddle 2.6.
    """
    blacklist.discard(_type_of_operator(op))


def has_comp_grad_op_maker(op_type: str) -> bool:
    """Whether the gradient of an operator can be taken apart into more elementary operators.

    Args:
        op_type (str): the operator's type.
    Returns:
        bool.
    Raises:
        NotFoundError: there is no such operator.

    Example:
        >>> from paddle_compat.base import core
        >>> core.has_comp_grad_op_maker("tanh"), core.has_comp_grad_op_maker("conv2d")
        (True, False)

    Follows Paddle 2.6.
    """
    import_module("paddle_compat.incubate.autograd._composite_gradients")  # the rules
    return native.has_non_empty_grad_op_maker(op_type) and f"{op_type}_grad" in GRADIENT


def _type_of_operator(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"Invalid type for an argument of a list of operators. Expected str. Received: {value!r}")
    return value


def is_cuda_graph_capturing() -> bool:
    """Whether a CUDA graph is being recorded.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_cuda_graph_capturing()
        False

    Follows Paddle 2.6.
    """
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()


def _bool(value: object, api: str) -> bool:
    if value is not None and not hasattr(value, "__bool__"):  # Paddle takes numbers and None, too
        raise type_error("value", "a bool", value, f"paddle.base.core.{api}")
    return bool(value)


def get_cublas_switch() -> bool:
    """Whether matrix products of float32 numbers on GPUs may be computed in TF32.

    Returns:
        bool: False at the start.

    Example:
        >>> from paddle_compat.base import core
        >>> core.get_cublas_switch()
        False

    Follows Paddle 3.3.
    """
    return bool(torch.backends.cuda.matmul.allow_tf32)


def set_cublas_switch(value: bool) -> None:
    """Let matrix products of float32 numbers on GPUs be computed in TF32, which has 10 bits behind the point, or not.

    Args:
        value (bool): whether they may.
    Raises:
        TypeError: it is none, nor a number or None.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_cublas_switch(False)

    Follows Paddle 3.3.
    """
    torch.backends.cuda.matmul.allow_tf32 = _bool(value, "set_cublas_switch")


def get_cudnn_switch() -> bool:
    """Whether convolutions of float32 numbers on GPUs may be computed in TF32.

    Returns:
        bool: True at the start.

    Example:
        >>> from paddle_compat.base import core
        >>> core.get_cudnn_switch()
        True

    Follows Paddle 3.3.
    """
    return bool(torch.backends.cudnn.allow_tf32)


def set_cudnn_switch(value: bool) -> None:
    """Let convolutions of float32 numbers on GPUs be computed in TF32, which has 10 bits behind the point, or not.

    Args:
        value (bool): whether they may.
    Raises:
        TypeError: it is none, nor a number or None.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_cudnn_switch(True)

    Follows Paddle 3.3.
    """
    torch.backends.cudnn.allow_tf32 = _bool(value, "set_cudnn_switch")


# oneDNN's kernels of other kinds are not there either
supports_bfloat16_fast_performance = supports_int8 = supports_vnni = supports_bfloat16


def get_attrtibute_type(op_type: str, attr_name: str) -> native.AttrType:
    """The kind of an attribute by which an operator's kernels are chosen (see `get_op_extra_attrs`).

    Args:
        op_type (str): the operator's type.
        attr_name (str): the attribute.
    Returns:
        AttrType.
    Raises:
        IndexError: the operator has no such attribute for its kernels.

    Example:
        >>> from paddle_compat.base import core
        >>> int(core.get_attrtibute_type("relu", "use_mkldnn"))
        6

    Follows Paddle 2.6.
    """
    kernels = native.get_op_extra_attrs(op_type)
    if attr_name not in kernels:
        known = ", ".join(sorted(kernels)) or "no name, as the operator has none"
        raise IndexError(f"Invalid value for argument `attr_name`. Expected one for {op_type}'s kernels: {known}. Received: {attr_name!r}")
    kind = attr_kind(op_type, attr_name, kernels[attr_name], 2)
    return native.AttrType.INT if kind is None else kind


_in_layouts = False


def enable_layout_autotune() -> None:
    """Let eager mode choose layouts of images, which Paddle does on GPUs alone; torch's convolutions choose theirs in any case.

    Example:
        >>> from paddle_compat.base import core
        >>> core.enable_layout_autotune()
        >>> core.disable_layout_autotune()
        >>> core.use_layout_autotune()
        False

    Follows Paddle 2.6.
    """
    global _in_layouts
    _in_layouts = torch.cuda.is_available()


def disable_layout_autotune() -> None:
    """Undo `enable_layout_autotune`.

    Example:
        >>> from paddle_compat.base import core
        >>> core.disable_layout_autotune()

    Follows Paddle 2.6.
    """
    global _in_layouts
    _in_layouts = False


def use_layout_autotune() -> bool:
    """Whether `enable_layout_autotune` was called where there is a GPU.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.use_layout_autotune()
        False

    Follows Paddle 2.6.
    """
    return _in_layouts


def set_vlog_level(module_levels: int | dict[str, int]) -> None:
    """Say how much Paddle's C++ modules write into logs; there are none here that do.

    Args:
        module_levels (int | dict): for all of them, or for each by its name.
    Raises:
        TypeError: it is neither.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_vlog_level({"autograd": 3})

    Follows Paddle 3.3.
    """
    if not isinstance(module_levels, (int, dict)):
        raise type_error("module_levels", "an int or a dict", module_levels, "set_vlog_level")
