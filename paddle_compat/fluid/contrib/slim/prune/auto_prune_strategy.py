"""`paddle.fluid.contrib.slim.prune.auto_prune_strategy`: a search for the shares of channels to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.fluid.contrib.slim.core._context import Context, logger
from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper
from paddle_compat.fluid.contrib.slim.prune.prune_strategy import PruneStrategy, halved


class AutoPruneStrategy(PruneStrategy):
    """Tries shares of channels to leave out of each weight, as a controller gives them, and tells it how good they were.

    Args:
        pruner (StructurePruner): tells which channels go.
        controller (EvolutionaryController): gives the shares, in hundredths.
        start_epoch, end_epoch (int): the first epoch, and the one after the last.
        min_ratio, max_ratio (float): what share of the computation is to be saved, at least and at most.
        metric_name (str): the evaluation that tells how good they were.
        pruned_params (str): a regular expression; the weights of convolutions whose names begin with it lose channels.
        retrain_epoch (int): how many epochs each choice is trained for; 0: nothing is trained.
        uniform_range (float): the largest share; None: the shares that are tried first, which save what lies halfway.
        init_tokens (list): the shares that are tried first, in hundredths; None: one for all.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.prune import AutoPruneStrategy, StructurePruner
        >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
        >>> strategy = AutoPruneStrategy(StructurePruner({"*": 0}, {"*": "l1_norm"}), SAController(), end_epoch=20, retrain_epoch=2)
        >>> strategy.end_epoch, strategy.pruned_params
        (20, 'conv.*_weights')

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        pruner: Any = None,
        controller: Any = None,
        start_epoch: int = 0,
        end_epoch: int = 10,
        min_ratio: float = 0.5,
        max_ratio: float = 0.7,
        metric_name: str = "top1_acc",
        pruned_params: str = "conv.*_weights",
        retrain_epoch: int = 0,
        uniform_range: float | None = None,
        init_tokens: Sequence[int] | None = None,
    ) -> None:
        super().__init__(pruner, start_epoch, end_epoch, 0.0, metric_name, pruned_params)
        self._controller, self._min_ratio, self._max_ratio = controller, min_ratio, max_ratio
        self._retrain_epoch, self._uniform_range, self._init_tokens = retrain_epoch, uniform_range, init_tokens
        self._pruned_param_names: list[str] = []
        self._current_tokens: Any = None
        self._kept: dict[str, Any] = {}
        self._shapes: list[tuple[GraphWrapper, dict[str, Any]]] = []

    def __getstate__(self) -> dict[str, Any]:
        # what the controller asks is a method of this object, and has the graphs in it; a search that goes on begins anew
        return {name: value for name, value in self.__dict__.items() if name not in ("_controller", "_kept", "_shapes")}

    def on_compression_begin(self, context: Context) -> None:
        """Have the controller begin.

        Args:
            context (Context): the state of the training.
        """
        self._pruned_param_names = self._names(context)
        tokens = self._init_tokens
        if tokens is None:
            wanted = (self._min_ratio + self._max_ratio) / 2
            share = halved(wanted, lambda one: self._saved(context, dict.fromkeys(self._pruned_param_names, one)))
            logger.info("Get ratios: %s", [round(share, 2)] * len(self._pruned_param_names))
            tokens = [int(share * 100)] * len(self._pruned_param_names)
        highest = list(tokens) if self._uniform_range is None else [round(self._uniform_range, 2) / 0.01] * len(tokens)
        logger.info("init tokens: %s", tokens)
        logger.info("range_table: %s", highest)
        self._current_tokens = list(tokens)

        def fits(tried: Sequence[int]) -> bool:
            saved = self._saved(context, self._shares(tried))
            good = self._min_ratio < saved < self._max_ratio
            logger.info("%s try [%s]; flops: -%s", "Success" if good else "Failed", tried, saved)
            return good

        self._controller.reset(highest, self._current_tokens, fits)

    def on_epoch_begin(self, context: Context) -> None:
        """Leave out the channels of the next choice.

        Args:
            context (Context): the state of the training.
        """
        if not self.start_epoch <= context.epoch_id < self.end_epoch or not self._turns(context.epoch_id - self.start_epoch):
            return
        logger.info("on_epoch_begin")
        graph, trained = context.eval_graph, context.optimize_graph
        assert graph is not None and trained is not None
        self._kept, self._shapes = {}, []
        for one in (graph, trained):
            persistable = [var for var in one.vars() if one.is_persistable(var)]
            self._shapes.append((one, {var.name(): var.shape() for var in persistable}))
            for var in persistable:
                found = context.scope.find_var(var.name())
                if found is not None and found.get_tensor()._is_initialized():
                    self._kept[var.name()] = np.array(found.get_tensor())
        self._take(context, self._shares(self._current_tokens))
        context.skip_training = self._retrain_epoch == 0

    def on_epoch_end(self, context: Context) -> None:
        """Tell the controller how good the choice was, ask for the next one, and put all channels back.

        Args:
            context (Context): the state of the training.
        """
        if not self.start_epoch <= context.epoch_id < self.end_epoch or not self._turns(context.epoch_id - self.start_epoch + 1):
            return
        logger.info("on_epoch_end")
        self._controller.update(self._current_tokens, context.eval_results[str(self.metric_name)][-1])
        for name, value in self._kept.items():
            context.scope.find_var(name).get_tensor().set(value, context.place)
        for graph, shapes in self._shapes:
            for name, shape in shapes.items():
                graph.var(name).set_shape(shape)
            graph.update_groups_of_conv()
            graph.infer_shape()
            graph.compiled_graph = None
        self._current_tokens = self._controller.next_tokens()

    def _turns(self, epochs: int) -> bool:
        """Whether one choice is done, and the next one's turn."""
        return self._retrain_epoch == 0 or epochs % self._retrain_epoch == 0

    def _shares(self, tokens: Sequence[int]) -> dict[str, float]:
        return dict(zip(self._pruned_param_names, (token * 0.01 for token in tokens)))


__all__ = ["AutoPruneStrategy"]

__getattr__ = missing(__name__)
