"""Sums over all ranks: those of gradients need none themselves, one in a forward pass of 1.8 is differentiated by a sum."""

from __future__ import annotations

import numpy as np

from paddle_compat import fluid


def test_the_gradient_of_a_sum_in_the_forward_pass_is_a_sum() -> None:
    main, startup = fluid.Program(), fluid.Program()
    weight = np.array([[1, 2], [3, 4]], "float32")
    with fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard(), fluid.program_guard(main, startup):
        attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.NumpyArrayInitializer(weight))
        own = fluid.layers.fc(fluid.data("x", [None, 2]), 2, param_attr=attr, bias_attr=False)
        block = main.global_block()
        total = block.create_var(name="total", dtype="float32", shape=own.shape)
        block.append_op(type="c_allreduce_sum", inputs={"X": [own]}, outputs={"Out": [total]}, attrs={"ring_id": 0})
        loss = fluid.layers.mean(fluid.layers.square(total))
        fluid.backward.append_backward(loss)
        exe = fluid.Executor()
        exe.run(startup)
        both = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2))
        rows = np.array([[1, 2], [3, 5]], "float32")
        found = exe.run(both, feed={"x": rows}, fetch_list=["w@GRAD"])[0]
    arrives = (rows @ weight).sum(0)  # the gradient of one rank's mean of two squares with respect to the total
    expected = np.mean([np.outer(row, 2 * arrives) for row in rows], axis=0)
    np.testing.assert_allclose(found, np.concatenate([expected] * 2), rtol=1e-6)
