"""The parts of `examples/ukr.py`: Unsupervised Kernel Regression in several forms.

- `model`: what UKR is; the loss, and its gradient by automatic differentiation.
- `descent`: one step, and the loops that repeat it.
- `products`, `fused`, `dense`, `blocks`, `expansion`: faster forms of the same loss and gradient.
- `rivals`: the same in NumPy and PyTorch, to compare with.
- `data`, `runs`, `pictures`: what the command line reads, keeps and draws.

Names: X holds the data, shape (N, D); Z the latent positions, shape (N, L). A *form* is a function
of (Z, X, bandwidth, leave_one_out) that returns the loss without its penalty, shape (), and its
gradient with respect to Z, shape (N, L).

Source: Meinicke, Klanke, Memisevic, Ritter (2005), Principal surfaces from unsupervised kernel
regression, IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (9).
"""
