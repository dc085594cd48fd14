"""The network: three fully connected layers and the mean cross entropy of their softmax."""

import paddle


def mlp(input_x, input_y, hid_dim=128, label_dim=2):
    """The cost Variable of a batch.

    Args:
        input_x: [N, 32] float32.
        input_y: [N, 1] int64, below `label_dim`.
    """
    hidden = paddle.static.nn.fc(input_x, hid_dim, activation="tanh")
    hidden = paddle.static.nn.fc(hidden, hid_dim, activation="tanh")
    prediction = paddle.static.nn.fc(hidden, label_dim, activation="softmax")
    cost = paddle.nn.functional.cross_entropy(prediction, input_y, use_softmax=False, reduction="none")
    return paddle.mean(cost)
