# ruff: noqa: E501 - a piece is a line
"""A job of two processes: the pieces that Paddle's answers are recorded of, those that its gloo does not take, the examples of the documentation."""

import doctest
import importlib
import io

import collectives
import paddle

OTHERS = ("int16", "complex64", "complex128")
TYPES = (*collectives.TYPES, *OTHERS)

MORE = {
    **{f"all_gather/{kind}": f"out = []; dist.all_gather(out, tensor([1 + rank, 0, 5], '{kind}'))" for kind in OTHERS},
    **{f"broadcast/{kind}": f"out = tensor([1 + rank, 0, 5], '{kind}'); dist.broadcast(out, 1)" for kind in OTHERS},
    **{f"all_reduce/SUM/{kind}": f"out = tensor([1 + rank, 0, 5], '{kind}'); dist.all_reduce(out)" for kind in OTHERS},
    **{f"all_reduce/MAX/{kind}": f"out = tensor([1 + rank, 0, 5], '{kind}'); dist.all_reduce(out, dist.ReduceOp.MAX)" for kind in OTHERS},
    **{f"send/{kind}": f"out = tensor([1 + rank, 0, 5], '{kind}'); dist.send(out, 1) if rank == 0 else dist.recv(out, 0)" for kind in OTHERS},
    **{
        f"{name}/{kind}": f"x = tensor([10 * rank, 1, 2, 3], '{kind}'); " + code % {"kind": kind}
        for kind in TYPES
        for name, code in {
            "alltoall": "out = []; dist.alltoall([x[:2], x[2:]], out)",
            "alltoall_single": "out = tensor([0, 0, 0, 0], '%(kind)s'); dist.alltoall_single(x, out)",
            "reduce_scatter": "out = tensor([0, 0], '%(kind)s'); dist.reduce_scatter(out, [x[:2], x[2:]])",
        }.items()
    },
    "all_reduce/AVG": "out = tensor([1.0 + rank]); dist.all_reduce(out, dist.ReduceOp.AVG)",
    "all_reduce/AVG of integers": "dist.all_reduce(tensor([1]), dist.ReduceOp.AVG)",
    "all_reduce/turned": "out = paddle.transpose(tensor([[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]]) + rank, [1, 0]); dist.all_reduce(out)",
    "all_reduce/column": "x = tensor([[1.0, 2.0], [3.0, 4.0]]) + rank; v = x[:, 0]; dist.all_reduce(v, sync_op=False).wait(); out = v",
    "all_reduce/none": "out = paddle.zeros([0, 3]); dist.all_reduce(out)",
    "all_reduce/calc": "out = tensor([1.0 + rank]); dist.stream.all_reduce(out, use_calc_stream=True)",
    "all_reduce/rows": "e = paddle.nn.Embedding(4, 2, sparse=True); e(tensor([1])).sum().backward(); dist.all_reduce(e.weight.grad)",
    "all_gather/none": "out = []; dist.all_gather(out, paddle.zeros([0, 3]))",
    "all_gather/other type": "dist.all_gather([tensor([1]), tensor([1])], tensor([1.0]))",
    "broadcast/none": "out = paddle.zeros([0]); dist.broadcast(out, 0)",
    "broadcast/turned": "out = paddle.transpose(tensor([[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]]) + rank, [1, 0]); dist.broadcast(out, 1)",
    "reduce/kept": "out = tensor([1.0 + rank]); dist.reduce(out, 0)",
    "reduce_scatter/tensor": "out = paddle.zeros([2]); dist.stream.reduce_scatter(out, tensor([1.0, 2.0, 3.0, 4.0 + rank]))",
    "reduce_scatter/MAX": "out = paddle.zeros([2]); dist.reduce_scatter(out, [tensor([1.0, 2.0 * rank]), tensor([3.0, -1.0 * rank])], dist.ReduceOp.MAX)",
    "reduce_scatter/wait": "out = paddle.zeros([2]); dist.reduce_scatter(out, [tensor([1.0, 2.0])] * 2, sync_op=False).wait()",
    "reduce_scatter/short": "dist.reduce_scatter(paddle.zeros([2]), [tensor([1.0, 2.0])])",
    "reduce_scatter/shape": "dist.reduce_scatter(paddle.zeros([2]), [tensor([1.0]), tensor([2.0])])",
    "alltoall/given": "a, b = paddle.zeros([2]), paddle.zeros([2]); dist.alltoall([tensor([1.0, 2.0]) + rank, tensor([3.0, 4.0]) + rank], [a, b]); out = [a, b]",
    "alltoall/uneven": "given = [tensor([1.0]), tensor([2.0, 3.0])] if rank == 0 else [tensor([4.0]), tensor([5.0, 6.0])]; out = [paddle.zeros([1 + rank]), paddle.zeros([1 + rank])]; dist.alltoall(given, out)",
    "alltoall/tensor": "out = paddle.zeros([4, 1]); dist.stream.alltoall(out, tensor([[0.0], [1.0], [2.0], [3.0]]) + 10 * rank)",
    "alltoall/of 3": "out = []; dist.alltoall(out, [tensor([1.0]) + rank, tensor([2.0]) + rank])",
    "alltoall/short": "dist.alltoall([tensor([1.0])], [])",
    "alltoall_single/sizes": "out = paddle.zeros([2 + 2 * rank, 2]); dist.alltoall_single(paddle.arange(6, dtype='float32').reshape([3, 2]) + 10 * rank, out, [1, 2], [1, 1] if rank == 0 else [2, 2])",
    "alltoall_single/odd": "dist.alltoall_single(paddle.zeros([3]), paddle.zeros([3]))",
    "alltoall_single/wrong sizes": "dist.alltoall_single(paddle.zeros([4]), paddle.zeros([4]), [1, 1], [2, 2])",
    "scatter/short": "dist.scatter(paddle.zeros([1]), [paddle.zeros([1])], src=rank)",
    "scatter/shape": "dist.scatter(paddle.zeros([1]), [paddle.zeros([2])] * 2, src=rank)",
    "scatter/nothing": "dist.scatter(paddle.zeros([1]), None, src=rank)",
    "gather/nothing": "dist.gather(tensor([1.0]), None, dst=rank)",
    "send/to itself": "dist.send(tensor([1.0]), dst=rank)",
    "recv/from itself": "dist.recv(tensor([1.0]), src=rank)",
    "sync_params_buffers": "layer = paddle.nn.BatchNorm1D(1); [v.set_value(v + rank + 2) for v in (layer.weight, layer._mean)]; from paddle.distributed.parallel import sync_params_buffers; sync_params_buffers(layer, src_rank=1); out = [layer.weight, layer._mean, layer.bias]",
    "_broadcast_parameters": "layer = paddle.nn.Linear(1, 1); layer.weight.set_value(layer.weight * 0 + rank + 2); from paddle.distributed.parallel_helper import _broadcast_parameters; _broadcast_parameters(layer.parameters()); out = [layer.weight]",
    "batch": "out = paddle.zeros([1]); other = 1 - rank; [t.wait() for t in dist.batch_isend_irecv([dist.P2POp(dist.isend, tensor([1.0 + rank]), other), dist.P2POp(dist.irecv, out, other)])]",
    "batch/turned": "out = paddle.zeros([1]); ops = [dist.P2POp(dist.isend, tensor([1.0 + rank]), 1 - rank), dist.P2POp(dist.irecv, out, 1 - rank)]; [t.wait() for t in dist.batch_isend_irecv(ops if rank else ops[::-1])]",
    "let go": "x, y = tensor([1.0 + rank]), tensor([1.0 + rank, 0.0])\nfor _ in range(3): dist.isend(x, 1) if rank == 0 else dist.irecv(x, 0)\ndist.broadcast(y[::2], 1, sync_op=False); dist.barrier(); out = [x + 0, y]; dist.send(x + 5, 1) if rank == 0 else dist.recv(x, 0); out += [x]",
    "scatter/itself": "out = tensor([1.0 + rank, 5.0]); dist.scatter(out, [out, out * 10] if rank == 1 else None, src=1)",
    "alltoall_single/itself": "out = tensor([1.0, 2.0]) + 10 * rank; dist.alltoall_single(out, out)",
    "mismatches": "import mismatches; out = mismatches.found(rank)",
    "objects/tensor": "out = []; dist.all_gather_object(out, tensor([1.0 + rank]))",
    "objects/scatter short": "dist.scatter_object_list([], [1], src=rank)",
    "objects/outside": "g = dist.new_group([0]); l = [rank]; out = [dist.broadcast_object_list(l, 0, group=g), dist.scatter_object_list(l, [2], 0, group=g), l]",
    "groups/5": "dist.new_group([0, 5])",
    "groups/twice": "dist.new_group([0, 0])",
    "groups/texts": "dist.new_group(['a', 'b'])",
    "wait": "out = [dist.wait(tensor([1.0])), dist.wait(tensor([1.0]), use_calc_stream=False)]",
    "wait/number": "dist.wait(3)",
    "gloo": "import os; host, port = os.environ['MEET'].split(':'); dist.gloo_init_parallel_env(rank, 2, host + ':' + port); dist.gloo_barrier(); dist.gloo_barrier(); out = dist.gloo_release()",
    "static": "paddle.enable_static(); p = paddle.static.Program()\nwith paddle.static.program_guard(p, paddle.static.Program()):\n    x = paddle.static.data('x', [4, 1]); y = paddle.scale(x, 1.0); dist.all_reduce(y); z = paddle.scale(x, 1.0); dist.all_reduce(z, dist.ReduceOp.MAX); b = paddle.scale(x, 1.0); dist.broadcast(b, 1); g = []; dist.all_gather(g, x); l = []; dist.alltoall([x, y], l); s = paddle.scale(x[:2], 1.0); dist.stream.scatter(s, x, src=1); r = paddle.scale(x[:2], 1.0); dist.stream.reduce_scatter(r, x); d = paddle.scale(x, 1.0); dist.reduce(d, 0); m = paddle.scale(x, 1.0); dist.send(m, 1) if rank == 0 else dist.recv(m, 0); dist.barrier()\n    exe = paddle.static.Executor(); values = exe.run(p, {'x': np.arange(4, dtype='float32').reshape(4, 1) + 10 * rank}, [y, z, b, *g, *l, s, r, m] + [d] * (rank == 0)); out = [v.reshape(-1).tolist() for v in values]\npaddle.disable_static()",
}  # fmt: skip

