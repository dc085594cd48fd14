"""How much data the GPUs of a job exchange in a step of training, on paper: data x tensor x pipeline parallel.

python benchmarks/communication_volume.py             the table of docs/auto_parallel.md, in Markdown

Nothing is measured here. A ring of n moves (n - 1) / n of what it reduces or gathers through every GPU, once for a gather or a
reduce-scatter and twice for an all-reduce.
"""

from __future__ import annotations

from typing import NamedTuple

LAYERS, WIDTH, LENGTH = 32, 4096, 2048  # a decoder of 6.4 billion parameters: 12 WIDTH ** 2 in each layer
SAMPLES = 4  # of LENGTH words for each GPU in a step, however many there are
BYTES = 2  # bfloat16: weights, gradients and activations
FLOPS = 0.45 * 989e12  # of an H100 that are used: 45% of what its matrices can do
INSIDE, BETWEEN = 450e9, 50e9  # bytes a second and GPU: NVLink among the 8 GPUs of a machine, 400 Gbit/s between machines
MACHINE = 8


class Layout(NamedTuple):
    """How many GPUs share the data, a layer, and the layers; `stage` of sharding among those that share the data."""

    data: int
    tensor: int
    pipeline: int
    stage: int

    @property
    def gpus(self) -> int:
        return self.data * self.tensor * self.pipeline


LAYOUTS = (
    Layout(8, 1, 1, 3), Layout(1, 8, 1, 1), Layout(64, 1, 1, 3), Layout(8, 8, 1, 1), Layout(128, 1, 1, 3), Layout(1024, 1, 1, 3),
    Layout(128, 8, 1, 1), Layout(32, 8, 4, 1),
)  # fmt: skip


def ring(size: int, value: float) -> float:
    """Bytes that every GPU sends when so many gather or scatter a value."""
    return (size - 1) / size * value


def volumes(layout: Layout) -> tuple[float, float, float]:
    """Bytes that every GPU sends in a step: for its data, tensor and pipeline neighbours."""
    weights = 12 * WIDTH**2 * LAYERS * BYTES / (layout.tensor * layout.pipeline)
    # stages 0 to 2 reduce gradients and gather weights (or all-reduce: the same); stage 3 gathers them once more for the backward pass
    data = ring(layout.data, weights) * (3 if layout.stage == 3 else 2)
    activation = SAMPLES * layout.tensor * layout.pipeline * LENGTH * WIDTH * BYTES  # of all samples of a replica
    # two all-reduces forward and two backward in a layer
    tensor = 2 * ring(layout.tensor, activation) * 4 * LAYERS / layout.pipeline
    pipeline = 2 * activation / layout.tensor * (layout.pipeline > 1)  # each of the tensor parallel GPUs sends its part, both ways
    return data, tensor, pipeline


def times(layout: Layout) -> tuple[float, float, float]:
    """Seconds of a step: computing, calls that the backward pass can hide, calls that wait."""
    computing = 6 * 12 * WIDTH**2 * LAYERS * SAMPLES * LENGTH / FLOPS
    data, tensor, pipeline = volumes(layout)
    near = layout.tensor * layout.data <= MACHINE
    return computing, data / (INSIDE if near else BETWEEN), tensor / INSIDE + pipeline / BETWEEN


def table() -> str:
    """The layouts, a row each."""
    lines = [
        "| GPUs | data x tensor x pipeline | stage | data, GB | tensor, GB | pipeline, GB | scaling, data calls hidden | none hidden |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for layout in LAYOUTS:
        computing, hidden, waiting = times(layout)
        sent = " | ".join(f"{value / 1e9:.2f}" for value in volumes(layout))
        best, worst = computing / (max(computing, hidden) + waiting), computing / (computing + hidden + waiting)
        row = f"| {layout.gpus} | {layout.data} x {layout.tensor} x {layout.pipeline} | {layout.stage} | {sent} |"
        lines.append(f"{row} {best:.0%} | {worst:.0%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
