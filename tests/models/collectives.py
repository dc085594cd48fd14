# ruff: noqa: E501 - a piece is a line
"""Pieces of programs of several processes, as JSON: what each process of a job has after each of them.

    python collectives.py FILE      in every process of a job of two, FILE ends with the process's number

Every piece runs on both processes. It sets `out`; what it raises, and whether it warns, counts, too.
"""

import json
import os
import sys
import warnings

import numpy as np
import paddle

TYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64")  # that the wheel's gloo takes

_MADE = "t = tensor([1 + rank, 0, 5], '%s'); "
_GROUP = "g = dist.new_group(%s); "
_ALONE = "g = dist.new_group([0]); t = tensor([1.0 + rank]); "

PIECES = {
    **{
        f"{name}/{kind}": _MADE % kind + code
        for kind in TYPES
        for name, code in {
            **{f"all_reduce/{op}": f"dist.all_reduce(t, dist.ReduceOp.{op}); out = t" for op in ("SUM", "MAX", "MIN", "PROD")},
            "all_gather": "out = []; dist.all_gather(out, t)",
            "broadcast": "dist.broadcast(t, src=1); out = t",
            "reduce": "dist.reduce(t, dst=0); out = t if rank == 0 else None",
            "scatter": "dist.scatter(t, [tensor([1, 0, 1], '%s'), tensor([0, 1, 0], '%s')] if rank == 0 else None, src=0); out = t" % (kind, kind),
            "send": "dist.send(t, dst=1) if rank == 0 else dist.recv(t, src=0); out = t",
            "gather": "out = []; dist.gather(t, out if rank == 0 else None, dst=0)",
        }.items()
    },
    "all_reduce/op/AVG": "dist.all_reduce(tensor([1]), op=7)",
    "all_reduce/op/text": "dist.all_reduce(tensor([1]), op='sum')",
    "all_reduce/op/None": "dist.all_reduce(tensor([1]), op=None)",
    "all_reduce/list": "dist.all_reduce([1, 2])",
    "all_reduce/array": "dist.all_reduce(np.ones(3))",
    "all_reduce/group": "dist.all_reduce(tensor([1]), group=3)",
    "all_reduce/returns": "out = dist.all_reduce(tensor([1.0]))",
    "all_reduce/positions": "t = tensor([1.0 + rank]); dist.all_reduce(t, dist.ReduceOp.SUM, dist.get_group(), True).wait(); out = t",
    "all_reduce/scalar": "t = tensor(1.0 + rank); dist.all_reduce(t); out = t",
    "all_reduce/leaf": "t = tensor([1.0 + rank]); t.stop_gradient = False; dist.all_reduce(t); out = [t, t.stop_gradient, t.is_leaf]",
    "all_reduce/gradient": "t = tensor([1.0 + rank]); t.stop_gradient = False; y = t * 2; dist.all_reduce(y); y.sum().backward(); out = [y, t.grad, y.stop_gradient]",
    "all_reduce/row": "t = tensor([[1.0, 2.0], [3.0, 4.0]]) + rank; v = t[0]; dist.all_reduce(v); out = [v, t]",
    "all_reduce/name": "t = tensor([1.0]); n, v = t.name, t.inplace_version; dist.all_reduce(t); out = [t.name == n, t.inplace_version - v]",
    "all_reduce/parameter": "l = paddle.nn.Linear(2, 2); l.weight.set_value(np.full([2, 2], 1.0 + rank, 'float32')); dist.all_reduce(l.weight); out = [l.weight, l.weight.stop_gradient]",
    "all_reduce/large": "t = paddle.arange(100000, dtype='float32') * (rank + 1); dist.all_reduce(t); out = [float(t.max()), t[-3:]]",
    "broadcast/scalar": "t = tensor(1.0 + rank); dist.broadcast(t, 0); out = t",
    "broadcast/no src": "dist.broadcast(tensor([1.0]))",
    "broadcast/src 5": "dist.broadcast(tensor([1.0]), src=5)",
    "broadcast/src -1": "dist.broadcast(tensor([1.0]), src=-1)",
    "broadcast/number": "dist.broadcast(3, 0)",
    "reduce/dst 7": "dist.reduce(tensor([1.0]), dst=7)",
    "reduce/max": "t = tensor([1.0 + rank]); dist.reduce(t, 1, dist.ReduceOp.MAX); out = t if rank == 1 else None",
    "all_gather/scalar": "out = []; dist.all_gather(out, tensor(1.0 + rank))",
    "all_gather/given": "out = [tensor([1.0]), tensor([5.0])]; a = out[1]; dist.all_gather(out, tensor([2.0 + rank])); out = [out, a]",
    "all_gather/returns": "out = dist.all_gather([], tensor([1.0]))",
    "all_gather/one": "dist.all_gather([tensor([1.0])], tensor([2.0]))",
    "all_gather/three": "dist.all_gather([tensor([1.0])] * 3, tensor([2.0]))",
    "all_gather/no tensor": "dist.all_gather([], 3)",
    "all_gather/gradient": "t = tensor([1.0 + rank]); t.stop_gradient = False; l = []; dist.all_gather(l, t * 2); out = [l, l[0].stop_gradient]",
    "all_gather/apart": "l = []; t = tensor([1.0 + rank]); dist.all_gather(l, t); l[rank][0] = 9.0; out = [l, t]",
    "scatter/none": "dist.scatter(tensor([1.0]), None, src=7)",
    "gather/given": "l = [tensor([0.0]), tensor([0.0])]; a = l[0]; dist.gather(tensor([1.0 + rank]), l, dst=1); out = [l, a]",
    "gather/empty": "out = []; dist.gather(tensor([1.0 + rank]), out, dst=1)",
    "gather/returns": "out = dist.gather(tensor([1.0]), [] if rank == 0 else None)",
    "gather/dst 5": "dist.gather(tensor([1.0]), None, dst=5)",
    "gather/list": "dist.gather([1], None, dst=rank)",
    "objects/all_gather": "out = []; dist.all_gather_object(out, {'r': rank, 'x': [1] * rank})",
    "objects/all_gather behind": "out = ['a', rank]; dist.all_gather_object(out, 'me%d' % rank)",
    "objects/all_gather None": "out = []; dist.all_gather_object(out, None if rank else np.float32(3))",
    "objects/all_gather wrong": "dist.all_gather_object([], lambda: 0)",
    "objects/broadcast": "l = [rank, 'x' * (1 + rank)]; r = dist.broadcast_object_list(l, src=1); out = [l, r]",
    "objects/broadcast src 8": "dist.broadcast_object_list([1], 8)",
    "objects/broadcast number": "dist.broadcast_object_list(3, 0)",
    "objects/scatter": "l = []; r = dist.scatter_object_list(l, [{'a': 1}, 'bb'] if rank == 0 else None, src=0); out = [l, r]",
    "objects/scatter over": "out = [1]; dist.scatter_object_list(out, ['q', [1, 2, 3]], src=1)",
    "objects/scatter None": "dist.scatter_object_list([], None, src=rank)",
    "objects/scatter number": "dist.scatter_object_list([], 3, src=rank)",
    "barrier": "out = dist.barrier()",
    "send/dst 4": "dist.send(tensor([1.0]), dst=4)",
    "send/array": "dist.send(np.ones(2), dst=1 - rank)",
    "recv/list": "dist.recv([1], src=1 - rank)",
    "recv/src None": "dist.recv(tensor([1.0]), src=None)",
    "irecv/no src": "dist.irecv(tensor([1.0]))",
    "isend": "t = tensor([1.0 + rank]); k = dist.isend(t, dst=1) if rank == 0 else dist.irecv(t, src=0); k.wait(); out = [t, k]",
    "isend/list": "dist.isend([1], dst=1 - rank)",
    "P2POp": "o = dist.P2POp(dist.isend, tensor([1.0]), 1 - rank); out = [o.op is dist.isend, o.peer, o.group, o.tensor]",
    "P2POp/op": "dist.P2POp(dist.all_reduce, tensor([1.0]), 1 - rank)",
    "P2POp/number": "dist.P2POp(3, tensor([1.0]), 1 - rank)",
    "batch/none": "dist.batch_isend_irecv([])",
    "batch/number": "dist.batch_isend_irecv(3)",
    "batch/numbers": "dist.batch_isend_irecv([3])",
    "alltoall/empty": "dist.alltoall([], [])",
    "alltoall/number": "dist.alltoall(3, [])",
    "alltoall/numbers": "dist.alltoall([3], [])",
    "alltoall_single/number": "dist.alltoall_single(tensor([1.0]), 3)",
    "reduce_scatter/list": "dist.reduce_scatter([1], [tensor([1.0])] * 2)",
    "reduce_scatter/op": "dist.reduce_scatter(tensor([1.0]), [tensor([1.0])] * 2, op=9)",
    "split": "dist.split(tensor([[1.0, 2.0]]), (2, 2), 'linear', num_partitions=2)",
    "stream/all_reduce": "t = tensor([1.0 + rank]); k = dist.stream.all_reduce(t, sync_op=False); k.wait(); out = [t, k.is_completed(), k.wait()]",
    "stream/all_reduce calc": "dist.stream.all_reduce(tensor([1.0]), sync_op=False, use_calc_stream=True)",
    "stream/send calc": "dist.stream.send(tensor([1.0]), dst=1 - rank, sync_op=False, use_calc_stream=True)",
    "stream/all_gather tensor": "out = paddle.zeros([4]); dist.stream.all_gather(out, tensor([1.0 + rank, 3.0]))",
    "stream/all_gather stacked": "out = paddle.zeros([2, 2]); dist.stream.all_gather(out, tensor([1.0 + rank, 3.0]))",
    "stream/all_gather rows": "out = paddle.zeros([2, 2]); dist.stream.all_gather([out[0], out[1]], tensor([1.0 + rank, 3.0]))",
    "stream/all_gather list": "out = []; dist.stream.all_gather(out, tensor([1.0 + rank]), sync_op=False).wait()",
    "stream/all_gather small": "dist.stream.all_gather(paddle.zeros([2]), tensor([1.0, 3.0]))",
    "stream/scatter tensor": "out = paddle.zeros([2]); dist.stream.scatter(out, tensor([1.0, 2.0, 3.0, 4.0]) if rank == 0 else None, src=0)",
    "stream/scatter src 5": "dist.stream.scatter(tensor([1.0]), None, src=5)",
    "stream/broadcast": "out = tensor([1.0 + rank]); dist.stream.broadcast(out, src=0)",
    "stream/reduce": "t = tensor([1.0 + rank]); dist.stream.reduce(t, dst=1); out = t if rank == 1 else None",
    "stream/send": "out = tensor([1.0 + rank]); dist.stream.send(out, dst=1) if rank == 0 else dist.stream.recv(out, src=0)",
    "stream/gather": "out = []; dist.stream.gather(tensor([1.0 + rank]), out if rank == 0 else None, dst=0, sync_op=False).wait()",
    "world": "out = [dist.get_rank(), dist.get_world_size(), dist.get_backend(), dist.is_initialized(), dist.is_available(), dist.get_group(), dist.get_group().id, dist.get_group(0).ranks]",
    "init again": "dist.init_parallel_env(); out = dist.get_group()",
    "groups/private": "from paddle.distributed.communication.group import _get_global_group; out = _get_global_group().ranks",
    "groups/all": _GROUP % "" + "out = [g.nranks, g.ranks, g.rank, g.world_size, g.get_group_rank(1), g.is_member(), g.backend, dist.get_rank(g), dist.get_world_size(g), dist.get_backend(g), dist.get_group(g.id) is g]",
    "groups/two": _GROUP % "[0, 1]" + "t = tensor([1.0 + rank]); dist.all_reduce(t, group=g); out = [t, g.name == '_default_pg%d' % g.id, repr(g).replace(str(g.id), 'N')]",
    "groups/turned": _GROUP % "[1, 0]" + "t = tensor([1.0 + rank]); dist.broadcast(t, src=0, group=g); l = []; dist.all_gather(l, t + rank, group=g); out = [t, l, g.ranks, g.rank, g.get_group_rank(0)]",
    "groups/tuple": _GROUP % "(0, 1)" + "out = g.ranks",
    "groups/gloo": "out = dist.new_group([0, 1], backend='gloo').backend",
    "groups/backend": "dist.new_group([0, 1], backend='carrier pigeon')",
    "groups/number": _GROUP % "3",
    "groups/none": _GROUP % "[]" + "out = [g.nranks, g.rank, g.is_member()]",
    "groups/one": _GROUP % "[0]" + "out = [g.process_group, g.rank, g.nranks, g.world_size, g.is_member(), g.get_group_rank(0), dist.get_group(g.id) is g]",
    "groups/numbers follow": "out = dist.new_group([0]).id - dist.new_group([0]).id",
    "groups/unknown": "out = [dist.get_group(1000), dist.get_group(-1)]",
    "groups/rank of 3": "dist.get_rank(3)",
    "groups/size of 3": "dist.get_world_size(3)",
    "groups/rank 7": _GROUP % "[0, 1]" + "g.get_group_rank(7)",
    "groups/destroyed": _GROUP % "[0, 1]" + "dist.destroy_process_group(g); out = [dist.is_initialized(), dist.get_group(g.id)]",
    "groups/destroy 3": "dist.destroy_process_group(3)",
    "outside/all_reduce": _ALONE + "out = [dist.all_reduce(t, group=g), t]",
    "outside/all_gather": _ALONE + "dist.all_gather([], t, group=g)",
    "outside/all_gather_object": _ALONE + "dist.all_gather_object([], 3, group=g)",
    "outside/broadcast": _ALONE + "out = [dist.broadcast(t, src=0, group=g), t]",
    "outside/reduce": _ALONE + "out = [dist.reduce(t, dst=0, group=g), t]",
    "outside/scatter": _ALONE + "out = [dist.scatter(t, [tensor([3.0])], src=0, group=g), t]",
    "outside/barrier": _ALONE + "out = dist.barrier(g)",
    "outside/alltoall": _ALONE + "l = []; out = [dist.alltoall([t], l, group=g), l]",
    "outside/reduce_scatter": _ALONE + "out = [dist.reduce_scatter(t, [tensor([3.0])], group=g), t]",
    "outside/send": _ALONE + "out = [dist.send(t, 0, group=g), dist.isend(t, 0, group=g), dist.recv(t, 0, group=g), t]",
    "outside/backend": _ALONE + "dist.get_backend(g)",
    "outside/rank": _ALONE + "out = [dist.get_rank(g), dist.get_world_size(g)]",
    "modes": "out = [dist.ParallelMode.DATA_PARALLEL, dist.ParallelMode.SEGMENT_PARALLEL, dist.ReduceOp.SUM, dist.ReduceOp.AVG]",
    "gloo/barrier": "dist.gloo_barrier()",
    "gloo/one": "dist.gloo_init_parallel_env(0, 1, '127.0.0.1:1')",
}  # fmt: skip

