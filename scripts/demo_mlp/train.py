"""A single-machine trainer in Paddle 2's static style. It knows nothing of paddle_compat: real Paddle runs it too."""

import paddle
from nets import mlp
from utils import gen_data

paddle.enable_static()
input_x = paddle.static.data(name="x", shape=[None, 32], dtype="float32")
input_y = paddle.static.data(name="y", shape=[None, 1], dtype="int64")

cost = mlp(input_x, input_y)
optimizer = paddle.optimizer.SGD(learning_rate=0.01)
optimizer.minimize(cost)

place = paddle.CUDAPlace(0) if paddle.is_compiled_with_cuda() else paddle.CPUPlace()
exe = paddle.static.Executor(place)
exe.run(paddle.static.default_startup_program())

step = 1001
for i in range(step):
    cost_val = exe.run(feed=gen_data(), fetch_list=[cost.name])
    print("step%d cost=%f" % (i, cost_val[0]))
