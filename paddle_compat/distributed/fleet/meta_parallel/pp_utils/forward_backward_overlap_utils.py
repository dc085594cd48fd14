"""`paddle.distributed.fleet.meta_parallel.pp_utils.forward_backward_overlap_utils`: functions whose way back is called by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_parallel._turns import through
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import parts_of


def detach_and_requires_grad(inputs: Any) -> Any:
    """Values that gradients come to, and go no further.

    Args:
        inputs (Tensor|tuple|list|dict): the values; None stays None in a tuple, list or dict.
    Returns:
        The same values, detached, in the same form; each stops gradients where the given one does.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils.forward_backward_overlap_utils import detach_and_requires_grad
        >>> x = paddle.ones([2]); x.stop_gradient = False
        >>> found, = detach_and_requires_grad((x * 2,)); found.is_leaf, found.stop_gradient
        (True, False)

    Follows Paddle 3.3.
    """
    if isinstance(inputs, dict):
        return {name: detach_and_requires_grad(each) for name, each in inputs.items()}
    if isinstance(inputs, (tuple, list)):
        return type(inputs)(None if each is None else detach_and_requires_grad(each) for each in inputs)
    found = inputs.detach()
    found.stop_gradient = inputs.stop_gradient
    return found


class ScheduleNode:
    """A function whose way back is called by itself.

    Args:
        fwd_func (callable): takes the inputs, and `labels` if they are set on the node.
        name (str): what it is called.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import ScheduleNode
        >>> node, x = ScheduleNode(lambda x: x * 3), paddle.ones([2])
        >>> x.stop_gradient = False
        >>> y = node.forward(x)
        >>> [each.tolist() for each in node.backward(paddle.ones([2]))], x.grad
        ([[3.0, 3.0]], None)

    Follows Paddle 3.3.
    """

    def __init__(self, fwd_func: Callable[..., Any], name: str = "") -> None:
        self.name, self.fwd_func = name, fwd_func
        self.inputs: Any = None
        self.outputs: Any = None
        self.labels: Any = None
        self.scale_loss_factor: Any = None

    def forward(self, inputs: Any = (), **kwargs: Any) -> Any:
        """Call the function on detached inputs.

        Args:
            inputs (Tensor|tuple|list|dict): its first argument.
            kwargs: others.
        Returns:
            What it returns; divided by `scale_loss_factor`, if that is set.
        """
        self.inputs = detach_and_requires_grad(inputs)
        labels = () if self.labels is None else (self.labels,)
        outputs = self.fwd_func(self.inputs, *labels, **kwargs)
        self.outputs = outputs if self.scale_loss_factor is None else outputs / self.scale_loss_factor
        return self.outputs

    def backward(self, output_grad: Any = None, scaler: Any = None) -> tuple[Any, ...]:
        """Go back from what the function returned, once.

        Args:
            output_grad (Tensor|tuple|list|None): the gradients of it; None: it is a loss.
            scaler (GradScaler|None): scales a loss.
        Returns:
            tuple: the gradients of the inputs; None where there is none.
        Raises:
            AssertionError: there are more or fewer gradients than outputs, or the node has not been called.
        """
        if self.outputs is None:
            raise failed_assertion("outputs", "what forward has made, and no backward pass has used", None, "ScheduleNode.backward")
        if output_grad is None:
            (self.outputs if scaler is None else scaler.scale(self.outputs)).backward()
        else:
            made, gradients = parts_of(self.outputs), parts_of(output_grad)
            if len(made) != len(gradients):
                raise failed_assertion("output_grad", f"{len(made)} gradients", len(gradients), "ScheduleNode.backward")
            through(self.outputs, output_grad)
        found = tuple(each.grad if isinstance(each, Tensor) else None for each in parts_of(self.inputs))
        self.inputs = self.outputs = None
        return found


class ScheduleChunk:
    """Nodes that follow one another.

    Args:
        nodes (list): of ScheduleNode, or of other chunks.
    Raises:
        AssertionError: one is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import ScheduleChunk, ScheduleNode
        >>> chunk, x = ScheduleChunk([ScheduleNode(lambda x: x * 3), ScheduleNode(lambda x: x * x)]), paddle.ones([1])
        >>> x.stop_gradient = False
        >>> chunk.forward(x).tolist(), [each.tolist() for each in chunk.backward(paddle.ones([1]))]
        ([9.0], [[18.0]])

    Follows Paddle 3.3.
    """

    def __init__(self, nodes: Sequence[Any]) -> None:
        wrong = [each for each in nodes if not isinstance(each, (ScheduleNode, ScheduleChunk))]
        if wrong:
            raise failed_assertion("nodes", "ScheduleNodes", wrong, "ScheduleChunk")
        self.nodes = list(nodes)

    def forward(self, inputs: Any) -> Any:
        """Call all, one after the other.

        Args:
            inputs (Tensor|tuple|list|dict): of the first one.
        Returns:
            What the last one returns.
        """
        for node in self.nodes:
            inputs = node.forward(inputs)
        return inputs

    def backward(self, output_grad: Any) -> Any:
        """Go back through all.

        Args:
            output_grad (Tensor|tuple|list): the gradients of what the last one returned.
        Returns:
            tuple: the gradients of the first one's inputs.
        """
        for node in reversed(self.nodes):
            output_grad = node.backward(output_grad)
        return output_grad


__all__: list[str] = []
__getattr__ = missing(__name__)
