"""`paddle.distributed.to_static` and what it makes: a `DistModel`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core import flags
from paddle_compat.core.errors import (
    InvalidArgumentError,
    NotFoundError,
    WrongInputError,
    failed_assertion,
    invalid_argument,
    type_error,
)
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._dist_model_inputs import mesh_of, of_loader, of_specs
from paddle_compat.distributed.auto_parallel._dist_model_recording import Recording, Sources
from paddle_compat.distributed.auto_parallel._dist_model_stages import Stages, meshes_of
from paddle_compat.distributed.auto_parallel._dist_model_strategy import checked
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist
from paddle_compat.engine import moves
from paddle_compat.jit.api import to_static as jit_to_static
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer.optimizer import Optimizer

_MODES = ("train", "eval", "predict")

_NEEDS = "Mode {mode!r} of a DistModel needs {what}. Expected paddle.distributed.to_static to be given it. Received: None"


class DistModel:
    """A layer with dist tensors as a Program that all processes run, each its own part. `paddle.distributed.to_static` makes it.

    It begins in the mode "train" where it has a loss and an optimizer, in "eval" where it has a loss, else in "predict".

    Args:
        layer (Layer): whose parameters `paddle.distributed.shard_tensor` laid on a mesh, all or some of them.
        loader (DataLoader): its first batch tells what inputs and labels are like; it is not consumed.
        loss (Layer|callable|None): called with the layer's outputs and the labels.
        optimizer (Optimizer|None): updates the parameters.
        strategy (Strategy|None): settings.
        metrics (list|None): of no effect yet, as in Paddle.
        input_spec (list|None): two lists, InputSpecs of inputs and of labels, in place of what the loader tells.
    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: the batches are not of inputs and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["x"])
        >>> layer = paddle.nn.Linear(4, 2)
        >>> layer.weight = dist.shard_tensor(layer.weight, mesh, [dist.Shard(1)])
        >>> data = paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 2])])
        >>> loader = paddle.io.DataLoader(data, batch_size=2)
        >>> model = dist.DistModel(layer, loader, paddle.nn.MSELoss(), paddle.optimizer.SGD(0.1, layer.parameters()))
        >>> losses = [float(model(x, y)) for x, y in loader]
        >>> losses[1] < losses[0], [op.type for op in model.dist_main_program().global_block().ops][-2:]
        (True, ['sgd', 'sgd'])
        >>> len(model.serial_main_program().global_block().ops), len(model.dist_startup_program().global_block().ops)
        (13, 1)
        >>> assert model.serial_startup_program("train") is model.serial_startup_program()
        >>> sorted(model.state_dict("param"))
        ['bias', 'weight']
        >>> model.set_state_dict(model.state_dict())
        >>> model.eval()
        >>> loss = model(paddle.ones([2, 4]), paddle.zeros([2, 2]))
        >>> model.train()
        >>> model.predict()
        >>> {name: value.shape for name, value in model(paddle.ones([2, 4])).items()}
        {'out0': (2, 2)}

    Follows Paddle 3.3; there predict does not run, and on several processes nothing does without GPUs.
    """

    def __init__(
        self, layer: Layer, loader: Any, loss: Any = None, optimizer: Any = None, strategy: Any = None, metrics: Any = None,
        input_spec: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(layer, Layer):
            raise type_error("layer", "a paddle.nn.Layer", layer, "to_static")
        if loss is not None and not callable(loss):
            raise type_error("loss", "a paddle.nn.Layer or another callable", loss, "to_static")
        if optimizer is not None and not isinstance(optimizer, Optimizer):
            raise type_error("optimizer", "a paddle.optimizer.Optimizer", optimizer, "to_static")
        settings = checked(strategy)
        mesh = mesh_of(layer, loader)
        kinds = of_loader(loader, mesh, loss is not None) if input_spec is None else of_specs(input_spec, mesh)
        self._sources = Sources(layer, loss, optimizer, mesh, *kinds, settings)
        self._meshes = meshes_of(layer) or [mesh]
        self._staged = len(self._meshes) > 1 or settings.pipeline.enable
        self._recordings: dict[str, Recording | Stages] = {}
        self._structured = {tensor.name: name for name, tensor in layer.state_dict().items()}
        self._mode: str | None = None
        (self.train if loss is not None and optimizer is not None else self.eval if loss is not None else self.predict)()

    # ---- modes
    def train(self) -> None:
        """Calls from now on update the parameters, and return the loss.

        Raises:
            TypeError: there is no loss, or no optimizer.
        """
        if self._sources.loss is None or self._sources.optimizer is None:
            raise WrongInputError(_NEEDS.format(mode="train", what="a loss and an optimizer"))
        self._enter("train")

    def eval(self) -> None:
        """Calls from now on return the loss.

        Raises:
            TypeError: there is no loss.
        """
        if self._sources.loss is None:
            raise WrongInputError(_NEEDS.format(mode="eval", what="a loss"))
        self._enter("eval")

    def predict(self) -> None:
        """Calls from now on return what the layer does."""
        self._enter("predict")

    def _enter(self, mode: str) -> None:
        if mode not in self._recordings:
            made = Stages(self._sources, self._meshes, mode) if self._staged else Recording(self._sources, mode, _compiler())
            self._recordings[mode] = made
        self._mode = mode

    def _recording(self, mode: str | None) -> Any:
        mode = self._mode if mode is None else mode
        if mode not in _MODES:
            raise InvalidArgumentError(f"mode can only be 'train', 'eval' or 'predict'. Received: {mode!r}")
        if mode not in self._recordings:
            raise KeyError(
                f"The model has not entered mode {mode!r}. Expected a call of {mode}() before. It has: {sorted(self._recordings)}"
            )
        return self._recordings[mode]

    # ---- running
    def __call__(self, *args: Any) -> Any:
        """Run once.

        Args:
            args: inputs, and in the modes "train" and "eval" labels: Tensors, or lists of them. A plain Tensor is this process's part.
        Returns:
            numpy.ndarray: the loss; in the mode "predict" a dict of the outputs, `out0`, `out1` and so on. All of it in every process; of a
                model on several meshes in those of the last one, None in others; with `strategy.pipeline`, on one mesh, too, one
                loss for each part.
        Raises:
            ValueError: there are more or fewer than the model takes.
            TypeError: one is no Tensor.
        """
        assert self._mode is not None
        given: list[Any] = []
        for arg in args:
            given += list(arg) if isinstance(arg, (list, tuple)) else [arg]
        recording = self._recordings[self._mode]
        for value in given:
            if not isinstance(value, Tensor):
                raise WrongInputError(f"The inputs of DistModel should be list or tensor, but got {type(value)}")
        if len(given) != len(recording.feeds):
            raise InvalidArgumentError(
                f"The input data and feed_list are not consistent. The model takes {recording.feeds} as input. Received: {len(given)}"
            )
        out = recording.run(given)
        if self._mode == "predict":
            return {f"out{i}": value for i, value in enumerate(out)}
        return out[0]

    # ---- Programs
    def dist_main_program(self, mode: str | None = None) -> Program:
        """This process's Program: its own shapes, and each collective as an operator.

        Args:
            mode (str): that of the calls which run it: "train", "eval" or "predict"; None: the present one.
        Returns:
            Program: its collectives are operators such as all_reduce.
        Raises:
            ValueError: there is no such mode.
            KeyError: the model has not been in it.
        """
        return self._recording(mode).dist_main

    def dist_startup_program(self, mode: str | None = None) -> Program:
        """The Program that fills this process's part of the states that the model itself has made: accumulators, learning rate.

        Args:
            mode (str): the one whose states are filled: "train", "eval" or "predict"; None: the present one.
        Returns:
            Program: of this process's shapes.
        Raises:
            ValueError: there is no such mode.
            KeyError: the model has not been in it.
        """
        return self._recording(mode).dist_startup

    def serial_main_program(self, mode: str | None = None) -> Program:
        """The Program of the whole model.

        Args:
            mode (str): "train" for updates too, "eval" for the loss, "predict" for the layer alone; None: the present one.
        Returns:
            Program: without collectives, of the shapes that one process would have.
        Raises:
            ValueError: there is no such mode.
            KeyError: the model has not been in it.
        """
        return self._recording(mode).main

    def serial_startup_program(self, mode: str | None = None) -> Program:
        """The Program that fills the states that the model itself has made: accumulators, learning rate.

        Args:
            mode (str): only "train" has states of the optimizer, beside "eval" and "predict"; None: the present one.
        Returns:
            Program: of whole shapes.
        Raises:
            ValueError: there is no such mode.
            KeyError: the model has not been in it.
        """
        return self._recording(mode).startup

    # ---- states
    def state_dict(self, mode: str = "all", split_fusion: bool = True) -> dict[str, Tensor]:
        """The dist tensors of layer and optimizer; the layer's by the names that they have in it.

        Args:
            mode (str): "param": those of the layer; "opt": those of the optimizer, which there are in the mode "train"; "all": both.
            split_fusion (bool): of no effect: no parameters are fused.
        Returns:
            dict.
        Raises:
            ValueError: there is no such mode.
        """
        if mode not in ("all", "param", "opt"):
            raise invalid_argument("mode", "'all', 'param' or 'opt'", mode, "state_dict")
        states = self._recording(None).states
        named = {self._structured.get(name, name): tensor for name, tensor in states.items()}
        params = set(self._structured.values())
        return {name: tensor for name, tensor in named.items() if mode == "all" or (name in params) == (mode == "param")}

    def set_state_dict(self, state_dict: dict[str, Tensor]) -> None:
        """Take over values. They are laid out as the model's own are.

        Args:
            state_dict (dict): dist tensors by the names of `state_dict`.
        Raises:
            AssertionError: one is no dist tensor.
            NotFoundError: the model has no such state; a RuntimeError.
            ValueError: one has another shape.
        """
        own = self.state_dict()
        for name, value in state_dict.items():
            if not isinstance(value, Tensor) or not is_dist(value):
                raise failed_assertion("state_dict", f"a dist tensor as {name}", value, "set_state_dict")
            if name not in own:
                raise NotFoundError(f"The variable {name} is not found. Expected one of {', '.join(own)}.")
            if value.shape != own[name].shape:
                raise invalid_argument("state_dict", f"{name} of shape {own[name].shape}", value.shape, "set_state_dict")
        with torch.no_grad():
            for name, value in state_dict.items():
                target: Any = own[name]._t
                moved = moves.moved(inside(value).detach(), target.device_mesh, target.placements)
                target._local_tensor.copy_(moved._local_tensor)


def _compiler() -> Any:
    """What compiles a process's graph; None where nobody asks for it."""
    if not flags.get("FLAGS_use_cinn"):
        return None
    from paddle_compat.engine.compile import rank_graph

    return rank_graph


