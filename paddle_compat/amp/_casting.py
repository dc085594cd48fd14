"""`auto_cast`: inside it, the inputs of operators are cast to the precision that their type is listed for."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from paddle_compat.amp._support import accelerated, capable
from paddle_compat.amp.amp_lists import black_list, white_list
from paddle_compat.core import eager
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.op import definition_of
from paddle_compat.core.place import current_place

_KINDS = {"float16": torch.float16, "bfloat16": torch.bfloat16}
_FLOATS = frozenset((torch.float32, torch.float16, torch.bfloat16))
# normalizations: only x says to what is cast, and to low precision only x is
_BY_FIRST_INPUT = frozenset(("batch_norm", "layer_norm", "sync_batch_norm"))


@dataclass
class Setting:
    """What holds inside one `auto_cast`.

    Attributes:
        dtype: low precision.
        level: O1 casts what is listed, O2 keeps low precision where nothing is in float32, OD knows white lists only.
        chosen: by type of operator: the data type, or None where the inputs say it; and the inputs that are cast.
    """

    dtype: torch.dtype
    level: str
    white: set[str]
    black: set[str]
    promote: bool
    chosen: dict[str, tuple[torch.dtype | None, range | list[int]]] = field(default_factory=dict)

    def rule(self, type_: str) -> tuple[torch.dtype | None, range | list[int]]:
        """The data type of an operator's inputs (None: float32 where one of them is) and which inputs are cast."""
        found = self.chosen.get(type_)
        if found is None:
            found = self.chosen[type_] = self._kind(type_), _cast_slots(type_)
        return found

    def _kind(self, type_: str) -> torch.dtype | None:
        if type_ in self.black:
            return torch.float32
        if type_ in self.white or not self.promote:
            return self.dtype
        return torch.float32 if self.level == "OD" else None

    def cast(self, type_: str, args: list[Any]) -> list[Any]:
        """An operator's inputs in the precision that it computes in."""
        if type_ == "cast":
            return args
        kind, slots = self.rule(type_)
        if kind is None:
            kind = torch.float32 if any(_has(args[i], torch.float32) for i in slots) else self.dtype
        if kind is torch.float32 and type_ in _BY_FIRST_INPUT:
            slots = _not_updated(type_)
        args = list(args)
        for i in slots:
            args[i] = _converted(args[i], kind)
        return args


def _cast_slots(type_: str) -> range | list[int]:
    """The inputs of an operator that may be cast to low precision."""
    return range(1) if type_ in _BY_FIRST_INPUT else _not_updated(type_)


def _not_updated(type_: str) -> list[int]:
    """The inputs of an operator that it does not update in place."""
    definition = definition_of(type_)
    updated = set(definition.inplace.values())
    return [i for i, slot in enumerate(definition.inputs) if slot.name not in updated]


def _has(value: Any, kind: torch.dtype) -> bool:
    if isinstance(value, torch.Tensor):
        return value.dtype is kind
    return isinstance(value, list) and any(_has(v, kind) for v in value)


def _converted(value: Any, kind: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor):
        if value.dtype is kind or value.dtype not in _FLOATS:
            return value
        out: Any = value.to(kind)
        if (ways := getattr(value, "_used_as", None)) is not None:  # a parameter that a sharding stage has cut
            out._used_as = ways
        return out
    return [_converted(v, kind) for v in value] if isinstance(value, list) else value


class _Local(threading.local):
    """Every thread has its own mixed precision."""

    setting: Setting | None = None
    arguments: dict[str, Any] | None = None


_local = _Local()
_lock = threading.Lock()
_users = 0  # how many blocks of all threads are in effect


def _cast_here(type_: str, args: list[Any]) -> list[Any]:
    setting = _local.setting
    return args if setting is None else setting.cast(type_, args)


