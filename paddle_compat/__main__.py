"""`python -m paddle_compat`: see `_runner.py`."""

from ._runner import main

main()
