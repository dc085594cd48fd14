"""`name_scope` and `device_guard`: what every operator recorded inside carries."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_name_scope = ""
_device = ""
_entered: Counter[str] = Counter()  # how often each scope was entered inside the one that is open


def full_name_scope() -> str:
    """The scope that is open, as operators recorded now carry it; ``/`` outside of all.

    Returns:
        str.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.name_scope("encoder"):
        ...     fluid.framework._full_name_scope()
        '/encoder/'

    Follows Paddle 1.8.
    """
    return _name_scope or "/"


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Operators recorded inside carry this scope in `op_namescope`; names of variables stay.

    A scope of the same name beside an earlier one gets a number: ``a``, ``a_1``, ``a_2``.

    Args:
        prefix: the scope's name.
    Returns:
        A context manager.
    Raises:
        AssertionError: the name is missing or empty.
        TypeError: it is no string.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.static.name_scope("encoder"):
        ...     pass

    Follows Paddle 1.8 and 2.6.
    """
    global _name_scope, _entered
    if not prefix:
        raise AssertionError(f"Invalid value for argument `prefix` of `name_scope`. Expected a name. Received: {prefix!r}")
    if not isinstance(prefix, str):
        raise TypeError(f"Invalid type for argument `prefix` of `name_scope`. Expected str. Received: {prefix!r}")
    former = _name_scope, _entered
    number = _entered[prefix]
    _entered[prefix] += 1
    _name_scope = f"{_name_scope or '/'}{prefix}_{number}/" if number else f"{_name_scope or '/'}{prefix}/"
    _entered = Counter()
    try:
        yield
    finally:
        _name_scope, _entered = former


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Operators recorded inside carry this device in `op_device`.

    Args:
        device: "cpu", "gpu", "gpu:0", ... or None for the executor's device.
    Returns:
        A context manager.
    Raises:
        ValueError: the device is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.static.device_guard("cpu"):
        ...     pass

    Follows Paddle 1.8 and 2.6.
    """
    kind, _, index = str(device or "cpu").partition(":")
    if kind not in ("cpu", "gpu", "xpu", "npu", "all") or (index and not index.isdigit() and index != "all"):
        raise ValueError(
            f"The Attr(device) should be 'cpu' or 'gpu', with or without an index, or None. Received: {device!r}"
        )
    if kind == "cpu" and index:
        raise ValueError(f"Should not set device id for cpu. Expected 'cpu'. Received: {device!r}")
    global _device
    former, _device = _device, device or ""
    try:
        yield
    finally:
        _device = former


# operators that run on no device of their own: they carry none
_WITHOUT_KERNEL = frozenset({
    "c_comm_init", "c_gen_bkcl_id", "c_gen_nccl_id", "c_sync_calc_stream", "c_sync_comm_stream", "c_wait_comm", "c_wait_compute",
    "checkpoint_notify", "conditional_block", "copy_cross_scope", "dequeue", "enqueue", "feed", "fetch", "fl_listen_and_serv",
    "gen_bkcl_id", "gen_nccl_id", "go", "heter_listen_and_serv", "listen_and_serv", "ncclInit", "pylayer", "queue_generator", "recurrent",
    "recv", "select", "send", "while",
})  # fmt: skip


def marks(type: str, attrs: Mapping[str, Any] | None) -> dict[str, str]:
    """The attributes that an operator recorded now carries, with Paddle's warnings of a device that it cannot heed.

    Args:
        type: the operator's type.
        attrs: its own attributes.
    """
    if not _device:
        return {"op_namescope": _name_scope} if _name_scope else {}
    found = {"op_device": _device, "op_namescope": _name_scope}
    if type in _WITHOUT_KERNEL:
        del found["op_device"]
        warnings.warn(f"The Op({type}) is not support to set device.", UserWarning, stacklevel=4)
    if attrs is not None and attrs.get("force_cpu"):
        warnings.warn(
            f"The Attr(force_cpu) of Op({type}) will be deprecated in the future, please use 'device_guard' instead. 'device_guard' has "
            "higher priority when they are used at the same time.",
            UserWarning,
            stacklevel=4,
        )
    return {key: value for key, value in found.items() if value}
