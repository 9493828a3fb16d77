"""What this repository does, one session each: `nox -l` lists them.

The sessions share one environment: JAX alone takes 600 MB, and nox cannot share its own
(github.com/wntrblm/nox/issues/167). `compat` has one for each Python that it finds.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nox

nox.options.sessions = ["docs", "tests"]
nox.options.error_on_missing_interpreters = False  # compat runs on those that are there

ROOT = Path(__file__).parent
PYTHONS = ["3.11", "3.12", "3.13"]
SITE = ("guide", "site")  # the groups of packages that run the pages and make the site

NOTO = {"Noto Sans CJK JP": "fonts-noto-cjk"}  # a font, and the package of Debian that it is in

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
    python = environment(session, *SITE, *([] if backend == "cpu" else [backend]))
    session.run(python, "-m", "docs._make", *session.posargs, external=True)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Test the build, the built site, the translations and the examples."""
    python = environment(session, *SITE)
    session.run(python, "-m", "docs._l10n", external=True)  # says what translators silenced
    pytest = (python, "-m", "pytest")
    # These have sessions of their own: they need Chromium, Node and Debian packages, or much time.
    folders = ("audit", "books", "browser", "lint", "notebooks", "sbom")
    elsewhere = [f"--ignore=tests/{folder}" for folder in folders]
    elsewhere.append("--ignore=docs/_make/books.py")  # doctests would import it
    if session.posargs:
        session.run(*pytest, *elsewhere, *session.posargs, external=True)
        return
    # Nothing else runs while the pages measure time. After that, two tests at a time; those of the
    # site file by file, because some write the same templates.
    session.run(python, "-m", "docs._make", external=True)
    session.run(*pytest, "tests/site", "--numprocesses=2", "--dist=loadfile", external=True)
    rest = (*elsewhere, "--ignore=tests/site")
    session.run(*pytest, *rest, "--numprocesses=2", external=True)


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Serve the built site on this machine, until Ctrl-C."""
    if not (ROOT / "site").is_dir():
        session.error("there is no site yet: nox -s docs builds it")
    session.run(sys.executable, "-m", "http.server", "--directory=site", "--bind=127.0.0.1")


@nox.session(venv_backend="none")
def versions(session: nox.Session) -> None:
    """Put sites of older JAX beside the newest, in one site with a switcher: `-- OLDER/site`."""
    python = environment(session, *SITE)
    session.run(python, "-m", "docs._make.join", *session.posargs, external=True)


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
    python = environment(session, *SITE, "lint", "books")  # types of all that is imported
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
    debian(session, fonts=NOTO, chromium="chromium")
    python = environment(session, *SITE, "browser")
    pytest = (python, "-m", "pytest", "tests/browser", "--numprocesses=2")
    session.run(*pytest, *session.posargs, external=True)


@nox.session(venv_backend="none")
def audit(session: nox.Session) -> None:
    """Measure the built site's speed, weight and access; `-- steady` leaves out the speed."""
    debian(session, fonts=NOTO, chromium="chromium", npm="nodejs npm")
    python = environment(session, *SITE, "browser")
    if set(session.posargs) <= {"steady"}:  # does it find what it looks for?
        session.run(python, "-m", "pytest", "tests/audit", external=True)
    session.run(python, "-m", "tests.audit", *session.posargs, external=True)


@nox.session(venv_backend="none")
def books(session: nox.Session) -> None:
    """Make the guide as EPUB and PDF in books/, and test them; `-- ja` makes one language."""
    debian(
        session,
        chromium="chromium",
        java="default-jre-headless",  # epubcheck
        pdftotext="poppler-utils",
        fonts={
            "BIZ UDPGothic": "fonts-morisawa-bizud-gothic",
            "NanumGothic": "fonts-nanum",
            "DejaVu Math TeX Gyre": "fonts-dejavu-extra",
        },
    )
    python = environment(session, *SITE, "books")
    session.run(python, "-m", "docs._make.books", *session.posargs, external=True)
    session.run(python, "-m", "pytest", "tests/books", external=True)


