"""`paddle.device`: what needs a GPU says so where there is none."""

from __future__ import annotations

import pytest
import torch

import paddle_compat as paddle

NEEDS_GPU = sorted(set(paddle.device.cuda.__all__) - {"device_count", "empty_cache"})


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("name", NEEDS_GPU)
def test_questions_about_gpus_are_refused_without_one(name: str) -> None:
    with pytest.raises(ValueError, match=rf"`paddle.device.cuda.{name}` needs a GPU"):
        getattr(paddle.device.cuda, name)()


def test_counting_gpus_needs_none() -> None:
    assert paddle.device.cuda.device_count() == torch.cuda.device_count()
    paddle.device.cuda.empty_cache()
