"""What this repository does, one session each: `nox -l` lists them.

The sessions share one environment: JAX alone takes 600 MB, and nox cannot share its own
(github.com/wntrblm/nox/issues/167). `compat` has one for each Python that it finds.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.sessions = ["docs", "tests"]
nox.options.error_on_missing_interpreters = False  # compat runs on those that are there

ROOT = Path(__file__).parent
PYTHONS = ["3.11", "3.12", "3.13"]

# For the pages that compare with PyTorch; where it is not installed they say "not run". It is not
# in the hashed locks: its build without CUDA is another file in every index. On macOS, which has
# no CUDA, that build has no name of its own.
PYTORCH = "torch==2.13.0" if sys.platform == "darwin" else "torch==2.13.0+cpu"


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Run the pages and build the site; `nox -s docs -- --help` tells the options."""
    if {"-h", "--help"} & set(session.posargs):
        session.run(sys.executable, "docs/_make/options.py", "--help", external=True)
        return
    backend = accepted_backend(session)
    python = environment(session, "guide", *([] if backend == "cpu" else [backend]))
    session.run(python, "-m", "docs._make", *session.posargs, external=True)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Test the build, the built site, the translations and the examples."""
    python = environment(session, "guide")
    session.run(python, "-m", "docs._l10n", external=True)  # says what translators silenced
    session.run(
        python,
        "-m",
        "pytest",
        # These have sessions of their own: they need Chromium, Node and Debian packages.
        *("--ignore=tests/browser", "--ignore=tests/lint"),
        *session.posargs,
        external=True,
    )


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Serve the built site on this machine, until Ctrl-C."""
    if not (ROOT / "site").is_dir():
        session.error("there is no site yet: nox -s docs builds it")
    session.run(sys.executable, "-m", "http.server", "--directory=site", "--bind=127.0.0.1")


@nox.session(venv_backend="none")
def translations(session: nox.Session) -> None:
    """Bring every .po up to date with the English pages; `-- status` tells what is missing."""
    modules = {"": "catalogues", "status": "translation_status"}
    asked = " ".join(session.posargs)
    if asked not in modules:
        session.error(f"{asked!r} is not known: nox -s translations [-- status]")
    python = environment(session, "guide")
    session.run(python, "-m", f"docs._make.{modules[asked]}", external=True)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check style and types, and the translations with what needs Node or Debian packages."""
    debian(session, msgfmt="gettext", hunspell="hunspell hunspell-ko")
    python = environment(session, "guide", "lint", "browser")  # types of all that is imported
    session.run(python, "-m", "ruff", "check", external=True)
    session.run(python, "-m", "ruff", "format", "--check", external=True)
    session.run(python, "-m", "mypy", external=True)
    for catalogue in sorted(ROOT.glob("locale/*/LC_MESSAGES/**/*.po")):
        session.run(
            # Not --check, which takes "80 % of" for a Python format.
            *("msgfmt", "--check-header", "--check-domain", "--output-file=/dev/null", catalogue),
            external=True,
            silent=True,
        )
    session.run(python, "-m", "pytest", "tests/lint", external=True)
    session.run(python, "-m", "docs._l10n.textlint", external=True)
    session.run(python, "-m", "docs._l10n.spelling", external=True)


@nox.session(venv_backend="none")
def browser(session: nox.Session) -> None:
    """Look at the built site as a reader does, in Debian's Chromium."""
    debian(session, chromium="chromium fonts-noto-cjk")
    python = environment(session, "guide", "browser")
    session.run(python, "-m", "pytest", "tests/browser", *session.posargs, external=True)


@nox.session(python=PYTHONS)
def compat(session: nox.Session) -> None:
    """Test every example on each other Python that is here; on the newest, run every page too."""
    if session.python == ".".join(map(str, sys.version_info[:2])):
        session.skip("nox -s tests tests this Python")
    session.install("--require-hashes", "--requirement=requirements/guide.txt")
    session.run("python", "-m", "pytest", "examples")
    if session.python == PYTHONS[-1]:
        session.run("python", "-m", "docs._make", f"--site=_build/compat/{session.python}")


@nox.session
def lock(session: nox.Session) -> None:
    """Write requirements/*.txt anew from pyproject.toml; without registry addresses."""
    session.install("uv")
    for group in ("guide", "cuda", "tpu", "browser", "lint", "nox"):
        session.run(
            *("uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"),
            "--universal",  # one file for all systems and Pythons
            "--generate-hashes",
            *("--no-emit-index-url", "--no-emit-find-links"),
            # What is already locked for the guide stays as it is there.
            *(["--constraint=requirements/guide.txt"] if group not in ("guide", "nox") else []),
            f"--group={group}",
            f"--output-file=requirements/{group}.txt",
            *session.posargs,  # such as --upgrade
        )


def debian(session: nox.Session, **packages: str) -> None:
    """Install Debian's packages for the programs that are not there: `program="packages"`."""
    missing = [names for program, names in packages.items() if not shutil.which(program)]
    if missing:
        session.run("apt-get", "update", "--quiet", external=True)
        names = " ".join(missing).split()
        session.run("apt-get", "install", "--yes", "--quiet", *names, external=True)


def accepted_backend(session: nox.Session) -> str:
    """Stop before anything is installed, if what is asked for cannot be done here."""
    answer = session.run(
        sys.executable,
        "docs/_make/options.py",
        *session.posargs,
        external=True,
        silent=True,
        success_codes=[0, 1, 2],
    )
    kind, _, text = str(answer).strip().partition(": ")
    if kind != "backend":
        session.error(str(answer).strip())
    return text


def environment(session: nox.Session, *groups: str) -> str:
    """Install the locked packages of some groups; return the environment's Python."""
    folder = ROOT / ".nox" / "guide"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    made_by = folder / "made-by"
    if not made_by.exists() or made_by.read_text() != sys.version:
        session.run(sys.executable, "-m", "venv", "--clear", folder, external=True)
        made_by.write_text(sys.version)
    for group in groups:
        lock = ROOT / "requirements" / f"{group}.txt"
        installed = folder / f"installed-{group}"
        digest = hashlib.sha256(lock.read_bytes()).hexdigest()
        if installed.exists() and installed.read_text() == digest:
            continue  # asking pip would take seconds
        install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        session.run(python, *install, "--require-hashes", f"--requirement={lock}", external=True)
        installed.write_text(digest)
        if group == "guide":
            add_pytorch(session, python)
    return str(python)


def add_pytorch(session: nox.Session, python: Path) -> None:
    """Install PyTorch where pip finds a build of it without CUDA; do without elsewhere."""
    answer = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTORCH],
        capture_output=True,
        check=False,
    )
    if answer.returncode:
        session.log(f"{PYTORCH} is not to be had here: the pages will say 'not run' beside it")
