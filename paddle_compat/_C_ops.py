"""`paddle._C_ops`: the operators of eager mode by position, as 2.6 names them."""

from paddle_compat.base._c_operators import hand_out

__getattr__, __dir__ = hand_out(__name__, "phi", globals())