ALONE = {
    "world": "out = [dist.get_rank(), dist.get_world_size(), dist.is_initialized(), dist.is_available()]",
    "group": "out = dist.get_group()",
    "backend": "dist.get_backend()",
    "all_reduce": "dist.all_reduce(tensor([1.0]))",
    "all_gather": "dist.all_gather([], tensor([1.0]))",
    "all_gather_object": "dist.all_gather_object([], 1)",
    "broadcast": "dist.broadcast(tensor([1.0]), 0)",
    "broadcast_object_list": "dist.broadcast_object_list([1], 0)",
    "scatter_object_list": "dist.scatter_object_list([], [1], 0)",
    "reduce": "dist.reduce(tensor([1.0]), 0)",
    "reduce_scatter": "dist.reduce_scatter(tensor([1.0]), [tensor([1.0])])",
    "scatter": "dist.scatter(tensor([1.0]), [tensor([1.0])], 0)",
    "gather": "dist.gather(tensor([1.0]), [], 0)",
    "alltoall": "dist.alltoall([tensor([1.0])], [])",
    "send": "dist.send(tensor([1.0]), 1)",
    "isend": "dist.isend(tensor([1.0]), 1)",
    "P2POp": "dist.P2POp(dist.isend, tensor([1.0]), 1)",
    "stream": "dist.stream.all_reduce(tensor([1.0]))",
    "barrier": "dist.barrier()",
    "new_group": "dist.new_group()",
    "new_group/two": "dist.new_group([0, 1])",
    "new_group/one": "g = dist.new_group([0]); out = [g.rank, g.nranks, g.ranks, g.is_member(), g.process_group]",
    "destroy": "dist.destroy_process_group()",
    "init": "out = [dist.init_parallel_env(), dist.get_group(), dist.is_initialized()]",
    "init, then all_reduce": "dist.init_parallel_env(); dist.all_reduce(tensor([1.0]))",
}

