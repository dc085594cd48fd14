"""`paddle.fluid.contrib.slim.prune.prune_strategy`: strategies that leave channels of convolutions out."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.pickles import load_pickle
from paddle_compat.fluid.contrib.slim.core._context import Context, logger
from paddle_compat.fluid.contrib.slim.core.strategy import Strategy
from paddle_compat.fluid.contrib.slim.prune._channels import Channels

_ORIGINS = 5
_NEAR = 0.01  # how near to the wanted share of the computation is near enough


class PruneStrategy(Strategy):
    """What strategies that leave channels out have in common.

    Args:
        pruner (StructurePruner): tells which channels go.
        start_epoch, end_epoch (int): the epochs with which it begins and ends.
        target_ratio (float): the share of the computation to save.
        metric_name (str): what evaluations go by.
        pruned_params (str): a regular expression; the weights of convolutions whose names begin with it lose channels.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.prune import PruneStrategy, StructurePruner
        >>> strategy = PruneStrategy(StructurePruner({"*": 0}, {"*": "l1_norm"}), target_ratio=0.3)
        >>> strategy.target_ratio, strategy.pruned_params, strategy.pruned_list
        (0.3, 'conv.*_weights', [])

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        pruner: Any = None,
        start_epoch: int = 0,
        end_epoch: int = 0,
        target_ratio: float = 0.5,
        metric_name: str | None = None,
        pruned_params: str = "conv.*_weights",
    ) -> None:
        super().__init__(start_epoch, end_epoch)
        self.pruner, self.target_ratio, self.metric_name, self.pruned_params = pruner, target_ratio, metric_name, pruned_params
        self.pruned_list: list[list[str]] = []
        self._done: list[dict[str, float]] = []

    def restore_from_checkpoint(self, context: Context) -> None:
        """Leave the channels out again that were left out when the checkpoint was made.

        Args:
            context (Context): the state of the training.
        """
        done, self._done = self._done, []
        for ratios in done:
            self._prune(context, ratios)

    def _names(self, context: Context) -> list[str]:
        """The weights to take channels from."""
        assert context.eval_graph is not None
        return [param.name() for param in context.eval_graph.all_parameters() if re.match(self.pruned_params, param.name())]

    def _take(self, context: Context, ratios: Mapping[str, float]) -> None:
        """Take shares of the channels of some weights out of what is trained and what is evaluated."""
        trained, evaluated = context.optimize_graph, context.eval_graph
        assert trained is not None and evaluated is not None
        channels = Channels(trained, context.scope, context.place)
        for name, ratio in ratios.items():
            channels.take(self.pruner, name, ratio)
        self.pruned_list = channels.taken
        evaluated.update_param_shape(context.scope)
        evaluated.update_groups_of_conv()
        trained.update_groups_of_conv()
        trained.infer_shape()
        trained.compiled_graph = None

    def _saved(self, context: Context, ratios: Mapping[str, float]) -> float:
        """The share of the computation that goes with some channels; as in Paddle 1.8, only of what reads or makes them."""
        assert context.eval_graph is not None
        graph = context.eval_graph.clone()
        before = graph.flops()
        channels = Channels(graph, context.scope, context.place)
        for name, ratio in ratios.items():
            channels.take(self.pruner, name, ratio, only_graph=True)
        return 1 - graph.flops() / before

    def _prune(self, context: Context, ratios: Mapping[str, float]) -> None:
        """Take channels out, and say what that saves."""
        assert context.eval_graph is not None
        graph = context.eval_graph
        size, flops = graph.numel_params(), graph.flops()
        self._take(context, ratios)
        self._done.append(dict(ratios))
        logger.info("------------------finish pruning--------------------------------")
        logger.info("Pruned size: %.2f", 1 - graph.numel_params() / size)
        logger.info("Pruned flops: %.2f", 1 - graph.flops() / flops)


