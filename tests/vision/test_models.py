"""Networks of `paddle.vision.models` against the 2.6.2 wheel: structure, weights, losses, gradients, predictions."""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path.append(str(ROOT / "scripts" / "references"))
import vision_cases

RECORDED: dict[str, Any] = json.loads(gzip.decompress((ROOT / "tests/references/vision_models_2.6.2.json.gz").read_bytes()))


_LARGE = {"resnext50_32x4d", "vgg16"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in _LARGE else ()) for n in vision_cases.NETWORKS])
def test_trains_as_the_wheel(name: str) -> None:
    expected, received = RECORDED["networks"][name], json.loads(json.dumps(vision_cases.trained(paddle, name)))
    assert received["state"] == expected["state"]
    assert received["repr"] == expected["repr"]
    for key, figures in expected["initial"].items():
        assert received["initial"][key] == pytest.approx(figures, rel=1e-6, abs=1e-6), key
    assert received["output"][0] == expected["output"][0]
    assert received["output"][1:] == pytest.approx(expected["output"][1:], rel=1e-4, abs=1e-3)
    assert received["gradients"].keys() == expected["gradients"].keys()
    for key, (_, size) in expected["gradients"].items():
        assert received["gradients"][key][1] == pytest.approx(size, rel=1e-2, abs=1e-4), key  # relu turns rounding into steps
    assert received["losses"] == pytest.approx(expected["losses"], rel=1e-4 if name.startswith("resnext") else 1e-5)
    assert received["prediction"] == pytest.approx(expected["prediction"], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", vision_cases.STRUCTURES)
def test_is_built_as_the_wheel(name: str) -> None:
    assert vision_cases.empty(paddle, name) == RECORDED["structures"][name]


@pytest.mark.parametrize("name", vision_cases.GIVEN)
def test_predicts_as_the_wheel(name: str) -> None:
    expected, received = RECORDED["given"][name], vision_cases.predicted(paddle, name)
    assert received["state"] == expected["state"]
    assert received["repr"] == expected["repr"]
    assert len(received["outs"]) == len(expected["outs"])
    for one, other in zip(received["outs"], expected["outs"]):
        assert one[0] == other[0] and one[1:] == pytest.approx(other[1:], rel=1e-3, abs=1e-4)


def test_weights_are_read_from_the_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from paddle_compat.vision.models import _pretrained

    monkeypatch.setattr(_pretrained, "KEPT", tmp_path)
    with pytest.raises(paddle.errors.UnsupportedError, match="mobilenetv2_0.35.pdparams"):
        paddle.vision.models.mobilenet_v2(True, scale=0.35)
    net = paddle.vision.models.mobilenet_v2(scale=0.35)
    paddle.save(net.state_dict(), str(tmp_path / "mobilenetv2_0.35.pdparams"))
    read = paddle.vision.models.mobilenet_v2(True, scale=0.35)
    assert all((read.state_dict()[key].numpy() == value.numpy()).all() for key, value in net.state_dict().items())


def test_functions_named_as_their_modules() -> None:
    models = paddle.vision.models
    assert models.AlexNet.__name__ == "AlexNet" and callable(models.alexnet) and callable(models.googlenet)


def test_only_averaged_logits_of_a_squeezenet_are_rectified() -> None:
    paddle.seed(1)
    net = paddle.vision.models.squeezenet1_1(num_classes=50, with_pool=False)
    net.eval()
    image = paddle.rand([1, 3, 32, 32])
    logits = net(image)
    assert logits.shape == [1, 50, 1, 1] and logits.min().item() < 0
    net.with_pool = True
    assert net(image).tolist() == paddle.nn.functional.relu(logits).reshape([1, 50]).tolist()


def test_wrong_use() -> None:
    resnet = paddle.vision.models.resnet
    with pytest.raises(NotImplementedError, match="dilation"):
        resnet.BasicBlock(4, 4, dilation=2)
    with pytest.raises(KeyError):
        paddle.vision.models.ResNet(resnet.BottleneckBlock, 17)
    with pytest.raises(AssertionError, match="stride"):
        paddle.vision.models.mobilenetv2.InvertedResidual(4, 4, 3, 6)
    for make, error, text in (
        (lambda m: m.SqueezeNet("2"), AssertionError, "supported versions are"),
        (lambda m: m.DenseNet(100), AssertionError, "supported layers are"),
        (lambda m: m.ShuffleNetV2(3), NotImplementedError, "This scale size"),
        (lambda m: m.ShuffleNetV2(0.25, "tanh"), RuntimeError, "activation function is not supported: tanh"),
    ):
        with pytest.raises(error, match=text):
            make(paddle.vision.models)
    with pytest.raises(ValueError, match="400"):
        paddle.vision.models.LeNet()(paddle.ones([2, 1, 20, 20]))


def test_networks_that_inherit_from_resnet_ask_it_for_stages() -> None:
    resnet = paddle.vision.models.resnet
    network = resnet.ResNet(resnet.BottleneckBlock, 50, num_classes=0)
    wide = network._make_layer(resnet.BottleneckBlock, 512, 1, stride=2, dilate=True)
    assert (network.inplanes, network.dilation, network._norm_layer) == (2048, 2, paddle.nn.BatchNorm2D)
    narrow = network._make_layer(resnet.BottleneckBlock, 64, 2)
    convolutions = [each for stage in (wide, narrow) for each in stage.sublayers() if isinstance(each, paddle.nn.Conv2D)]
    assert [each._dilation for each in convolutions if each._dilation != [1, 1]] == [[2, 2]]  # the first of the stage behind
    assert {tuple(each._stride) for each in convolutions} == {(1, 1)}
    assert [each._in_channels for each in convolutions] == [2048, 512, 512, 2048, 64, 64, 2048, 256, 64, 64]
