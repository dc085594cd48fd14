"""Regions decoded for every class: whose LoD the results have, how LoDTensors are printed, and that minus zero is zero."""

import numpy as np
import paddle.fluid as fluid

CPU = fluid.CPUPlace()
r = np.random.RandomState(3)


def fed(columns, lengths):
    return fluid.create_lod_tensor(r.rand(3, columns).astype("float32"), lengths, CPU)


for regions, offsets in ((1, 0), (0, 1), (1, 1)):
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        prior = fluid.data("prior", [None, 4], lod_level=regions)
        target = fluid.data("target", [None, 8], lod_level=offsets)
        score = fluid.data("score", [None, 2])
        variance = fluid.layers.assign(np.array([0.1, 0.1, 0.2, 0.2], "float32"))
        decoded, assigned = fluid.layers.box_decoder_and_assign(prior, variance, target, score, 4.135)
    exe = fluid.Executor(CPU)
    feed = {
        "prior": fed(4, [[1, 2]] if regions else []),
        "target": fed(8, [[2, 1]] if offsets else []),
        "score": r.rand(3, 2).astype("float32"),
    }
    for value in exe.run(main, feed=feed, fetch_list=[decoded, assigned], return_numpy=False):
        print(value.lod(), np.array(value).shape)
        print(value)
    print(decoded.lod_level, assigned.lod_level)
tensor = fluid.LoDTensor()
tensor.set(np.array([[1.5, 2.0]], "float32"), CPU)
print(tensor)
x = fluid.layers.data("x", [4])
zeros = {"x": np.array([[0.0, 1.0, -2.0, 0.0]], "float32")}
for value in exe.run(feed=zeros, fetch_list=[-x, x * -1.0, fluid.layers.scale(x, -2.0), 0 - x, x * 0.0 * -1]):
    print(np.signbit(value).tolist(), value.sum())
with fluid.dygraph.guard():
    eager = fluid.dygraph.to_variable(zeros["x"])
    for value in (-eager, eager * -1.0, fluid.layers.scale(eager, -2.0), 0 - eager):
        print(np.signbit(value.numpy()).tolist(), value.numpy().sum())