def halved(target: float, saved: Callable[[float], float], low: float = 0.0, high: float = 1.0) -> float:
    """Where a growing function has a value, within a hundredth, or as near as halving comes."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        now = saved(middle)
        if abs(now - target) < _NEAR:
            return middle
        low, high = (low, middle) if now > target else (middle, high)


class UniformPruneStrategy(PruneStrategy):
    """Leaves out one share of the channels of each weight, as large as saves the wanted share of the computation.

    Args:
        pruner (StructurePruner): tells which channels go.
        start_epoch (int): the epoch before which channels go.
        end_epoch (int): of no effect.
        target_ratio (float): the share of the computation to save.
        metric_name (str): of no effect.
        pruned_params (str): a regular expression; the weights of convolutions whose names begin with it lose channels.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.prune import StructurePruner, UniformPruneStrategy
        >>> UniformPruneStrategy(StructurePruner({"*": 0}, {"*": "l1_norm"}), start_epoch=2, target_ratio=0.3).start_epoch
        2

    Follows Paddle 1.8.
    """

    def on_epoch_begin(self, context: Context) -> None:
        """Leave channels out, at the first epoch.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id != self.start_epoch:
            return
        names = self._names(context)
        ratio = halved(self.target_ratio, lambda share: self._saved(context, dict.fromkeys(names, share)))
        logger.info("Get ratios: %s", [round(ratio, 2)] * len(names))
        self._prune(context, dict.fromkeys(names, ratio))


