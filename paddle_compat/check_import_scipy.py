"""`paddle.check_import_scipy`: what is said on Windows where scipy lacks its runtime."""

from paddle_compat._missing import missing


def check_import_scipy(OsName: str) -> None:
    """Say what to install where scipy does not load on Windows for want of its runtime libraries.

    Args:
        OsName (str): `os.name`; other than "nt", nothing is tried.
    Raises:
        ImportError: scipy says that one of its libraries failed to load.

    Example:
        >>> from paddle_compat.check_import_scipy import check_import_scipy
        >>> check_import_scipy("posix")

    Follows Paddle 2.6.
    """
    if OsName != "nt":
        return
    try:
        import scipy.io  # type: ignore[import-untyped]  # noqa: F401
    except ImportError as failed:
        if "DLL load failed" in str(failed):
            raise ImportError(f"{failed}\nInstall the Microsoft Visual C++ Redistributable, which scipy needs.") from failed


__all__ = ["check_import_scipy"]
__getattr__ = missing(__name__)
