"""`paddle.fluid.contrib.slim.quantization.quantization_strategy`: trains with few bits, and saves models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.scope import scope_guard
from paddle_compat.fluid import io
from paddle_compat.fluid.compiler import CompiledProgram
from paddle_compat.fluid.contrib.slim.core._context import Context, logger
from paddle_compat.fluid.contrib.slim.core.strategy import Strategy
from paddle_compat.fluid.contrib.slim.quantization.quantization_pass import (
    ConvertToInt8Pass,
    QuantizationFreezePass,
    QuantizationTransformPass,
    TransformForMobilePass,
)
from paddle_compat.fluid.core import Graph
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.framework import IrGraph

_EVALUATED = "quantization_test_ir_graph_backup"


class QuantizationStrategy(Strategy):
    """Has products see their operands rounded to few bits while a network is trained, and saves models with such weights.

    Args:
        start_epoch, end_epoch (int): the epoch before which it begins, and the one after which it saves.
        float_model_save_path, mobile_model_save_path, int8_model_save_path (str): folders for models: with rounded weights as floats, with
            int8 weights for mobile devices, and with int8 weights; None: no such model.
        activation_bits, weight_bits (int): the number of bits.
        activation_quantize_type (str): how scales are found: "abs_max", "range_abs_max" or "moving_average_abs_max".
        weight_quantize_type (str): "abs_max" or "channel_wise_abs_max".
        save_in_nodes, save_out_nodes (list): names of the variables that are fed and fetched in the models; None: all of the evaluation's.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.quantization import QuantizationStrategy
        >>> QuantizationStrategy(start_epoch=0, end_epoch=3, float_model_save_path="./float").end_epoch
        3

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        start_epoch: int = 0,
        end_epoch: int = 0,
        float_model_save_path: str | None = None,
        mobile_model_save_path: str | None = None,
        int8_model_save_path: str | None = None,
        activation_bits: int = 8,
        weight_bits: int = 8,
        activation_quantize_type: str = "abs_max",
        weight_quantize_type: str = "abs_max",
        save_in_nodes: Sequence[str] | None = None,
        save_out_nodes: Sequence[str] | None = None,
    ) -> None:
        super().__init__(start_epoch, end_epoch)
        self.float_model_save_path, self.mobile_model_save_path = float_model_save_path, mobile_model_save_path
        self.int8_model_save_path = int8_model_save_path
        self.activation_bits, self.weight_bits = activation_bits, weight_bits
        self.activation_quantize_type, self.weight_quantize_type = activation_quantize_type, weight_quantize_type
        self.save_in_nodes, self.save_out_nodes = save_in_nodes, save_out_nodes

    def restore_from_checkpoint(self, context: Context) -> None:
        """Round what is trained, where the checkpoint was made while it was.

        Args:
            context (Context): the state of the training.
        """
        if self.start_epoch < context.epoch_id <= self.end_epoch:
            self._round(context)

    def on_epoch_begin(self, context: Context) -> None:
        """Round what is trained, from the first epoch on.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id == self.start_epoch:
            logger.info("QuantizationStrategy::on_epoch_begin")
            self._round(context)
            logger.info("Finish QuantizationStrategy::on_epoch_begin")

    def on_epoch_end(self, context: Context) -> None:
        """Save the models, after the last epoch.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id == self.end_epoch:
            logger.info("QuantizationStrategy::on_epoch_end")
            with scope_guard(context.scope):
                self._save(context)
            logger.info("Finish QuantizationStrategy::on_epoch_end")

    def _round(self, context: Context) -> None:
        trained, evaluated = context.optimize_graph, context.eval_graph
        assert trained is not None and evaluated is not None
        training = IrGraph(Graph(trained.program.desc), for_test=False)
        testing = IrGraph(Graph(evaluated.program.desc), for_test=True)
        rounding = QuantizationTransformPass(
            scope=context.scope, place=context.place, weight_bits=self.weight_bits, activation_bits=self.activation_bits,
            activation_quantize_type=self.activation_quantize_type, weight_quantize_type=self.weight_quantize_type,
        )  # fmt: skip
        rounding.apply(training)
        rounding.apply(testing)
        trained.compiled_graph = CompiledProgram(training.graph).with_data_parallel(loss_name=trained.out_nodes["loss"])
        evaluated.program = testing.to_program()
        context.put(_EVALUATED, testing)

    def _save(self, context: Context) -> None:
        evaluated = context.eval_graph
        assert evaluated is not None
        graph = context.get(_EVALUATED)
        QuantizationFreezePass(
            scope=context.scope, place=context.place, weight_bits=self.weight_bits, activation_bits=self.activation_bits,
            weight_quantize_type=self.weight_quantize_type,
        ).apply(graph)  # fmt: skip
        evaluated.program = graph.to_program()
        self._save_model(context, graph, self.float_model_save_path)
        if self.int8_model_save_path or self.mobile_model_save_path:
            ConvertToInt8Pass(scope=context.scope, place=context.place).apply(graph)
            self._save_model(context, graph, self.int8_model_save_path)
        if self.mobile_model_save_path:
            TransformForMobilePass().apply(graph)
            self._save_model(context, graph, self.mobile_model_save_path)

    def _save_model(self, context: Context, graph: Any, folder: str | None) -> None:
        if not folder:
            return
        evaluated = context.eval_graph
        assert evaluated is not None
        program = graph.to_program()
        fed = evaluated.in_nodes.values() if self.save_in_nodes is None else self.save_in_nodes
        fetched = evaluated.out_nodes.values() if self.save_out_nodes is None else self.save_out_nodes
        outputs = [program.global_block().var(name) for name in fetched]
        io.save_inference_model(folder, list(fed), outputs, Executor(context.place), program, "model", "weights")


__all__ = ["QuantizationStrategy"]

__getattr__ = missing(__name__)
