"""Running a Program: lowering to torch.fx, the executor, replicas."""
