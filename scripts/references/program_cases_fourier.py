# ruff: noqa: E501 - a case is a line
"""`paddle.fft`, `paddle.signal`, `paddle.geometric` and the operators of `paddle.incubate` and `paddle.text`: what they record, and compute."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import normal, uniform

Case = Callable[[Any], Any]
X, SIGNAL = normal(4, 6), normal(2, 32)
WAVES = (normal(3, 5) + 1j * uniform(3, 5)).astype("complex64")
SRC, DST = np.array([0, 1, 2, 0, 3, 3], "int32"), np.array([1, 2, 1, 0, 2, 2], "int32")
NODES, EDGES = normal(4, 3), uniform(6, 3, low=0.5, high=2.0)
SEGMENTS = np.array([0, 0, 1, 3], "int64")
CENTRES, NEIGHBOURS, COUNTS = np.array([0, 1, 2]), np.array([8, 9, 0, 4, 7, 6, 7]), np.array([2, 3, 2], "int32")
ROW, POINTERS, WANTED = np.array([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7]), np.array([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13]), np.array([0, 8, 1, 2])


def of(build: Any, *arrays: Any) -> Case:
    """Functions of fed variables; every output is fetched, a complex one in two parts."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        made = [paddle.static.data(k, list(a.shape), str(a.dtype)) for k, a in feed.items()]
        out = build(paddle, *made)
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        return feed, [part for o in outs for part in ([paddle.real(o), paddle.imag(o)] if complex_variable(o) else [o])]

    return case


def complex_variable(out: Any) -> bool:
    """Whether a Variable is complex, or a Tensor is; the data type may be a number."""
    return "COMPLEX" in str(out.dtype).upper() or str(out.dtype) in ("23", "24")


def transform(name: str, *args: Any, **kwargs: Any) -> Any:
    """One of the 18."""
    return lambda p, x: getattr(p.fft, name)(x, *args, **kwargs)


CASES: dict[str, Case] = {}
for kind, takes in (("fft", "rc"), ("ifft", "rc"), ("rfft", "r"), ("irfft", "c"), ("hfft", "c"), ("ihfft", "r")):
    for letter in takes:
        given = X if letter == "r" else WAVES
        CASES[f"{kind}_{letter}"] = of(transform(kind), given)
        CASES[f"{kind}_{letter}_options"] = of(transform(kind, 9, 0, "ortho"), given)
        CASES[f"{kind}2_{letter}"] = of(transform(kind + "2", (3, 4), (1, 0), "forward"), given)
        CASES[f"{kind}n_{letter}"] = of(transform(kind + "n"), given)
        CASES[f"{kind}n_{letter}_sizes"] = of(transform(kind + "n", [7]), given)
CASES.update({
    "fftfreq": of(lambda p, x: [p.fft.fftfreq(5, 0.3), p.fft.rfftfreq(6, 0.3), x + 1], X),
    "fftshift": of(lambda p, x: [p.fft.fftshift(x), p.fft.ifftshift(x, 1)], normal(3, 5)),
    "stft": of(lambda p, x: p.signal.stft(x, 8), SIGNAL),
    "stft_options": of(lambda p, x: p.signal.stft(x, 8, 3, 8, None, False, "constant", True, False), SIGNAL),
    "istft": of(lambda p, x: [p.signal.istft(x, 8), p.signal.istft(x, 8, 4, length=20, center=False, normalized=True)], (normal(2, 5, 9) + 1j * uniform(2, 5, 9)).astype("complex64")),
    "frame": of(lambda p, x: [p.signal.frame(x, 8, 3), p.signal.frame(x, 2, 1, 0)], SIGNAL),
    "overlap_add": of(lambda p, x: [p.signal.overlap_add(x, 2), p.signal.overlap_add(x, 3, 0)], normal(4, 5, 6)),
    "segment_sum": of(lambda p, x, s: p.geometric.segment_sum(x, s), NODES, SEGMENTS),
    "segment_mean": of(lambda p, x, s: p.geometric.segment_mean(x, s), NODES, SEGMENTS),
    "segment_min": of(lambda p, x, s: p.incubate.segment_min(x, s), NODES, SEGMENTS),
    "segment_max": of(lambda p, x, s: p.geometric.segment_max(x, s), NODES, SEGMENTS),
    "reindex": of(lambda p, x, n, c: p.geometric.reindex_graph(x, n, c), CENTRES, NEIGHBOURS, COUNTS),
    "reindex_old": of(lambda p, x, n, c: p.incubate.graph_reindex(x, n, c), CENTRES, NEIGHBOURS, COUNTS),
    "reindex_heter": of(lambda p, x, n, c: p.geometric.reindex_heter_graph(x, [n, n], [c, c]), CENTRES, NEIGHBOURS, COUNTS),
    "sample": of(lambda p, r, c, w: p.geometric.sample_neighbors(r, c, w, 5), ROW, POINTERS, WANTED),
    "sample_old": of(lambda p, r, c, w: p.incubate.graph_sample_neighbors(r, c, w, sample_size=5), ROW, POINTERS, WANTED),
    "softmax_mask_fuse": of(lambda p, x, m: p.incubate.softmax_mask_fuse(x, m), normal(1, 2, 8, 32), uniform(1, 1, 8, 32)),
    "identity_loss": of(lambda p, x: [p.incubate.identity_loss(x, r) for r in ("sum", 1, "none")], X),
    "viterbi": of(lambda p, x, t, n: p.text.viterbi_decode(x, t, n), uniform(3, 5, 4), uniform(4, 4), np.array([5, 2, 1])),
    "viterbi_plain": of(lambda p, x, t, n: p.text.viterbi_decode(x, t, n, False), uniform(3, 5, 4), uniform(4, 4), np.array([3, 4, 2])),
})
for how in ("sum", "mean", "max", "min"):
    CASES[f"send_u_{how}"] = of(lambda p, x, s, d, how=how: [p.geometric.send_u_recv(x, s, d, how), p.incubate.graph_send_recv(x, s, d, how, 3)], NODES, SRC, DST)
    for message in ("add", "div"):
        CASES[f"send_ue_{message}_{how}"] = of(lambda p, x, y, s, d, m=message, how=how: p.geometric.send_ue_recv(x, y, s, d, m, how), NODES, EDGES, SRC, DST)
for message in ("add", "sub", "mul", "div"):
    CASES[f"send_uv_{message}"] = of(lambda p, x, y, s, d, m=message: p.geometric.send_uv(x, y, s, d, m), NODES, uniform(4, 3, low=1.0, high=2.0), SRC, DST)
