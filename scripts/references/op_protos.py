"""Record every operator's slots, attributes and gradient slots of the wheel it runs under.

Usage: PYTHON_OF_A_WHEEL scripts/references/op_protos.py tests/references
Each operator is asked in a child process, because some makers abort on made-up inputs.
"""
import functools
import gzip
import json
import os
import sys

import paddle
from child_process import asked

if paddle.__version__.startswith("1."):
    from paddle.fluid import core, framework
else:
    from paddle.base import core, framework
    paddle.enable_static()

ATTR_TYPES = ("INT FLOAT STRING INTS FLOATS STRINGS BOOLEAN BOOLEANS BLOCK LONG BLOCKS LONGS FLOAT64S VAR VARS "
              "FLOAT64 SCALAR SCALARS").split()


def plain(value):
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return repr(value)


def grad_ops(proto, drop_optional):
    program = framework.Program()
    block = program.global_block()
    desc = block.desc.append_op()
    desc.set_type(proto.type)
    for kind, slots, put in (("in", proto.inputs, desc.set_input), ("out", proto.outputs, desc.set_output)):
        for slot in slots:
            if drop_optional and slot.dispensable:
                continue
            name = kind + ":" + slot.name
            block.create_var(name=name, shape=[2, 2], dtype="float32", stop_gradient=False)
            put(slot.name, [name])
    desc.check_attrs()
    attrs = {n: plain(desc.attr(n)) for n in desc.attr_names()}
    descs, _ = core.get_grad_op_desc(desc, set(), [])
    out = []
    for g in descs:
        g = core.OpDesc.__copy__(g) if hasattr(core.OpDesc, "__copy__") else g
        out.append({"type": g.type(), "inputs": {s: g.input(s) for s in g.input_names()},
                    "outputs": {s: g.output(s) for s in g.output_names()}})
    return attrs, out


def main(folder):
    table = {}
    for proto in framework.get_all_op_protos():
        if proto.type.endswith(("_grad", "_grad_grad")):
            continue
        row = {"inputs": [], "outputs": [], "attrs": {}}
        for key, slots in (("inputs", proto.inputs), ("outputs", proto.outputs)):
            for s in slots:
                row[key].append(s.name + ("*" if s.duplicable else "") + ("?" if s.dispensable else "")
                                + ("~" if s.intermediate else ""))
        types = {a.name: ATTR_TYPES[a.type] for a in proto.attrs}
        full, lean = (asked(functools.partial(grad_ops, proto, lean)) for lean in (False, True))
        values = full[0][0] if full else {}
        for name, kind in types.items():
            row["attrs"][name] = [kind] + ([values[name]] if name in values else [])
        row["grad"] = full[0][1] if full else None
        if lean and lean[0][1] != row["grad"]:
            row["grad_without_optional"] = lean[0][1]
        table[proto.type] = row
    path = os.path.join(folder, "op_protos_%s.json.gz" % paddle.__version__)
    with gzip.GzipFile(path, "w", mtime=0) as f:
        f.write(json.dumps(table, sort_keys=True).encode())
    print(path, len(table))


if __name__ == "__main__":
    main(sys.argv[1])
