"""The data types that the functions of `fluid.layers` take, as Paddle 1.8 checks them before it records anything.

A row names functions and, after a colon for each, their arguments; ``any`` only asks for a Variable.
"""

from __future__ import annotations

from paddle_compat.core.dtype import VarType

_SHORT = {
    "bool": VarType.BOOL, "f2": VarType.FP16, "f4": VarType.FP32, "f8": VarType.FP64, "i1": VarType.INT8, "i2": VarType.INT16,
    "i4": VarType.INT32, "i8": VarType.INT64, "u1": VarType.UINT8,
}  # fmt: skip

_ROWS = (
    ("abs exp square reshape transpose pad space_to_depth", "x: f2 f4 f8 i4 i8"),
    (
        "acos asin atan ceil cos cosh floor logsigmoid reciprocal round sigmoid sin sinh softplus softsign tan tanh tanh_shrink relu relu6 "
        "elu leaky_relu hard_sigmoid hard_swish swish brelu soft_relu stanh hard_shrink softshrink thresholded_relu sqrt "
        "rsqrt mean clip dropout",
        "x: f2 f4 f8",
    ),
    ("mish selu log1p log prelu maxout logsumexp l2_normalize pixel_shuffle temporal_shift unfold", "x: f4 f8"),
    ("pow isfinite crop_tensor unique unique_with_counts lod_reset lod_append", "x: f4 f8 i4 i8"),
    ("erf gelu cumsum has_inf has_nan unstack sampling_id shuffle_channel yolo_box", "x: any"),
    ("scale", "x: f2 f4 f8 i1 i2 i4 i8 u1"),
    (
        "elementwise_add elementwise_div elementwise_max elementwise_min elementwise_mul elementwise_pow elementwise_sub "
        "elementwise_floordiv elementwise_mod kron",
        "x: f2 f4 f8 i4 i8, y: f2 f4 f8 i4 i8",
    ),
    ("elementwise_equal bmm", "x: any, y: any"),
    ("sum", "x: f4 f8 i4 i8"),
    ("sums", "input: f4 f8 i4 i8"),
    ("mul matmul", "x: f2 f4 f8, y: f2 f4 f8"),
    ("dot", "x: f4 f8 i4 i8, y: f4 f8 i4 i8"),
    ("cross allclose", "input: any, other: any"),
    ("dist fsp_matrix smooth_l1", "x: f4 f8, y: f4 f8"),
    ("addmm", "input: any, x: f4 f8, y: f4 f8"),
    ("addcmul", "input: f4 f8, tensor1: f4 f8 i4 i8, tensor2: f4 f8 i4 i8"),
    ("reduce_sum reduce_mean tril triu strided_slice shape", "input: f4 f8 i4 i8"),
    ("reduce_all reduce_any", "input: bool"),
    ("clip_by_norm crop", "x: f4"),
    ("cos_sim", "X: f4, Y: f4"),
    ("logical_and logical_or logical_xor", "x: bool, y: bool"),
    ("logical_not", "x: bool"),
    ("trace roll t pad2d adaptive_pool2d adaptive_pool3d", "input: f2 f4 f8 i4 i8"),
    ("log_softmax softmax fc conv2d conv3d conv2d_transpose conv3d_transpose batch_norm", "input: f2 f4 f8"),
    (
        "add_position_encoding uniform_random_batch_size_like inplace_abn layer_norm instance_norm group_norm "
        "similarity_focus polygon_box_transform",
        "input: f4 f8",
    ),
    ("affine_channel", "x: f4 f8, scale: any, bias: any"),
    ("cast", "x: bool f2 f4 f8 i4 i8 u1"),
    ("concat meshgrid", "input: f2 f4 f8 i4 i8"),
    (
        "fill_constant_batch_size_like full_like topk unsqueeze size nonzero gaussian_random_batch_size_like "
        "ctc_greedy_decoder reduce_max reduce_min reduce_prod clamp split slice pool2d pool3d data_norm image_resize "
        "interpolate resize_bilinear resize_nearest resize_trilinear image_resize_short anchor_generator",
        "input: any",
    ),
    ("zeros_like ones_like expand", "x: bool f4 f8 i4 i8"),
    ("argmax argmin", "x: f4 f8 i2 i4 i8 u1"),
    ("argsort", "input: f4 f8 i2 i4 i8 u1"),
    ("reverse", "x: f4 f8 i4 i8 u1"),
    ("flip", "input: bool f2 f4 f8 i4 i8"),
    ("one_hot mean_iou", "input: i4 i8"),
    ("embedding shard_index", "input: i8"),
    ("squeeze", "input: f2 f4 f8 i1 i4 i8"),
    ("stack", "x: any"),
    ("gather gather_nd", "input: any, index: any"),
    ("gather_tree", "ids: i4 i8, parents: i4 i8"),
    ("scatter", "input: any, index: any, updates: any"),
    ("scatter_nd", "index: any, updates: bool f2 f4 f8 i4 i8"),
    ("scatter_nd_add", "ref: any, index: any, updates: any"),
    ("index_select", "input: f4 f8 i4 i8, index: i4 i8"),
    ("index_sample", "x: f4 f8 i4 i8, index: i4 i8"),
    ("multiplex", "inputs: f4 f8 i4 i8, index: i4 i8"),
    ("expand_as", "x: bool f4 f8 i4 i8, target_tensor: bool f4 f8 i4 i8"),
    ("flatten", "x: f4 f8 i1 i4 i8"),
    ("pad_constant_like", "x: any, y: f4 f8 i4 i8"),
    ("where", "condition: any"),
    ("random_crop", "x: f4 f8 i2 i4 u1"),
    ("accuracy cross_entropy bpr_loss", "input: f2 f4 f8, label: any"),
    ("auc dice_loss", "input: f4 f8, label: i4 i8"),
    ("mean_iou", "label: i4 i8"),
    ("chunk_eval edit_distance", "input: i8, label: i8"),
    ("filter_by_instag", "ins: any, ins_tag: any, filter_tag: any"),
    ("continuous_value_model", "input: f2 f4 f8, cvm: any"),
    ("lrn im2sequence row_conv", "input: f4"),
    ("affine_grid", "theta: f4 f8"),
    ("grid_sampler", "x: f4 f8, grid: f4 f8"),
    ("roi_pool psroi_pool prroi_pool", "input: any, rois: any"),
    ("roi_align", "input: f4 f8, rois: f4 f8"),
    ("roi_perspective_transform", "input: f4, rois: f4"),
    ("deformable_conv", "input: f4 f8, offset: f4 f8, mask: any"),
    ("deformable_roi_pooling", "input: f4 f8, rois: f4 f8, trans: f4 f8"),
    ("softmax_with_cross_entropy sampled_softmax_with_cross_entropy", "logits: any, label: any"),
    ("square_error_cost mse_loss huber_loss teacher_student_sigmoid_loss", "input: f4 f8, label: f4 f8"),
    ("sigmoid_cross_entropy_with_logits", "x: f2 f4 f8, label: any"),
    ("log_loss", "input: f4, label: f4"),
    ("kldiv_loss", "x: f4 f8, target: f4 f8"),
    ("rank_loss", "label: f4, left: f4, right: f4"),
    ("margin_rank_loss", "label: f4, left: any, right: any"),
    ("npair_loss", "anchor: f4 f8, positive: f4 f8, labels: f4 f8 i8"),
    ("center_loss", "label: any"),
    ("label_smooth", "label: f4 f8"),
    ("spectral_norm", "weight: f4 f8"),
    ("sigmoid_focal_loss", "x: f4 f8, label: i4, fg_num: i4"),
    ("nce hsigmoid linear_chain_crf", "input: f4 f8, label: i8"),
    ("crf_decoding", "input: f4 f8"),
    ("warpctc", "input: f4, label: i4"),
    ("prior_box", "input: f4 f8 i1 u1, image: any"),
    ("density_prior_box", "input: f4 f8, image: any"),
    ("box_coder", "prior_box: any, target_box: any"),
    ("iou_similarity", "x: any, y: any"),
    ("bipartite_match", "dist_matrix: any"),
    ("detection_output", "loc: any, scores: f2 f4 f8, prior_box: any, prior_box_var: any"),
    ("multiclass_nms locality_aware_nms matrix_nms", "bboxes: f4 f8, scores: f4 f8"),
    ("box_clip", "input: f4 f8, im_info: f4 f8"),
    ("box_decoder_and_assign", "prior_box: any, prior_box_var: any, target_box: any, box_score: any"),
    ("yolo_box", "img_size: any"),
    ("yolov3_loss", "x: any, gt_box: any, gt_label: any"),
    ("generate_proposals", "scores: f4, bbox_deltas: f4, im_info: f4 f8, anchors: f4, variances: f4"),
    (
        "rpn_target_assign",
        "bbox_pred: f4 f8, cls_logits: f4 f8, anchor_box: f4 f8, anchor_var: f4 f8, gt_boxes: f4 f8, is_crowd: i4, im_info: f4 f8",
    ),
    (
        "retinanet_target_assign",
        "bbox_pred: f4 f8, cls_logits: f4 f8, anchor_box: f4 f8, anchor_var: f4 f8, gt_boxes: f4 f8, gt_labels: i4, "
        "is_crowd: i4, im_info: f4 f8",
    ),
    ("retinanet_detection_output", "bboxes: f4 f8, scores: f4 f8, anchors: f4 f8, im_info: f4 f8"),
    ("generate_proposal_labels", "rpn_rois: f4 f8, gt_classes: i4, is_crowd: i4, gt_boxes: any, im_info: any"),
    (
        "generate_mask_labels",
        "im_info: any, gt_classes: any, is_crowd: any, gt_segms: any, rois: any, labels_int32: any",
    ),
    ("distribute_fpn_proposals", "fpn_rois: any"),
    ("collect_fpn_proposals", "multi_rois: any, multi_scores: any"),
    # layers of `fluid.dygraph`, which look at Variables alone
    ("Conv2D Conv2DTranspose Linear BatchNorm", "input: f2 f4 f8"),
    ("LayerNorm InstanceNorm", "input: f4 f8"),
    ("Pool2D", "input: i1 u1 f2 f4 f8"),
    ("Embedding", "input: i8"),
    ("PRelu", "input: f4"),
    ("SpectralNorm", "weight: f4 f8"),
    ("NCE", "input: f4 f8, label: i8"),
    ("GRUUnit", "input: f4 f8, hidden: f4 f8"),
    ("BilinearTensorProduct", "x: f4 f8, y: f4 f8"),
)


def _parsed() -> dict[str, dict[str, tuple[VarType, ...]]]:
    found: dict[str, dict[str, tuple[VarType, ...]]] = {}
    for functions, arguments in _ROWS:
        rules = {}
        for part in arguments.split(", "):
            argument, types = part.split(": ")
            rules[argument] = () if types == "any" else tuple(_SHORT[t] for t in types.split())
        for function in functions.split():
            found.setdefault(function, {}).update(rules)
    return found


TAKES = _parsed()
