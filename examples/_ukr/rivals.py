"""The same descent without JAX, to compare with: NumPy, PyTorch and C.

Each form in NumPy or PyTorch takes (Z, X, bandwidth) and returns the loss and its gradient, as the
forms in JAX do; C runs the whole descent. PyTorch and a compiler are optional.
"""

import ctypes
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray
Pair = tuple[Any, Array]

# Columns of X and Z come one after the other. D and L are given to the compiler.
C_SOURCE = r"""
#include <math.h>
#include <string.h>

static inline float decay(float t) {  /* 2^-t */
  t = t < 127 ? t : 127;
  float whole = rintf(t), f = whole - t, p = 1.5403530e-4f;
  p = p * f + 1.3333558e-3f; p = p * f + 9.6181291e-3f; p = p * f + 5.5504109e-2f;
  p = p * f + 2.4022651e-1f; p = p * f + 6.9314718e-1f; p = p * f + 1.0f;
  int bits;
  memcpy(&bits, &p, 4); bits -= (int)whole << 23; memcpy(&p, &bits, 4);
  return p;
}

float gradient(int n, const float *x, const float *z, float scale, float *restrict row,
               float *restrict s, float *restrict own, float *restrict spread) {
  float loss = 0;
  for (int j = 0; j < L * n; j++) s[j] = z[j] * scale;
  memset(spread, 0, (1 + L) * n * sizeof(float));
  for (int i = 0; i < n; i++) {
    float h = 0, y[D] = {0}, e[D], c = 0, sums[1 + L] = {0};
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int l = 0; l < L; l++) t += (s[l*n+i] - s[l*n+j]) * (s[l*n+i] - s[l*n+j]);
      float k = row[j] = decay(t);
      h += k;
      for (int d = 0; d < D; d++) y[d] += k * x[d*n+j];
    }
    for (int d = 0; d < D; d++) {
      y[d] /= h; e[d] = y[d] - x[d*n+i]; loss += e[d] * e[d]; c -= e[d] * y[d] / h; e[d] /= h;
    }
    for (int j = 0; j < n; j++) {
      float p = c;
      for (int d = 0; d < D; d++) p += e[d] * x[d*n+j];
      p *= row[j];
      sums[0] += p; spread[j] += p;
      for (int l = 0; l < L; l++) { sums[1+l] += p * z[l*n+j]; spread[(1+l)*n+j] += p * z[l*n+i]; }
    }
    for (int l = 0; l < L; l++) own[l*n+i] = sums[1+l] - sums[0] * z[l*n+i];
  }
  return loss / n;
}

void descend(int n, int epochs, const float *x, float *z, float bandwidth, float rate,
             float *history, float *losses, float *work) {
  float *row = work, *s = row + n, *own = s + L * n, *spread = own + L * n;
  for (int t = 0; t < epochs; t++) {
    losses[t] = gradient(n, x, z, 1 / (bandwidth * 1.17741002f), row, s, own, spread);
    for (int l = 0; l < L; l++) for (int j = 0; j < n; j++) {
      float slope = own[l*n+j] + spread[(1+l)*n+j] - spread[j] * z[l*n+j];
      float moved = z[l*n+j] - rate * 2 / (n * bandwidth * bandwidth) * slope;
      z[l*n+j] = history[(t*L+l)*n+j] = moved > 1 ? 1 : moved < -1 ? -1 : moved;
    }
  }
}
"""


def original(Z: Array, X: Array, bandwidth: float) -> Pair:
    """Compute in NumPy as the formula reads, with arrays over all pairs and all dimensions.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, and its gradient, shape (N, L).

    >>> original(np.zeros((2, 1)), np.array([[0.0], [4.0]]), 1.0)[0]
    4.0
    """
    Z_difference = Z[:, None] - Z[None]
    H = np.exp(-(Z_difference**2).sum(axis=2) / (2 * bandwidth**2))
    R = H / H.sum(axis=1, keepdims=True)
    Y = R @ X
    Y_difference = Y[:, None] - X[None]
    A = R * ((Y - X)[:, None] * Y_difference).sum(axis=2) / bandwidth**2
    slope = 2 / len(X) * ((A + A.T)[:, :, None] * Z_difference).sum(axis=1)
    return float(((Y - X) ** 2).sum() / len(X)), slope


