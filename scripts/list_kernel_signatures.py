"""Lists which inputs, attributes and outputs the kernels of operators take, for paddle_compat/base/_kernel_signatures.txt.

    python -c "import paddle_compat; from paddle_compat.core.op import registered; print(*registered(), sep='\\n')" \\
        | PYTHON_OF_THE_2.6.2_WHEEL scripts/list_kernel_signatures.py > paddle_compat/base/_kernel_signatures.txt

A line is `NAME: INPUTS | ATTRIBUTES | OUTPUTS`. An attribute for which inputs may stand lists them: `shape=ShapeTensor,Shape`.
`NAME[CHOICE]` is what the operator takes where the input CHOICE is given, or where the attribute CHOICE is not its default, and those
that stand behind it with a `!` are.
"""

import sys

import paddle
from paddle.base import core
from paddle.base.framework import _dygraph_tracer
from paddle.base.proto import framework_pb2

OTHERS = {  # values of attributes that choose among kernels
    framework_pb2.INT: [0, 1],
    framework_pb2.BOOLEAN: [True, False],
    framework_pb2.STRING: ["a"],
    framework_pb2.INTS: [[1]],
}


def asked(proto, some, names=(), attributes=None):
    """What the wheel says of one operator with the inputs `names` beside those that it must have; nothing where it refuses."""
    given = {v.name: [some] for v in proto.inputs if not v.dispensable or v.name in names}
    try:
        return _dygraph_tracer()._get_kernel_signature(proto.type, given, {v.name: [some] for v in proto.outputs}, attributes or {})
    except (IndexError, ValueError, RuntimeError):
        return None


def line(proto, some, name, names=(), given=None):
    """One line; nothing where the operator has no kernel of this kind."""
    free = [v.name for v in proto.inputs if v.dispensable and v.name not in names]
    plain = asked(proto, some, names, given)
    if plain is None:
        return None
    inputs, attributes, outputs = plain
    stand = {name: [] for name in attributes}
    # the one that counts where several are given comes first
    everything = asked(proto, some, [*names, *free], given) or plain
    for each in [*everything[1], *free]:
        taken = asked(proto, some, [*names, each], given) if each in free else None
        for attribute, replaced in zip(attributes, taken[1] if taken else ()):
            if replaced == each and each not in stand[attribute]:
                stand[attribute].append(each)
    written = [name + ("=" + ",".join(stand[name]) if stand[name] else "") for name in attributes]
    return f"{name}: {' | '.join(' '.join(part) for part in (inputs, written, outputs))}"


def lines(proto, some):
    """The lines of one operator."""
    plain = asked(proto, some)
    yield line(proto, some, proto.type)
    for name in [v.name for v in proto.inputs if v.dispensable] if plain else ():
        found = asked(proto, some, [name])
        if found and found[0] != plain[0]:
            yield line(proto, some, f"{proto.type}[{name}]", [name])
    values = [(a.name, value) for a in proto.attrs for value in OTHERS.get(a.type, ())] if plain else []
    found = {name: value for name, value in reversed(values) if asked(proto, some, (), {name: value}) not in (None, plain)}
    for choice, value in found.items():
        against = {name: True for name, other in values if asked(proto, some, (), {choice: value, name: other}) == plain}
        words = " ".join([choice, *("!" + name for name in against if name != choice)])
        yield line(proto, some, f"{proto.type}[{words}]", (), {choice: value})


def main():
    """Print the lines of the operators that standard input names."""
    paddle.disable_static()
    some, wanted = paddle.to_tensor([1.0]), set(sys.stdin.read().split())
    protos = [framework_pb2.OpProto.FromString(data) for data in core.get_all_op_protos()]
    found = (text for proto in sorted(protos, key=lambda p: p.type) if proto.type in wanted for text in lines(proto, some))
    sys.stdout.write("".join(text + "\n" for text in found if text))


main()