def to_static(
    layer: Layer, loader: Any = None, loss: Layer | Callable[..., Any] | None = None, optimizer: Optimizer | None = None,
    strategy: Any = None, input_spec: Any = None,
) -> Any:  # fmt: skip
    """Make a Program of a layer with dist tensors, which all processes run together, each its own part.

    Args:
        layer (Layer): whose parameters `paddle.distributed.shard_tensor` laid on a mesh, all or some of them.
        loader (DataLoader): its first batch tells what inputs and labels are like; it is not consumed.
        loss (Layer|callable|None): called with the layer's outputs and the labels.
        optimizer (Optimizer|None): updates the parameters.
        strategy (Strategy|None): settings.
        input_spec (list|None): two lists, InputSpecs of inputs and of labels, in place of what the loader tells.
    Returns:
        DistModel: with a strategy whose `full_graph` is False the layer instead, as `paddle.jit.to_static` records it.
    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: the batches are not of inputs and labels.
        AssertionError: a batch is not as many parts as `strategy.gradient_merge` says, or nothing calls `recompute`.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.Linear(4, 2)
        >>> layer.weight = dist.shard_tensor(layer.weight, dist.ProcessMesh([0]), [dist.Replicate()])
        >>> loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 2])]), batch_size=4)
        >>> model = dist.to_static(layer, loader, paddle.nn.MSELoss())
        >>> [op.type for op in model.serial_main_program("eval").global_block().ops][:2]
        ['matmul_v2', 'elementwise_add']

    Follows Paddle 3.3.
    """
    if not checked(strategy).full_graph:
        return jit_to_static(layer, full_graph=False)
    return DistModel(layer, loader, loss, optimizer, strategy, input_spec=input_spec)


__all__ = ["DistModel", "to_static"]
