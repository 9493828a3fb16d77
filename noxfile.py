# /// script
# dependencies = ["nox", "uv"]
# ///
"""What this repository does, one session each: `nox -l` lists them.

The Python that runs nox runs the guide. All sessions share one environment, since JAX alone
takes 600 MB and nox cannot share its own (github.com/wntrblm/nox/issues/167). A nox that lacks uv,
such as that of pipx, runs this file in an environment with the packages above.
"""

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import nox

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))  # a nox that is installed elsewhere does not search here

from docs._guide import options as build_options  # noqa: E402
from docs._guide.execute.environment import compilation_cache  # noqa: E402

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["docs", "tests"]
nox.options.default_venv_backend = "none"

ENVIRONMENT = ROOT / ".nox" / f"guide-{sys.version_info.major}.{sys.version_info.minor}"
PYTHON = ENVIRONMENT / "bin" / "python"
PYTORCH = "torch==2.13.0"  # some pages compare JAX with it
SITE = ("guide", "site")  # the dependency groups that run the pages and make the site

# Programs that sessions need besides Python's packages, and the packages of Debian that have them.
PROGRAMS = {
    "msgfmt": "gettext",
    "hunspell": "hunspell hunspell-ko",
    "node": "nodejs",
    "npm": "npm",
    "fc-list": "fontconfig fonts-noto-cjk",
}
NODE = (20, 18)  # textlint and Lighthouse need it