@nox.session(venv_backend="none")
def notebooks(session: nox.Session) -> None:
    """Run the Japanese and Korean notebooks as readers have them; `-- -k "ja and grad"` some."""
    python = environment(session, *SITE)
    pytest = (python, "-m", "pytest", "--durations=0", "tests/notebooks")
    session.run(*pytest, *session.posargs, external=True)


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure all ways to run UKR on one core; writes what the case study shows."""
    python = environment(session, "guide")
    files = ["--save=docs/cases/ukr-bench.json", "--plot=docs/cases/ukr-bench.svg"]
    arguments = session.posargs or ["--large", *files]
    run = (python, "examples/ukr_bench.py", *arguments)
    look = {"MATPLOTLIBRC": "docs/_make/matplotlibrc"}  # that of the pages' figures
    if not hasattr(os, "sched_setaffinity"):  # not Linux: all cores are used, as the file says
        session.run(*run, external=True, env=look)
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        session.run(*run, external=True, env=look)
    finally:
        os.sched_setaffinity(0, cores)  # sessions after this one have all of them again


@nox.session(venv_backend="none")
def scale(session: nox.Session) -> None:
    """Measure the build of guides of 30 to 1000 pages; `-- 30` measures one, for CONTRIBUTING."""
    python = environment(session, *SITE)
    session.run(python, "-m", "tests.scale", *session.posargs, external=True)


@nox.session(python=PYTHONS)
def compat(session: nox.Session) -> None:
    """Run every page on the newest Python, and test every example on the others that are here."""
    if session.python == ".".join(map(str, sys.version_info[:2])):
        session.skip("nox -s tests tests this Python")
    locks = (f"--requirement=requirements/{group}.txt" for group in SITE)
    session.install("--require-hashes", *locks)
    if session.python == PYTHONS[-1]:
        session.run("python", "-m", "docs._make", f"--site=_build/compat/{session.python}")
    else:
        session.run("python", "-m", "pytest", "--numprocesses=2", "examples")


@nox.session(python=PYTHONS[-1])
def newest(session: nox.Session) -> None:
    """Run every page on the newest JAX; what follows `--` are options of pip, such as --pre."""
    locks = (f"--requirement=requirements/{group}.txt" for group in SITE)
    session.install("--require-hashes", *locks)
    session.install("--upgrade", "jax", "jaxlib", *session.posargs)
    session.run("python", "-m", "docs._make", "--fresh", "--site=_build/newest/site")


@nox.session
def lock(session: nox.Session) -> None:
    """Write all locks anew and show what changed; `-- --upgrade` takes newer versions."""
    debian(session, npm="nodejs npm")
    session.install("--require-hashes", "--requirement=requirements/lock.txt")
    session.run("python", "-m", "docs._make.locks", *session.posargs)


@nox.session(venv_backend="none")
def sbom(session: nox.Session) -> None:
    """List what the guide is built with and what its site ships, in sbom/ (CycloneDX)."""
    debian(session, npm="nodejs npm")
    python = environment(session, *SITE, "sbom")
    session.run(python, "-m", "docs._make.sbom", external=True)
    session.run(python, "-m", "pytest", "tests/sbom", external=True)


def debian(
    session: nox.Session, *, fonts: Mapping[str, str] | None = None, **packages: str
) -> None:
    """Install Debian's packages for programs and fonts that are not there: `program="packages"`."""
    missing = [names for program, names in packages.items() if not shutil.which(program)]
    missing += [name for family, name in (fonts or {}).items() if not has_font(family)]
    if missing:
        apt = ("apt-get", "--quiet") if os.geteuid() == 0 else ("sudo", "apt-get", "--quiet")
        session.run(*apt, "update", external=True)
        session.run(*apt, "install", "--yes", *" ".join(missing).split(), external=True)


def has_font(family: str) -> bool:
    """Tell whether a family of fonts is installed."""
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", family], capture_output=True, check=True)
    return bool(listed.stdout.strip())


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
