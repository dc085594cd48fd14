"""What `paddle.nn` of Paddle 3.3 computes where it takes torch's words, and the layers and functions that 2.6 has not."""

from __future__ import annotations

import re
import warnings
from typing import Any, Callable, Dict, List

import numpy as np

WHEELS = ("3.3.1",)

# Expressions. `t(2, 3)` is a tensor of distinct numbers, whose gradient is recorded, too, `d(2, 3)` one without; `i(4, 2)` whole numbers
# below 2;
# `filled(layer)` a layer whose parameters are such numbers. Where the last word is an error, its type is.
CASES = r"""
F.softmax(input=t(2, 3), dim=1)
F.softmax(t(2, 3), -1, "float64")
F.softmax(t(2, 3), dim=0, dtype="float64")
F.softmax(t(2, 3), out=o)
F.gelu(input=t(3), approximate="tanh")
F.gelu(t(3), approximate="none")
F.gelu(t(3), approximate="other")
F.gelu(t(3), out=o)
F.sigmoid(input=t(3))
F.tanh(input=t(3), out=o)
F.glu(input=t(2, 4), dim=0)
F.hardshrink(input=t(4), lambd=0.3)
F.softshrink(input=t(4), lambd=0.3)
F.softplus(input=t(4), beta=2)
F.silu(input=t(4))
F.silu(t(4) * 1, True)
F.silu(t(4), inplace=False)
F.log_sigmoid(input=t(4))
F.logsigmoid(t(4))
F.thresholded_relu(t(4), threshold=0.2, value=-3.0)
F.normalize(input=t(2, 3), dim=0, eps=1e-12, p=1)
F.normalize(t(2, 3), out=o)
F.layer_norm(input=t(2, 3), normalized_shape=3, eps=0.1)
F.layer_norm(input=t(2, 3), normalized_shape=[3], weight=t(3), bias=t(3), eps=1e-3)
F.group_norm(t(2, 4, 3), 2)
F.group_norm(t(2, 4, 3), 2, 0.1, t(4), t(4))
F.group_norm(t(2, 3, 4), 2, weight=t(4), data_format="NLC")
F.group_norm(input=t(2, 4), num_groups=2, eps=0.1)
I.fused_rms_norm(d(2, 4), d(4), None, 1e-5)[0]
I.fused_rms_norm(d(2, 2, 2), d(4), d(4), 1e-5)[0]
I.fused_rms_norm(d(2, 4), d(4), None, 1e-5, 1, None, d(2, 4))
I.fused_layer_norm(d(2, 4), d(4), d(4), 1e-5)[0]
I.fused_layer_norm(d(2, 4), d(4), d(4), 1e-5, 0.5, 1, d(4), d(2, 4))
I.fused_linear(t(2, 4), t(3, 4), None, True)
I.fused_matmul_bias(t(2, 4), t(2, 4), None, False, True)
I.fused_dropout_add(t(2, 4), t(2, 4), 0.5, False)
I.fused_dropout_add(t(2, 4), t(2, 4), 0.5, False, "downscale_in_infer")
I.swiglu(t(2, 4))
paddle.incubate.nn.FusedDropoutAdd(0.5)
[list(p.shape) for p in paddle.incubate.nn.FusedLinear(4, 3, transpose_weight=True).parameters()]
parameters(paddle.incubate.nn.FusedBiasDropoutResidualLayerNorm(8))
parameters(paddle.incubate.nn.FusedMultiHeadAttention(8, 2))
parameters(paddle.incubate.nn.FusedMultiHeadAttention(8, 2, normalize_before=True, transpose_qkv_wb=True))
parameters(paddle.incubate.nn.FusedMultiHeadAttention(8, 2, qkv_bias_attr=False, linear_bias_attr=False, ln_bias_attr=False))
parameters(paddle.incubate.nn.FusedFeedForward(8, 16, normalize_before=True, linear1_bias_attr=False))
parameters(paddle.incubate.nn.FusedTransformerEncoderLayer(8, 2, 16))
parameters(paddle.incubate.nn.FusedTransformerEncoderLayer(8, 2, 16, normalize_before=True, weight_attr=[None] * 2, bias_attr=False))
paddle.incubate.nn.FusedMultiHeadAttention(8, 2)
paddle.incubate.nn.FusedFeedForward(8, 16, 0.2, activation="gelu")
paddle.incubate.nn.FusedMultiHeadAttention(8, 3)
paddle.incubate.nn.FusedMultiHeadAttention(8, 2, need_weights=True)
paddle.incubate.nn.FusedFeedForward(0, 2)
paddle.incubate.nn.FusedBiasDropoutResidualLayerNorm(0)
paddle.incubate.nn.FusedTransformerEncoderLayer(8, 0, 2)
I.fused_multi_head_attention(t(2, 3, 8), t(8, 24), t(8, 8))
I.fused_multi_head_attention(t(2, 3, 8), t(3, 2, 5, 8), t(8, 8))
I.fused_multi_head_attention(t(3, 8), t(3, 2, 4, 8), t(8, 8))
I.fused_feedforward(t(2, 3, 8), t(8, 4), t(4, 8), mode="other")
I.fused_bias_dropout_residual_layer_norm(t(2, 8), t(2, 8), ln_scale=t(4))
I.fused_bias_dropout_residual_layer_norm(t(2, 8), t(2, 8), mode="other")
F.swiglu(t(2, 4))
F.swiglu(t(2, 4), t(2, 4) * 2)
F.swiglu(t(2, 3))
F.one_hot(input=i(4, 3), num_classes=3)
F.one_hot(i(4, 3))
F.one_hot(i(4, 3), -1)
F.embedding(input=i(4, 3), weight=t(3, 2), padding_idx=1)
F.embedding(i(4, 3), t(3, 2), max_norm=1.0)
F.embedding(i(4, 3), t(3, 2), max_norm=0.5, norm_type=1.0)
F.embedding(i(4, 3), t(3, 2), scale_grad_by_freq=True)
F.embedding(i(4, 3), t(3, 2), 1, scale_grad_by_freq=True)
F.cosine_similarity(t(2, 3), t(2, 3) + 1, dim=0)
F.pairwise_distance(t(2, 3), t(2, 3) + 1, eps=0.1)
F.conv1d(input=t(1, 2, 5), weight=t(3, 2, 2))
F.conv2d(input=t(1, 2, 4, 4), weight=t(3, 2, 2, 2), bias=t(3))
F.conv2d(t(2, 4, 4), t(3, 2, 2, 2))
F.conv3d(input=t(1, 1, 3, 3, 3), weight=t(1, 1, 2, 2, 2))
F.adaptive_avg_pool1d(input=t(1, 2, 5), output_size=2)
F.adaptive_avg_pool2d(input=t(1, 2, 5, 5), output_size=(2, None))
F.adaptive_avg_pool3d(input=t(1, 1, 3, 3, 3), output_size=2)
F.adaptive_max_pool1d(input=t(1, 2, 5), output_size=2, return_indices=True)
F.adaptive_max_pool2d(input=t(1, 2, 5, 5), output_size=2, return_indices=True)
F.adaptive_max_pool3d(t(1, 1, 3, 3, 3), 2, return_indices=False)
F.grid_sample(input=t(1, 1, 3, 3), grid=t(1, 2, 2, 2))
F.interpolate(input=t(1, 1, 3, 3), scale_factor=2)
F.interpolate(t(1, 1, 3, 3), scale_factor=1.5, mode="bilinear", recompute_scale_factor=True)
F.interpolate(t(1, 1, 3, 3), scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)
F.interpolate(t(1, 1, 3, 3), scale_factor=1.7, mode="bilinear", recompute_scale_factor=False)
F.interpolate(t(1, 1, 3, 3), scale_factor=1.7, mode="bilinear")
F.interpolate(t(1, 1, 3, 3), size=[2, 2], recompute_scale_factor=True)
F.interpolate(t(1, 1, 6, 6), size=[3, 3], mode="bilinear", antialias=True)
F.interpolate(t(1, 1, 6, 6), size=[3, 3], mode="bicubic", antialias=True)
F.interpolate(t(1, 1, 6, 6), size=[3, 3], antialias=True)
F.interpolate(t(1, 2, 6), scale_factor=2)
F.interpolate(t(1, 2, 6), scale_factor=2, mode="linear")
F.interpolate(t(1, 2, 6), size=3, mode="linear")
F.pad(input=t(1, 2, 3), pad=[1, 1])
F.pad(t(2, 3), [1, 2])
F.pad(t(2, 3), [1, 0, 0, 2])
F.pad(t(2, 3), [1, 0, 0, 2], pad_from_left_axis=False)
F.pad(t(2, 3), [1, 0, 0, 2], "constant", 5.0, pad_from_left_axis=True)
F.pad(t(1, 2, 2, 2), [1, 1], mode="reflect")
F.pad(t(2, 2, 2), [1, 1, 0, 1], mode="replicate")
F.pad(t(1, 2, 3), [1, 1], value=None)
F.fold(input=t(1, 4, 4), output_size=[3, 3], kernel_size=2)
F.fold(t(1, 4, 9), output_size=[4, 4], kernel_size=2, padding=0, stride=1, dilation=1)
F.fold(t(4, 4), [3, 3], 2)
F.scaled_dot_product_attention(t(1, 3, 2, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), scale=0.3)
F.scaled_dot_product_attention(t(1, 3, 4, 4), t(1, 3, 2, 4), t(1, 3, 2, 4))
F.scaled_dot_product_attention(t(1, 3, 4, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), enable_gqa=False)
F.scaled_dot_product_attention(t(1, 3, 2, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), is_causal=True, backend=None)
F.scaled_dot_product_attention(t(1, 2, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4), backend="p2p")
F.scaled_dot_product_attention(t(1, 2, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4), backend="nonsense")
F.scaled_dot_product_attention(t(3, 2, 4), t(3, 2, 4), t(3, 2, 4))
F.flash_attention.flash_attention(t(1, 3, 2, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), causal=True)[0]
F.flash_attention.flash_attention(t(1, 3, 2, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), return_softmax=True)
F.flash_attn_qkvpacked(t(1, 3, 3, 2, 4), causal=True)[0]
F.flash_attn_qkvpacked(t(1, 3, 3, 2, 4), return_softmax=True)
F.flashmask_attention(t(1, 3, 2, 4), t(1, 3, 2, 4), t(1, 3, 2, 4), i(9, 2).reshape([1, 1, 3, 3]).astype("int32"), causal=True)
F.kl_div(t(2, 3), t(2, 3), log_target=True)
F.kl_div(t(2, 3), t(2, 3) + 1, "sum")
F.smooth_l1_loss(t(2, 3), t(2, 3) * 3, delta=0.5, is_huber=False)
F.smooth_l1_loss(t(2, 3), t(2, 3) * 3, delta=0.5)
F.ctc_loss(t(3, 2, 3), i(4, 3).reshape([2, 2]).astype("int32"), n(3, 1), n(2, 2), zero_infinity=True)
F.ctc_loss(t(3, 2, 3), i(4, 3).reshape([2, 2]).astype("int32"), n(3, 1), n(2, 2))
F.ctc_loss(t(3, 2, 3), paddle.ones([2, 2], "int32"), n(3, 3), n(2, 2), reduction="none", zero_infinity=True)
F.cross_entropy(input=t(2, 3), target=i(2, 3))
F.adaptive_log_softmax_with_loss(t(3, 4), l(3, 4), t(4, 3), [[t(4, 2), t(2, 2)]], [2, 4])
F.adaptive_log_softmax_with_loss(t(4), l(2, 4)[1], t(4, 3), [[t(4, 2), t(2, 2)]], [2, 4], t(3))
F.adaptive_log_softmax_with_loss(t(3, 4), l(3, 9), t(4, 3), [[t(4, 2), t(2, 2)]], [2, 4])
F.fractional_max_pool2d(t(1, 1, 6, 6), 3, random_u=1.5)
F.cross_entropy(t(2, 3), i(2, 3), target=i(2, 3))
F.softmax(t(2, 3), 0, dim=1)
F.dropout(t(3) * 1, 0.4, axis=0, inplace=True)
F.dropout1d(t(1, 2, 3, 4))
F.feature_alpha_dropout(t(3))
F.feature_alpha_dropout(t(2, 3), 1.0)
F.embedding(i(4, 3), t(3, 2), sparse=True, scale_grad_by_freq=True)
F.pad(t(1, 2, 3), [1, 1, 0, 2])
F.pad(t(1, 2, 2, 2), [1, 1])
F.lp_pool1d(t(1, 2, 4), 0, 2)
F.cross_entropy(t(2, 3), target=i(2, 3), label_smoothing=0.1)
F.cross_entropy(t(2, 3, 2), i(4, 3).reshape([2, 2]), axis=1)
F.multi_label_margin_loss(t(2, 3), lab)
F.multi_label_margin_loss(t(2, 3), lab, "none")
F.multi_label_margin_loss(t(2, 3), lab, "other")
F.dropout(input=t(3), p=0.0, inplace=False)
F.dropout(t(3), 0.4, training=False, inplace=True)
F.dropout1d(t(1, 2, 3), 0.5, False)
F.feature_alpha_dropout(t(2, 3), training=False)
F.lp_pool1d(t(1, 2, 6), 2, 2)
F.lp_pool1d(t(1, 2, 6), 3.0, 2, 1, 0, True)
F.lp_pool1d(t(1, 2, 5), float("inf"), 2, ceil_mode=True)
F.lp_pool2d(t(1, 1, 4, 4), 2, 2)
F.lp_pool2d(t(1, 4, 4, 1), 2, [2, 2], data_format="NHWC")
F.lp_pool2d(t(1, 1, 4, 4), 2, 2, 1, 1)
F.lp_pool2d(t(1, 1, 5, 5), 2, 2, ceil_mode=True)
F.lp_pool1d(t(1, 2, 5), 2.0, 2, ceil_mode=True)
F.lp_pool1d(input=t(1, 2, 5), norm_type=1, kernel_size=2)
F.fractional_max_pool2d(t(1, 1, 6, 6), 3, random_u=0.3)
F.fractional_max_pool2d(t(1, 1, 7, 7), [3, 2], 2, 0.4, return_mask=True)
F.fractional_max_pool3d(t(1, 1, 4, 4, 4), 2, random_u=0.7)
filled(nn.Linear(3, 2, bias=False))(t(2, 3))
filled(nn.Linear(3, 2, device="cpu", dtype="float64"))(t(2, 3).astype("float64"))
nn.Linear(3, 2, bias=True, bias_attr=False).bias
nn.Linear(3, 2, bias=False).bias
nn.Linear(3, 2, False).bias
nn.Linear(3, 2, True).bias.shape
nn.Linear(3, 2, dtype="float16").weight
nn.Linear(3, 2, bias=3)
filled(nn.Conv1D(2, 3, 2, bias=False))(t(1, 2, 4))
filled(nn.Conv2D(2, 3, 2, bias=True, device="cpu", dtype="float64"))(t(1, 2, 3, 3).astype("float64"))
nn.Conv3D(2, 3, 2, bias=False).bias
nn.Conv2D(2, 3, 2, bias=False, bias_attr=None).bias
nn.Conv2D(2, 3, 2, bias=True, bias_attr=False).bias
nn.Conv2D(2, 3, 2, bias=False, bias_attr=paddle.ParamAttr()).bias
filled(nn.Conv2d(2, 3, 2))(t(1, 2, 3, 3))
filled(nn.LayerNorm(3, eps=1e-4))(t(2, 3))
filled(nn.LayerNorm(3, elementwise_affine=False))(t(2, 3))
[nn.LayerNorm(3, elementwise_affine=False).weight, nn.LayerNorm(3, elementwise_affine=False).bias]
nn.LayerNorm(3, bias=False).bias
nn.LayerNorm(3, bias=False).weight.shape
nn.LayerNorm(3, elementwise_affine=False, weight_attr=paddle.ParamAttr()).weight
filled(nn.LayerNorm(3, bias=False))(t(2, 3))
nn.LayerNorm(3, dtype="float64", device="cpu").weight * 1
filled(nn.GroupNorm(2, 4, eps=0.1))(t(1, 4, 2))
filled(nn.GroupNorm(2, 4, affine=False))(t(1, 4, 2))
[nn.GroupNorm(2, 4, affine=False).weight, nn.GroupNorm(2, 4, affine=False).bias]
[p.name != "" for p in nn.GroupNorm(2, 4, affine=False).parameters()]
nn.GroupNorm(2, 4, dtype="float64").weight * 1
filled(nn.Embedding(3, 2, max_norm=1.0))(i(4, 3))
filled(nn.Embedding(3, 2, padding_idx=1, scale_grad_by_freq=True))(i(4, 3))
nn.Embedding(3, 2, _weight=t(3, 2))(i(4, 3))
nn.Embedding(3, 2, _weight=t(3, 2)).weight.stop_gradient
nn.Embedding(3, 2, _weight=t(2, 2))
nn.Embedding(3, 2, _freeze=True).weight.stop_gradient
nn.Embedding(3, 2, device="cpu", dtype="float64").weight * 0
nn.MSELoss(reduce=False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(size_average=False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(size_average=True, reduce=True)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(reduction="sum", reduce=False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(reduction="sum", reduce=None)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(None, False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(True, False)(t(2, 3), t(2, 3) * 2)
nn.MSELoss(False, True)(t(2, 3), t(2, 3) * 2)
nn.MSELoss("none", reduce=True)(t(2, 3), t(2, 3) * 2)
nn.BCELoss(None, False)(F.sigmoid(t(2, 3)), F.sigmoid(t(2, 3)))
nn.BCELoss(None, None, False)(F.sigmoid(t(2, 3)), F.sigmoid(t(2, 3)))
nn.BCELoss(t(2, 3), reduce=False)(F.sigmoid(t(2, 3)), F.sigmoid(t(2, 3)))
nn.BCEWithLogitsLoss(None, False)(t(2, 3), F.sigmoid(t(2, 3)))
nn.L1Loss(False)(t(2, 3), t(2, 3) * 2)
nn.L1Loss(size_average=False)(t(2, 3), t(2, 3) * 2)
nn.CrossEntropyLoss(reduce=False)(t(2, 3), i(2, 3))
nn.CrossEntropyLoss(None, False)(t(2, 3), i(2, 3))
nn.CrossEntropyLoss(None, None, -100, False)(t(2, 3), i(2, 3))
nn.NLLLoss(None, False)(t(2, 3), i(2, 3))
nn.NLLLoss(size_average=False)(t(2, 3), i(2, 3))
nn.KLDivLoss(log_target=True, reduction="batchmean")(t(2, 3), t(2, 3))
nn.KLDivLoss(False)(t(2, 3), t(2, 3))
nn.SmoothL1Loss(is_huber=False, delta=0.5)(t(2, 3), t(2, 3) * 3)
nn.SmoothL1Loss(False)(t(2, 3), t(2, 3) * 3)
nn.MarginRankingLoss(0.1, False)(t(3), t(3) * 2, t(3).sign())
nn.HingeEmbeddingLoss(reduce=False)(t(3), t(3).sign())
nn.HingeEmbeddingLoss(1.0, False)(t(3), t(3).sign())
nn.CosineEmbeddingLoss(0.1, False)(t(2, 3), t(2, 3) * 2, t(2).sign())
nn.MultiLabelSoftMarginLoss(None, False)(t(2, 3), t(2, 3).sign())
nn.MultiLabelMarginLoss()(t(2, 3), lab)
nn.MultiLabelMarginLoss(reduce=False)(t(2, 3), lab)
nn.MultiMarginLoss(1, 1.0, None, False)(t(2, 3), i(2, 3))
nn.SoftMarginLoss(size_average=False)(t(2, 3), t(2, 3).sign())
nn.PoissonNLLLoss(True, False, False)(t(2, 3), t(2, 3))
nn.TripletMarginLoss(1.0, 2.0, 1e-3, False, False)(t(2, 3), t(2, 3) * 2, t(2, 3) + 1)
nn.TripletMarginLoss(reduce=False)(t(2, 3), t(2, 3) * 2, t(2, 3) + 1)
nn.CTCLoss(zero_infinity=True)(t(3, 2, 3), i(4, 3).reshape([2, 2]).astype("int32"), n(3, 1), n(2, 2))
nn.CosineSimilarity(dim=0)(t(2, 3), t(2, 3) + 1)
nn.PairwiseDistance(eps=0.1)(t(2, 3), t(2, 3) + 1)
nn.GLU(dim=0)(t(2, 3))
nn.Hardshrink(lambd=0.3)(t(4))
nn.Softshrink(lambd=0.3)(t(4))
nn.ThresholdedReLU(threshold=0.2, value=-3.0)(t(4))
nn.ThresholdedReLU(value=-3.0)
nn.SiLU()(t(4))
nn.Silu(inplace=True)(t(4) * 1)
nn.Dropout(0.4, inplace=True)
{p.shape[0] for p in nn.ParameterDict({"a": nn.Linear(2, 2).weight}).parameters()}
nn.ParameterDict(3)
nn.ParameterDict({"a": 3})
nn.Dropout(p=0.0, inplace=True)(t(3))
nn.AdaptiveMaxPool1D(2, return_indices=True)(t(1, 2, 5))
nn.AdaptiveMaxPool2D(output_size=2, return_indices=True)(t(1, 1, 4, 4))
nn.AdaptiveMaxPool3D(2, return_indices=False)(t(1, 1, 4, 4, 4))
nn.Unfold(kernel_size=2, dilation=1, padding=0, stride=1)(t(1, 1, 3, 3))
nn.Fold(output_size=[3, 3], kernel_size=2, dilation=1, padding=0, stride=1)(t(1, 4, 4))
nn.Unfold(2, 1, 0, 1)(t(1, 1, 3, 3))
nn.Upsample(scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)(t(1, 1, 3, 3))
filled(nn.LSTM(3, 4, proj_size=2))(t(2, 3, 3))
filled(nn.LSTM(3, 4, 2, "bidirect", proj_size=2))(t(2, 3, 3))
sorted(list(p.shape) for p in nn.LSTM(3, 4, 2, proj_size=2).parameters())
sorted(nn.LSTM(3, 4, 2, "bidirect", proj_size=2).state_dict())
sorted(nn.LSTMCell(3, 4, proj_size=2).state_dict())
nn.LSTMCell(3, 4, proj_size=4)
nn.LSTMCell(3, 4, proj_size=-1)
nn.LSTM(3, 4, proj_size=4)
nn.TransformerEncoderLayer(4, 2, 8, layer_norm_eps=0.1).norm1._epsilon
nn.TransformerDecoderLayer(4, 2, 8, layer_norm_eps=0.1).norm3._epsilon
nn.ZeroPad1D(1)(t(1, 2, 3))
nn.ZeroPad1D([1, 2])
nn.ZeroPad3D(1)(t(1, 1, 2, 2, 2))
nn.ConstantPad1D(1, 5.0)(t(1, 2, 3))
nn.ConstantPad2D([1, 0, 2, 0], 5.0)(t(1, 1, 2, 2))
nn.ConstantPad3D(1, 5.0)(t(1, 1, 2, 1, 1))
nn.CircularPad1D(1)(t(1, 2, 3))
nn.CircularPad2D(1)(t(1, 1, 2, 2))
nn.CircularPad3D(1)(t(1, 1, 2, 2, 1))
nn.ReplicationPad1D(1)(t(1, 2, 3))
nn.ReplicationPad2D(1)(t(1, 1, 2, 2))
nn.ReplicationPad3D(1)(t(1, 1, 2, 2, 1))
nn.ReflectionPad1D(1)(t(1, 2, 3))
nn.ReflectionPad2D(1)(t(1, 1, 2, 2))
nn.ReflectionPad3D(1)(t(1, 1, 2, 2, 2))
nn.ConstantPad1D([1, 2], 5.0)
nn.CircularPad2d(1)
nn.ReplicationPad2D(1)
nn.LPPool1D(2, 2)(t(1, 2, 6))
nn.LPPool2D(2, 2)(t(1, 1, 4, 4))
nn.LPPool2D(norm_type=2, kernel_size=2, stride=1)
nn.FractionalMaxPool2D(3, random_u=0.3)(t(1, 1, 6, 6))
nn.FractionalMaxPool3D(2, random_u=0.7)(t(1, 1, 4, 4, 4))
nn.FractionalMaxPool2D(3, random_u=0.3)
(paddle.seed(5), nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4], div_value=2.0)(t(3, 4), l(3, 6)))[1]
(paddle.seed(5), nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4], None, None, 2.0, True).log_prob(t(3, 4)))[1]
(paddle.seed(5), nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4], div_value=2.0).predict(t(3, 4)))[1]
sorted((k, list(v.shape)) for k, v in nn.AdaptiveLogSoftmaxWithLoss(8, 6, [2, 4], div_value=2.0).state_dict().items())
nn.AdaptiveLogSoftmaxWithLoss(4, 6, [4, 2])
nn.FeatureAlphaDropout(0.3)
nn.Softmax2D()(t(1, 2, 1, 2))
nn.LayerList(modules=[nn.Linear(2, 2)])
nn.ModuleList([nn.Linear(2, 2)])
nn.LayerDict(modules={"a": nn.Linear(2, 2)})
nn.ModuleDict({"a": nn.Linear(2, 2)})
[nn.Module is nn.Layer, nn.ModuleList is nn.LayerList, nn.Conv2d is nn.Conv2D, nn.SiLU is nn.Silu]
init(nn.initializer.XavierNormal(gain=2.0))
init(nn.initializer.XavierUniform(gain=2.0))
init(nn.initializer.KaimingNormal(mode="fan_out"))
init(nn.initializer.KaimingUniform(mode="fan_out"))
init(nn.initializer.KaimingUniform(mode="other"))
init(nn.initializer.TruncatedNormal(0.0, 1.0, a=-0.5, b=0.5))
init(nn.initializer.TruncatedNormal(1.0, 2.0, a=-0.5, b=1.5))
init(nn.initializer.TruncatedNormal())
init(nn.initializer.TruncatedNormal(0.0, 1.0, -1.0, 0.5))
init(nn.initializer.TruncatedNormal(1.0, 0.5, 0.5, 1.5))
len(nn.LayerList([nn.ReLU()]) + nn.LayerList([nn.Tanh(), nn.ReLU()]))
[str(p.dtype) for p in nn.Linear(2, 2).bfloat16().parameters()]
[n for n, _ in tree().named_modules()]
[type(m).__name__ for m in tree().modules()]
list(tree().get_parameter("0.weight").shape)
tree().get_parameter("0.nope")
tree().get_buffer("1.0.weight")
type(tree().get_submodule("1.0")).__name__
tree().get_submodule("7")
tree().add_module("x", nn.ReLU())
tree().add_module("x", 3)
tree().register_module("y", None)
tree().register_parameter("w.q", None)
[p.stop_gradient for p in tree().requires_grad_(False).parameters()]
[str(p.dtype) for p in tree().double().parameters()]
[str(p.dtype) for p in tree().type("float64").parameters()]
str(tree().load_state_dict(tree().state_dict()))
tree().load_state_dict({})
list(tree().load_state_dict({}, strict=False).missing_keys)
(lambda l: (l.set_submodule("1.0", nn.ReLU()), type(l[1][0]).__name__))(tree())
tree().set_submodule("", nn.ReLU())
tree().set_submodule("9.9", nn.ReLU())
tree().set_submodule("1.5", nn.ReLU(), strict=True)
tree().set_submodule("1.0", 3)
list(tree()._modules)
(lambda l: (l[0](t(2, 2)).sum().backward(), l.zero_grad(), l[0].weight.grad))(tree())
(lambda l: (l[0](t(2, 2)).sum().backward(), l.zero_grad(False), l[0].weight.grad))(tree())
(lambda l: (l[0](t(2, 2)).sum().backward(), paddle.optimizer.SGD(0.1, parameters=l.parameters()).zero_grad(), l[0].weight.grad))(tree())
nn.Embedding(4, 3, padding_idx=1).padding_idx
(lambda l: [l.output_size, l.kernel_size, l.stride, l.padding, l.dilation])(nn.Fold([3, 3], 2, 1, 0, 2))
[nn.GLU(0).dim, nn.CosineSimilarity(2).dim, nn.Hardshrink(0.3).lambd, nn.Softshrink(0.2).lambd]
(lambda l: [l.norm, l.eps])(nn.PairwiseDistance(1.0, 1e-4))
[nn.AdaptiveAvgPool2D(2).output_size, nn.AdaptiveAvgPool3D([1, 2, 3]).output_size, nn.AdaptiveMaxPool2D(2, True).return_indices]
[nn.Pad2D([1, 2, 3, 4]).padding, nn.Pad1D(2).padding, nn.ZeroPad3D(1).value, nn.Pad2D(1, value=3.0).value]
(lambda l: [l.norm_type, l.kernel_size, l.stride, l.padding, l.ceil_mode])(nn.LPPool1D(2, 3))
[nn.Conv2D(2, 3, 2).output_padding, nn.Conv2DTranspose(2, 3, 2, output_padding=0).output_padding]
[type(l).__name__ for l in nn.Sequential(nn.ReLU()).append(nn.Tanh()).extend([nn.Sigmoid(), nn.ELU()])]
list(nn.Sequential(nn.ReLU(), nn.Tanh()).insert(1, nn.Sigmoid())._sub_layers)
[type(l).__name__ for l in nn.Sequential(nn.ReLU(), nn.Tanh()).insert(-1, nn.Sigmoid()).insert(3, nn.GELU())]
nn.Sequential(nn.ReLU()).insert(2, nn.Tanh())
nn.Sequential(nn.ReLU()).insert(0, 3)
nn.Sequential(nn.ReLU()).append(3)
(lambda l: [type(l.pop(0)).__name__, list(l._sub_layers), type(l.pop(-1)).__name__, len(l)])(nn.LayerList([nn.ReLU(), nn.Tanh(), nn.ELU()]))
(lambda l: [type(l.pop(slice(0, 2))).__name__, len(l)])(nn.LayerList([nn.ReLU(), nn.Tanh(), nn.ELU()]))
nn.LayerList().pop(0)
(lambda l: [l.train(False) is l, l[0].training, l.train(mode=True) is l, l[0].training])(tree())
[n for n, _ in shared().named_parameters()]
[n for n, _ in shared().named_parameters("net", remove_duplicate=False)]
[n for n, _ in shared().named_parameters(include_sublayers=False, remove_duplicate=False)]
[n for n, _ in shared().named_sublayers(remove_duplicate=False)]
[n for n, _ in shared().named_sublayers("net", True, remove_duplicate=False)]
[n for n, _ in shared().named_buffers(remove_duplicate=False)]
[n for n, _ in shared().named_modules(remove_duplicate=False)]
hooked(lambda l, log: (before(l, log, "a"), before(l, log, "b", prepend=True)))
hooked(lambda l, log: (before(l, log, "a", with_kwargs=True), before(l, log, "b")))
hooked(lambda l, log: l.register_forward_pre_hook(lambda m, a, k: (a, {"b": 5}), with_kwargs=True))
hooked(lambda l, log: l.register_forward_pre_hook(lambda m, a, k: a, with_kwargs=True))
hooked(lambda l, log: l.register_forward_pre_hook(lambda m, a, k: [a, k], with_kwargs=True))
hooked(lambda l, log: (after(l, log, "a"), after(l, log, "b", prepend=True), after(l, log, "c", with_kwargs=True)))
hooked(lambda l, log: l.register_forward_hook(lambda m, a, out: out * 2))
hooked(lambda l, log: l.register_forward_post_hook(lambda m, a, k, out: out + k["b"], with_kwargs=True))
hooked(lambda l, log: (after(l, log, "a"), after(l, log, "b", always_call=True), after(l, log, "c", always_call=True)), b="fail")
hooked(lambda l, log: (after(l, log, "a", always_call=True), before(l, log, "b", fails=True), after(l, log, "c", always_call=True)))
hooked(lambda l, log: (after(l, log, "a", always_call=True, fails=True), after(l, log, "b", always_call=True)))
hooked(lambda l, log: (after(l, log, "a", always_call=True, fails=True), after(l, log, "b", always_call=True)), b="fail")
hooked(lambda l, log: (after(l, log, "a", with_kwargs=True).remove(), before(l, log, "b", prepend=True).remove()))
(lambda l: (l(t(2, 2)).sum().backward(), l.clear_gradients(False), l.weight.grad))(nn.Linear(2, 2))
(lambda l: (l(t(2, 2)).sum().backward(), l.clear_gradients(), l.weight.grad))(nn.Linear(2, 2))
[paddle.is_autocast_enabled(), paddle.get_autocast_dtype(), paddle.amp.get_autocast_dtype("cpu")]
paddle.autocast()
paddle.conv2d(t(1, 2, 3, 3), t(1, 2, 2, 2))
paddle.layer_norm(t(2, 3), 3)
paddle.group_norm(t(2, 4, 3), 2)
paddle.adaptive_avg_pool1d(t(1, 2, 4), 2)
__import__(paddle.__name__ + ".special").special.logsumexp(t(3))
sorted(__import__(paddle.__name__ + ".functional").functional.__all__)
(paddle.seed(11), __import__(paddle.__name__ + ".random").random.initial_seed())[1]
[nn.HuberLoss is nn.SmoothL1Loss, nn.MaxUnpool1d is nn.MaxUnPool1D, nn.ZeroPad2d is nn.ZeroPad2D]
nn.AdaptiveAvgPool2d is nn.AdaptiveAvgPool2D
paddle.autograd.Function is paddle.autograd.PyLayer
F.embedding_renorm_(i(4, 3), d(3, 2), 1.0)
F.embedding_renorm_(i(4, 3), d(3, 2), 0.5, norm_type=1.0)
[F.scaled_dot_product_attention(d(1, 3, 2, 4), d(1, 3, 2, 4), d(1, 3, 2, 4)) for _ in [F.sdp_kernel(enable_math=True).__enter__()]]
""".strip().splitlines()


