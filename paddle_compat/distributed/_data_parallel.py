"""`paddle.DataParallel`: a layer that trains in several processes, each on its own data."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.job import job
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed._groups import by_number
from paddle_compat.engine.eager_sums import GradientMeans
from paddle_compat.nn.layer.common import Embedding
from paddle_compat.nn.layer.layers import Layer

_MEGABYTE = 1 << 20


class DataParallel(Layer):
    """Train a layer in several processes: after each backward pass the gradients are the means over all of them.

    Args:
        layers (Layer): what is trained; its parameters and buffers become those of the group's first process.
        strategy: kept, as in Paddle; it has no effect.
        comm_buffer_size (int): megabytes of gradients that travel together at most; last_comm_buffer_size (int): kept, without effect,
            as the first bucket is a small one in any case.
        find_unused_parameters (bool): whether a backward pass may go past parameters. Those that no process uses keep no gradient.
        group (Group): whose processes train together; None: all of the job.

    Raises:
        AssertionError: `init_parallel_env` has not run, the layer has nothing to train, or the group is none.

    Example:
        >>> import warnings, paddle_compat as paddle
        >>> layer = paddle.nn.Linear(2, 1, weight_attr=paddle.nn.initializer.Constant(1.0))
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")  # there is one process here
        ...     model = paddle.DataParallel(layer)
        >>> model(paddle.ones([1, 2])).sum().backward()
        >>> layer.weight.grad.tolist()
        [[1.0], [1.0]]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        layers: Any,
        strategy: Any = None,
        comm_buffer_size: int = 25,
        last_comm_buffer_size: float = 1,
        find_unused_parameters: bool = False,
        group: Any = None,
    ) -> None:
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters
        self.var_dtype = Tensor
        self.grad_need_sync = True
        self.group = group
        self.comm_buffer_size = int(comm_buffer_size * _MEGABYTE)
        self.last_comm_buffer_size = int(last_comm_buffer_size * _MEGABYTE)
        self._strategy = strategy
        self._means: GradientMeans | None = None
        self._way: dict[str, Any] = {}  # attributes of the means
        if group is not None and not hasattr(group, "process_group"):
            raise failed_assertion("group", "a Group", group, "DataParallel")
        if job().size < 2:
            warnings.warn(
                "There is one process, so nothing is averaged: start the script with paddle.distributed.launch or spawn to train in more.",
                stacklevel=2,
            )
            return
        ring = ring_of(0 if group is None else group.id)
        if ring.group is None:
            raise AssertionError(
                "The processes of the job have not met. Expected a call of paddle.distributed.init_parallel_env() before DataParallel."
            )
        self.group = group or by_number(0)
        self._means = self._made()

    def _made(self) -> GradientMeans:
        """The layer's parameters, which begin equal everywhere from here on."""
        ring: Any = ring_of(0 if self.group is None else self.group.id)
        found: dict[int, tuple[Any, bool]] = {}
        for layer in self._layers.sublayers(include_self=True):
            sparse = isinstance(layer, Embedding) and layer._sparse or getattr(layer, "_is_sparse", False)
            for parameter in layer.parameters(include_sublayers=False):
                if parameter.trainable:
                    found[id(parameter)] = parameter, bool(sparse)
        if not found:
            raise AssertionError("There is nothing to train, so DataParallel is of no use. Expected a layer with trainable parameters.")
        ring.broadcast([value._t.detach() for value in [*self._layers.parameters(), *self._layers.buffers()]])
        parameters, sparse = zip(*found.values())
        means = GradientMeans(parameters, sparse, ring, self.comm_buffer_size, self.find_unused_parameters)
        vars(means).update(self._way)
        return means

    def _exchange(self, **way: Any) -> None:
        """Set how gradients travel: attributes of the means."""
        self._way = way
        if self._means is not None:
            vars(self._means).update(way)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the layer.

        Args:
            inputs, kwargs: its own.
        Returns:
            What it returns.
        """
        outputs = self._layers(*inputs, **kwargs)
        if self._means is not None and self.grad_need_sync and torch.is_grad_enabled():
            self._means.begin([tensor._t for tensor in self._find_tensor(outputs)] if self.find_unused_parameters else ())
        return outputs

    def _find_tensor(self, found: Any) -> list[Tensor]:
        """The Tensors in what a layer returned."""
        if isinstance(found, Tensor):
            return [found]
        if isinstance(found, (list, tuple)):
            return [tensor for each in found for tensor in self._find_tensor(each)]
        return [tensor for each in found.values() for tensor in self._find_tensor(each)] if isinstance(found, dict) else []

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Inside, gradients stay this process's own and add up; the first pass after it averages what has come together.

        Returns:
            A context manager.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.DataParallel(paddle.nn.Linear(2, 1))
            >>> with model.no_sync():
            ...     model(paddle.ones([1, 2])).sum().backward()

        Follows Paddle 2.6.
        """
        former, self.grad_need_sync = self.grad_need_sync, False
        try:
            yield
        finally:
            self.grad_need_sync = former

    def init_reducer(self) -> None:
        """Look through the layer's parameters again, after some were frozen or thawed.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.DataParallel(paddle.nn.Linear(2, 1))
            >>> model._layers.bias.stop_gradient = True
            >>> model.init_reducer()

        Follows Paddle 2.6.
        """
        if self._means is not None:
            self._means.let_go()
            self._means = self._made()

    def scale_loss(self, loss: Any) -> Any:
        """The loss itself: gradients are averaged anyway.

        Args:
            loss (Tensor): the loss.
        Returns:
            Tensor: it.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.DataParallel(paddle.nn.Linear(2, 1))
            >>> loss = model(paddle.ones([1, 2])).sum()
            >>> model.scale_loss(loss) is loss
            True

        Follows Paddle 2.6.
        """
        return loss

    def apply_collective_grads(self) -> None:
        """Nothing is left to do: the backward pass has averaged the gradients.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.DataParallel(paddle.nn.Linear(2, 1))
            >>> model.apply_collective_grads()

        Follows Paddle 2.6.
        """

    def state_dict(  # type: ignore[override]
        self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> Any:
        """The layer's own `state_dict`, whose names know nothing of DataParallel.

        Args:
            destination (dict): what is filled; None: a new one.
            include_sublayers (bool): whether those of sublayers are in it.
            structured_name_prefix (str): what the names begin with.
        Returns:
            dict: parameters and buffers by their names.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.DataParallel(paddle.nn.Linear(2, 1))
            >>> list(model.state_dict())
            ['weight', 'bias']

        Follows Paddle 2.6.
        """
        return self._layers.state_dict(
            destination=destination, include_sublayers=include_sublayers, structured_name_prefix=structured_name_prefix
        )

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> None:  # type: ignore[override]
        """Load values into the layer.

        Args:
            state_dict (dict): what `state_dict` gave.
            use_structured_name (bool): whether its names are the structured ones.
        """
        self._layers.set_state_dict(state_dict, use_structured_name=use_structured_name)

    set_dict = set_state_dict  # type: ignore[assignment]
    load_dict = set_state_dict  # type: ignore[assignment]
