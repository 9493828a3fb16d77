"""Runs on disk, one checkpoint an epoch; what is damaged is named and skipped.

Orbax writes a checkpoint beside its place and renames it, so that one either is there or is not.
The upstream gap: it does not notice every changed byte of the arrays. So each checkpoint gets the
SHA-256 of its files, and counts as complete only with it.
"""

import dataclasses
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import jax
import orbax.checkpoint as ocp
from _digits.data import Data
from _digits.model import CNN, initialized
from _digits.runs import Run, Settings, begin
from flax import nnx

CHECKSUMS = "checksums.json"
ITEMS = ("model", "optimizer", "run")
KEPT = 3  # checkpoints
VERSION = 1  # of what a checkpoint holds


def digests(folder: Path) -> dict[str, str]:
    """Give the SHA-256 of each file of a checkpoint, by its path in there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def seal(checkpoint: Path) -> None:
    """Write the checksums of a checkpoint's files: from now on it is complete."""
    unfinished = checkpoint / f".{CHECKSUMS}"
    unfinished.write_text(json.dumps(digests(checkpoint), indent=1))
    unfinished.replace(checkpoint / CHECKSUMS)


def manager(folder: Path) -> ocp.CheckpointManager:
    """Open a folder of checkpoints; close it after use.

    What a killed run left unfinished is removed before the next checkpoint is written.
    """
    logging.getLogger("absl").setLevel(logging.ERROR)  # Orbax tells every step of a save
    options = ocp.CheckpointManagerOptions(
        max_to_keep=KEPT, create=True, cleanup_tmp_directories=True
    )
    return ocp.CheckpointManager(folder.resolve(), options=options, item_names=ITEMS)


def save(run: Run, folder: Path) -> None:
    """Write a checkpoint of a run.

    Args:
        run: What to keep.
        folder: Where; it is made where it is missing, and keeps the latest three.

    Raises:
        OSError: If it cannot be written.

    >>> import tempfile
    >>> from _digits.data import small_digits
    >>> with tempfile.TemporaryDirectory() as name:
    ...     save(begin(Settings(seed=7), small_digits()), Path(name))
    ...     restore(Path(name), small_digits())[0].settings.seed
    7
    """
    description = {
        "version": VERSION,
        "settings": dataclasses.asdict(run.settings),
        "losses": run.losses,
        "accuracies": run.accuracies,
        "data": run.data.digest,
        "side": run.data.side,
        "classes": run.data.classes,
    }
    parts = {
        "model": ocp.args.StandardSave(arrays(run.model)),
        "optimizer": ocp.args.StandardSave(arrays(run.optimizer)),
        "run": ocp.args.JsonSave(description),
    }
    with manager(folder) as opened:
        if run.epoch in opened.all_steps():  # a damaged one that the run was resumed before
            opened.delete(run.epoch)
        opened.save(run.epoch, args=ocp.args.Composite(**parts), force=True)
        opened.wait_until_finished()
    seal(folder / str(run.epoch))


def epochs_in(folder: Path) -> list[int]:
    """Tell the epochs whose checkpoints are in a folder, complete or not; the latest first.

    >>> epochs_in(Path("no/such/folder"))
    []
    """
    names = [path.name for path in folder.glob("*") if path.is_dir() and path.name.isdecimal()]
    return sorted(map(int, names), reverse=True)


def trouble(checkpoint: Path) -> str:
    """Say what is wrong with a checkpoint; nothing if it is complete.

    Args:
        checkpoint: Its folder.

    Returns:
        One line, or "".

    >>> trouble(Path("no/such/checkpoint"))
    'it is not complete, or cannot be read'
    """
    try:
        written = dict(json.loads((checkpoint / CHECKSUMS).read_text(encoding="utf-8")))
        wrong = sorted(written.items() - digests(checkpoint).items())
    except (OSError, TypeError, ValueError):
        return "it is not complete, or cannot be read"
    return f"{wrong[0][0]} is damaged or missing" if wrong else ""


def latest(folder: Path) -> tuple[Path, list[str]]:
    """Find the latest complete checkpoint.

    Args:
        folder: Where ``save`` put checkpoints.

    Returns:
        Its folder, and one line for each later one that is damaged.

    Raises:
        ValueError: If there is none.

    >>> latest(Path("no/such/folder"))
    Traceback (most recent call last):
    ValueError: no/such/folder: it has no complete checkpoint; train into a new folder
    """
    skipped = list[str]()
    for epoch in epochs_in(folder):
        wrong = trouble(folder / str(epoch))
        if not wrong:
            return folder / str(epoch), skipped
        skipped.append(f"checkpoint {epoch} skipped: {wrong}")
    told = "; ".join(["train into a new folder", *skipped])
    raise ValueError(f"{folder}: it has no complete checkpoint; {told}")


def describe(checkpoint: Path) -> dict[str, Any]:
    """Read what a checkpoint says about its run.

    Args:
        checkpoint: The folder of a complete checkpoint.

    Returns:
        What ``save`` wrote.

    Raises:
        ValueError: If another version of this script wrote it.
    """
    handler = ocp.Checkpointer(ocp.JsonCheckpointHandler())
    description = dict(handler.restore(checkpoint.resolve() / "run"))
    if description.get("version") != VERSION:
        raise ValueError(f"{checkpoint}: another version of this script wrote it; train anew")
    return description


def arrays(part: CNN | nnx.Optimizer[CNN]) -> dict[str, Any]:
    """Give the arrays of a model or an optimizer, as nested dictionaries."""
    return dict(nnx.to_pure_dict(nnx.state(part)))


def fill(part: CNN | nnx.Optimizer[CNN], kept: Path) -> None:
    """Put the arrays of a checkpoint into a model or an optimizer.

    Args:
        part: Where the arrays go; it is changed in place, its devices stay.
        kept: The part's folder in a complete checkpoint.
    """
    abstract = jax.tree.map(ocp.utils.to_shape_dtype_struct, arrays(part))
    with ocp.StandardCheckpointer() as checkpointer:
        read = checkpointer.restore(kept.resolve(), abstract)
    state = nnx.state(part)
    nnx.replace_by_pure_dict(state, read)
    nnx.update(part, state)


def restore_model(folder: Path) -> tuple[CNN, int, list[str]]:
    """Give the network of the latest complete checkpoint.

    Args:
        folder: Where ``save`` put checkpoints.

    Returns:
        The network, the side of its images in pixels, and one line for each later checkpoint that
        is damaged.

    Raises:
        ValueError: If there is none.
    """
    checkpoint, skipped = latest(folder)
    description = describe(checkpoint)
    side = description["side"]
    model = initialized(side, description["classes"], jax.random.key(0))
    fill(model, checkpoint / "model")
    return model, side, skipped


def restore(folder: Path, data: Data) -> tuple[Run, list[str]]:
    """Give the run of the latest complete checkpoint.

    Args:
        folder: Where ``save`` put checkpoints.
        data: What the run was trained with.

    Returns:
        The run, and one line for each later checkpoint that is damaged.

    Raises:
        ValueError: If there is none, or the data are others.
    """
    checkpoint, skipped = latest(folder)
    description = describe(checkpoint)
    if description["data"] != data.digest:
        raise ValueError(f"{folder}: this run was trained with other data; give the same --data")
    run = begin(Settings(**description["settings"]), data)
    fill(run.model, checkpoint / "model")
    fill(run.optimizer, checkpoint / "optimizer")
    run.losses, run.accuracies = description["losses"], description["accuracies"]
    return run, skipped
