# ruff: noqa: E501 - a call is a line
"""Calls of `fluid.layers`: losses, sampling classifiers, CRF and CTC."""

CASES = {
    "cross_entropy": "out = L.cross_entropy(L.softmax(f('input', -1, 4)), i('label', -1, 1, high=4))",
    "cross_entropy/ignore": "out = L.cross_entropy(L.softmax(f('input', -1, 4)), i('label', -1, 1, high=4), ignore_index=1)",
    "cross_entropy/soft": "out = L.cross_entropy(L.softmax(f('input', -1, 4)), L.softmax(f('label', -1, 4, grad=False)), soft_label=True)",
    "softmax_with_cross_entropy": "out = L.softmax_with_cross_entropy(f('logits', -1, 4), i('label', -1, 1, high=4))",
    "softmax_with_cross_entropy/both": (
        "out = L.softmax_with_cross_entropy(f('logits', -1, 4), i('label', -1, 1, high=4), ignore_index=2, return_softmax=True)"
    ),
    "softmax_with_cross_entropy/soft": (
        "out = L.softmax_with_cross_entropy(f('logits', -1, 4), L.softmax(f('label', -1, 4, grad=False)), True, numeric_stable_mode=False)"
    ),
    "softmax_with_cross_entropy/axis": "out = L.softmax_with_cross_entropy(f('logits', -1, 4, 3), i('label', -1, 1, 3, high=4), axis=1)",
    "square_error_cost": "out = L.square_error_cost(f('input', -1, 1), f('label', -1, 1))",
    "mse_loss": "out = L.mse_loss(f('input', -1, 2), f('label', -1, 2))",
    "sigmoid_cross_entropy_with_logits": "out = L.sigmoid_cross_entropy_with_logits(f('x', -1, 3), f('label', -1, 3, low=0.0, grad=False))",
    "sigmoid_cross_entropy_with_logits/all": (
        "out = L.sigmoid_cross_entropy_with_logits(f('x', 2, 2), data('label', [2, 2], value=[[-1, 1], [0, -1]], grad=False), -1, 'n', True)"
    ),
    "smooth_l1": "out = L.smooth_l1(f('x', -1, 4), f('y', -1, 4))",
    "smooth_l1/weights": (
        "out = L.smooth_l1(f('x', -1, 4), f('y', -1, 4), inside_weight=f('i', -1, 4, grad=False), "
        "outside_weight=f('o', -1, 4, grad=False), sigma=2.0)"
    ),
    "huber_loss": "out = L.huber_loss(f('input', -1, 1), f('label', -1, 1), 0.3)",
    "log_loss": "out = L.log_loss(f('input', -1, 1, low=0.1), f('label', -1, 1, low=0.0, grad=False), epsilon=0.01, name='n')",
    "kldiv_loss": "out = L.kldiv_loss(f('x', -1, 4), f('target', -1, 4, low=0.1, grad=False))",
    "kldiv_loss/batchmean": "out = L.kldiv_loss(f('x', -1, 4), f('target', -1, 4, low=0.1, grad=False), reduction='batchmean', name='n')",
    "kldiv_loss/none": "out = L.kldiv_loss(f('x', -1, 4), f('target', -1, 4, low=0.1, grad=False), 'none')",
    "rank_loss": "out = L.rank_loss(f('label', -1, 1, low=0.0, grad=False), f('left', -1, 1), f('right', -1, 1))",
    "margin_rank_loss": "out = L.margin_rank_loss(f('label', -1, 1, grad=False), f('left', -1, 1), f('right', -1, 1), margin=0.2, name='n')",
    "bpr_loss": "out = L.bpr_loss(f('input', -1, 4), i('label', -1, 1, high=4), name='n')",
    "dice_loss": "out = L.dice_loss(L.softmax(f('input', -1, 2)), i('label', -1, 1, high=2))",
    "npair_loss": (
        "out = L.npair_loss(f('anchor', 3, 4), f('positive', 3, 4), data('labels', [3], value=[0, 1, 0], grad=False), l2_reg=0.01)"
    ),
    "center_loss": "out = L.center_loss(f('input', -1, 4), i('label', -1, 1, high=5), 5, 0.1, w(5, 4))",
    "center_loss/later": "out = L.center_loss(f('input', -1, 4) * 2.0, i('label', -1, 1, high=5), 5, 0.1, w(5, 4))",
    "center_loss/frozen": (
        "out = L.center_loss(f('input', -1, 4), i('label', -1, 1, high=5), num_classes=5, alpha=0.1, param_attr=w(5, 4), update_center=False)"
    ),
    "teacher_student_sigmoid_loss": "out = L.teacher_student_sigmoid_loss(f('input', -1, 1), f('label', -1, 1, low=-2.0, high=2.0, grad=False))",
    "teacher_student_sigmoid_loss/bounds": "out = L.teacher_student_sigmoid_loss(f('input', -1, 1), f('label', -1, 1, grad=False), 0.5, -0.5)",
    "label_smooth": "out = L.label_smooth(f('label', -1, 4, low=0.0))",
    "label_smooth/prior": "out = L.label_smooth(f('label', -1, 4, low=0.0), prior_dist=f('p', 1, 4, grad=False), epsilon=0.2, name='n')",
    "sigmoid_focal_loss": (
        "out = L.sigmoid_focal_loss(f('x', 3, 4), data('label', [3, 1], 'int32', value=[[0], [2], [4]]), "
        "data('fg_num', [1], 'int32', value=[2]), gamma=1.5, alpha=0.3)"
    ),
    "nce": "out = L.nce(f('input', -1, 4), i('label', -1, 1, high=6), 6, param_attr=w(6, 4), bias_attr=w(6, 1), num_neg_samples=3, seed=1)",
    "nce/log_uniform": (
        "out = L.nce(f('input', -1, 4), i('label', -1, 2, high=6), 6, sample_weight=f('s', -1, 1, low=0.1, grad=False), name='n', "
        "sampler='log_uniform', seed=3, is_sparse=True)"
    ),
    "nce/custom": (
        "out = L.nce(f('input', -1, 4), i('label', -1, 1, high=5), 5, bias_attr=False, num_neg_samples=2, sampler='custom_dist', "
        "custom_dist=[0.1, 0.2, 0.3, 0.1, 0.3], seed=2)"
    ),
    "nce/program_seed": "out = L.nce(f('input', -1, 4), i('label', -1, 1, high=6), 6)",
    "hsigmoid": "out = L.hsigmoid(f('input', -1, 4), i('label', -1, 1, high=6), 6)",
    "hsigmoid/sparse": (
        "out = L.hsigmoid(f('input', -1, 4), i('label', -1, 1, high=6), num_classes=6, param_attr=w(5, 4), bias_attr=False, name='n', is_sparse=True)"
    ),
    "hsigmoid/custom": (
        "out = L.hsigmoid(f('input', 2, 4), i('label', 2, 1, high=3), 3, path_table=i('pt', 2, 3, value=[[0, 1, -1], [0, 2, -1]]), "
        "path_code=i('pc', 2, 3, value=[[0, 1, -1], [1, 0, -1]]), is_custom=True)"
    ),
    "sampled_softmax_with_cross_entropy": (
        "out = L.sampled_softmax_with_cross_entropy(f('logits', -1, 8), i('label', -1, 1, high=8), 3, seed=4)"
    ),
    "sampled_softmax_with_cross_entropy/custom": (
        "out = L.sampled_softmax_with_cross_entropy(f('logits', -1, 8), i('label', -1, 1, high=8), 3, use_customized_samples=True, "
        "customized_samples=i('cs', -1, 4, high=8), customized_probabilities=f('cp', -1, 4, low=0.1, grad=False), remove_accidental_hits=False)"
    ),
    "linear_chain_crf": "out = L.linear_chain_crf(f('input', -1, 3, lens=[[2, 3]]), i('label', -1, 1, high=3, lens=[[2, 3]]), param_attr=w(5, 3, name='crf'))",
    "linear_chain_crf/length": (
        "out = L.linear_chain_crf(f('input', -1, 4, 3, batch=2), i('label', -1, 4, high=3, batch=2), param_attr=w(5, 3, name='crf'), "
        "length=i('length', -1, 1, value=[[2], [4]]))"
    ),
    "crf_decoding": (
        "e = f('input', -1, 3, lens=[[2, 3]]); L.linear_chain_crf(e, i('label', -1, 1, high=3, lens=[[2, 3]]), param_attr=w(5, 3, name='crf')); "
        "out = L.crf_decoding(e, param_attr=fluid.ParamAttr(name='crf'))"
    ),
    "crf_decoding/length": (
        "e = f('input', -1, 4, 3, batch=2); y = i('label', -1, 4, high=3, batch=2); n = i('length', -1, 1, value=[[2], [4]]); "
        "L.linear_chain_crf(e, y, w(5, 3, name='crf'), n); out = L.crf_decoding(e, fluid.ParamAttr(name='crf'), y, n)"
    ),
    "ctc_greedy_decoder": "out = L.ctc_greedy_decoder(f('input', -1, 4, lens=[[3, 4]]), blank=0)",
    "ctc_greedy_decoder/length": (
        "out = L.ctc_greedy_decoder(f('input', -1, 5, 4), blank=3, input_length=i('input_length', -1, 1, value=[[3], [5], [2]]), padding_value=-1, name='n')"
    ),
    "warpctc": "out = L.warpctc(f('input', -1, 4, lens=[[4, 5]]), data('label', [-1, 1], 'int32', low=1, high=4, lens=[[2, 2]]))",
    "warpctc/length": (
        "out = L.warpctc(f('input', 5, 2, 4), data('label', [2, 2], 'int32', low=1, high=4), blank=0, norm_by_times=True, "
        "input_length=i('input_length', 2, value=[4, 5]), label_length=i('label_length', 2, value=[2, 1]))"
    ),
    "edit_distance": "out = L.edit_distance(i('input', -1, 1, high=5, lens=[[3, 2]]), i('label', -1, 1, high=5, lens=[[2, 4]]))",
    "edit_distance/ignored": "out = L.edit_distance(i('input', -1, 1, high=5, lens=[[3, 2]]), i('label', -1, 1, high=5, lens=[[2, 4]]), ignored_tokens=[0, 2])",
    "edit_distance/all": (
        "out = L.edit_distance(i('input', 2, 4, high=5), i('label', 2, 3, high=5), False, "
        "input_length=i('il', 2, value=[4, 3]), label_length=i('ll', 2, value=[2, 3]))"
    ),
}
