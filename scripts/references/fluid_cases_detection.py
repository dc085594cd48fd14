# ruff: noqa: E501 - a call is a line
"""Calls of `fluid.layers`: object detection."""

# boxes of two images, one and two of them
_ROIS = "data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], grad=False)"
_CENTRES = "[[0.1, 0.1, 0.5, 0.6], [0.3, 0.2, 0.9, 0.8], [0.0, 0.4, 0.4, 1.0], [0.5, 0.5, 0.7, 0.9]]"
_PRIORS = f"data('prior_box', [4, 4], value={_CENTRES}, grad=False)"
_VARIANCES = "data('prior_box_var', [4, 4], value=[[0.1, 0.1, 0.2, 0.2]] * 4, grad=False)"
_GT = "data('gt_box', [-1, 4], value=[[0.1, 0.1, 0.4, 0.5], [0.3, 0.2, 0.8, 0.8], [0.5, 0.4, 0.8, 0.9]], lens=[[1, 2]], grad=False)"
_GT_LABEL = "data('gt_label', [-1, 1], 'int32', value=[[1], [2], [1]], lens=[[1, 2]])"
_ANCHORS = "data('anchor_box', [6, 4], value=[[0, 0, 7, 7], [4, 4, 15, 15], [0, 8, 9, 15], [8, 0, 15, 9], [2, 2, 12, 12], [5, 1, 9, 6]], grad=False)"
_ANCHOR_VAR = "data('anchor_var', [6, 4], value=[[1.0, 1.0, 1.0, 1.0]] * 6, grad=False)"
_GT_PIXELS = "data('gt_boxes', [-1, 4], value=[[1, 1, 8, 8], [4, 5, 14, 14], [9, 1, 15, 8]], lens=[[1, 2]], grad=False)"
_CROWD = "data('is_crowd', [-1, 1], 'int32', value=[[0], [0], [0]], lens=[[1, 2]])"
_IM_INFO = "data('im_info', [-1, 3], value=[[16, 16, 1], [16, 16, 1]], grad=False)"