# processes have two experts each: 0 and 1, 2 and 3
_COUNTS = "from paddle.distributed.utils.moe_utils import global_gather, global_scatter; l, g = [tensor(c, 'int64') for c in [([2, 0, 1, 2], [2, 0, 1, 3]), ([1, 3, 0, 1], [1, 2, 0, 1])][rank]]; "
_ROWS = _COUNTS + "x = paddle.arange(10, dtype='float64').reshape([5, 2]) + 100 * rank; x.stop_gradient = False; "

EXPERTS = {
    "scattered": _ROWS + "y = global_scatter(x, l, g); (y * (1 + paddle.arange(len(y), dtype='float64')).unsqueeze(1)).sum().backward(); out = [y, x.grad]",
    "and back": _ROWS + "y = global_gather(global_scatter(x, l, g) ** 2, l, g); y.sum().backward(); out = [y, x.grad]",
    "gathered": _COUNTS + "x = (paddle.arange(6 - 2 * rank, dtype='int64') + 10 * rank).unsqueeze(1); out = global_gather(x, l, g)",
    "no rows": "from paddle.distributed.utils.moe_utils import global_scatter; out = global_scatter(paddle.zeros([0, 3]), tensor([0, 0], 'int64'), tensor([0, 0], 'int64'))",
    "of nobody": "from paddle.distributed.utils.moe_utils import global_scatter; out = global_scatter(paddle.zeros([2, 3]), tensor([1, 1], 'int64'), tensor([1, 1], 'int64'), group=dist.new_group([0]))",
    "in a group": _ROWS + "out = global_scatter(x.astype('float16'), l, g, group=dist.new_group([1, 0]))",
    "wrong counts": _ROWS + "global_scatter(x, l, g + rank)",
    "wrong rows": _ROWS + "global_scatter(x[:4 + rank], l, g)",
    "static": _COUNTS + "paddle.enable_static(); p = paddle.static.Program()\nwith paddle.static.program_guard(p, paddle.static.Program()):\n    x, a, b = paddle.static.data('x', [None, 2]), paddle.static.data('a', [4], 'int64'), paddle.static.data('b', [4], 'int64'); x.stop_gradient = False; y = global_gather(global_scatter(x, a, b) ** 2, a, b); d = paddle.static.gradients(paddle.sum(y), [x])[0]\n    out = [v.tolist() for v in paddle.static.Executor().run(p, {'x': np.arange(10, dtype='float32').reshape(5, 2) + 100 * rank, 'a': l.numpy(), 'b': g.numpy()}, [y, d])]\npaddle.disable_static()",
    **{gate: f"import experts; out = experts.of_process(rank, dist.get_group(), {gate!r})" for gate in ("naive", "gshard", "switch")},
}

