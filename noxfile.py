"""What this repository does, one session each: `nox -l` lists them.

The Python that runs nox runs the guide. All sessions share one environment, since JAX alone
takes 600 MB and nox cannot share its own (github.com/wntrblm/nox/issues/167).
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.sessions = ["docs", "tests"]
nox.options.default_venv_backend = "none"

ROOT = Path(__file__).parent
ENVIRONMENT = ROOT / ".nox" / f"guide-{sys.version_info.major}.{sys.version_info.minor}"
PYTHON = ENVIRONMENT / "bin" / "python"
SITE = ("guide", "site")  # the dependency groups that run the pages and make the site

# Pages compare JAX with PyTorch where it is installed. It is not in the hashed locks: the CPU-only
# build is another file in every index, and on macOS it has no name of its own.
PYTORCH = "torch==2.13.0" if sys.platform == "darwin" else "torch==2.13.0+cpu"

NOTO = {"Noto Sans CJK JP": "fonts-noto-cjk"}  # font families, and the Debian packages with them
CHROMIUM = "chromium chromium-headless-shell"
BOOK_FONTS = {
    "BIZ UDPGothic": "fonts-morisawa-bizud-gothic",
    "NanumGothic": "fonts-nanum",
    "DejaVu Math TeX Gyre": "fonts-dejavu-extra",
}


@nox.session
def docs(session: nox.Session) -> None:
    """Run the pages and build the site; `nox -s docs -- --help` lists the options."""
    install(session, *SITE, *checked_groups(session))
    run(session, "-m", "docs._guide", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Test the build, the built site, the translations and the examples; `-- PATH` some of them."""
    install(session, *SITE)
    if session.posargs:
        run(session, "-m", "pytest", *session.posargs)
        return
    run(session, "-m", "docs._guide.l10n")
    run(session, "-m", "docs._guide")  # alone, since pages measure time
    run(session, "-m", "pytest", "--numprocesses=2", "--dist=loadfile")


@nox.session
def serve(session: nox.Session) -> None:
    """Serve the built site on this machine, until Ctrl-C."""
    if not (ROOT / "site").is_dir():
        session.error("there is no site yet: nox -s docs builds it")
    session.run(sys.executable, "-m", "http.server", "--directory=site", "--bind=127.0.0.1")


