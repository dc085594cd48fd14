"""Lists which inputs, attributes and outputs the kernels of operators take, for paddle_compat/base/_kernel_signatures.txt.

    python -c "from paddle_compat.core.op import registered; print(*registered(), sep='\\n')" \\
        | PYTHON_OF_THE_2.6.2_WHEEL scripts/list_kernel_signatures.py > paddle_compat/base/_kernel_signatures.txt

A line is `NAME: INPUTS | ATTRIBUTES | OUTPUTS`. An attribute for which inputs may stand lists them: `shape=ShapeTensor,Shape`.
"""

import sys

import paddle
from paddle.base import core
from paddle.base.framework import _dygraph_tracer
from paddle.base.proto import framework_pb2


def line(proto, some):
    """The line of one operator; nothing where it has no kernel of this kind."""

    def signature(*names):
        given = {v.name: [some] for v in proto.inputs if not v.dispensable or v.name in names}
        return _dygraph_tracer()._get_kernel_signature(proto.type, given, {v.name: [some] for v in proto.outputs}, {})

    free = [v.name for v in proto.inputs if v.dispensable]
    try:
        inputs, attributes, outputs = signature()
    except (ValueError, RuntimeError):
        return None
    stand = {name: [] for name in attributes}
    # the one that counts where several are given comes first
    for name in [*signature(*free)[1], *free]:
        if name in free:
            try:
                taken = signature(name)[1]
            except (ValueError, RuntimeError):
                continue
            for attribute, replaced in zip(attributes, taken):
                if replaced == name and name not in stand[attribute]:
                    stand[attribute].append(name)
    written = [name + ("=" + ",".join(stand[name]) if stand[name] else "") for name in attributes]
    return f"{proto.type}: {' | '.join(' '.join(part) for part in (inputs, written, outputs))}"


def main():
    """Print the lines of the operators that standard input names."""
    paddle.disable_static()
    some, wanted = paddle.to_tensor([1.0]), set(sys.stdin.read().split())
    protos = [framework_pb2.OpProto.FromString(data) for data in core.get_all_op_protos()]
    lines = [line(proto, some) for proto in sorted(protos, key=lambda p: p.type) if proto.type in wanted]
    sys.stdout.write("".join(text + "\n" for text in lines if text))


main()
