"""`paddle.fluid.contrib.utils`: files of a Hadoop file system."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"hdfs_utils": ("HDFSClient", "multi_download", "multi_upload")})
