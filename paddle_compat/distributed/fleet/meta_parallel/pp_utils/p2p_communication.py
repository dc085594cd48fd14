"""`paddle.distributed.fleet.meta_parallel.pp_utils.p2p_communication`: what neighbouring stages send one another."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line

__all__ = ["P2pHelper", "initialize_p2p_groups"]

_groups: Any = None  # of whom helpers are


def initialize_p2p_groups(hcg: Any, enable_partial_send_recv: bool = True, enable_timer: bool = False) -> None:
    """Say which stages the helpers that are made from here on are for.

    Args:
        hcg (HybridCommunicateGroup): the groups.
        enable_partial_send_recv, enable_timer (bool): kept; they have no effect.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils import p2p_communication
        >>> _ = fleet.init(is_collective=True)
        >>> p2p_communication.initialize_p2p_groups(fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    global _groups
    _groups = hcg


class P2pHelper:
    """What a stage sends to its neighbours, and gets from them, for schedules of one's own; all stages make one at the same time.

    Args:
        use_cache (bool): kept: what is sent says itself what it is; dynamic_shape (bool): likewise.
    Raises:
        PreconditionNotMetError: `initialize_p2p_groups` has not been called.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils import p2p_communication
        >>> _ = fleet.init(is_collective=True)
        >>> p2p_communication.initialize_p2p_groups(fleet.get_hybrid_communicate_group())
        >>> helper = p2p_communication.P2pHelper()
        >>> helper.recv_forward(pp_first_stage=True), helper.recv_backward(pp_last_stage=True)  # where there is one stage nothing comes
        (None, None)
        >>> helper.send_forward(None, pp_last_stage=True); helper.send_backward(None, pp_first_stage=True)
        >>> helper.send_forward_recv_backward(None, True), helper.send_backward_recv_forward(None, True)
        (None, None)
        >>> helper.send_forward_recv_forward(None, False), helper.send_backward_recv_backward(None, False)
        (None, None)
        >>> helper.send_forward_backward_recv_forward_backward(None, None, recv_prev=False, recv_next=False)
        (None, None)

    Follows Paddle 2.6.
    """

    def __init__(self, use_cache: bool = True, dynamic_shape: bool = False) -> None:
        if _groups is None:
            raise PreconditionNotMetError("Nobody has said which stages there are. Expected initialize_p2p_groups before. Received: none")
        self._stage, self._stages = _groups.get_stage_id(), _groups.get_pipe_parallel_world_size()
        self._line = Line(_groups.get_pipe_parallel_group()) if self._stages > 1 else None

    def _meet(self, forward: Any = None, backward: Any = None, before: bool = False, behind: bool = False) -> list[Any]:
        """Send what is for the next stage and for the one before, and get what comes from the one before and from the next."""
        last, next_ = (self._stage - 1) % self._stages, (self._stage + 1) % self._stages
        sent = [(peer, value) for peer, value in ((next_, forward), (last, backward)) if value is not None]
        peers = [peer for peer, wanted in ((last, before), (next_, behind)) if wanted]
        if self._line is None:
            return []
        if self._line.in_step:
            return self._line.exchange(sent, peers)
        for peer, value in sent:
            self._line.send(peer, value)
        found = [self._line.receive(peer) for peer in peers]
        self._line.finish()
        return found

    def recv_forward(self, pp_first_stage: bool, sync_recv: bool = True, batch_p2p_comm: bool = True) -> Any:
        """What the stage before has made; None on the first.

        Args:
            pp_first_stage (bool): whether this is the first; sync_recv, batch_p2p_comm (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return None if pp_first_stage else self._meet(before=True)[0]

    def recv_backward(self, pp_last_stage: bool, sync_recv: bool = True, batch_p2p_comm: bool = True) -> Any:
        """The gradients that the next stage has made; None on the last.

        Args:
            pp_last_stage (bool): whether this is the last; sync_recv, batch_p2p_comm (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return None if pp_last_stage else self._meet(behind=True)[0]

    def send_forward(self, output_tensor: Any, pp_last_stage: bool, batch_p2p_comm: bool = True, skip_check_meta: bool = False) -> None:
        """Send the next stage what this one has made.

        Args:
            output_tensor (Tensor|tuple): what.
            pp_last_stage (bool): whether this is the last; batch_p2p_comm, skip_check_meta (bool): kept.
        """
        if not pp_last_stage:
            self._meet(forward=output_tensor)

    def send_backward(self, input_tensor_grad: Any, pp_first_stage: bool, batch_p2p_comm: bool = True) -> None:
        """Send the stage before the gradients of what it has made.

        Args:
            input_tensor_grad (Tensor|tuple): they.
            pp_first_stage (bool): whether this is the first; batch_p2p_comm (bool): kept.
        """
        if not pp_first_stage:
            self._meet(backward=input_tensor_grad)

    def send_forward_recv_backward(self, output_tensor: Any, pp_last_stage: bool, batch_p2p_comm: bool = True) -> Any:
        """Send the next stage what this one has made, and get the gradients that it has.

        Args:
            output_tensor (Tensor|tuple): what.
            pp_last_stage (bool): whether this is the last; batch_p2p_comm (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return None if pp_last_stage else self._meet(forward=output_tensor, behind=True)[0]

    def send_backward_recv_forward(self, input_tensor_grad: Any, pp_first_stage: bool, batch_p2p_comm: bool = True) -> Any:
        """Send the stage before its gradients, and get what it has made.

        Args:
            input_tensor_grad (Tensor|tuple): they.
            pp_first_stage (bool): whether this is the first; batch_p2p_comm (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return None if pp_first_stage else self._meet(backward=input_tensor_grad, before=True)[0]

    def send_forward_backward_recv_forward_backward(
        self,
        output_tensor: Any,
        input_tensor_grad: Any,
        recv_prev: bool,
        recv_next: bool,
        batch_p2p_comm: bool = True,
        skip_check_meta: bool = False,
    ) -> tuple[Any, Any]:
        """Send both neighbours what there is for them, and get what they have.

        Args:
            output_tensor (Tensor|tuple|None): for the next stage; input_tensor_grad (Tensor|tuple|None): for the one before.
            recv_prev (bool): whether the one before has something; recv_next (bool): whether the next one has.
            batch_p2p_comm, skip_check_meta (bool): kept.
        Returns:
            tuple: what came from the one before, and from the next.
        """
        found = iter(self._meet(output_tensor, input_tensor_grad, recv_prev, recv_next))
        return (next(found) if recv_prev else None), (next(found) if recv_next else None)

    def send_forward_recv_forward(
        self, output_tensor: Any, recv_prev: bool, batch_p2p_comm: bool = True, skip_check_meta: bool = False
    ) -> Any:
        """Send the next stage what this one has made, and get what the one before has.

        Args:
            output_tensor (Tensor|tuple|None): what.
            recv_prev (bool): whether the one before has something; batch_p2p_comm, skip_check_meta (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return self.send_forward_backward_recv_forward_backward(output_tensor, None, recv_prev, False)[0]

    def send_backward_recv_backward(self, input_tensor_grad: Any, recv_next: bool, batch_p2p_comm: bool = True) -> Any:
        """Send the stage before its gradients, and get this one's.

        Args:
            input_tensor_grad (Tensor|tuple|None): they.
            recv_next (bool): whether the next one has some; batch_p2p_comm (bool): kept.
        Returns:
            Tensor|tuple|None: what came.
        """
        return self.send_forward_backward_recv_forward_backward(None, input_tensor_grad, False, recv_next)[1]


__getattr__ = missing(__name__)
