"""Passes that make Programs faster, not different: what they fuse by hand is fused here whenever a Program runs.

Bias and product become one call, neighbouring updates and sums over the workers, too (`engine.peephole`, `engine.updates`,
`engine.reductions`), and the backward pass is one call of autograd's as long as nobody edits it. So these passes leave operators
as they are, as 2.6.2's do on a CPU where it has a kernel of a GPU in mind.
"""

from __future__ import annotations

from typing import Any

from paddle_compat.core.program import Program
from paddle_compat.distributed.passes.pass_base import FUSION_ORDER, PassBase, PassContext, PassType, register_pass


class _Faster(PassBase):
    """Nothing to be written into a Program."""

    kind = PassType.FUSION_OPT

    def _check_self(self) -> bool:
        return True

    def _check_conflict(self, other_pass: PassBase) -> bool:
        return True

    def _type(self) -> int:
        return self.kind

    def _apply_single_impl(self, main_program: Program, startup_program: Program, context: PassContext) -> None:
        """The engine fuses what this names when the Program runs."""


@register_pass("inplace_addto_op")
class _InplaceAddto(_Faster):
    """Gradients add up in place: autograd's do."""

    kind = PassType.CALC_OPT


@register_pass("fuse_all_reduce")
class _FuseAllReduce(_Faster):
    """Sums over the workers, in parts of `max_memory_size` bytes."""

    kind = PassType.COMM_OPT

    def _check_self(self) -> bool:
        size: Any = self.get_attr("max_memory_size")
        return size is not None and size > 0


for _name in (*FUSION_ORDER, "fuse_elewise_add_act"):
    register_pass(_name)(type(f"_{_name}", (_Faster,), {}))
