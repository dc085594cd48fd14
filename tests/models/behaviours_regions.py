"""Short pieces of Paddle 2.6 code on regions of images and on many boxes; see behaviours.py."""

from __future__ import annotations

# images, regions (some beyond the images' borders), size of the result, scale, arguments of the function
_REGIONS = """
r = np.random.RandomState({seed})
boxes = (r.rand({first} + {second}, 4) * 60 / {scale} - 10).astype("{dtype}")
if {seed} % 3:
    boxes[:, 2:] = boxes[:, :2] + r.rand(len(boxes), 2) * 40 / {scale}
if {seed} % 2:
    boxes = np.round(boxes)
{clip}
with eager():
    x = paddle.to_tensor(r.randn(2, {channels}, 17, 23).astype("{dtype}"), stop_gradient=False)
    counts = paddle.to_tensor(np.array([{first}, {second}], "int32"))
    out = paddle.vision.ops.{call}
    weights = paddle.to_tensor((np.arange(out.size) % 7 - 3.0).reshape(out.shape).astype("{dtype}"))
    (out * weights).sum().backward()
    answer = [out.shape, out.mean(axis=[2, 3]).tolist(), (out * weights).sum(axis=[0, 1]).tolist()]
    answer += [x.grad.sum(axis=[1, 2]).tolist(), x.grad.sum(axis=3).tolist()]
"""

_CALLS = {
    "roi_align": ("roi_align(x, paddle.to_tensor(boxes), counts, (3, 2), {scale}, {points}, {aligned})", 2),
    "roi_pool": ("roi_pool(x, paddle.to_tensor(boxes), counts, (3, 2), {scale})", 2),
    "psroi_pool": ("psroi_pool(x, paddle.to_tensor(boxes), counts, (3, 2), {scale})", 12),
}


def regions(function: str, seed: int, scale: str, points: int = -1, aligned: bool = False, dtype: str = "float32") -> str:
    """What a function makes of regions, and its gradient."""
    call, channels = _CALLS[function]
    # an empty window of roi_pool's makes Paddle write the gradient beside the array
    clip = f"boxes = boxes.clip(0, 16 / ({scale}))" if function == "roi_pool" else ""
    call = call.format(scale=scale, points=points, aligned=aligned)
    return _REGIONS.format(seed=seed, first=seed % 5, second=4, scale=scale, channels=channels, call=call, clip=clip, dtype=dtype)


CASES = {
    **{
        f"regions_of_images_{number}": regions(*arguments)
        for number, arguments in enumerate((
            ("roi_align", 1, "1 / 3"), ("roi_align", 2, "0.5", 2), ("roi_align", 7, "0.0625", -1, True), ("roi_align", 4, "0.1", 3, True),
            ("roi_align", 5, "1 / 3", -1, True, "float64"), ("roi_align", 6, "0.25", -1, False, "float64"),
            ("roi_pool", 1, "1.0"), ("roi_pool", 3, "0.125", -1, False, "float64"), ("roi_pool", 6, "1.0"),
            ("psroi_pool", 2, "0.5"), ("psroi_pool", 3, "0.1"), ("psroi_pool", 4, "1 / 3", -1, False, "float64"),
        ))
    },
    "of_equal_elements_of_a_window_the_first_has_the_gradient": """
with eager():
    x = paddle.zeros([1, 1, 4, 4])
    x.stop_gradient = False
    counts = paddle.to_tensor(np.array([1], "int32"))
    paddle.vision.ops.roi_pool(x, paddle.to_tensor([[0.0, 0.0, 3.0, 3.0]]), counts, 2).sum().backward()
    answer = x.grad.tolist()
""",
    "a_position_sensitive_pool_of_one_channel": """
with eager():
    counts = paddle.to_tensor(np.array([1], "int32"))
    paddle.vision.ops.psroi_pool(paddle.rand([1, 4, 4, 4]), paddle.to_tensor([[0.0, 0.0, 3.0, 3.0]]), counts, 2)
""",
    # more boxes than are compared with one another at once
    **{
        f"suppression_of_many_boxes_above_{threshold}": f"""
boxes = (np.random.RandomState(3).rand(700, 4) * 200).astype("float32")
boxes[:, 2:] = boxes[:, :2] + 10 + boxes[:, 2:] / 4
boxes[30] = boxes[40] = [5, 5, 5, 5]
scores = np.random.RandomState(4).rand(700).astype("float32")
with eager():
    answer = [paddle.vision.ops.nms(paddle.to_tensor(boxes), {threshold}).tolist()]
    answer += [paddle.vision.ops.nms(paddle.to_tensor(boxes), {threshold}, paddle.to_tensor(scores)).tolist()]
"""
        for threshold in (0.0, 0.3, 0.7)
    },
}