def good(
    Z: Any, X: Any, bandwidth: float, H: Any = None, A: Any = None, library: Any = np
) -> tuple[Any, Any]:
    """Compute with few passes over the pairs: matrix products, and in place between them.

    Args:
        Z: Latent positions, shape (N, L), an array of the library.
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.
        H: Memory to use, shape (N, N); new by default.
        A: The same.
        library: ``numpy`` or ``torch``, which name these functions alike.

    Returns:
        The objective, and its gradient, shape (N, L).

    >>> float(good(np.zeros((2, 1)), np.array([[0.0], [4.0]]), 1.0)[0])
    4.0
    """
    one, z = library.ones_like(Z[:, :1]), Z / bandwidth
    square = (z**2).sum(axis=1, keepdims=True) / -2
    left, right = library.hstack([z, square, one]), library.hstack([z, one, square])
    H = library.matmul(left, right.T, out=H)
    library.exp(H, out=H)
    v = library.hstack([one, X])
    gathered = H @ v
    estimate = gathered[:, 1:] / gathered[:, :1]
    error = estimate - X
    c = (error * estimate).sum(axis=1, keepdims=True)
    u = library.hstack([-c, error]) / gathered[:, :1]
    A = library.matmul(library.hstack([u, v]), library.hstack([v, u]).T, out=A)
    A *= H
    moments = A @ library.hstack([one, Z])
    slope = moments[:, 1:] - moments[:, :1] * Z
    return (error**2).sum() / len(X), 2 / (len(X) * bandwidth**2) * slope


def torch_objective(Z: Any, X: Any, bandwidth: float, matrix: bool = False) -> Any:
    """Compute the objective in PyTorch.

    Args:
        Z: Latent positions, a tensor of shape (N, L).
        X: Data, a tensor of shape (N, D).
        bandwidth: The kernel's standard deviation.
        matrix: Whether the distances come from a matrix product instead of differences.

    Returns:
        The objective, a tensor of shape ().
    """
    if matrix:
        square = (Z**2).sum(dim=1)
        distances = square[:, None] + square - 2 * Z @ Z.T
    else:
        distances = ((Z[:, None] - Z[None]) ** 2).sum(dim=2)
    H = (-distances / (2 * bandwidth**2)).exp()
    Y = H @ X / H.sum(dim=1, keepdim=True)
    return ((Y - X) ** 2).sum() / len(X)


def torch_broadcast(Z: Array, X: Array, bandwidth: float, matrix: bool = False) -> Pair:
    """Let PyTorch differentiate the definition.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.
        matrix: Whether the distances come from a matrix product instead of differences.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    import torch

    positions = torch.tensor(Z, requires_grad=True)
    value = torch_objective(positions, torch.from_numpy(X), bandwidth, matrix)
    value.backward()
    return value.item(), positions.grad.numpy()  # type: ignore[union-attr]


def torch_matrix(Z: Array, X: Array, bandwidth: float) -> Pair:
    """Let PyTorch differentiate the definition, with distances from a matrix product.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    return torch_broadcast(Z, X, bandwidth, matrix=True)


def torch_hand(Z: Array, X: Array, bandwidth: float, H: Any = None, A: Any = None) -> Pair:
    """Compute in PyTorch as ``good`` does in NumPy.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.
        H: Memory to use, a tensor of shape (N, N); new by default.
        A: The same.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    import torch

    value, slope = good(torch.from_numpy(Z), torch.from_numpy(X), bandwidth, H, A, torch)
    return value.item(), slope.numpy()


def torch_columns(Z: Any, X: Any, bandwidth: float) -> Any:
    """Compute column by column, with sums instead of products: what ``torch.compile`` can fuse.

    Args:
        Z: Latent positions, a tensor of shape (N, L).
        X: Data, a tensor of shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, a tensor of shape (), and its gradient, a tensor of shape (N, L).
    """
    import torch

    distances = sum((z[:, None] - z) ** 2 for z in Z.T)
    H = torch.exp(distances / (-2 * bandwidth**2))
    total = H.sum(dim=1)
    estimate = [(H * x).sum(dim=1) / total for x in X.T]
    error = [y - x for y, x in zip(estimate, X.T, strict=True)]
    c = -sum(e * y for e, y in zip(error, estimate, strict=True)) / total
    pairs = [(e / total, x) for e, x in zip(error, X.T, strict=True)]
    A = H * (c[:, None] + c + sum(u[:, None] * x + u * x[:, None] for u, x in pairs))
    slope = torch.stack([(A * z).sum(dim=1) - A.sum(dim=1) * z for z in Z.T], dim=1)
    value = sum((e**2).sum() for e in error) / len(X)
    return value, 2 / (len(X) * bandwidth**2) * slope


def torch_eager(Z: Array, X: Array, bandwidth: float, form: Any = torch_columns) -> Pair:
    """Call ``torch_columns``, compiled or not, with arrays of NumPy.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.
        form: ``torch_columns`` or ``torch.compile(torch_columns)``.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    import torch

    value, slope = form(torch.from_numpy(Z), torch.from_numpy(X), bandwidth)
    return value.item(), slope.numpy()


