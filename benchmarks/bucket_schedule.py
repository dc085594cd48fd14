"""When the buckets of a backward pass on several GPUs would set out and arrive, worked out on paper: ResNet-50, no GPU needed.

    python benchmarks/bucket_schedule.py [--gpus 8] [--batch 64]

What is assumed stands in the options: how many operations a GPU does in a second in convolutions, how many bytes a ring moves in a
second, and what it costs to start a collective call.
"""

from __future__ import annotations

import argparse

import torch

from paddle_compat.engine.buckets import buckets

_STAGES = ((64, 3, 56), (128, 4, 28), (256, 6, 14), (512, 3, 7))  # channels, blocks, height


def resnet50() -> list[tuple[int, int]]:
    """Elements, and multiplications and additions for one image, of each parameter in the order of the forward pass."""
    made: list[tuple[int, int]] = []

    def convolution(inward: int, outward: int, kernel: int, height: int) -> None:
        weight = inward * outward * kernel * kernel
        made.extend([(weight, 2 * weight * height * height), (outward, 0), (outward, 0)])  # and its batch norm

    convolution(3, 64, 7, 112)
    channels = 64
    for width, blocks, height in _STAGES:
        for block in range(blocks):
            convolution(channels, width, 1, height)
            convolution(width, width, 3, height)
            convolution(width, 4 * width, 1, height)
            if block == 0:
                convolution(channels, 4 * width, 1, height)
            channels = 4 * width
    return [*made, (2048 * 1000, 2 * 2048 * 1000), (1000, 0)]


def main() -> None:
    """Print the schedule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--batch", type=int, default=64, help="images on each GPU")
    parser.add_argument("--flops", type=float, default=60e12, help="operations a second in convolutions")
    parser.add_argument("--bandwidth", type=float, default=200e9, help="bytes a second round the ring")
    parser.add_argument("--start", type=float, default=30e-6, help="seconds to start a collective call")
    options = parser.parse_args()
    parameters = resnet50()[::-1]
    ready, now = [], 0.0
    for _, operations in parameters:  # the backward pass does twice the work of the forward pass
        now += 2 * operations * options.batch / options.flops
        ready.append(now)

    def travel(elements: int) -> float:
        return float(options.start + 2 * (options.gpus - 1) / options.gpus * 4 * elements / options.bandwidth)

    gradients = [torch.empty(elements, device="meta") for elements, _ in parameters]
    print(f"backward pass {1e3 * now:.2f} ms, {sum(g.numel() for g in gradients) / 1e6:.1f} million gradients")
    for name, most in (("buckets", None), ("each alone", 0)):
        arrived = 0.0
        for positions in buckets(gradients) if most is None else buckets(gradients, most):
            elements, made = sum(gradients[i].numel() for i in positions), max(ready[i] for i in positions)
            begun = max(made, arrived)
            arrived = begun + travel(elements)
            if most is None:
                size, times = 4 * elements / 2**20, [1e3 * each for each in (made, begun, arrived)]
                print("  {:5.1f} MiB made at {:5.2f} ms, sets out at {:5.2f}, there at {:5.2f}".format(size, *times))
        print(f"{name}: the last arrives {1e3 * (arrived - now):.2f} ms after the backward pass")
    print(f"all behind the backward pass: {1e3 * travel(sum(g.numel() for g in gradients)):.2f} ms")


if __name__ == "__main__":
    main()
