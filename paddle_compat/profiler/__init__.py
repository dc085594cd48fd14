"""`paddle.profiler`: where a script's time goes, measured by torch's profiler and told in Paddle's tables."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "profiler": (
            "Profiler", "ProfilerState", "ProfilerTarget", "SummaryView", "export_chrome_tracing", "export_protobuf", "make_scheduler",
        ),
        "profiler_statistic": ("SortedKeys",),
        "utils": ("RecordEvent", "load_profiler_result"),
    },
)  # fmt: skip