class SensitivePruneStrategy(PruneStrategy):
    """Leaves out more channels of the weights that evaluations mind less, as many as save the wanted share of the computation.

    Args:
        pruner (StructurePruner): tells which channels go.
        start_epoch (int): the epoch before which channels go first; each further step comes when evaluations have converged.
        end_epoch (int): of no effect.
        delta_rate (float): the difference between shares that are tried while finding out what evaluations mind.
        target_ratio (float): the share of the computation to save.
        metric_name (str): the evaluation to go by.
        pruned_params (str): a regular expression; the weights of convolutions whose names begin with it lose channels.
        sensitivities_file (str): a pickle of what is known of the weights, which is read at first and written after each evaluation.
        sensitivities (dict): of no effect.
        num_steps (int): how many steps there are to `target_ratio`.
        eval_rate (float): the share of the batches that evaluations use; None: all.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.prune import SensitivePruneStrategy, StructurePruner
        >>> strategy = SensitivePruneStrategy(StructurePruner({"*": 0}, {"*": "l1_norm"}), target_ratio=0.75, num_steps=2)
        >>> strategy.pruning_step  # of what is left
        0.5

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        pruner: Any = None,
        start_epoch: int = 0,
        end_epoch: int = 0,
        delta_rate: float = 0.20,
        target_ratio: float = 0.5,
        metric_name: str = "top1_acc",
        pruned_params: str = "conv.*_weights",
        sensitivities_file: str = "./sensitivities.data",
        sensitivities: Mapping[str, Any] = {},
        num_steps: int = 1,
        eval_rate: float | None = None,
    ) -> None:
        super().__init__(pruner, start_epoch, end_epoch, target_ratio, metric_name, pruned_params)
        self.delta_rate, self.sensitivities_file, self.eval_rate = delta_rate, sensitivities_file, eval_rate
        self.sensitivities: dict[str, dict[str, Any]] = {}
        self.num_steps = num_steps
        self.pruning_step = 1 - (1 - target_ratio) ** (1 / num_steps)

    def on_epoch_begin(self, context: Context) -> None:
        """Leave channels out, at the first epoch and whenever evaluations have converged, until all steps are done.

        Args:
            context (Context): the state of the training.
        Raises:
            ValueError: no share of a weight's channels makes evaluations as much worse as was tried.
        """
        logger.info("Left number of pruning steps: %s", self.num_steps)
        if self.num_steps <= 0:
            return
        metric = str(self.metric_name)
        if context.epoch_id != self.start_epoch and not (context.epoch_id > self.start_epoch and context.eval_converged(metric)):
            return
        self.num_steps -= 1
        known = self._find_out(context, metric)
        ratios = self._ratios(context, known)
        self._prune(context, ratios)
        values, names = context.run_eval_graph()
        logger.info("Metric after pruning: %.2f", dict(zip(names, values))[metric])
        logger.info("------------------%s.on_epoch_begin finish--------------------------------", type(self).__name__)

    def _find_out(self, context: Context, metric: str) -> dict[str, dict[str, Any]]:
        """What evaluations lose when shares of each weight's channels are zeros; what the file knows is not tried again."""
        logger.info("calling _compute_sensitivities.")
        if os.path.exists(self.sensitivities_file):
            self.sensitivities = load_pickle(self.sensitivities_file)
        assert context.eval_graph is not None
        cached_id = sum(map(ord, context.eval_graph.program.to_string(True)))
        baseline: float | None = None
        for name in self._names(context):
            tensor = context.scope.find_var(name).get_tensor()
            known = self.sensitivities.setdefault(name, {"pruned_percent": [], "loss": [], "size": tensor.shape()[0]})
            for step in range(1, 1 + int(1 / self.delta_rate)):
                share = round(step * self.delta_rate, 2)
                if share >= 1 or share in known["pruned_percent"]:
                    continue
                if baseline is None:
                    baseline = self._evaluate(context, metric, cached_id)
                now = self._without(context, name, share, lambda: self._evaluate(context, metric, cached_id))
                known["pruned_percent"].append(share)
                known["loss"].append(baseline - now)
                logger.info("pruned param: %s; %s; loss=%s", name, share, baseline - now)
                with open(self.sensitivities_file, "wb") as file:
                    pickle.dump(self.sensitivities, file)
        return self.sensitivities

    def _evaluate(self, context: Context, metric: str, cached_id: int) -> float:
        values, names = context.run_eval_graph(self.eval_rate, cached_id)
        return float(dict(zip(names, values))[metric])

    def _without(self, context: Context, name: str, share: float, evaluate: Callable[[], float]) -> float:
        """An evaluation while a share of the channels of a weight is zeros."""
        assert context.eval_graph is not None
        kept = {param.name(): context.scope.find_var(param.name()).get_tensor() for param in context.eval_graph.all_parameters()}
        values = {param: np.array(tensor) for param, tensor in kept.items()}
        Channels(context.eval_graph, context.scope, context.place).take(self.pruner, name, share, lazy=True)
        found = evaluate()
        for param, tensor in kept.items():
            tensor.set(values[param], context.place)
        return found

    def _ratios(self, context: Context, known: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
        """The shares of channels with one and the same loss that together save a step's share of the computation."""
        logger.info("_get_best_ratios for pruning ratie: %s", self.pruning_step)
        curves = {name: _fitted(one["pruned_percent"], one["loss"]) for name, one in known.items()}

        def shares(loss: float) -> dict[str, float]:
            return {name: _reached(name, curve, loss) for name, curve in curves.items()}

        def saved(loss: float) -> float:
            logger.info("-----------Try pruned ratios while acc loss=%.4f-----------", loss)
            tried = shares(loss)
            logger.info("Pruned ratios=%s", [round(share, 3) for share in tried.values()])
            now = self._saved(context, tried)
            logger.info("Pruned flops: %.4f", now)
            return now

        return shares(halved(self.pruning_step, saved, 0.0, max(max(one["loss"]) for one in known.values())))


def _fitted(shares: Sequence[float], losses: Sequence[float]) -> Any:
    """The cubic polynomial that comes nearest to some losses; that nothing is lost without pruning counts as much as five of them."""
    nothing = [0.0] * _ORIGINS
    return np.polyfit(nothing + list(shares), nothing + list(losses), 3)


def _reached(name: str, curve: Any, loss: float) -> float:
    """The least share with a loss."""
    roots = np.roots(curve - np.array([0, 0, 0, loss]))
    inside = [float(root.real) for root in roots if abs(root.imag) < 1e-9 and 0 < root.real < 1]
    if not inside:
        raise ValueError(f"Invalid value for argument `sensitivities`. Expected a share of {name} with a loss of {loss}. Received: none")
    return min(inside)


__all__ = ["PruneStrategy", "SensitivePruneStrategy", "UniformPruneStrategy"]

__getattr__ = missing(__name__)
