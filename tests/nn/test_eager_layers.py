"""`nn.Layer` in eager mode: every member, rule of assignment, hook and state dict, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay

import paddle_compat


@pytest.mark.parametrize("name", list(recorded("eager_layers")))
def test_layer(name: str) -> None:
    replay("eager_layer_cases", "eager_layers", name)


def test_linear_layers_take_the_first_of_a_tuple_of_outputs() -> None:
    """As Paddle's operators of eager mode do where they take one Tensor; libraries hand on what a layer returned."""
    nn, x = paddle_compat.nn, paddle_compat.to_tensor([[1.0, -2.0]])
    linear = nn.Linear(2, 3)
    assert linear((x, x * 2)).tolist() == linear(x).tolist()
    assert nn.functional.relu((x,)).tolist() == [[1.0, 0.0]]
    assert nn.functional.gelu((x,)).tolist() == nn.functional.gelu(x).tolist()


def test_decoders_copy_layers_that_know_no_epsilon() -> None:
    class OwnLayer(paddle_compat.nn.TransformerDecoderLayer):
        def __init__(self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
                     attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = True,
                     weight_attr: object = None, bias_attr: object = None) -> None:  # fmt: skip
            super().__init__(d_model, nhead, dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before)

    decoder = paddle_compat.nn.TransformerDecoder(OwnLayer(8, 2, 16), 2)
    assert type(decoder.layers[1]) is OwnLayer and decoder(paddle_compat.ones([1, 3, 8]), paddle_compat.ones([1, 4, 8])).shape == [1, 3, 8]
    finer = paddle_compat.nn.TransformerEncoderLayer(8, 2, 16, layer_norm_eps=1e-3)
    assert paddle_compat.nn.TransformerEncoder(finer, 2).layers[1].norm1._epsilon == 1e-3


def test_a_single_attribute_names_the_parts_of_a_transformer() -> None:
    nn = paddle_compat.nn
    parts = nn.layer.transformer._convert_param_attr_to_list(paddle_compat.ParamAttr(name="w", learning_rate=0.5), 3)
    assert [(part.name, part.learning_rate) for part in parts] == [("w_0", 0.5), ("w_1", 0.5), ("w_2", 0.5)]
    paddle_compat.enable_static()
    with paddle_compat.static.program_guard(paddle_compat.static.Program()):
        nn.TransformerEncoderLayer(8, 2, 8, weight_attr="w", bias_attr=False)
        names = [parameter.name for parameter in paddle_compat.static.default_main_program().all_parameters()]
    assert [name for name in names if name.startswith("w")] == ["w_0", "w_1"]


@pytest.mark.parametrize(("part", "count"), [("Encoder", 1), ("Encoder", 3), ("Decoder", 2)])
def test_each_part_of_a_transformer_wants_its_attribute(part: str, count: int) -> None:
    with pytest.raises(AssertionError, match="attributes"):
        getattr(paddle_compat.nn, f"Transformer{part}Layer")(8, 2, 16, weight_attr=[None] * count)


def test_elu_changes_nothing_below_alpha_0() -> None:
    F, x = paddle_compat.nn.functional, paddle_compat.to_tensor([-1.0])
    with pytest.raises(AssertionError, match="alpha"):
        F.elu_(x, -0.2)
    assert x.tolist() == [-1.0] and F.elu(x, -0.2).item() > 0