@contextmanager
def _in_effect(setting: Setting | None) -> Iterator[None]:
    """Inside the block, this thread's operators follow a setting; None: no mixed precision."""
    global _users
    former, _local.setting = _local.setting, setting
    counted = setting is not None
    if counted:
        with _lock:
            _users += 1
            if _users == 1:
                eager.set_cast_inputs(_cast_here)
    try:
        yield
    finally:
        _local.setting = former
        if counted:
            with _lock:
                _users -= 1
                if _users == 0:
                    eager.set_cast_inputs(None)


def in_effect_now() -> Callable[[], AbstractContextManager[None]]:
    """What makes blocks in which this thread's setting of now is in effect, in any thread."""
    setting = _local.setting
    return lambda: _in_effect(setting)


class AMPGlobalState:
    """What mixed precision remembers between its blocks.

    Attributes:
        amp_dtype: data type of the last `auto_cast`; "float32" before the first.
    """

    def __init__(self) -> None:
        self.amp_dtype = "float32"


_state = AMPGlobalState()


def amp_global_state() -> AMPGlobalState:
    """What mixed precision remembers between its blocks.

    Returns:
        AMPGlobalState.

    Example:
        >>> from paddle_compat.amp.auto_cast import amp_global_state
        >>> amp_global_state().amp_dtype in ("float32", "float16", "bfloat16")
        True

    Follows Paddle 2.6.
    """
    return _state


def amp_state() -> dict[str, Any] | None:
    """The arguments of the `auto_cast` around.

    Returns:
        dict: None outside of one.

    Example:
        >>> from paddle_compat.amp.auto_cast import amp_state
        >>> amp_state() is None
        True

    Follows Paddle 2.6.
    """
    return _local.arguments


def _in_amp_guard() -> bool:
    """Whether listed operators are cast now (O1)."""
    return _local.setting is not None and _local.setting.level == "O1"


def _in_pure_fp16_guard() -> bool:
    """Whether all operators but those listed are cast now (O2)."""
    return _local.setting is not None and _local.setting.level == "O2"


def _usable(dtype: str) -> bool:
    """Whether the current device computes in a data type; warns where it does not."""
    if not accelerated():
        if dtype == "bfloat16":  # Paddle's CPU kernels do not; torch's do
            return True
        message = "amp_guard can only be enabled on CUDAPlace, XPUPlace, and CustomPlace, current place is {}, so it makes no effect."
        warnings.warn(message.format(current_place()), stacklevel=5)
        return False
    if not capable(dtype):
        least = "7.0" if dtype == "float16" else "8.0"
        warnings.warn(f"For {dtype}, amp only support NVIDIA GPU with Compute Capability {least} or better.", stacklevel=5)
        return dtype == "float16"
    return True


def _lists(level: str, dtype: str, white: Iterable[str] | None, black: Iterable[str] | None) -> tuple[set[str], set[str]]:
    """The lists of a level, and what the caller moves between them."""
    allowed, blocked = white_list()[dtype][level], black_list()[dtype][level]
    wanted, refused = set(white or ()), set(black or ())
    if wanted & refused:
        raise ValueError(f"Custom white list overlap custom black list. Both have: {sorted(wanted & refused)}")
    return (allowed | wanted) - refused, (blocked - wanted) | refused


@contextmanager
def amp_guard(
    enable: bool = True,
    custom_white_list: Iterable[str] | None = None,
    custom_black_list: Iterable[str] | None = None,
    level: str = "O1",
    dtype: Any = "float16",
    use_promote: bool = True,
) -> Iterator[None]:
    """As `auto_cast`.

    Args:
        enable, custom_white_list, custom_black_list, level, dtype, use_promote: as of `auto_cast`.
    Returns:
        A context manager, also a decorator.
    Raises:
        ValueError: as of `auto_cast`.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 2])
        >>> with paddle.amp.amp_guard(dtype="bfloat16"):
        ...     (x @ x).dtype.name
        'BF16'

    Follows Paddle 2.6.
    """
    former = _local.arguments
    level, dtype = level.upper(), (dtype if isinstance(dtype, str) else dtype_name(dtype)).lower()
    arguments = {
        "enable": enable,
        "custom_white_list": custom_white_list,
        "custom_black_list": custom_black_list,
        "level": level,
        "dtype": dtype,
        "use_promote": use_promote,
    }
    if level not in ("O0", "OD", "O1", "O2"):
        raise ValueError(f"level should be O0, OD, O1 or O2. Received: {level}")
    if enable and dtype not in _KINDS:
        raise ValueError(f"If enable amp, dtype should be 'float16' or 'bfloat16'. Received: {dtype}")
    enable = bool(enable) and _usable(dtype)
    setting = None
    if dtype in _KINDS and level != "O0":
        white, black = _lists(level, dtype, custom_white_list, custom_black_list)
        if enable:
            setting = Setting(_KINDS[dtype], level, white, black, bool(use_promote) or level != "O2")
    _state.amp_dtype = dtype  # and stays so: GradScaler asks for it outside of the block
    _local.arguments = arguments
    try:
        with _in_effect(setting):
            yield
    finally:
        _local.arguments = former


