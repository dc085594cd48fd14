"""Policy gradients and hinges with rewards of zero: minus zero is zero, with its sign, at once and in a Program."""

import numpy as np
import paddle
import paddle.nn.functional as F

paddle.seed(3)
rewards = paddle.to_tensor([0.0, 1.0, 0.0, -2.0])
logits = paddle.to_tensor(np.random.RandomState(0).rand(4, 3).astype("float32"), stop_gradient=False)
for losses in (
    -rewards,
    paddle.neg(rewards),
    rewards * -1.0,
    -2 * rewards,
    rewards * 0.0 * -1,
    0 - rewards,
    paddle.scale(rewards, -0.5),
    -paddle.clip(rewards, max=0.0).detach(),
    F.relu(-rewards),
    -rewards.astype("float64"),
    -(rewards.astype("int32")),
    rewards.clone().scale_(-3.0),
):
    print(losses.dtype, np.signbit(losses.numpy()).tolist(), losses.abs().sum().item())
log_probability = F.log_softmax(logits, axis=-1)[:, 0]
loss = (-log_probability * rewards).mean() + (log_probability * -0.5).sum()
loss.backward()
print("%.6f" % loss.item(), logits.grad.abs().sum().item())
print((1.0 / -rewards[:1]).item(), (-logits).grad, (-1.0 * logits).stop_gradient)

paddle.enable_static()
x = paddle.static.data("x", [None, 4])
exe = paddle.static.Executor()
for value in exe.run(feed={"x": rewards.numpy()[None]}, fetch_list=[-x, paddle.neg(x), x * -1.0, paddle.scale(x, -2.0), 0 - x]):
    print(np.signbit(value).tolist(), value.sum())
