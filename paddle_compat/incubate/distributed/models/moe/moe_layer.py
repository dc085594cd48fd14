"""`paddle.incubate.distributed.models.moe.moe_layer`: a layer whose rows go through a few of many experts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.distributed.utils.moe_utils import global_gather, global_scatter
from paddle_compat.incubate.distributed.models.moe.gate import BaseGate, GShardGate, NaiveGate, SwitchGate
from paddle_compat.incubate.distributed.models.moe.utils import count_by_gate
from paddle_compat.nn.layer.layers import Layer


class MoELayer(Layer):
    """A mixture of experts: a gate sends every row to a few experts, whose results are added up by the gate's weights.

    Each process of `moe_group` has experts of its own, as many as the others, and sends the rows of its batch to all of them.

    Args:
        d_model (int): the width of a row.
        experts (LayerList): this process's experts, layers from rows to rows of that width.
        gate (dict|BaseGate|None): which gate: `type` ("gshard", which is meant without one, "switch", or "naive", also as None), and
            `top_k` (2), how many experts a row goes to.
        moe_group (Group): the processes that have experts; None: this one alone.
        mp_group (Group): processes that share out weights: a group of one.
        recompute_interval (int): above 0: what the experts compute is computed again in the backward pass.
        recompute_ctx (dict): `preserve_rng_state` for that.
    Raises:
        AssertionError: there is no such gate, or the gate refuses `top_k`.
        UnsupportedError: mp_group has several processes.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import MoELayer
        >>> experts = paddle.nn.LayerList([paddle.nn.Linear(4, 4) for _ in range(3)])
        >>> layer = MoELayer(4, experts, gate={"type": "naive", "top_k": 2})
        >>> layer(paddle.rand([2, 5, 4])).shape
        [2, 5, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, experts: Any, gate: Any = None, moe_group: Any = None, mp_group: Any = None, recompute_interval: int = 0,
        recompute_ctx: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if mp_group is not None and mp_group.nranks > 1:
            raise UnsupportedError("MoELayer", "mp_group", "a group of one process: weights that processes share out are not there yet")
        self.recompute_ctx, self.recompute_interval = recompute_ctx, recompute_interval
        self.group, self.mp_group, self.d_model = moe_group, mp_group, d_model
        self.world_size = moe_group.nranks if moe_group is not None and moe_group.nranks > 1 else 1
        self.num_expert = len(experts)
        self.experts = experts
        self.gate, self.top_k = self._gate({} if gate is None else gate)

    def _gate(self, gate: Any) -> tuple[BaseGate, int]:
        if isinstance(gate, BaseGate):
            top: int = gate.top_k
            return gate, top
        if not isinstance(gate, dict):
            raise failed_assertion("gate", "a dict, or a gate", type(gate).__name__, "MoELayer")
        count, kind = gate.get("top_k", 2), gate.get("type", "gshard")
        sizes = self.d_model, self.num_expert, self.world_size
        if kind == "gshard":
            return GShardGate(*sizes, topk=count, group=self.group), count
        if kind == "switch":
            return SwitchGate(*sizes, topk=count, group=self.group), count
        if kind in ("naive", None):
            return NaiveGate(*sizes, topk=count), count
        raise failed_assertion("gate", "the type 'naive', 'gshard' or 'switch'", repr(kind), "MoELayer")

    def forward(self, inp: Any) -> Any:
        """Send rows through their experts.

        Args:
            inp (Tensor): [batch, length, d_model].
        Returns:
            Tensor: of the same shape.
        Raises:
            AssertionError: there are not three dimensions.
        """
        mode.eager_only("MoELayer")
        if len(inp.shape) != 3:
            raise failed_assertion("inp", "three dimensions", f"shape {inp.shape}", "MoELayer")
        rows = inp.reshape([-1, self.d_model])
        value, index = self.gate(rows)
        count = value.shape[1]
        places, local, here = count_by_gate(index, self.num_expert, self.world_size, group=self.group)
        sent = tensor.gather(rows, places // count)
        if self.world_size > 1:
            came = global_scatter(sent, local, here, group=self.group)
            done = global_gather(self._through(came, here), local, here, group=self.group)
        else:
            done = self._through(sent, here)
        back = tensor.scatter(tensor.zeros([value.shape[0] * count, done.shape[1]], done.dtype), places, done)
        total = tensor.bmm(value.unsqueeze(1).astype(done.dtype), back.reshape([value.shape[0], count, -1]))
        return total.reshape(inp.shape)

    def _through(self, rows: Any, here: Any) -> Any:
        """What the experts make of rows that lie expert by expert; an expert without rows is not called."""
        if not rows.shape[0]:
            return rows
        counts = here.reshape([self.world_size, self.num_expert]).sum(0).tolist()
        if self.recompute_interval > 0:
            from paddle_compat.distributed.fleet.recompute import recompute

            return recompute(self._called, rows, counts, **{**(self.recompute_ctx or {}), "use_reentrant": False})
        return self._called(rows, counts)

    def _called(self, rows: Any, counts: Sequence[int]) -> Any:
        parts, begin = [], 0
        for expert, count in zip(self.experts, counts):
            if count:
                parts.append(expert(rows[begin : begin + count]))
                begin += count
        return tensor.concat(parts)


__getattr__ = missing(__name__)