_X = "x = data(4, 2); "
RECORDED = {
    "world": "out = [dist.get_rank(), dist.get_world_size(), dist.is_initialized()]",
    "all_reduce": _X + "out = dist.all_reduce(x)",
    "all_reduce/MAX": _X + "out = dist.all_reduce(x, dist.ReduceOp.MAX, sync_op=False)",
    "all_reduce/op": _X + "dist.all_reduce(x, op=7)",
    "all_gather": _X + "out = []; dist.all_gather(out, x); out = [v.shape for v in out]",
    "all_gather/later": _X + "dist.all_gather([], x, sync_op=False)",
    "all_gather/tensor": _X + "dist.stream.all_gather(data(8, 2), x)",
    "broadcast": _X + "out = dist.broadcast(x, 1)",
    "reduce": _X + "out = dist.reduce(x, 1)",
    "reduce/PROD": _X + "out = dist.reduce(x, 1, dist.ReduceOp.PROD, sync_op=False)",
    "reduce_scatter": _X + "out = dist.stream.reduce_scatter(x, data(8, 2))",
    "scatter": _X + "out = dist.scatter(x, [data(4, 2), data(4, 2)])",
    "scatter/tensor": _X + "out = dist.stream.scatter(x, data(8, 2), src=1)",
    "scatter/nothing": _X + "dist.scatter(x)",
    "alltoall": "out = []; dist.alltoall([data(4, 2), data(4, 2)], out); out = [v.shape for v in out]",
    "alltoall/tensor": "out = dist.stream.alltoall(data(4, 2), data(4, 2))",
    "alltoall/later": _X + "l = []; dist.alltoall([x, x], l, sync_op=False)",
    "alltoall_single": "dist.alltoall_single(data(4, 2), data(4, 2))",
    "send": _X + "out = dist.send(x, 1)",
    "isend": _X + "out = dist.isend(x, 1)",
    "recv": _X + "out = dist.recv(x, 1)",
    "gather": _X + "dist.gather(x, [], 0)",
    "barrier": "out = dist.barrier()",
    "wait": _X + "out = dist.wait(x)",
    "wait/comm": _X + "out = dist.wait(x, use_calc_stream=False)",
    "objects/all_gather": "dist.all_gather_object([], 1)",
    "objects/broadcast": "dist.broadcast_object_list([1], 0)",
    "objects/scatter": "dist.scatter_object_list([], [1, 2], 0)",
    "list": "dist.all_reduce([1])",
    "int16": "dist.all_reduce(data(4, kind='int16'))",
}  # fmt: skip


