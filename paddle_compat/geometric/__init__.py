"""`paddle.geometric`: messages along the edges of graphs, sums over segments, subgraphs."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_messages": ("send_u_recv", "send_ue_recv", "send_uv"),
        "_segments": ("segment_max", "segment_mean", "segment_min", "segment_sum"),
        "_subgraphs": ("reindex_graph", "reindex_heter_graph", "sample_neighbors", "weighted_sample_neighbors"),
    },
)

_SEGMENTS = ("segment_max", "segment_mean", "segment_min", "segment_sum")
_MESSAGES = ("send_u_recv", "send_ue_recv", "send_uv")
_NEIGHBORS = ("sample_neighbors", "weighted_sample_neighbors")
modules(
    __name__,
    {
        "math": _SEGMENTS,
        "message_passing": _MESSAGES,
        "message_passing.send_recv": _MESSAGES,
        "reindex": ("reindex_graph", "reindex_heter_graph"),
        "sampling": _NEIGHBORS,
        "sampling.neighbors": _NEIGHBORS,
    },
)
