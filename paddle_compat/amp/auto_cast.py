"""`paddle.amp.auto_cast`: where Paddle 2.6 keeps mixed precision; as an attribute of `paddle.amp`, the function of this name."""

from paddle_compat._missing import missing
from paddle_compat.amp._casting import _in_amp_guard as _in_amp_guard
from paddle_compat.amp._casting import _in_pure_fp16_guard as _in_pure_fp16_guard
from paddle_compat.amp._casting import amp_global_state, amp_guard, amp_state, auto_cast
from paddle_compat.amp._decorating import amp_decorate, decorate
from paddle_compat.amp.amp_lists import black_list, white_list
from paddle_compat.static._native_kinds import AmpLevel as AMP_LEVEL  # noqa: F401, N814 - harnesses call it by this name

__all__ = ["amp_decorate", "amp_global_state", "amp_guard", "amp_state", "auto_cast", "black_list", "decorate", "white_list"]

__getattr__ = missing(__name__)
