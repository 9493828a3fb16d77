"""The server that is there to be copied: what one client does must not harm the others."""

import queue
import threading
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest
from flax import nnx

from tests.examples.conftest import example

ROW = np.ones(64, np.uint8)


@pytest.fixture(scope="module")
def serving() -> ModuleType:
    return example("training/serving.py")


def total(rows: np.ndarray) -> Any:
    return rows.reshape(-1, 64).sum(axis=1)


def start(serving: ModuleType, requests: queue.Queue[Any]) -> threading.Thread:
    thread = threading.Thread(target=serving.serve, args=(requests, total), daemon=True)
    thread.start()
    return thread


def test_a_cancelled_request_leaves_the_others_answered(serving: ModuleType) -> None:
    requests: queue.Queue[Any] = queue.Queue()
    before = serving.submit(requests, ROW)
    after: Future[Any] = Future()
    gone: Future[Any] = Future()
    assert gone.cancel()
    requests.put((ROW, gone))
    requests.put((2 * ROW, after))
    thread = start(serving, requests)
    assert before.result(timeout=60) == 64
    assert after.result(timeout=60) == 128
    alone: Future[Any] = Future()
    assert alone.cancel()
    requests.put((ROW, alone))  # perhaps a batch of its own, of which nothing is left
    assert serving.submit(requests, ROW).result(timeout=60) == 64
    assert gone.cancelled() and alone.cancelled() and thread.is_alive()


def test_a_failing_batch_gets_the_exception(serving: ModuleType) -> None:
    requests: queue.Queue[Any] = queue.Queue()
    thread = start(serving, requests)
    malformed: Future[Any] = Future()
    requests.put((ROW[:9], malformed))
    assert malformed.exception(timeout=60) is not None
    assert serving.submit(requests, ROW).result(timeout=60) == 64
    assert thread.is_alive()


def test_the_program_runs_on_the_device_that_exports(
    serving: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jax.export, "default_export_platform", lambda: "tpu")
    files = tmp_path / "program.bin", tmp_path / "weights.npz"
    serving.export(nnx.split(serving.Digits(rngs=nnx.Rngs(0)))[1], *files)
    exported = jax.export.deserialize(bytearray(files[0].read_bytes()))
    assert exported.platforms == ("cpu", "cuda", "tpu")