EXAMPLES = ("_functions", "_objects", "group", "stream._functions")


def examples():
    """What the examples of the documentation print that they do not say, for they meet here."""
    found = {}
    for name in (*(f"communication.{each}" for each in EXAMPLES), "collective", "utils.moe_utils"):
        module, text = importlib.import_module(f"paddle_compat.distributed.{name}"), io.StringIO()
        runner, count = doctest.DocTestRunner(), 0
        for test in doctest.DocTestFinder().find(module):
            if "if dist.is_init" in (test.docstring or "") or "if paddle.distributed.is_init" in (test.docstring or ""):
                runner.run(test, out=text.write)
                count += 1
        found[name] = {"out": [count, text.getvalue()]}
    return found


if __name__ == "__main__":
    collectives.main({**collectives.PIECES, **{f"more/{name}": code for name, code in MORE.items()}, **{f"experts/{name}": code for name, code in EXPERTS.items()}})
    collectives.write({f"example/{name}": answer for name, answer in examples().items()})
    paddle.distributed.barrier()
    paddle.distributed.broadcast(paddle.ones([2]), 0, sync_op=False)  # which nobody waits for
    paddle.distributed.destroy_process_group()
    left = not paddle.distributed.is_initialized()
    paddle.distributed.init_parallel_env()
    collectives.write({"left": {"out": left}, **collectives.answers({"again": "out = tensor([1.0 + rank]); dist.all_reduce(out)"})})
    paddle.distributed.all_reduce(paddle.ones([3 + paddle.distributed.get_rank()]), sync_op=False)  # which fails when the process ends
