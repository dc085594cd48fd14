"""The data: random numbers, made in memory."""

import numpy as np


def gen_data():
    """A batch of 128 rows."""
    return {
        "x": np.random.random(size=(128, 32)).astype("float32"),
        "y": np.random.randint(2, size=(128, 1)).astype("int64"),
    }