def data(*shape, kind="float32"):
    """An input of a Program."""
    return paddle.static.data(paddle.utils.unique_name.generate("x"), list(shape), kind)


_NEVER_READ = ("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "with_quant_attr", "mkldnn_data_type", "use_mkldnn")


def recorded(pieces):
    """What each piece writes into a Program, behind what it gives or raises."""
    found = {}
    for name, code in pieces.items():
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()), paddle.utils.unique_name.guard():
            (found[name],) = answers({name: code}, data=data).values()
            found[name]["operators"] = [
                [
                    op.type,
                    {slot: op.input(slot) for slot in op.input_names if op.input(slot)},
                    {slot: op.output(slot) for slot in op.output_names if op.output(slot)},
                    {key: shown(op.attr(key)) for key in sorted(op.attr_names) if key not in _NEVER_READ},
                ]
                for op in paddle.static.default_main_program().global_block().ops
            ]
    return found


def tensor(values, kind=None):
    """A Tensor of that data type."""
    kind = kind or np.array(values).dtype.name.replace("64", "32")
    if kind == "bfloat16":
        return paddle.to_tensor(np.array(values, "float32")).astype(kind)
    return paddle.to_tensor(np.array(values).astype(kind))


def shown(value):
    """Plain values of what a piece gives."""
    if isinstance(value, paddle.Tensor):
        kind = str(value.dtype)
        array = (value.astype("float32") if "bfloat16" in kind else value).numpy()
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        return {"type": kind, "shape": list(value.shape), "values": array.tolist()}
    if isinstance(value, (list, tuple)):
        return [shown(each) for each in value]
    if isinstance(value, dict):
        return {str(key): shown(each) for key, each in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    return "a task" if hasattr(value, "is_completed") else repr(value)


def answers(pieces, **names):
    """What each piece gives, raises, or warns of."""
    dist, found = paddle.distributed, {}
    for name, code in pieces.items():
        names_ = {"paddle": paddle, "dist": dist, "np": np, "tensor": tensor, "rank": dist.get_rank(), "out": None, **names}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(compile(code, name, "exec"), names_)
                found[name] = {"out": shown(names_["out"])}
            except Exception as error:
                found[name] = {"raises": [kind.__name__ for kind in type(error).__mro__], "text": str(error)}
        if any(issubclass(each.category, UserWarning) for each in caught):
            found[name]["warns"] = True
    return found


def main(pieces, **names):
    """Join the job, and write the answers of this process."""
    paddle.set_device("cpu")
    paddle.distributed.init_parallel_env()
    write(answers(pieces, **names))


def write(found):
    """Add answers to those of this process in its file."""
    path = sys.argv[1] + str(paddle.distributed.get_rank())
    if os.path.exists(path):
        with open(path) as file:
            found = {**json.load(file), **found}
    with open(path, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(PIECES)
    paddle.distributed.barrier()
