"""What a recorded function writes over while another Tensor of its shows the same memory, as views in eager mode do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Block

_VIEWS = frozenset(
    "as_strided diagonal flatten_contiguous_range reshape2 share_data slice squeeze2 strided_slice tensor_unfold transpose2 unbind "
    "unsqueeze2 view_dtype view_shape".split()
)


def written_behind(block: Block, overwriting: Iterable[Operator], seen: Iterable[str]) -> str | None:
    """A Variable that is read after another one with the same memory was written over, if there is one.

    Args:
        block: the whole function.
        overwriting: the operators that write a Tensor over, rather than make a new one of that name.
        seen: names that somebody sees when the function has run.
    """
    over = {id(op) for op in overwriting}
    if not over:
        return None
    memory: dict[str, set[str]] = {}  # by name: the names that show the same memory
    stale: set[str] = set()
    for op in _in_order(block):
        if read := stale.intersection(op.input_arg_names):
            return min(read)
        for name in op.output_arg_names if "sub_block" not in op.attrs else ():  # what a block gives, its operators say
            if id(op) in over:
                stale |= memory.get(name, {name}) - {name}
            else:
                memory.pop(name, set()).discard(name)
                stale.discard(name)
        if op.type in _VIEWS:
            shown = {name for names in op.outputs.values() for name in names} | set(op.input_arg_names[:1])
            joined = shown.union(*(memory.get(name, ()) for name in shown))
            memory.update(dict.fromkeys(joined, joined))
    return min(stale.intersection(seen), default=None)


def _in_order(block: Block) -> Iterator[Operator]:
    """The operators as they run, the bodies of loops twice."""
    for op in block.ops:
        yield op
        inner = op.attrs.get("sub_block")
        if inner is not None:
            for _ in range(2 if op.type == "while" else 1):
                yield from _in_order(inner)
