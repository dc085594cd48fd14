"""`paddle._legacy_C_ops`: the operators of eager mode by position, as Programs name them; attributes follow as names and values in turn."""

from paddle_compat.base._c_operators import hand_out

__getattr__, __dir__ = hand_out(__name__, "legacy", globals())
