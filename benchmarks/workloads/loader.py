"""Passes over small images by a loader, timed one by one as they are asked for.

    python benchmarks/workloads/loader.py torch 2
    python -m paddle_compat benchmarks/workloads/loader.py paddle 2
    PYTHON_OF_THE_WHEEL benchmarks/workloads/loader.py paddle 2

The second word is the number of workers, a third one that of images. For each line on standard input one pass is made; it prints its
seconds, the seconds of processor time that this process and its workers took, and the sum of what was read.
"""

import resource
import sys
import time

import numpy as np

BATCH = 64


class Images:
    """3 x 32 x 32 images, mirrored and normalised, with their labels."""

    def __init__(self, count):
        self.images = np.random.RandomState(0).rand(count, 3, 32, 32).astype("float32")

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        return np.ascontiguousarray((image[:, :, ::-1] - 0.5) / 0.25), index % 10


def make_loader(way, workers, images):
    """The loader of torch, or that of Paddle."""
    if way == "torch":
        from torch.utils.data import DataLoader, Dataset
    else:
        from paddle.io import DataLoader, Dataset
    data = type("Data", (Images, Dataset), {"__init__": Images.__init__})
    return DataLoader(data(images), batch_size=BATCH, shuffle=True, num_workers=workers)


def processor_time():
    """Seconds of this process and of the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main():
    """Answer every line by a pass."""
    loader = make_loader(sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or [6400])[0]))
    for _ in sys.stdin:
        start, used, total = time.perf_counter(), processor_time(), 0
        for image, label in loader:
            total += int(image.shape[0]) + int(label[0])
        seconds = time.perf_counter() - start
        del image, label
        print(seconds, processor_time() - used, total, flush=True)


if __name__ == "__main__":
    main()
