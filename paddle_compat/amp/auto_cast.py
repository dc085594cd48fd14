"""`paddle.amp.auto_cast`: where Paddle 2.6 keeps mixed precision; as an attribute of `paddle.amp`, the function of this name."""

from paddle_compat._missing import missing
from paddle_compat.amp._casting import amp_global_state, amp_guard, amp_state, auto_cast
from paddle_compat.amp._decorating import amp_decorate, decorate
from paddle_compat.amp.amp_lists import black_list, white_list

__all__ = ["amp_decorate", "amp_global_state", "amp_guard", "amp_state", "auto_cast", "black_list", "decorate", "white_list"]

__getattr__ = missing(__name__)
