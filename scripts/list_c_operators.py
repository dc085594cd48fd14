"""Lists what `paddle._C_ops` and `paddle._legacy_C_ops` take, for paddle_compat/base/_c_operators.txt.

    PYTHON_OF_THE_2.6.2_WHEEL scripts/list_c_operators.py > paddle_compat/base/_c_operators.txt

A line is `legacy NAME SLOTS = OUTPUTS` or `phi NAME OPERATOR ARGUMENTS = OUTPUTS`. A slot that takes a list ends in `*`, a number in
`#`. An argument is `@SLOT`, an attribute, `ATTRIBUTE/SLOT` where a Tensor may stand for it, or `!`, which is of no effect.
"""

import re
from pathlib import Path

import paddle
from paddle.base import core
from paddle.incubate.autograd.phi_ops_map import op_info, op_map

MARKS = {"tensor": "", "list": "*", "int": "#"}


def legacy():
    """The lines of `paddle._legacy_C_ops`."""
    module = core.eager.ops.legacy
    slots, kinds, outputs = module.get_core_ops_args_info(), module.get_core_ops_args_type_info(), module.get_core_ops_returns_info()
    for name in sorted(slots):
        taken = [slot + MARKS[kind] for slot, kind in zip(slots[name], kinds[name])]
        yield " ".join(["legacy", name, *taken, "=", *outputs[name]])


def returned():
    """How many values a function returns, by its name."""
    header = Path(paddle.sysconfig.get_include(), "paddle/phi/api/include/api.h").read_text()
    found = {}
    for kind, name in re.findall(r"^PADDLE_API (.*?) (\w+)\(", header, re.MULTILINE):
        inside = kind[len("std::tuple<") : -1] if kind.startswith("std::tuple<") else ""
        found[name] = inside.count(",") + 1 if inside else 1
    return found


def argument(text, facts):
    """What stands in a line for one argument, given as `Tensor x` or `int axis = -1`."""
    kind, name = text.split("=")[0].split()
    if kind in ("Tensor", "Tensor[]"):
        return "@" + facts.get("inputs", {}).get(name, name.capitalize())
    if kind == "Place":
        return "!"
    attribute = facts.get("attrs", {}).get(name, name)
    given = {**facts.get("int_array", {}), **facts.get("scalar", {})}.get(name, {})
    return attribute + ("/" + given["tensor_name"] if "tensor_name" in given else "")


def phi():
    """The lines of `paddle._C_ops`."""
    counts = returned()
    for operator, facts in sorted(op_map.items(), key=lambda item: item[1]["phi_name"]):
        name = facts["phi_name"]
        if name not in op_info or not hasattr(core.eager.ops, name):
            continue
        pieces = [piece for piece in re.split(r",\s*(?![^{]*})", op_info[name]["args"]) if piece]
        names = re.findall(r"\((\w+)\)", op_info[name]["output"]) or ["out"]
        outputs = [facts.get("outputs", {}).get(output, output.capitalize()) for output in names][: counts.get(name)]
        yield " ".join(["phi", name, operator, *(argument(piece.strip(), facts) for piece in pieces), "=", *outputs])


if __name__ == "__main__":
    print("\n".join([*legacy(), *phi()]))
