"""`paddle.fluid.contrib.slim.distillation.distiller`: losses that let a network learn from another one in the same graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers
from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper


class _Distiller(ABC):
    """Adds a loss to a graph: to its `loss`, and under a name of its own."""

    distillation_loss_weight: float

    def distiller_loss(self, graph: GraphWrapper) -> GraphWrapper:
        """Add the loss to a graph.

        Args:
            graph (GraphWrapper): the student's, into which the teacher's was merged.
        Returns:
            GraphWrapper: the same one. Its `loss` is the sum of what it was and this one, times its weight, which stands beside it.
        Raises:
            ValueError: the graph has no variable of a name.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.contrib.slim.distillation import L2Distiller
            >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper
            >>> with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
            ...     student, teacher = fluid.data("student", [None, 2]), fluid.data("teacher", [None, 2])
            ...     loss = fluid.layers.mean(student)
            ...     graph = GraphWrapper(fluid.default_main_program(), [], [("loss", loss.name)])
            >>> list(L2Distiller("student", "teacher").distiller_loss(graph).out_nodes)
            ['loss', 'l2loss_student_teacher']
        """

        def var(name: str) -> Variable:
            return graph.var(name)._var

        with program_guard(graph.program, Program()):
            weighed = self._loss(var) * self.distillation_loss_weight
            total = weighed + var(graph.out_nodes["loss"])
        graph.out_nodes["loss"] = total.name
        graph.out_nodes[self._name()] = weighed.name
        return graph

    @abstractmethod
    def _loss(self, var: Callable[[str], Variable]) -> Variable:
        """The loss, given what finds a variable of a name."""

    @abstractmethod
    def _name(self) -> str:
        """What the loss is among the graph's outputs."""


class L2Distiller(_Distiller):
    """The mean squared difference between a student's and a teacher's values.

    Args:
        student_feature_map, teacher_feature_map (str): names of variables of one shape.
        distillation_loss_weight (float): what the loss is multiplied by.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.distillation import L2Distiller
        >>> L2Distiller("student", "teacher", 0.5).distillation_loss_weight
        0.5

    Follows Paddle 1.8.
    """

    def __init__(self, student_feature_map: str, teacher_feature_map: str, distillation_loss_weight: float = 1) -> None:
        self.student_feature_map, self.teacher_feature_map = student_feature_map, teacher_feature_map
        self.distillation_loss_weight = distillation_loss_weight

    def _loss(self, var: Callable[[str], Variable]) -> Variable:
        return layers.reduce_mean(layers.square(var(self.student_feature_map) - var(self.teacher_feature_map)))

    def _name(self) -> str:
        return f"l2loss_{self.student_feature_map}_{self.teacher_feature_map}"


class FSPDistiller(_Distiller):
    """The mean squared differences between products of two maps of a student's (how one leads to the other) and those of a teacher's.

    Args:
        student_pairs, teacher_pairs (list): pairs of names of variables [batch, channels, height, width]; maps of one pair have one
            height and width, and the student's as many channels as the teacher's.
        distillation_loss_weight (float): what the loss is multiplied by.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.distillation import FSPDistiller
        >>> FSPDistiller([["s_1", "s_2"]], [["t_1", "t_2"]]).student_pairs
        [['s_1', 's_2']]

    Follows Paddle 1.8.
    """

    def __init__(self, student_pairs: list[Any], teacher_pairs: list[Any], distillation_loss_weight: float = 1) -> None:
        self.student_pairs, self.teacher_pairs = student_pairs, teacher_pairs
        self.distillation_loss_weight = distillation_loss_weight

    def _loss(self, var: Callable[[str], Variable]) -> Variable:
        parts = []
        for student, teacher in zip(self.student_pairs, self.teacher_pairs):
            own, others = (layers.fsp_matrix(var(first), var(second)) for first, second in (student, teacher))
            parts.append(layers.reduce_mean(layers.square(own - others)))
        return layers.sum(parts)

    def _name(self) -> str:
        return "fsp_distillation_loss"


class SoftLabelDistiller(_Distiller):
    """The cross entropy of a student's probabilities with a teacher's.

    Args:
        student_feature_map, teacher_feature_map (str): names of variables of one shape, the logits.
        student_temperature, teacher_temperature (float): what the logits are divided by.
        distillation_loss_weight (float): what the loss is multiplied by.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.distillation import SoftLabelDistiller
        >>> SoftLabelDistiller("student", "teacher", 2.0, 3.0).teacher_temperature
        3.0

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        student_feature_map: str | None = None,
        teacher_feature_map: str | None = None,
        student_temperature: float = 1.0,
        teacher_temperature: float = 1.0,
        distillation_loss_weight: float = 1,
    ) -> None:
        self.student_feature_map, self.teacher_feature_map = student_feature_map, teacher_feature_map
        self.student_temperature, self.teacher_temperature = student_temperature, teacher_temperature
        self.distillation_loss_weight = distillation_loss_weight

    def _loss(self, var: Callable[[str], Variable]) -> Variable:
        student = layers.softmax(var(str(self.student_feature_map)) / self.student_temperature)
        teacher = layers.softmax(var(str(self.teacher_feature_map)) / self.teacher_temperature)
        teacher.stop_gradient = True
        return layers.reduce_mean(layers.cross_entropy(student, teacher, soft_label=True))

    def _name(self) -> str:
        return f"soft_label_loss_{self.student_feature_map}_{self.teacher_feature_map}"


__all__ = ["FSPDistiller", "L2Distiller", "SoftLabelDistiller"]

__getattr__ = missing(__name__)