@nox.session
def translations(session: nox.Session) -> None:
    """Update every .po from the English pages; `-- stat` counts what is missing."""
    install(session, "guide")
    if session.posargs == ["stat"]:
        run(session, "-m", "sphinx_intl", "stat", "--locale-dir=locale")
    else:
        run(session, "-m", "docs._guide.tools.catalogs", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and types, and the translations with tools that need Node or Debian packages."""
    debian(session, msgfmt="gettext", hunspell="hunspell hunspell-ko", npm="nodejs npm")
    install(session, *SITE, "lint", "browser", "books")  # types of all that is imported
    run(session, "-m", "ruff", "check")
    run(session, "-m", "ruff", "format", "--check")
    run(session, "-m", "mypy")
    for catalog in sorted(ROOT.glob("locale/*/LC_MESSAGES/**/*.po")):
        # Not --check, which takes "80 % of" for a Python format.
        msgfmt = ("msgfmt", "--check-header", "--check-domain", "--output-file=/dev/null")
        session.run(*msgfmt, catalog, external=True, silent=True)
    run(session, "-m", "pytest", "tests/lint", "--numprocesses=2")
    run(session, "-m", "docs._guide.l10n.ja.textlint")
    run(session, "-m", "docs._guide.l10n.ko.spelling")


@nox.session
def browser(session: nox.Session) -> None:
    """Test the built site in Debian's Chromium."""
    debian(session, fonts=NOTO, chromium=CHROMIUM)
    install(session, *SITE, "browser")
    run(session, "-m", "pytest", "tests/browser", "--numprocesses=2", *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """Score the built site with Lighthouse; `-- --steady` leaves out the performance."""
    debian(session, fonts=NOTO, chromium=CHROMIUM, npm="nodejs npm")
    install(session, *SITE, "browser")
    run(session, "-m", "tests.audit", *session.posargs)


@nox.session
def books(session: nox.Session) -> None:
    """Make the guide as EPUB and PDF in books/, and test them; `-- --language ja` one language."""
    programs = {
        "chromium": CHROMIUM,
        "java": "default-jre-headless",
        "pdftotext": "poppler-utils",
    }
    debian(session, fonts=BOOK_FONTS, **programs)
    install(session, *SITE, "browser", "books")
    run(session, "-m", "docs._guide.book", *session.posargs)
    run(session, "-m", "pytest", "tests/books")


@nox.session
def notebooks(session: nox.Session) -> None:
    """Run the Japanese and Korean notebooks as readers have them; `-- -k "ja and grad"` some."""
    install(session, *SITE)
    run(session, "-m", "pytest", "--durations=0", "tests/notebooks", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure all implementations of UKR on one core, for the case study."""
    install(session, "guide")
    files = ("--save=docs/cases/ukr-bench.json", "--plot=docs/cases/ukr-bench.svg")
    one_core = ("taskset", "--cpu-list", "0") if shutil.which("taskset") else ()
    command = (
        *one_core,
        PYTHON,
        "examples/ukr_bench.py",
        *(session.posargs or ("--large", *files)),
    )
    style = {"MATPLOTLIBRC": "docs/_guide/execute/matplotlibrc"}  # that of the pages' figures
    session.run(*command, external=True, env=style)


@nox.session(venv_backend="uv")
def newest(session: nox.Session) -> None:
    """Run every page on the newest JAX; options after `--` go to the installer, such as --pre."""
    locks = (f"--requirement=requirements/{group}.txt" for group in SITE)
    session.install("--require-hashes", *locks)
    session.install("--upgrade", "jax", "jaxlib", *session.posargs)
    session.run("python", "-m", "docs._guide", "--fresh", "--site=_build/newest/site")


@nox.session
def lock(session: nox.Session) -> None:
    """Write all locks anew; `-- --upgrade` takes newer versions."""
    debian(session, npm="nodejs npm")
    session.run(sys.executable, "-m", "docs._guide.tools.locks", *session.posargs)


def run(session: nox.Session, *arguments: str) -> None:
    """Run the environment's Python."""
    session.run(PYTHON, *arguments, external=True)


def checked_groups(session: nox.Session) -> list[str]:
    """Return the groups that the options need; stop before installing if one is wrong."""
    command = (sys.executable, "docs/_guide/options.py", *session.posargs)
    checked = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    if checked.returncode or {"-h", "--help"} & set(session.posargs):
        print(checked.stdout, end="")
        raise SystemExit(checked.returncode)
    return checked.stdout.split()


def install(session: nox.Session, *groups: str) -> None:
    """Install the locked packages of some groups, where they are not installed yet."""
    stamp = ENVIRONMENT / "python"
    if not stamp.exists() or stamp.read_text() != sys.version:
        session.run(sys.executable, "-m", "venv", "--clear", ENVIRONMENT)
        stamp.write_text(sys.version)
    for group in groups:
        locked = ROOT / "requirements" / f"{group}.txt"
        stamp = ENVIRONMENT / f"installed-{group}"
        digest = hashlib.sha256(locked.read_bytes()).hexdigest()
        if stamp.exists() and stamp.read_text() == digest:
            continue
        # Kernels and Sphinx start twice as fast with compiled modules.
        command = (sys.executable, "-m", "uv", "pip", "install", "--compile-bytecode")
        session.run(*command, f"--python={PYTHON}", "--require-hashes", f"--requirement={locked}")
        if group == "guide":
            # pip, since it also searches what this machine's pip is configured with. Compiling
            # PyTorch's modules, of which pages import a part, would take longer than the rest.
            pip = (PYTHON, "-m", "pip", "install", "--no-compile", PYTORCH)
            if subprocess.run(pip, stderr=subprocess.DEVNULL, check=False).returncode:
                session.log(f"No build of {PYTORCH} for this platform; comparisons show 'not run'.")
        stamp.write_text(digest)


def debian(session: nox.Session, *, fonts: dict[str, str] | None = None, **programs: str) -> None:
    """Install the Debian packages of programs and fonts that are missing: `program="packages"`."""
    missing = [packages for program, packages in programs.items() if not shutil.which(program)]
    missing += [package for family, package in (fonts or {}).items() if not has_font(family)]
    if missing:
        apt = ("apt-get", "--quiet") if os.geteuid() == 0 else ("sudo", "apt-get", "--quiet")
        session.run(*apt, "update", external=True)
        session.run(*apt, "install", "--yes", *" ".join(missing).split(), external=True)


def has_font(family: str) -> bool:
    """Whether a family of fonts is installed."""
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", family], capture_output=True, check=True)
    return bool(listed.stdout.strip())
