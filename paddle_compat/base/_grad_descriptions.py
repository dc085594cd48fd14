"""What Paddle's `append_backward` is put together from: edits of lists of gradient operators, which its unit tests call one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from paddle_compat.core.op_desc import OpDesc
from paddle_compat.core.operator import GRAD_SUFFIX, OpRole
from paddle_compat.core.program import Program

Slots = Mapping[str, Sequence[Any]]


def _create_op_desc_(op_type: str, inputs: Slots, outputs: Slots, attrs: Mapping[str, Any]) -> OpDesc:
    """An operator of the backward pass that stands in no Program yet."""
    desc: OpDesc = Program().desc.block(0).append_op()
    desc.set_type(op_type)
    for slot, names in inputs.items():
        desc.set_input(slot, _names(names))
    for slot, names in outputs.items():
        desc.set_output(slot, _names(names))
    for name, value in {"op_role": int(OpRole.Backward), "op_device": "", **attrs}.items():
        desc._set_attr(name, value)
    return desc


def _names(given: Sequence[Any]) -> list[str]:
    return [getattr(one, "name", one) for one in given]


def _rename_arg_(
    op_descs: Sequence[OpDesc], old_name: str, new_name: str, begin_idx: int | None = None, end_idx: int | None = None
) -> None:
    """Call a variable otherwise, wherever some of the operators read or write it."""
    for desc in op_descs[begin_idx:end_idx]:
        desc._rename_input(old_name, new_name)
        desc._rename_output(old_name, new_name)


def _some_in_set_(cands: Iterable[str], s: Collection[str]) -> bool:
    """Whether any of the names is there."""
    return any(name in s for name in cands)


def _all_in_set_(cands: Iterable[str], s: Collection[str]) -> bool:
    """Whether all names are there, and there are any."""
    names = list(cands)
    return bool(names) and all(name in s for name in names)


def _addup_repetitive_outputs_(op_descs: Sequence[OpDesc], block_idx: int, *unused: Any) -> list[OpDesc]:
    """Give gradients that several operators write a name for each part, and add the parts up before they are read."""
    done: list[OpDesc] = []
    parts: dict[str, list[str]] = {}
    count: dict[str, int] = {}

    def part(name: str) -> str:
        number = count.get(name, 0)
        count[name] = number + 1
        return f"{name}@RENAME@block{block_idx}@{number}"

    def add_up(name: str) -> None:
        done.append(_create_op_desc_("sum", {"X": parts[name]}, {"Out": [name]}, {"use_mkldnn": False}))
        parts[name] = [name]

    for desc in op_descs:
        for name in desc.input_arg_names():
            if len(parts.get(name, ())) > 1:
                add_up(name)
        reads = set(desc.input_arg_names())
        for slot in desc.output_names():
            written = desc.output(slot)
            for i, name in enumerate(written):
                if GRAD_SUFFIX not in name or name in reads:
                    continue
                if name not in parts:
                    parts[name] = [name]
                    continue
                if parts[name] == [name]:
                    parts[name] = [part(name)]
                    _rename_arg_(done, name, parts[name][0])
                    # what this operator wrote already under the same name, in other slots and in front in this one
                    for former in desc.output_names()[: desc.output_names().index(slot)]:
                        desc.set_output(former, [parts[name][0] if one == name else one for one in desc.output(former)])
                    written[:i] = [parts[name][0] if one == name else one for one in written[:i]]
                written[i] = part(name)
                parts[name].append(written[i])
            desc.set_output(slot, written)
        done.append(desc)
    for name in [name for name, several in parts.items() if len(several) > 1]:
        add_up(name)
    return done


def without_branches(op_descs: Sequence[OpDesc], no_grad_set: set[str], zeros: str, attrs: Mapping[str, Any]) -> list[OpDesc]:
    """Leave out the operators all whose gradients are unwanted, or that start from unwanted ones alone.

    Args:
        op_descs: the operators.
        no_grad_set: the names of unwanted gradients; takes those that are written no more.
        zeros: the type of the operator that makes zeros where others read an unwanted gradient; `attrs`: its attributes.
    Returns:
        The others.
    """
    kept: list[OpDesc] = []
    for desc in op_descs:
        outputs, gradients = desc.output_arg_names(), [name for name in desc.input_arg_names() if GRAD_SUFFIX in name]
        if _all_in_set_(outputs, no_grad_set) or _all_in_set_(gradients, no_grad_set):
            no_grad_set.update(outputs)
            continue
        for name in gradients:
            if name in no_grad_set:
                kept.append(_create_op_desc_(zeros, {"X": [name.partition(GRAD_SUFFIX)[0]]}, {"Out": [name]}, attrs))
        kept.append(desc)
    return kept


def _remove_no_grad_branch_(op_descs: Sequence[OpDesc], no_grad_set: set[str], *unused: Any) -> list[OpDesc]:
    """`without_branches`, as Paddle 2 has it."""
    return without_branches(op_descs, no_grad_set, "fill_any_like", {"value": 0, "dtype": -1})