CASES = {
    "prior_box": (
        "out = L.prior_box(f('input', -1, 2, 3, 2, grad=False), f('image', -1, 3, 12, 8, grad=False), min_sizes=[4.0], max_sizes=[6.0], "
        "aspect_ratios=[1.0, 2.0], flip=True, clip=True)"
    ),
    "prior_box/double": (
        "out = L.prior_box(f('input', -1, 2, 3, 2, dtype='float64', grad=False), f('image', -1, 3, 12, 8, dtype='float64', grad=False), [4.0])"
    ),
    "prior_box/all": (
        "out = L.prior_box(f('input', -1, 2, 2, 2, grad=False), f('image', -1, 3, 12, 8, grad=False), [3.0, 4.0], [5.0, 6.0], [2.0, 3.0], "
        "[0.1, 0.2, 0.3, 0.4], False, False, [4.0, 3.0], 0.3, 'n', True)"
    ),
    "density_prior_box": (
        "out = L.density_prior_box(f('input', -1, 2, 2, 3, grad=False), f('image', -1, 3, 12, 8, grad=False), densities=[2, 1], "
        "fixed_sizes=[4.0, 6.0], fixed_ratios=[1.0], clip=True)"
    ),
    "density_prior_box/double": (
        "out = L.density_prior_box(f('input', -1, 2, 2, 3, dtype='float64', grad=False), "
        "f('image', -1, 3, 12, 8, dtype='float64', grad=False), densities=[2], fixed_sizes=[4.0], fixed_ratios=[1.0])"
    ),
    "density_prior_box/flat": (
        "out = L.density_prior_box(f('input', -1, 2, 2, 3, grad=False), f('image', -1, 3, 12, 8, grad=False), [2], [4.0], [1.0, 2.0], "
        "steps=[3.0, 4.0], offset=0.3, flatten_to_2d=True, name='n')"
    ),
    "anchor_generator": (
        "out = L.anchor_generator(f('input', -1, 2, 2, 3, grad=False), anchor_sizes=[32.0, 64.0], aspect_ratios=[0.5, 1.0], "
        "variance=[0.1, 0.1, 0.2, 0.2], stride=[16.0, 16.0], offset=0.0)"
    ),
    "anchor_generator/double": (
        "out = L.anchor_generator(f('input', -1, 2, 2, 3, dtype='float64', grad=False), [32.0], [0.5, 1.0], stride=[16.0, 16.0])"
    ),
    "box_coder": f"out = L.box_coder({_PRIORS}, {_VARIANCES}, data('target_box', [-1, 4], value=[[0.1, 0.1, 0.4, 0.5], [0.3, 0.2, 0.8, 0.8], [0.5, 0.4, 0.8, 0.9]], lens=[[1, 2]], grad=False))",
    "box_coder/decode": (
        f"out = L.box_coder({_PRIORS}, [0.1, 0.1, 0.2, 0.2], f('target_box', 3, 4, 4, grad=False), 'decode_center_size', box_normalized=False, name='n', axis=0)"
    ),
    "box_coder/axis": f"out = L.box_coder({_PRIORS}, {_VARIANCES}, f('target_box', 4, 3, 4, grad=False), code_type='decode_center_size', axis=1)",
    "box_coder/regions": (
        "out = L.box_coder(data('prior', [-1, 4], value=[[0, 0, 5, 5], [1, 1, 6, 6], [3, 3, 9, 9]], lens=[[1, 2]], grad=False), [0.1, 0.1, 0.2, 0.2], "
        "f('target_box', 3, 2, 4, grad=False), 'decode_center_size', box_normalized=False, axis=1)"
    ),
    "iou_similarity": f"out = L.iou_similarity({_GT}, {_PRIORS})",
    "iou_similarity/pixels": f"out = L.iou_similarity({_ROIS}, {_ROIS.replace('rois', 'y')}, box_normalized=False, name='n')",
    "bipartite_match": "out = L.bipartite_match(f('dist_matrix', -1, 4, low=0.0, lens=[[2, 3]], grad=False))",
    "bipartite_match/per": "out = L.bipartite_match(f('dist_matrix', -1, 4, low=0.0, lens=[[2, 3]], grad=False), 'per_prediction', 0.4, 'n')",
    "target_assign": (
        "m, d = L.bipartite_match(f('d', -1, 4, low=0.0, lens=[[2, 3]], grad=False)); "
        "out = L.target_assign(f('input', -1, 4, 2, lens=[[2, 3]], grad=False), m, mismatch_value=0)"
    ),
    # for more than one number a box the wheel writes the weights to wrong places
    "target_assign/negative": (
        "m, d = L.bipartite_match(f('d', -1, 4, low=0.0, lens=[[2, 3]], grad=False)); "
        "out = L.target_assign(f('input', -1, 1, 1, lens=[[2, 3]], grad=False), m, "
        "negative_indices=data('neg', [-1, 1], 'int32', value=[[0], [1], [3]], lens=[[2, 1]]), mismatch_value=5, name='n')"
    ),
    "ssd_loss": (
        f"out = L.ssd_loss(f('location', -1, 4, 4, batch=2), f('confidence', -1, 4, 3, batch=2), {_GT}, {_GT_LABEL}, {_PRIORS}, {_VARIANCES})"
    ),
    "ssd_loss/plain": (
        f"out = L.ssd_loss(f('location', -1, 4, 4, batch=2), f('confidence', -1, 4, 3, batch=2), {_GT}, {_GT_LABEL}, {_PRIORS}, {_VARIANCES}, "
        "overlap_threshold=0.3, neg_pos_ratio=1.0, loc_loss_weight=2.0, normalize=False)"
    ),
    "detection_output": (
        f"out = L.detection_output(f('loc', 2, 4, 4, grad=False), f('scores', 2, 4, 3, low=0.0, grad=False), {_PRIORS}, {_VARIANCES})"
    ),
    "detection_output/index": (
        f"out = L.detection_output(f('loc', 2, 4, 4, grad=False), f('scores', 2, 4, 3, low=0.0, grad=False), {_PRIORS}, {_VARIANCES}, "
        "nms_threshold=0.45, keep_top_k=3, return_index=True)"
    ),
    "multi_box_head": (
        "out = L.multi_box_head([f('a', -1, 2, 3, 3), f('b', -1, 2, 2, 2), f('c', -1, 2, 1, 1)], f('image', -1, 3, 12, 12, grad=False), base_size=12, "
        "num_classes=3, aspect_ratios=[[2.0], [2.0, 3.0], [2.0]], min_ratio=20, max_ratio=90, offset=0.5, flip=True, clip=True)"
    ),
    "multi_box_head/sizes": (
        "out = L.multi_box_head([f('a', -1, 2, 3, 3), f('b', -1, 2, 2, 2)], f('image', -1, 3, 12, 12, grad=False), 12, 2, [[2.0], [2.0]], "
        "min_sizes=[3.0, 5.0], max_sizes=[5.0, 8.0], steps=[4.0, 6.0], kernel_size=3, pad=1, flip=False, name='n')"
    ),
    "multiclass_nms": (
        f"out = L.multiclass_nms(data('bboxes', [2, 4, 4], value=[{_CENTRES}] * 2, grad=False), f('scores', 2, 3, 4, low=0.0, grad=False), "
        "0.2, 10, 5)"
    ),
    "multiclass_nms/all": (
        "out = L.multiclass_nms(data('bboxes', [2, 4, 4], value=np.array([[0, 0, 5, 5], [1, 1, 6, 6], [3, 3, 9, 9], [0, 1, 5, 6]] * 2).reshape(2, 4, 4), "
        "grad=False), f('scores', 2, 3, 4, low=0.0, grad=False), score_threshold=0.1, nms_top_k=3, keep_top_k=4, nms_threshold=0.5, "
        "normalized=False, nms_eta=0.9, background_label=-1, name='n')"
    ),
    "multiclass_nms/none": (
        f"out = L.multiclass_nms(data('bboxes', [2, 4, 4], value=[{_CENTRES}] * 2, grad=False), f('scores', 2, 3, 4, low=0.0, grad=False), "
        "2.0, 10, 5)"
    ),
    "multiclass_nms/lod": (
        "out = L.multiclass_nms(data('bboxes', [-1, 3, 4], value=np.arange(36).reshape(3, 3, 4) % 7 + np.array([0, 0, 7, 7]), lens=[[2, 1]], grad=False), "
        "f('scores', -1, 3, low=0.0, lens=[[2, 1]], grad=False), 0.1, 10, 5)"
    ),
    "multiclass_nms/boxes_lod": (
        "out = L.multiclass_nms(data('bboxes', [-1, 3, 4], value=np.arange(36).reshape(3, 3, 4) % 7 + np.array([0, 0, 7, 7]), lens=[[1, 2]], grad=False), "
        "f('scores', 3, 3, low=0.0, grad=False), 0.1, 10, 5)"
    ),
    "locality_aware_nms": (
        f"out = L.locality_aware_nms(data('bboxes', [2, 4, 4], value=[{_CENTRES}] * 2, grad=False), f('scores', 2, 1, 4, low=0.0, grad=False), "
        "0.2, 10, 5, nms_threshold=0.3)"
    ),
    "matrix_nms": (
        f"out = L.matrix_nms(data('bboxes', [2, 4, 4], value=[{_CENTRES}] * 2, grad=False), f('scores', 2, 3, 4, low=0.0, grad=False), "
        "0.1, 0.05, 10, 5)"
    ),
    "matrix_nms/gaussian": (
        f"out = L.matrix_nms(data('bboxes', [2, 4, 4], value=[{_CENTRES}] * 2, grad=False), f('scores', 2, 3, 4, low=0.0, grad=False), "
        "0.1, 0.05, 10, 5, use_gaussian=True, gaussian_sigma=1.5, background_label=-1, normalized=False, return_index=True, name='n')"
    ),
    "box_clip": f"out = L.box_clip(data('input', [-1, 4], value=[[-1, 2, 20, 9], [0, 0, 30, 5], [3, 3, 5, 40]], lens=[[1, 2]], grad=False), {_IM_INFO})",
    "box_decoder_and_assign": (
        "out = L.box_decoder_and_assign(data('prior_box', [-1, 4], value=[[0, 0, 5, 5], [2, 3, 8, 9]], lens=[[1, 1]], grad=False), "
        "data('prior_box_var', [4], value=[0.1, 0.1, 0.2, 0.2], grad=False), f('target_box', -1, 12, lens=[[1, 1]], grad=False), "
        "f('box_score', -1, 3, lens=[[1, 1]], grad=False), 4.135)"
    ),
    "polygon_box_transform": "out = L.polygon_box_transform(f('input', 2, 8, 2, 3, grad=False))",
    "yolo_box": (
        "out = L.yolo_box(f('x', -1, 14, 2, 2, grad=False), data('img_size', [-1, 2], 'int32', value=[[32, 40]] * 3), [10, 13, 16, 30], 2, 0.3, 16)"
    ),
    "yolo_box/all": (
        "out = L.yolo_box(f('x', -1, 14, 2, 2, grad=False), data('img_size', [-1, 2], 'int32', value=[[32, 40]] * 3), [10, 13, 16, 30], 2, 0.01, 16, "
        "clip_bbox=False, name='n', scale_x_y=1.2)"
    ),
    "yolov3_loss": (
        "out = L.yolov3_loss(f('x', -1, 14, 2, 2), data('gt_box', [-1, 2, 4], low=0.1, high=0.9, grad=False), "
        "data('gt_label', [-1, 2], 'int32', high=2), [10, 13, 16, 30, 33, 23], [0, 1], 2, 0.7, 16)"
    ),
    "yolov3_loss/shared_place": (
        "out = L.yolov3_loss(f('x', -1, 14, 2, 2), data('gt_box', [-1, 2, 4], value=[[[0.2, 0.2, 0.3, 0.4], [0.3, 0.3, 0.35, 0.38]]] * 3, grad=False), "
        "data('gt_label', [-1, 2], 'int32', high=2), [10, 13, 16, 30, 33, 23], [0, 1], 2, 0.7, 16)"
    ),
    "yolov3_loss/score": (
        "out = L.yolov3_loss(f('x', -1, 14, 2, 2), data('gt_box', [-1, 2, 4], low=0.1, high=0.9, grad=False), "
        "data('gt_label', [-1, 2], 'int32', high=2), [10, 13, 16, 30, 33, 23], [1, 2], 2, 0.2, 16, "
        "gt_score=f('gt_score', -1, 2, low=0.1, grad=False), use_label_smooth=False, name='n', scale_x_y=1.1)"
    ),
    "generate_proposals": (
        f"out = L.generate_proposals(f('scores', 2, 3, 2, 2, low=0.0, grad=False), f('bbox_deltas', 2, 12, 2, 2, grad=False), {_IM_INFO}, "
        "data('anchors', [2, 2, 3, 4], value=(np.arange(48).reshape(2, 2, 3, 4) % 5 + np.array([0, 0, 6, 6])), grad=False), "
        "data('variances', [2, 2, 3, 4], value=np.ones((2, 2, 3, 4)), grad=False), 6, 4, 0.5, 0.1)"
    ),
    "generate_proposals/num": (
        f"out = L.generate_proposals(f('scores', 2, 3, 2, 2, low=0.0, grad=False), f('bbox_deltas', 2, 12, 2, 2, grad=False), {_IM_INFO}, "
        "data('anchors', [2, 2, 3, 4], value=(np.arange(48).reshape(2, 2, 3, 4) % 5 + np.array([0, 0, 6, 6])), grad=False), "
        "data('variances', [2, 2, 3, 4], value=np.ones((2, 2, 3, 4)), grad=False), 12, 5, 0.7, 1.0, eta=0.9, name='n', return_rois_num=True)"
    ),
    "rpn_target_assign": (
        f"out = L.rpn_target_assign(f('bbox_pred', 2, 6, 4), f('cls_logits', 2, 6, 1), {_ANCHORS}, {_ANCHOR_VAR}, {_GT_PIXELS}, {_CROWD}, {_IM_INFO}, "
        "rpn_batch_size_per_im=6, rpn_positive_overlap=0.5, rpn_negative_overlap=0.3, use_random=False)"
    ),
    "retinanet_target_assign": (
        f"out = L.retinanet_target_assign(f('bbox_pred', 2, 6, 4), f('cls_logits', 2, 6, 3), {_ANCHORS}, {_ANCHOR_VAR}, {_GT_PIXELS}, "
        f"data('gt_labels', [-1, 1], 'int32', value=[[1], [2], [3]], lens=[[1, 2]]), {_CROWD}, {_IM_INFO}, num_classes=3)"
    ),
    "retinanet_detection_output": (
        "out = L.retinanet_detection_output([f('b1', 2, 2, 4, grad=False), f('b2', 2, 1, 4, grad=False)], "
        "[f('s1', 2, 2, 3, low=0.0, grad=False), f('s2', 2, 1, 3, low=0.0, grad=False)], "
        "[data('a1', [2, 4], value=[[0, 0, 7, 7], [4, 4, 15, 15]], grad=False), data('a2', [1, 4], value=[[2, 2, 12, 12]], grad=False)], "
        f"{_IM_INFO}, 0.05, 10, 4, 0.3, 1.0)"
    ),
    "generate_proposal_labels": (
        "out = L.generate_proposal_labels(data('rpn_rois', [-1, 4], value=[[0, 0, 7, 7], [4, 4, 15, 15], [8, 0, 15, 9], [2, 2, 12, 12]], "
        f"lens=[[2, 2]], grad=False), data('gt_classes', [-1, 1], 'int32', value=[[1], [2], [1]], lens=[[1, 2]]), {_CROWD}, {_GT_PIXELS}, {_IM_INFO}, "
        "batch_size_per_im=4, fg_fraction=0.5, fg_thresh=0.5, bg_thresh_hi=0.5, bg_thresh_lo=0.0, class_nums=3, use_random=False)"
    ),
    "generate_mask_labels": (
        f"out = L.generate_mask_labels({_IM_INFO}, data('gt_classes', [-1, 1], 'int32', value=[[1], [2]], lens=[[1, 1]]), "
        "data('is_crowd', [-1, 1], 'int32', value=[[0], [0]], lens=[[1, 1]]), "
        "data('gt_segms', [-1, 2], value=[[1, 1], [8, 1], [8, 8], [1, 8], [3, 3], [12, 4], [9, 12]], lens=[[1, 1], [1, 1], [4, 3]], grad=False), "
        "data('rois', [-1, 4], value=[[0, 0, 8, 8], [2, 2, 13, 13]], lens=[[1, 1]], grad=False), "
        "data('labels_int32', [-1, 1], 'int32', value=[[1], [2]], lens=[[1, 1]]), num_classes=3, resolution=4)"
    ),
    "distribute_fpn_proposals": (
        "out = L.distribute_fpn_proposals(data('fpn_rois', [-1, 4], value=[[0, 0, 30, 30], [0, 0, 200, 220], [10, 10, 90, 100], [0, 0, 500, 400], [0, 0, 260, 260]], "
        "lens=[[2, 3]], grad=False), 2, 5, 4, 224)"
    ),
    "collect_fpn_proposals": (
        "out = L.collect_fpn_proposals([data('r1', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], grad=False), "
        "data('r2', [-1, 4], value=[[0, 0, 8, 8], [1, 1, 9, 9]], lens=[[1, 1]], grad=False)], "
        "[data('s1', [-1, 1], low=0.0, lens=[[1, 2]], grad=False), data('s2', [-1, 1], low=0.0, lens=[[1, 1]], grad=False)], 2, 3, 3)"
    ),
    "roi_perspective_transform": (
        "out = L.roi_perspective_transform(f('input', 2, 2, 8, 8), data('rois', [-1, 8], value=[[1, 1, 6, 1, 6, 6, 1, 6], [0, 2, 5, 1, 7, 6, 1, 5]], "
        "lens=[[1, 1]], grad=False), 3, 4, 1.0)"
    ),
}
