"""The names of gradients: parts that are summed where several operators give one, new names where one is there already."""

from __future__ import annotations

from collections import defaultdict

from paddle_compat.core._grad_spec import DROPPED, RECOMPUTED, GradSpec, zero_spec
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX
from paddle_compat.core.program import Block


def add_up(specs: list[GradSpec], block_idx: int, age: int = 2, placed_too: bool = True) -> list[GradSpec]:
    """Where a gradient is written more than once, rename the parts and sum them before the first reader.

    Args:
        placed_too: sums carry the device of what makes the last part, as in 2.x.
    """
    out: list[GradSpec] = []
    parts: dict[str, list[str]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    firsts: dict[str, int] = {}  # what reads a gradient before the first part is written reads another one: a loop's later turn

    devices: dict[str, str] = {}  # where the last part is made
    gone: set[str] = set()  # parts of operators that are dropped

    def flush(name: str) -> None:
        if not gone.issuperset(parts[name]):
            zeros = [zero_spec(name.removesuffix(GRAD_SUFFIX), age) for part in parts[name] if part in gone]
            for spec, part in zip(zeros, (p for p in parts[name] if p in gone)):
                spec.outputs = {"Out": [part]}
            attrs = {"op_device": devices[name]} if placed_too and devices.get(name) else {}
            out.extend([*zeros, GradSpec("sum", {"X": list(parts[name])}, {"Out": [name]}, attrs)])
        parts[name] = [name]

    def fresh(name: str) -> str:
        new = f"{name}@RENAME@block{block_idx}@{counts[name]}"
        counts[name] += 1
        return new

    for spec in specs:
        several = [name for name in dict.fromkeys(spec.reads()) if len(parts[name]) > 1]
        start = len(out)  # of the zeros that were made for this operator: they come behind the sums
        while several and start and "_zero" in out[start - 1].attrs:
            start -= 1
        zeros, out[start:] = out[start:], []
        for name in several:
            flush(name)
        out.extend(zeros)
        if not spec.type:
            continue
        reads = set(spec.reads())
        placed: list[tuple[list[str], int]] = []
        for names, i in [
            (spec.outputs[slot], i) for slot in sorted(spec.outputs) for i in range(len(spec.outputs[slot]))
        ]:
            name = names[i]
            if name == EMPTY_VAR or name in reads or GRAD_SUFFIX not in name:
                continue
            devices[name] = spec.attrs.get("op_device", "")
            if not parts[name]:
                parts[name] = [name]
                firsts[name] = len(out)
            else:
                if len(parts[name]) == 1:
                    new = fresh(name)
                    for earlier in out[firsts[name] :]:
                        earlier.rename(earlier.outputs, name, new)
                        earlier.rename(earlier.inputs, name, new)
                    for others, k in placed:  # the same operator may write the name twice
                        others[k] = new if others[k] == name else others[k]
                    gone.update([new] if name in gone else [])
                    parts[name] = [new]
                names[i] = fresh(name)
                parts[name].append(names[i])
            placed.append((names, i))
        if DROPPED in spec.attrs:
            gone.update(n for n in spec.writes() if n != EMPTY_VAR)
        else:
            out.append(spec)
    for name in [n for n, p in parts.items() if len(p) > 1]:
        flush(name)
    return out


def fresh_names(block: Block, specs: list[GradSpec], given: dict[str, str], prefix: str) -> dict[str, str]:
    """Rename gradients that exist already from an earlier call."""
    renamed: dict[str, str] = {}
    keep = set(given.values())
    for spec in specs:
        kept = set() if spec.forward is None else {*spec.forward.input_arg_names, *spec.forward.output_arg_names}
        for old, new in renamed.items():
            if old not in kept:
                spec.rename(spec.inputs, old, new)
        for name in spec.writes() if RECOMPUTED not in spec.attrs else ():
            if name == EMPTY_VAR or name in keep or GRAD_SUFFIX not in name:
                continue
            if name not in renamed and block.has_var(name) and name not in renamed.values():
                renamed[name] = prefix + name
            if name in renamed:
                spec.rename(spec.outputs, name, renamed[name])
    return renamed
