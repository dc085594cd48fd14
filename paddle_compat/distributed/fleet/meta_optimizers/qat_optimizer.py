"""Training of a network that is to be quantized, asked for by `strategy.qat`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base._ir_graph import Graph, IrGraph
from paddle_compat.core.place import run_device
from paddle_compat.core.program import Program
from paddle_compat.core.scope import global_scope
from paddle_compat.distributed.fleet.meta_optimizers.common import is_update_op
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.static.quantization import OutScaleForTrainingPass, QuantizationTransformPassV2

_PRODUCTS = ("conv2d", "depthwise_conv2d", "mul", "matmul", "matmul_v2")  # whose operands are rounded


class QATOptimizer(MetaOptimizerBase):
    """Products see weights and inputs rounded to few bits, and moving averages of results are taken note of.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.qat = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 8]), 8, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> sorted(op.type for op in loss.block.ops if "quantize" in op.type)
        ['dequantize_linear', 'dequantize_linear', 'quantize_linear', 'quantize_linear']
        >>> paddle.disable_static()

    Follows Paddle 2.6, where workers of several do not sum their gradients beside this.
    """

    switch = "qat"

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, then round; the states of rounding begin in the current scope.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        _, params_grads = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        main = loss.block.program
        self._round(main, run_device(), None, for_test=False)
        return [op for block in main.blocks for op in block.ops if is_update_op(op)], params_grads

    def qat_init(self, place: Any, scope: Any = None, test_program: Program | None = None) -> None:
        """Round a Program for inference as the trained one does.

        Args:
            place (CPUPlace|CUDAPlace): where the states are.
            scope (Scope|None): None for the global one.
            test_program (Program|None): the Program, which is rewritten.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> paddle.enable_static()
            >>> strategy = fleet.DistributedStrategy()
            >>> strategy.qat = True
            >>> fleet.init(is_collective=True, strategy=strategy)
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 8]), 8, bias_attr=False))
            ...     tested = main.clone(for_test=True)
            ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
            >>> _ = paddle.static.Executor(paddle.CPUPlace()).run(startup)
            >>> fleet.fleet.qat_init(paddle.CPUPlace(), paddle.static.global_scope(), tested)  # it calls this one
            >>> sorted(op.type for op in tested.global_block().ops if "quantize" in op.type)
            ['dequantize_linear', 'dequantize_linear', 'quantize_linear', 'quantize_linear']
            >>> paddle.disable_static()

        Follows Paddle 2.6.
        """
        if test_program is not None:
            self._round(test_program, place, scope, for_test=True)

    def _round(self, program: Program, place: Any, scope: Any, for_test: bool) -> None:
        configs, held = self.user_defined_strategy.qat_configs, global_scope() if scope is None else scope
        graph = IrGraph(Graph(program.desc), for_test=for_test)
        QuantizationTransformPassV2(
            held, place, weight_bits=configs["weight_bits"], activation_bits=configs["activation_bits"],
            activation_quantize_type="moving_average_abs_max",
            weight_quantize_type="channel_wise_abs_max" if configs["channel_wise_abs_max"] else "abs_max",
            skip_pattern=list(configs["not_quant_pattern"]), quantizable_op_type=list(_PRODUCTS), is_test=for_test,
        ).apply(graph)  # fmt: skip
        OutScaleForTrainingPass(held, place, is_test=for_test).apply(graph)
        _become(program, graph.to_program())


def _become(program: Program, other: Program) -> None:
    """Let a Program have another one's operators, in the blocks that users hold."""
    block = program.global_block()
    for name, var in other.global_block().vars.items():
        if name not in block.vars:
            var.block, block.vars[name] = block, var
    block.ops[:] = other.global_block().ops
    for op in block.ops:
        op.block = block
    for inner in other.blocks[1:]:
        inner.program = program
    program.blocks[1:] = other.blocks[1:]
    program._touch()


__all__ = ["QATOptimizer"]

__getattr__ = missing(__name__)
