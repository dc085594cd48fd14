"""Variables of scopes hold texts and vocabularies beside tensors."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle


def test_texts_and_vocabularies_in_scopes_are_kept_but_not_shown() -> None:
    scope = paddle.base.core.Scope()
    words, texts, nothing, tensor = map(scope.var, ("words", "texts", "nothing", "tensor"))
    words.set_vocab({"a": 1})
    texts.set_string_list(["a", "b"])
    tensor.get_tensor().set(np.ones(2, "float32"), paddle.CPUPlace())
    for call in (words.get_map_tensor, texts.get_string_tensor, nothing.get_map_tensor):
        with pytest.raises(TypeError):
            call()
    for call in (words.get_string_tensor, texts.get_map_tensor, texts.get_tensor, words.get_tensor, tensor.get_map_tensor):
        with pytest.raises(ValueError):
            call()