def _plain(paddle: Any, value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, paddle.Tensor):
        return [str(value.dtype), value.tolist()]
    if isinstance(value, (list, tuple)):
        return [_plain(paddle, each) for each in value]
    return value if isinstance(value, (bool, int, float)) else str(value)


def answer(paddle: Any, case: str) -> Dict[str, Any]:
    """What a case gives, and the gradients of the tensors in it; or how it fails."""
    leaves: List[Any] = []

    def numbers(*shape: int) -> Any:
        return np.sin(np.arange(int(np.prod(shape))) * 1.7 + 0.3 + len(leaves)).reshape(shape).astype("float32")

    def t(*shape: int) -> Any:
        leaves.append(paddle.to_tensor(numbers(*shape), stop_gradient=False))
        return leaves[-1]

    def filled(layer: Any) -> Any:
        def as_made(parameter: Any) -> List[Any]:
            return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", parameter.name)]

        for parameter in sorted(layer.parameters(), key=as_made):
            with paddle.no_grad():
                parameter.set_value(numbers(*parameter.shape).astype(str(parameter.dtype).split(".")[-1]))
            leaves.append(parameter)
        return layer

    def init(initializer: Any) -> Any:
        paddle.seed(5)
        return paddle.nn.Linear(3, 2, weight_attr=paddle.ParamAttr(initializer=initializer)).weight

    class Adding(paddle.nn.Layer):
        def forward(self, a: Any, b: Any = 1) -> Any:
            return a * b if b != "fail" else a.nothing()

    def hook(log: List[Any], word: str, fails: bool) -> Callable[..., Any]:
        def note(layer: Any, *given: Any) -> Any:
            log.append([word, *(sorted(g) if isinstance(g, dict) else g if g is None else type(g).__name__ for g in given)])
            return given[0].nothing() if fails else None

        return note

    def hooked(register: Callable[..., Any], b: Any = 3) -> Any:
        log: List[Any] = []
        layer = Adding()
        register(layer, log)
        try:
            return [layer(d(2), b=b), str(log)]
        except Exception as error:
            return [type(error).__name__, str(log)]

    def shared() -> Any:
        one = paddle.nn.Linear(2, 2)
        one.register_buffer("steps", paddle.zeros([1]))
        return paddle.nn.Sequential(one, paddle.nn.Sequential(one))

    def d(*shape: int) -> Any:
        return t(*shape).detach()

    def parameters(layer: Any) -> Any:
        return [[name, list(p.shape), round(float(p.sum()), 4)] for name, p in layer.named_parameters()]

    paddle.seed(1)
    __import__(f"{paddle.__name__}.incubate.nn.functional")
    here = {
        "paddle": paddle, "nn": paddle.nn, "F": paddle.nn.functional, "I": paddle.incubate.nn.functional,
        "tree": lambda: paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Sequential(paddle.nn.BatchNorm1D(3))),
        "t": t, "d": d, "filled": filled, "parameters": parameters, "init": init, "shared": shared, "hooked": hooked,
        "before": lambda l, log, word, fails=False, **how: l.register_forward_pre_hook(hook(log, word, fails), **how),
        "after": lambda l, log, word, fails=False, **how: l.register_forward_post_hook(hook(log, word, fails), **how),
        "i": lambda count, below: paddle.to_tensor([number % below for number in range(1, count + 1)]),
        "l": lambda count, below: paddle.to_tensor([(2 * number + 1) % below for number in range(count)]),
        "n": lambda *each: paddle.to_tensor(list(each)),
        "lab": paddle.to_tensor([[2, 0, -1], [1, -1, 2]]),
        "o": paddle.zeros([1]),
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = eval(case, here)
        except Exception as error:
            return {"error": "|".join(each.__name__ for each in type(error).__mro__)}
        found = {"value": _plain(paddle, value)}
        first = value[0] if isinstance(value, (list, tuple)) and value else value
        if isinstance(first, paddle.Tensor) and not first.stop_gradient and not first.is_leaf:
            (first * paddle.to_tensor(numbers(*first.shape)).astype(first.dtype)).sum().backward()
            found["gradients"] = [None if leaf.grad is None else leaf.grad.tolist() for leaf in leaves]
        return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    def answers() -> Dict[str, Any]:
        import paddle

        paddle.disable_static()  # other cases, which are imported first, enable it
        return {case: answer(paddle, case) for case in CASES}

    return {"paddle3_nn.json.gz": answers}