@nox.session
def docs(session: nox.Session) -> None:
    """Run the pages and build the site; `nox -s docs -- --help` lists the options."""
    options = build_options.parse(session.posargs)  # before anything is installed
    install(session, *SITE, *build_options.groups(options))
    run(session, "-m", "docs._guide", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Test the build, the site, the translations and the examples; `-- PATH` some of them."""
    parser = argparse.ArgumentParser(prog="nox -s tests --", allow_abbrev=False)
    parser.add_argument("--strict", action="store_true", help="as of `nox -s docs`")
    parser.add_argument("--without", choices=build_options.OMITTABLE, help="as of `nox -s docs`")
    options, arguments = parser.parse_known_args(session.posargs)
    install(session, *SITE, *(() if options.without else build_options.OMITTABLE))
    build = ["--strict"] * options.strict
    checks = ["--strict-translations"] * options.strict
    if arguments:
        run(session, "-m", "pytest", *checks, *arguments)
        return
    run(session, "-m", "docs._guide.l10n")
    run(session, "-m", "docs._guide", *build)  # alone, since pages measure time
    # The examples compile what their pages compile.
    pytest = ("-m", "pytest", "--numprocesses=auto", "--dist=worksteal")
    run(session, *pytest, *checks, **compilation_cache())


@nox.session
def serve(session: nox.Session) -> None:
    """Serve the built site on this machine, until Ctrl-C; `-- PORT` at another port than 8000."""
    if not (ROOT / "site").is_dir():
        session.error("there is no site yet: nox -s docs builds it")
    port = " ".join(session.posargs) or "8000"
    if not (port.isdecimal() and int(port) < 2**16):
        session.error(f"{port!r} is not a port: give a number, as in nox -s serve -- 8080")
    session.run(
        *(sys.executable, "-m", "http.server", port, "--directory=site", "--bind=127.0.0.1")
    )


@nox.session
def translations(session: nox.Session) -> None:
    """Update every .po from the English pages; `-- stat` counts what is missing."""
    if session.posargs not in ([], ["stat"]):
        session.error("nox -s translations updates every .po; -- stat counts what is missing")
    install(session, *SITE)
    if session.posargs:
        run(session, "-m", "sphinx_intl", "stat", "--locale-dir=locale")
    else:
        run(session, "-m", "docs._guide.tools.catalogs")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and types, and the translations with tools that Python's packages lack."""
    needs(session, "msgfmt", "hunspell", "node", "npm")
    install(session, *SITE, "lint", "browser")  # types of all that is imported
    run(session, "-m", "ruff", "check")
    run(session, "-m", "ruff", "format", "--check")
    run(session, "-m", "mypy")
    for catalog in sorted(ROOT.glob("locale/*/LC_MESSAGES/**/*.po")):
        # Not --check, which takes "80 % of" for a Python format.
        msgfmt = ("msgfmt", "--check-header", "--check-domain", "--output-file=/dev/null")
        session.run(*msgfmt, catalog, external=True, silent=True)
    run(session, "-m", "pytest", "tests/lint", "--numprocesses=auto")
    run(session, "-m", "docs._guide.l10n.ja.textlint")
    run(session, "-m", "docs._guide.l10n.ko.spelling")


@nox.session
def browser(session: nox.Session) -> None:
    """Test the built site in Chromium."""
    if os.environ.get("GUIDE_VERSIONS_URL"):  # pages load the list, which only their host has
        session.error("unset GUIDE_VERSIONS_URL, then run nox -s docs browser")
    needs_fonts(session)
    install(session, *SITE, "browser")
    install_chromium(session)
    run(session, "-m", "pytest", "tests/browser", "--numprocesses=auto", *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """Score the built site with Lighthouse; `-- --steady` leaves out the performance."""
    needs(session, "node", "npm")
    needs_fonts(session)
    install(session, *SITE, "browser")
    install_chromium(session)
    run(session, "-m", "tests.audit", *session.posargs)


@nox.session
def notebooks(session: nox.Session) -> None:
    """Run the Japanese and Korean notebooks as readers have them; `-- -k "ja and grad"` some."""
    install(session, *SITE, *build_options.OMITTABLE)
    run(session, "-m", "pytest", "--durations=0", "tests/notebooks", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure UKR in all libraries, for the case study; `-- 200 500` these numbers of points."""
    install(session, *SITE, *build_options.OMITTABLE)
    run(session, "-m", "tests.bench", *session.posargs)


@nox.session(venv_backend="uv|virtualenv")
def newest(session: nox.Session) -> None:
    """Run every page on the newest JAX; options after `--` go to the installer, such as --pre."""
    locks = (f"--requirement=requirements/{group}.txt" for group in SITE)
    session.install("--require-hashes", *locks)
    session.install("--upgrade", "jax", "jaxlib", *session.posargs)
    session.run("python", "-m", "docs._guide", "--fresh", "--strict", "--site=_build/newest/site")


@nox.session
def lock(session: nox.Session) -> None:
    """Write all locks anew; `-- --upgrade` takes newer versions."""
    needs(session, "npm")
    session.run(sys.executable, "-m", "docs._guide.tools.locks", *session.posargs)


def run(session: nox.Session, *arguments: str, **variables: str) -> None:
    """Run the environment's Python, with these environment variables besides."""
    session.run(PYTHON, *arguments, env=variables, external=True)


def install(session: nox.Session, *groups: str) -> None:
    """Install the locked packages of some groups, where they are not installed yet."""
    stamp = ENVIRONMENT / "python"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != sys.version:
        session.run(sys.executable, "-m", "venv", "--clear", ENVIRONMENT)
        stamp.write_text(sys.version, encoding="utf-8")
    for group in groups:
        locked = ROOT / "requirements" / f"{group}.txt"
        stamp = ENVIRONMENT / f"installed-{group}"
        own = PYTORCH.encode() if group == "torch" else b""
        digest = hashlib.sha256(locked.read_bytes() + own).hexdigest()
        if stamp.exists() and stamp.read_text(encoding="utf-8") == digest:
            continue
        # Kernels and Sphinx start twice as fast with compiled modules.
        uv = (sys.executable, "-m", "uv", "pip", "install", f"--python={PYTHON}")
        session.run(
            *(*uv, "--compile-bytecode", "--require-hashes", f"--requirement={locked}"),
            env=uv_settings(),
        )
        if group == "torch":
            install_pytorch(session, uv)
        stamp.write_text(digest, encoding="utf-8")


def install_pytorch(session: nox.Session, uv: tuple[str, ...]) -> None:
    """Install PyTorch's build for CPUs from its own index, or else what pip is configured with.

    It is locked by its version only: each platform has another file, on an index that is not PyPI.
    Compiling its modules, of which pages import a part, would take longer than all others.
    """
    commands = ((*uv, "--torch-backend=cpu"), (PYTHON, "-m", "pip", "install", "--no-compile"))
    for command in commands:
        environment = os.environ | uv_settings()
        if subprocess.run([*command, PYTORCH], env=environment, check=False).returncode == 0:
            return
    session.error(
        f"{PYTORCH} could not be installed, neither by uv nor by pip (see above); "
        "with `-- --without torch` the cells that compare with it are left out"
    )


@cache
def uv_settings() -> dict[str, str]:
    """Variables for uv, which reads no settings of pip: an index, a certificate, a cache.

    An index of the user's for uv itself comes first.
    """
    settings = {}
    if not os.access(Path("~").expanduser(), os.W_OK):
        settings["UV_CACHE_DIR"] = str(ENVIRONMENT.parent / "uv-cache")
    command = (PYTHON, "-m", "pip", "config", "list")
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    of_pip: dict[str, str] = {}
    for scope in ("global", "install", ":env:"):  # the last one has precedence
        of_pip |= re.findall(rf"^{scope}\.([\w-]+)='(.*)'$", listed, re.MULTILINE)
    names = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
    for name, variable in names.items():
        if name in of_pip and not {variable, "UV_INDEX_URL"} & set(os.environ):
            settings[variable] = of_pip[name]
    return settings


def install_chromium(session: nox.Session) -> None:
    """Install Playwright's own Chromium, unless GUIDE_CHROMIUM names one of the machine."""
    own = os.environ.get("GUIDE_CHROMIUM")
    if own and not shutil.which(own):
        session.error(f"GUIDE_CHROMIUM: there is no program {own}")
    command = (PYTHON, "-m", "playwright", "install", "chromium")
    if not own and subprocess.run(command, check=False).returncode:
        session.error(
            "Playwright could not install Chromium. Install Chromium or Chrome in another way, and "
            "set GUIDE_CHROMIUM to its program, as in GUIDE_CHROMIUM=chromium nox -s browser"
        )


def needs(session: nox.Session, *programs: str) -> None:
    """Stop with the packages that have what is missing, if anything is."""
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        packages = " ".join(PROGRAMS[name] for name in missing)
        session.error(
            f"missing: {', '.join(missing)}; on Debian and Ubuntu: apt install {packages} "
            "(other systems have the same programs in packages of their own)"
        )
    if "node" in programs:
        printed = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
        if tuple(map(int, re.findall(r"\d+", printed.stdout)[:2])) < NODE:
            session.error(f"Node {NODE[0]}.{NODE[1]} or newer is needed: {printed.stdout.strip()}")


def needs_fonts(session: nox.Session) -> None:
    """Stop without a Japanese font, which figures would be measured with; macOS has them."""
    if platform.system() == "Linux":
        needs(session, "fc-list")
        listed = subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=True)
        if not listed.stdout.strip():
            session.error("no Japanese font; on Debian and Ubuntu: apt install fonts-noto-cjk")
