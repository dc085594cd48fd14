# ruff: noqa: E501 - a call is a line
"""What 1.8.5 tells about Programs: memory, parameters and operations, listings, drawings.

program_reports_1.8.5.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}. The
code is read as in native_cases.py; `said(function, ...)` is what a call prints, `drawn(text)` a drawing without its numbers.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import stat
import tempfile
from typing import Any, Callable

import native_cases

WHEELS = ("1.8.5",)

_NET = (
    "x = fluid.data('x', [None, 3, 8, 8]); y = fluid.data('y', [None, 1], 'int64'); c = fluid.layers.conv2d(x, 4, 3, act='relu', padding=1); c = fluid.layers.batch_norm(c); p = fluid.layers.pool2d(c, 2, 'max', 2)\n"
    "f = fluid.layers.fc(p, 10, act='softmax'); l = fluid.layers.mean(fluid.layers.cross_entropy(f, y)); main = fluid.default_main_program(); startup = fluid.default_startup_program()\n"
)
_SMALL = "x = fluid.data('x', [None, 3]); y = fluid.data('y', [None, 1], 'int64'); f = fluid.layers.fc(x, 2, act='softmax'); l = fluid.layers.mean(fluid.layers.cross_entropy(f, y)); main = fluid.default_main_program(); block = main.global_block(); "
_TRAIN = "fluid.optimizer.SGD(0.1).minimize(l); "

CASES = {
    **{f"memory/{size}": _NET + f"out = [contrib.memory_usage(main, {size}), contrib.memory_usage(main, batch_size={size})]" for size in (1, 10, 100000, 10**9)},
    "memory/trained": _NET + _TRAIN + "out = contrib.memory_usage(main, 8)",
    "memory/types": "x = fluid.data('x', [None, 4]); a = [fluid.layers.cast(x, t) for t in ('float64', 'bool', 'int32', 'int64', 'float16')]; out = contrib.memory_usage(fluid.default_main_program(), 3)",
    "memory/parameter": "fluid.layers.create_parameter([5, 6], 'float32'); fluid.data('x', [7]); out = contrib.memory_usage(fluid.default_main_program(), 1)",
    "memory/nothing": "out = contrib.memory_usage(fluid.Program(), 1)",
    "memory/two unknown": "x = fluid.data('x', [None, 4]); fluid.layers.matmul(x, x, transpose_y=True); contrib.memory_usage(fluid.default_main_program(), 1)",
    "memory/no program": "contrib.memory_usage(3, 1)",
    "memory/no size": "contrib.memory_usage(fluid.Program(), 0)",
    "memory/text": "contrib.memory_usage(fluid.Program(), 'a')",
    "summary": _NET + "out = said(part('contrib.model_stat').summary, main)",
    "summary/trained": _NET + _TRAIN + "out = said(part('contrib.model_stat').summary, main)",
    "summary/kinds": "x = fluid.data('x', [None, 4, 8, 8]); c = fluid.layers.conv2d(x, 4, 3, groups=2, bias_attr=False, stride=2); d = fluid.layers.prelu(c, 'channel'); d = fluid.layers.prelu(d, 'all'); d = fluid.layers.leaky_relu(d); d = fluid.layers.pool2d(d, 2, 'avg', global_pooling=True); d = fluid.layers.tanh(d)\n"
    "d = fluid.layers.sigmoid(d); d = fluid.layers.fc(d, 7, bias_attr=False); d = fluid.layers.dropout(d, 0.5); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/depthwise": "x = fluid.data('x', [None, 4, 8, 8]); c = fluid.layers.conv2d(x, 4, 3, groups=4, use_cudnn=False); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/element": "x = fluid.data('x', [None, 4, 3, 2]); c = fluid.layers.prelu(x, 'element'); c = fluid.layers.relu6(c); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/fixed batch": "x = fluid.data('x', [5, 4]); c = fluid.layers.fc(x, 3, act='relu'); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/bias slot": "x = fluid.data('x', [None, 3, 8, 8]); block = x.block; w = block.create_parameter(name='w', shape=[2, 3, 3, 3], dtype='float32'); b = block.create_parameter(name='b', shape=[2], dtype='float32'); o = block.create_var(name='o', dtype='float32')\n"
    "block.append_op(type='conv2d', inputs={'Input': x, 'Filter': w, 'Bias': b}, outputs={'Output': o}, attrs={}); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/many": "x = fluid.data('x', [None, 128, 64, 64]); c = fluid.layers.conv2d(x, 256, 3, padding=1); c = fluid.layers.conv2d(c, 256, 5, padding=2); out = said(part('contrib.model_stat').summary, fluid.default_main_program())",
    "summary/nothing": "out = said(part('contrib.model_stat').summary, fluid.Program())",
    "codes": _SMALL + "out = listing(part('debugger').pprint_program_codes(main))",
    "codes/block": _SMALL + _TRAIN + "out = listing(part('debugger').pprint_block_codes(block))",
    "codes/kinds": "x = fluid.data('x', [None, 3]); fluid.data('s', [None, 2], lod_level=1); q = fluid.layers.cast(fluid.layers.relu(x), 'int64'); out = listing(part('debugger').pprint_program_codes(fluid.default_main_program()))",
    "graph": "g = part('graphviz').Graph('t', rankdir='TB', fontsize=3); a = g.node('A', 'n', shape='box'); b = g.node('<b>B</b>', prefix='op', description='d', width=2); e = g.edge(a, b, color='red'); r = g.rank_group('same', 2); out = [a.name[:2], b.name[:3], str(a).partition(' ')[2], str(b).partition(' ')[2], r[:10], drawn(g.code()), type(e).__name__]",
    "graph/words": "c = part('graphviz').crepr; out = [c('a'), c('<b>'), c(3), c(1.5)]",
    "graph/rank": "out = str(part('graphviz').Rank('same', 'r', 3))",
    "graph/file": "path = folder + '/a.dot'; g = part('graphviz').Graph('t', rankdir='TB'); g.edge(g.node('A', 'n'), g.node('B', 'n')); g.compile(path); out = [drawn(open(path).read()), commands()]",
    "preview": "path = folder + '/p.dot'; g = part('graphviz').GraphPreviewGenerator('title'); a = g.add_param('w', 'float32', True); b = g.add_param('v', 'a\\nb'); o = g.add_op('mul'); z = g.add_arg('z', True); k = g.add_arg('k'); g.add_edge(a, o, highlight=True); g.add_edge(b, o); g.add_edge(o, z); g(path); out = [drawn(open(path).read()), commands()]",
    "draw": _SMALL + "path = folder + '/d.dot'; part('debugger').draw_block_graphviz(block, path=path); out = drawn(open(path).read())",
    "draw/highlights": _SMALL + "fluid.backward.append_backward(l); path = folder + '/e.dot'; part('debugger').draw_block_graphviz(block, highlights=['x', 'fc_0.w_0'], path=path); out = drawn(open(path).read())",
    "places": "block = fluid.default_main_program().global_block(); p = part('layers.device').get_places(device_count=2, device_type='CPU'); op = block.ops[0]; out = [p.name, str(p.type), op.type, op.attr('device_count'), op.attr('device_type'), p.persistable]",
    "places/default": "p = part('layers.device').get_places(); op = p.block.ops[0]; out = [op.attr('device_type') , op.has_attr('device_count')]",
    "places/run": "p = part('layers.device').get_places(device_count=2, device_type='CPU'); x = fluid.layers.fill_constant([2], 'float32', 3.0); out = fluid.Executor(fluid.CPUPlace()).run(fluid.default_main_program(), fetch_list=[x])[0]",
}  # fmt: skip


def said(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a call prints and returns."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        result = function(*arguments)
    return [stream.getvalue(), result if result is None or isinstance(result, (int, str, float)) else type(result).__name__]


def listing(text: str) -> Any:
    """A listing whose variables are sorted, and whose operators have their attributes apart and sorted, without call stacks."""
    text = re.sub(r"op_callstack=\[.*?\],?(?=\w+=|\}\])", "", text)
    head, rest = text.split("// operators\n")
    lines = []
    for line in rest.splitlines():
        start, _, attributes = line.partition(" [{")
        kept = re.findall(r"(?<![\w.])\w+=(?:\[[^\]]*\]|[^,\[\]}]*)", attributes[:-2])
        lines.append([start, sorted(a for a in kept if a.partition("=")[0] not in native_cases.KERNELS | {"scale_x", "scale_y", "scale_out", "force_fp32_output", "is_test"})])
    return [*sorted(head.splitlines()), lines]


def drawn(text: str) -> Any:
    """A drawing with labels for numbers, nodes and edges sorted."""
    names = {}
    nodes, edges, others = [], [], []
    for match in re.finditer(r"^(\w+_\d+) (\[label=.*?\]);$", text, re.M | re.S):
        label = re.search(r"<b>\s*(.*?)\s*</b>", match[2], re.S | re.I) or re.search(r"label=\"?([^\" ]*)", match[2])
        assert label is not None
        names[match[1]] = label[1]
        nodes.append(match[1].rpartition("_")[0] + " " + match[2])
    rest = re.sub(r"^(\w+_\d+) (\[label=.*?\]);$", "", text, flags=re.M | re.S)
    for line in rest.splitlines():
        edge = re.match(r"(\w+) -> (\w+)(.*)", line)
        if edge is not None:
            edges.append([names[edge[1]], names[edge[2]], edge[3]])
        elif line.strip():
            others.append(line)
    return [sorted(nodes), sorted(edges), others]


def answers(fluid: Any) -> dict[str, Any]:
    """What each case gives."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        program = os.path.join(folder, "dot")
        with open(program, "w") as file:
            file.write('#!/bin/sh\necho "$1 $3" >> ' + log + "\n")
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        former = os.environ["PATH"]
        os.environ["PATH"] = folder + os.pathsep + former

        def commands() -> list[str]:
            with open(log) as file:
                return [line.strip() for line in file][-1:]

        names = {"fluid": fluid, "contrib": importlib.import_module(fluid.__name__ + ".contrib"), "said": said, "listing": listing}
        names.update(drawn=drawn, commands=commands, folder=folder)
        try:
            for case, code in CASES.items():
                found[case] = native_cases.answer(fluid, code, names)
        finally:
            os.environ["PATH"] = former
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def recorded() -> Any:
        import paddle.fluid as fluid

        return answers(fluid)

    return {"program_reports_%s.json" % version: recorded}
