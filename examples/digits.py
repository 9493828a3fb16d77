"""Train a network to read handwritten digits, keep it, adapt it, and ask it.

The digits are scikit-learn's, 8 × 8 pixels, or those in MNIST's format in a folder. The same seed
gives the same model; a run that was stopped, however it was stopped, goes on from its last
complete checkpoint to the same model.

    python examples/digits.py train --checkpoint-dir run
    python examples/digits.py predict --checkpoint-dir run seven.png
    python examples/digits.py transfer --checkpoint-dir run --shots 1 3 10

Source: the slides of a Japanese talk on JAX and Flax (2022), with Flax NNX, Optax and Orbax as
they are today. The parts are in `examples/_digits/`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["flax", "jax", "matplotlib", "optax", "orbax-checkpoint", "scikit-learn"]
# ///

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, real_number, save, whole_number
from _digits import checkpoints, transfer
from _digits.data import Data, load
from _digits.inside import against, confusion, slope
from _digits.model import CNN
from _digits.prediction import probabilities, read_picture
from _digits.runs import Run, Settings, accuracy_for, advance, begin
from _digits.stopping import ctrl_c_waits
from _digits.training import SCHEDULES, Batch
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import Progress, TextColumn

Command = Callable[[argparse.Namespace], Figure | None]


def draw(run: Run) -> Figure:
    """Draw loss and accuracy over the epochs.

    Args:
        run: With at least one epoch.

    Returns:
        The figure.
    """
    figure = Figure(figsize=(6, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    epochs = range(1, run.epoch + 1)
    left.semilogy(epochs, run.losses)
    right.plot(epochs, run.accuracies)
    left.set(xlabel="epoch", title="training loss")
    right.set(xlabel="epoch", title="test accuracy")
    return figure


def draw_wrong(counts: jax.Array) -> Figure:
    """Draw how often each digit was taken for another.

    Args:
        counts: Shape (classes, classes): a row for each label, a column for each answer.

    Returns:
        The figure; right answers are left out.
    """
    wrong = np.asarray(counts) * (1 - np.eye(len(counts), dtype=int))
    figure = Figure(figsize=(4.2, 4), layout="constrained")
    axes = figure.subplots()
    axes.imshow(wrong, cmap="Oranges")
    axes.set(xticks=range(len(wrong)), yticks=range(len(wrong)), xlabel="answer", ylabel="label")
    for row, column in zip(*np.nonzero(wrong), strict=True):
        axes.text(column, row, str(wrong[row, column]), ha="center", va="center")
    return figure


def finish(run: Run, folder: Path | None) -> None:
    """Train to the last epoch; tell how far it is, and keep each epoch.

    Args:
        run: Where to begin; it is changed in place.
        folder: Where the checkpoints go; None keeps nothing.

    Raises:
        OSError: If a checkpoint cannot be written.
        KeyboardInterrupt: After Ctrl-C, before the next batch.
    """
    columns = [*Progress.get_default_columns(), TextColumn("{task.fields[figures]}")]
    steps = len(run.data.train_images) // run.settings.batch
    console = Console(stderr=True)
    with ctrl_c_waits() as asked, Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("epoch 1", total=run.settings.epochs * steps, figures="")
        progress.update(bar, completed=run.epoch * steps)

        def watch(dealt: Iterator[Batch]) -> Iterator[Batch]:
            for batch in dealt:
                asked()
                yield batch
                progress.advance(bar)

        for done in advance(run, watch):
            if folder:
                checkpoints.save(done, folder)
            progress.update(bar, description=f"epoch {done.epoch + 1}", figures=figures(done))


def figures(run: Run) -> str:
    """Say how a run stands.

    Args:
        run: With at least one epoch.

    Returns:
        Its latest loss and accuracy.
    """
    return f"training loss {run.losses[-1]:.4f}, test accuracy {100 * run.accuracies[-1]:.2f} %"


def train(options: argparse.Namespace) -> Figure | None:
    """Train a new network.

    Args:
        options: The command line.

    Raises:
        ValueError: If the data cannot be read, or the folder has a run already.
        OSError: If a checkpoint cannot be written.

    Returns:
        The run's figure, if it is asked for.
    """
    folder = options.checkpoint_dir
    if folder and checkpoints.epochs_in(folder):
        raise ValueError(f"{folder}: it has a run already; resume it, or name another folder")
    given = (options.epochs, options.batch, options.learning_rate, options.schedule, options.seed)
    return complete(begin(Settings(*given), load(options.data)), options)


def resume(options: argparse.Namespace) -> Figure | None:
    """Continue a run from its latest complete checkpoint.

    Args:
        options: The command line.

    Raises:
        ValueError: If there is none, or the data cannot be read or are others.
        OSError: If a checkpoint cannot be written.
    """
    run, skipped = checkpoints.restore(options.checkpoint_dir, load(options.data))
    tell(skipped)
    print(f"{options.checkpoint_dir}: {run.epoch} of {run.settings.epochs} epochs are there")
    return complete(run, options)


def complete(run: Run, options: argparse.Namespace) -> Figure | None:
    """Finish a run, say how it went, and draw it if that is asked for."""
    finish(run, options.checkpoint_dir)
    print(f"epoch {run.epoch}: {figures(run)}")
    return draw(run) if options.plot else None


def evaluate(options: argparse.Namespace) -> Figure | None:
    """Test the network of the latest complete checkpoint.

    Args:
        options: The command line.

    Returns:
        The figure of its wrong answers, if it is asked for.

    Raises:
        ValueError: If there is none, or the data cannot be read or are of another kind.
    """
    data = load(options.data)
    model = trained_for(data, options.checkpoint_dir)
    images, labels = jnp.asarray(data.test_images), jnp.asarray(data.test_labels)
    if options.against:
        images = against(images, slope(model, images, labels), options.against)
        data = data._replace(test_images=np.asarray(images))
    print(f"test accuracy {100 * accuracy_for(model, data):.2f} % of {len(labels)} images")
    if not options.plot:
        return None
    return draw_wrong(confusion(model(images).argmax(axis=1), labels, data.classes))


def predict(options: argparse.Namespace) -> None:
    """Say which digit a picture shows.

    Args:
        options: The command line.

    Raises:
        ValueError: If there is no complete checkpoint, or the picture cannot be used.
    """
    model, side = trained(options.checkpoint_dir)
    likely = probabilities(model, read_picture(options.image, side))
    first, second = np.argsort(likely)[:-3:-1]
    print(f"{first} ({100 * likely[first]:.1f} %), else {second} ({100 * likely[second]:.1f} %)")


def compare_transfer(options: argparse.Namespace) -> Figure | None:
    """Compare three ways to use a trained network for other images.

    Args:
        options: The command line.

    Raises:
        ValueError: If there is no complete checkpoint, or the data cannot be read or are of
            another kind.

    Returns:
        The figure, if it is asked for.
    """
    folder = options.checkpoint_dir
    if options.task == "noisy" and not folder:
        raise ValueError("--checkpoint-dir: --task noisy begins with a run; name its folder")
    if options.task == "classes" and folder:
        raise ValueError("--checkpoint-dir: --task classes trains its own source; leave this out")
    if options.task == "noisy" and options.known:
        raise ValueError("--known: it is for --task classes")
    data = load(options.data)
    if folder:
        made = transfer.noisy_task(trained_for(data, folder), data)
        accuracy = accuracy_for(made.source, made.data)
        print(f"the source as it is: test accuracy {accuracy:.3f} with noise")
    else:
        known = options.known or transfer.NEW_CLASSES
        made, accuracy = transfer.classes_task(data, known)
        print(f"the source: test accuracy {accuracy:.3f} on digits 0 to {known - 1}")
    found = {}
    for shots in sorted(set(options.shots)):
        found[shots] = transfer.compare(made, shots, options.seeds)
        print(f"\n{shots} images a class, {options.seeds} seeds")
        print(*transfer.table(found[shots]), sep="\n", flush=True)
    return draw_transfer(found) if options.plot else None


def draw_transfer(found: dict[int, dict[str, np.ndarray]]) -> Figure:
    """Draw each way's accuracy over the number of shots, with the spread over the seeds.

    Args:
        found: For each number of shots, the accuracies of each way, shape (seeds,).

    Returns:
        The figure; lines are means, bars go from the least to the greatest.
    """
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for name in next(iter(found.values())):
        values = np.array([ways[name] for ways in found.values()])
        means = values.mean(axis=1)
        spread = [means - values.min(axis=1), values.max(axis=1) - means]
        axes.errorbar(list(found), means, spread, marker="o", capsize=3, label=name)
    axes.set(xscale="log", xlabel="images a class", ylabel="test accuracy")
    axes.set_xticks(list(found), [str(shots) for shots in found])
    axes.minorticks_off()
    axes.legend()
    return figure


def trained(folder: Path) -> tuple[CNN, int]:
    """Give the network of the latest complete checkpoint, and its images' side in pixels."""
    model, side, skipped = checkpoints.restore_model(folder)
    tell(skipped)
    return model, side


