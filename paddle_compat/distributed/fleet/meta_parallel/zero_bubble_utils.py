"""`paddle.distributed.fleet.meta_parallel.zero_bubble_utils`: gradients of weights that are computed later, where a stage would wait."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue
from typing import Any, ClassVar

from paddle_compat._missing import missing
from paddle_compat.autograd import PyLayer, no_grad
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn import Linear
from paddle_compat.nn.functional import linear
from paddle_compat.tensor.linalg import matmul


class WeightGradStore:
    """What is still to do for gradients of weights. While `enabled`, layers that know of it put it here instead of doing it.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel.zero_bubble_utils import WeightGradStore
        >>> WeightGradStore.put(lambda: print("now"))
        >>> WeightGradStore.flush(); WeightGradStore.pop()
        now
        >>> WeightGradStore.clear()

    Follows Paddle 3.3.
    """

    enabled: ClassVar[bool] = False
    cache: ClassVar[list[Callable[[], Any]]] = []
    funcs_queue: ClassVar[Queue[list[Callable[[], Any]]]] = Queue()

    @classmethod
    def put(cls, func: Callable[[], Any]) -> None:
        """Put something to do behind the rest.

        Args:
            func (callable): takes nothing.
        """
        cls.cache.append(func)

    @classmethod
    def flush(cls) -> None:
        """Make what was put since the last time a piece of work of its own."""
        cls.funcs_queue.put(cls.cache)
        cls.cache = []

    @classmethod
    def pop(cls) -> None:
        """Do the oldest piece of work.

        Raises:
            AssertionError: there is none.
        """
        if cls.funcs_queue.empty():
            raise failed_assertion("funcs_queue", "something that flush has put: pop empty queue", "nothing", "WeightGradStore.pop")
        for func in cls.funcs_queue.get():
            func()

    @classmethod
    def clear(cls) -> None:
        """Forget everything."""
        cls.cache, cls.funcs_queue = [], Queue()


class EventStore:
    """The event of a device that comes next.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel.zero_bubble_utils import EventStore
        >>> EventStore.set(None); EventStore.event

    Follows Paddle 3.3.
    """

    event: ClassVar[Any] = None

    @classmethod
    def set(cls, event: Any) -> None:
        """Say which one it is.

        Args:
            event (Event|None): the event.
        """
        cls.event = event


def fold_init_dims(tensor: Any) -> Any:
    """A matrix of all rows.

    Args:
        tensor (Tensor): of any rank.
    Returns:
        Tensor: with more than two dimensions as a matrix, else as it is.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.zero_bubble_utils import fold_init_dims
        >>> fold_init_dims(paddle.ones([2, 3, 4])).shape
        [6, 4]

    Follows Paddle 3.3.
    """
    return tensor.reshape([-1, tensor.shape[-1]]) if tensor.ndim > 2 else tensor


def grad_weight_fn(input: Tensor, weight: Tensor, out_grad: Tensor, inplace_update_grad: bool = True) -> None:
    """Add the gradient of a weight to what is there of it: to its `main_grad`, if it has one.

    Args:
        input (Tensor): what was multiplied by the weight, shape [..., n].
        weight (Tensor): shape [n, m].
        out_grad (Tensor): the gradient of the product, shape [..., m].
        inplace_update_grad (bool): whether the gradient that is there may be changed in place.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.zero_bubble_utils import grad_weight_fn
        >>> weight = paddle.create_parameter([2, 1], "float32")
        >>> grad_weight_fn(paddle.ones([3, 2]), weight, paddle.ones([3, 1])); weight.grad.tolist()
        [[3.0], [3.0]]

    Follows Paddle 3.3.
    """
    place: Any = "main_grad" if getattr(weight, "main_grad", None) is not None else "grad"
    with no_grad():
        found = matmul(fold_init_dims(input), fold_init_dims(out_grad), transpose_x=True)
        former = getattr(weight, place)
        if former is None:
            setattr(weight, place, found)
        elif inplace_update_grad:
            former._t.add_(found._t.to(former._t.dtype))
        else:
            setattr(weight, place, former + found.astype(former.dtype))


class SplitBWMatmul(PyLayer):
    """A linear layer's product, whose weight's gradient `WeightGradStore` may get.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.zero_bubble_utils import SplitBWMatmul
        >>> SplitBWMatmul.apply(paddle.ones([3, 2]), paddle.ones([2, 1]), None).tolist()
        [[2.0], [2.0], [2.0]]

    Follows Paddle 3.3.
    """

    @staticmethod
    def forward(ctx: Any, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """The product.

        Args:
            ctx (PyLayerContext): keeps what the way back needs.
            input (Tensor): shape [..., n]; weight (Tensor): shape [n, m]; bias (Tensor|None): shape [m].
        Returns:
            Tensor: shape [..., m].
        """
        ctx.save_for_backward(input, weight)
        ctx.given = weight, bias  # a parameter itself, whose gradient is filled later
        found: Tensor = linear(input, weight, bias)
        return found

    @staticmethod
    def backward(ctx: Any, *grad: Tensor) -> Any:
        """The gradients.

        Args:
            ctx (PyLayerContext): of the way forth.
            grad (Tensor): of the product.
        Returns:
            tuple: of input, weight and bias; None for a weight whose gradient comes later.
        """
        (input, weight), (parameter, bias), (out_grad,) = ctx.saved_tensor(), ctx.given, grad
        of_input = None if input.stop_gradient else matmul(out_grad, weight, transpose_y=True)
        of_weight = None
        if WeightGradStore.enabled and not parameter.stop_gradient:
            WeightGradStore.put(lambda: grad_weight_fn(input, parameter, out_grad))
        elif not parameter.stop_gradient:
            of_weight = matmul(fold_init_dims(input), fold_init_dims(out_grad), transpose_x=True)
        if bias is None:
            return of_input, of_weight
        return of_input, of_weight, None if bias.stop_gradient else fold_init_dims(out_grad).sum(0)


class SplitBWLinear(Linear):
    """As `paddle.nn.Linear`; the gradient of its weight `WeightGradStore` may get.

    Args:
        in_features (int): the size of a row that it takes.
        out_features (int): the size of a row that it gives.
        weight_attr, bias_attr (ParamAttr|None|bool): of its parameters; a bias_attr of False: no bias.
        name (str|None): for its parameters' names.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import zero_bubble_utils
        >>> layer, store = zero_bubble_utils.SplitBWLinear(2, 3), zero_bubble_utils.WeightGradStore
        >>> store.enabled = True
        >>> layer(paddle.ones([4, 2])).sum().backward(); layer.weight.grad
        >>> store.enabled = False
        >>> store.flush(); store.pop(); layer.weight.grad.tolist()
        [[4.0, 4.0, 4.0], [4.0, 4.0, 4.0]]

    Follows Paddle 3.3.
    """

    def forward(self, input: Tensor) -> Tensor:
        """Multiply rows by the weight.

        Args:
            input (Tensor): shape [..., in_features].
        Returns:
            Tensor: shape [..., out_features].
        """
        found: Tensor = SplitBWMatmul.apply(input, self.weight, self.bias)
        return found


__all__: list[str] = []
__getattr__ = missing(__name__)