def auto_cast(
    enable: bool = True,
    custom_white_list: Iterable[str] | None = None,
    custom_black_list: Iterable[str] | None = None,
    level: str = "O1",
    dtype: Any = "float16",
    use_promote: bool = True,
) -> Any:
    """Inside the block, operators compute in low precision where that is safe.

    Args:
        enable (bool): whether to.
        custom_white_list (set|list|tuple|None): types of operators that are to compute in low precision, too.
        custom_black_list (set|list|tuple|None): types that are to compute in float32.
        level (str): "O1": what is on the white list computes in low precision, what is on the black list in float32, and the rest
            in float32 where an input is; "O2": as O1, with a short black list, for a model that `decorate` cast; "OD": the white
            list alone, the rest in float32; "O0": nothing is cast.
        dtype (str|paddle.dtype): "float16" or "bfloat16". On a CPU bfloat16 alone has an effect.
        use_promote (bool): at O2, whether an input in float32 makes the operator compute in it.
    Returns:
        A context manager, also a decorator.
    Raises:
        ValueError: level or dtype is none of these, or the lists overlap.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 2])
        >>> with paddle.amp.auto_cast(dtype="bfloat16"):
        ...     y = x @ x
        ...     y.dtype.name, paddle.nn.functional.softmax(y).dtype.name
        ('BF16', 'FP32')

    Follows Paddle 2.6.
    """
    return amp_guard(enable, custom_white_list, custom_black_list, level, dtype, use_promote)


def autocast(device_type: str | None, dtype: Any = "float16", enabled: bool = True, cache_enabled: bool = True) -> Any:
    """`auto_cast` in torch's words.

    Args:
        device_type (str): kept; the current device decides.
        dtype (str|paddle.dtype): "float16" or "bfloat16".
        enabled (bool): whether to.
        cache_enabled (bool): kept.
    Returns:
        A context manager, also a decorator.
    Raises:
        ValueError: dtype is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 2])
        >>> with paddle.autocast("cpu", dtype="bfloat16"):
        ...     (x @ x).dtype.name
        'BF16'

    Follows Paddle 3.3.
    """
    return auto_cast(enabled, dtype=dtype)


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """Whether mixed precision is in effect here.

    Args:
        device_type (str): kept; all devices share one state.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.amp.auto_cast(dtype="bfloat16"):
        ...     paddle.is_autocast_enabled()
        True
        >>> paddle.is_autocast_enabled()
        False

    Follows Paddle 3.3.
    """
    return _local.setting is not None


def get_autocast_dtype(device_type: str | None = None) -> str:
    """The low precision of the mixed precision that is in effect here.

    Args:
        device_type (str): kept; all devices share one state.
    Returns:
        str: "float16" where there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.amp.auto_cast(dtype="bfloat16"):
        ...     paddle.get_autocast_dtype()
        'bfloat16'

    Follows Paddle 3.3.
    """
    setting = _local.setting
    return next(name for name, kind in _KINDS.items() if setting is None or kind is setting.dtype)


get_autocast_cpu_dtype = get_autocast_gpu_dtype = get_autocast_dtype