def trained_for(data: Data, folder: Path) -> CNN:
    """Give the network of the latest complete checkpoint, if it reads such images."""
    model, side = trained(folder)
    classes = model.logits.out_features
    if (data.side, data.classes) != (side, classes):
        raise ValueError(f"--data: the network reads {classes} digits of {side} x {side} pixels")
    return model


def tell(skipped: Sequence[str]) -> None:
    """Name the damaged checkpoints."""
    for line in skipped:
        print(line, file=sys.stderr)


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line.

    Returns:
        The parser; ``run`` of what it parses is the command's function.
    """
    parser = command_line(__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, run: Command, required: bool = True, folder_help: str = "of the run"
    ) -> argparse.ArgumentParser:
        text = (run.__doc__ or "").split("\n")[0]
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        made.add_argument(
            "--checkpoint-dir", type=Path, metavar="DIR", required=required, help=folder_help
        )
        return made

    new = command("train", train, required=False, folder_help="where each epoch is kept")
    default = Settings()
    epochs, images = whole_number(1, 10_000), whole_number(1, 100_000)
    new.add_argument("--epochs", type=epochs, default=default.epochs, metavar="N")
    new.add_argument("--batch", type=images, default=default.batch, metavar="IMAGES")
    rate = real_number(1e-6, 1)
    new.add_argument("--learning-rate", type=rate, default=default.learning_rate, metavar="RATE")
    new.add_argument("--schedule", choices=SCHEDULES, default=default.schedule)
    new.add_argument("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N")
    again, test = command("resume", resume), command("eval", evaluate)
    for made in (new, again, test):
        made.add_argument("--data", type=Path, metavar="DIR", help="with MNIST's four files")
    for made in (new, again):
        made.add_argument("--plot", type=picture_file, metavar="FILE", help="draw the run")
    test.add_argument("--plot", type=picture_file, metavar="FILE", help="draw its wrong answers")
    against_help = "change each pixel by SIZE so that the network errs; pixels go from 0 to 1"
    test.add_argument("--against", type=real_number(0, 1), metavar="SIZE", help=against_help)
    source_help = "of the run whose network is the source; not for --task classes"
    other = command("transfer", compare_transfer, required=False, folder_help=source_help)
    add = other.add_argument
    task_help = "noise on the same digits (default), or digits 5 to 9 after a source of its own"
    add("--task", choices=("noisy", "classes"), default="noisy", help=task_help)
    shots_help = "images of each class (default: 3)"
    few = whole_number(1, 1000)
    add("--shots", type=few, nargs="+", default=[3], metavar="N", help=shots_help)
    add("--seeds", type=whole_number(2, 100), default=5, metavar="N", help="default: 5")
    known_help = "classes: the source knows digits 0 to N - 1 (default: 5)"
    add("--known", type=whole_number(2, 5), metavar="N", help=known_help)
    add("--data", type=Path, metavar="DIR", help="with MNIST's four files")
    add("--plot", type=picture_file, metavar="FILE", help="draw the accuracies")
    ask = command("predict", predict)
    ask.add_argument("image", type=Path, metavar="IMAGE.png", help="one digit")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The command line; that of the process if None.

    Returns:
        The exit status: 130 after Ctrl-C.

    Raises:
        SystemExit: With status 2 after one line on stderr, for input that cannot be used.

    >>> main(["train", "--epochs", "1", "--batch", "479"])  # doctest: +ELLIPSIS
    epoch 1: training loss ..., test accuracy ... %
    0
    """
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        figure = options.run(options)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        keeps = options.run in (train, resume) and options.checkpoint_dir
        kept = "; resume continues it" if keeps else ""
        print(f"stopped{kept}", file=sys.stderr)
        return 130
    if figure is not None:
        save(figure, options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
