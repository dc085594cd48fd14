"""Pieces of Paddle 3 code as whole scripts have them."""

from __future__ import annotations

CASES: dict[str, str] = {}