@functools.cache  # what is compiled once stays in memory
def torch_compiled() -> Callable[[Array, Array, float], Pair]:
    """Let ``torch.compile`` fuse ``torch_columns``; the first call for a shape takes seconds.

    Returns:
        A form as the others.

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    import torch

    return functools.partial(torch_eager, form=torch.compile(torch_columns, dynamic=False))


@functools.cache
def c_library(columns: int, latent: int) -> Any:
    """Compile C_SOURCE for this machine, if there is a compiler.

    Args:
        columns: D.
        latent: L.

    Returns:
        The library, or None.
    """
    compiler = shutil.which("cc")
    if not compiler:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "ukr.c"), Path(folder, "ukr.so")
        source.write_text(C_SOURCE, encoding="utf-8")
        command = [compiler, "-O3", "-march=native", "-ffast-math", "-shared", "-fPIC"]
        command += [f"-DD={columns}", f"-DL={latent}", str(source), "-o", str(library), "-lm"]
        done = subprocess.run(command, capture_output=True)
        return ctypes.CDLL(str(library)) if done.returncode == 0 else None


def in_c(
    X: Array, Z: Array, *, epochs: int, bandwidth: float, learning_rate: float
) -> tuple[Array, Array]:
    """Run the whole descent in C, in float32 and with the points in [-1, 1].

    Args:
        X: Data, shape (N, D).
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.
        bandwidth: The kernel's standard deviation.
        learning_rate: Factor of the gradient.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    Raises:
        OSError: If there is no C compiler.
    """
    (n, latent), columns = Z.shape, X.shape[1]
    library = c_library(columns, latent)
    if library is None:
        raise OSError("install a C compiler, as `cc`")
    x, z = (np.array(a.T, np.float32, order="C") for a in (X, Z))
    history, losses = np.empty((epochs, latent, n), np.float32), np.empty(epochs, np.float32)
    work = np.empty((2 + 3 * latent) * n, np.float32)
    numbers = (ctypes.c_float(bandwidth), ctypes.c_float(learning_rate))
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, z, history, losses, work)]
    library.descend(n, epochs, *pointers[:2], *numbers, *pointers[2:])
    return history.transpose(0, 2, 1), losses


def descend(
    form: Callable[[Array, Array, float], Pair],
    X: Array,
    Z: Array,
    *,
    epochs: int,
    bandwidth: float,
    learning_rate: float,
    regularization: float = 0.0,
    compact: bool = True,
) -> tuple[Array, Array]:
    """Repeat a step of gradient descent in a Python loop.

    Args:
        form: One of the functions above.
        X: Data, shape (N, D).
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.
        bandwidth: The kernel's standard deviation.
        learning_rate: Factor of the gradient.
        regularization: Factor of Σ|z|².
        compact: Whether the points stay in [-1, 1]; if not, their mean is moved to 0.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    >>> X, Z = np.array([[0.0], [4.0]]), np.array([[-0.5], [0.5]])
    >>> descend(good, X, Z, epochs=2, bandwidth=1.0, learning_rate=0.1)[0].shape
    (2, 2, 1)
    """
    if form in (good, torch_hand):
        memory: list[Any] = [np.empty((len(Z), len(Z)), Z.dtype) for _ in range(2)]
        if form is torch_hand:
            import torch

            memory = [torch.from_numpy(array) for array in memory]
        form = functools.partial(form, H=memory[0], A=memory[1])
    history = np.empty((epochs, *Z.shape), Z.dtype)
    losses = np.empty(epochs, Z.dtype)
    for t in range(epochs):
        value, slope = form(Z, X, bandwidth)
        losses[t] = value + regularization * (Z**2).sum()
        Z = Z - learning_rate * (slope + 2 * regularization * Z)
        Z = Z.clip(-1, 1) if compact else Z - Z.mean(axis=0)
        history[t] = Z
    return history, losses
