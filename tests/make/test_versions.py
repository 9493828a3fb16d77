"""Sites of two lines of JAX become one site, in which each page knows the other line's."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from docs._make.join import main
from docs._make.publish import publish
from docs._make.versions import line_of, older_lines
from tests.conftest import SmallGuide

URL = "https://guide.example/sub"
LANGUAGES = {"en": "English", "ja": "日本語"}
HEAD = '<link rel="canonical" href="{url}"><link rel="alternate" hreflang="en" href="{english}">'
COLAB = "https://colab.research.google.com/github/us/guide/blob/site"


def build(root: Path, version: str, *pages: str, site: str = "site") -> Path:
    """What `nox -s docs` does with pages that Sphinx wrote."""
    folders = {}
    for language in LANGUAGES:
        folders[language] = root / "html" / language
        for page in pages:
            file = folders[language] / f"{page}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            up = "../" * page.count("/")
            head = HEAD.format(url=f"{URL}/{language}/{page}.html", english=f"{URL}/en/{page}.html")
            links = f'<a href="{up}changes.xml">feed</a>'
            links += f'<a href="{COLAB}/{language}/_notebooks/{page}.ipynb">Colab</a>'
            file.write_text(f"<head>{head}</head><!-- versions -->\n{links}JAX {version}")
        for name in ("changes.xml", "llms.txt"):
            (folders[language] / name).write_text(version)
    publish(folders, {}, LANGUAGES, root / site, line_of(version))
    return root / site


def switcher(page: Path) -> dict[str, str | None]:
    """The lines that a page offers with the files behind them; of its own, None."""
    html = page.read_text()
    offered: dict[str, str | None] = {}
    for item in re.findall(r"<li>(.*?)</li>", html, re.DOTALL):
        line = re.search(r"JAX ([\d.]+)", item)
        assert line
        link = re.search(r'href="(.*?)"', item)
        offered[line[1]] = link and link[1]
        if link:
            assert (page.parent / link[1]).is_file()
            there = (page.parent / link[1]).resolve().name == page.name
            assert ('class="same-page"' in item) == there
            assert ("without this page" in item or "このページなし" in item) != there
    return offered


@pytest.fixture(autouse=True)
def a_lock_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the command would be refused while the checkout is built."""
    monkeypatch.setattr("docs._make.join.ROOT", tmp_path)


@pytest.fixture
def newest(tmp_path: Path) -> Path:
    return build(tmp_path / "new", "0.12.0.1", "index", "a/both", "a/new")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    return build(tmp_path / "old", "0.10.2", "index", "a/both", "a/old")


def join(site: Path, *older: Path) -> None:
    assert main([f"--site={site}", *map(str, older)]) == 0


def files(site: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}


def test_a_single_line_shows_nothing(newest: Path) -> None:
    for page in newest.rglob("*.html"):
        assert "<nav" not in page.read_text()
    assert json.loads((newest / "versions.json").read_text()) == [{"jax": "0.12", "path": ""}]
    before = files(newest)
    join(newest)
    assert files(newest) == before


def test_each_page_leads_to_the_same_page_or_to_the_start(newest: Path, older: Path) -> None:
    join(newest, older)
    listed = json.loads((newest / "versions.json").read_text())
    assert listed == [{"jax": "0.12", "path": ""}, {"jax": "0.10", "path": "jax-0.10/"}]
    for language in LANGUAGES:
        new, old = newest / language / "a", newest / "jax-0.10" / language / "a"
        up = f"../../jax-0.10/{language}"
        assert switcher(new / "both.html") == {"0.12": None, "0.10": f"{up}/a/both.html"}
        assert switcher(new / "new.html") == {"0.12": None, "0.10": f"{up}/index.html"}
        up = f"../../../{language}"
        assert switcher(old / "both.html") == {"0.12": f"{up}/a/both.html", "0.10": None}
        assert switcher(old / "old.html") == {"0.12": f"{up}/index.html", "0.10": None}


def test_only_older_pages_say_that_there_is_a_newer_one(newest: Path, older: Path) -> None:
    join(newest, older)
    for page in (newest / "en").rglob("*.html"):
        assert "older-version" not in page.read_text()
    old = newest / "jax-0.10"
    english = (old / "en/a/both.html").read_text()
    assert "This page is for JAX 0.10." in english
    assert re.search(r'href="../../../en/a/both.html">See it for JAX 0.12, the newest<', english)
    japanese = (old / "ja/a/old.html").read_text()
    assert "最新のJAX 0.12向けのガイドには、このページはありません。" in japanese
    assert 'href="../../../ja/index.html">ガイドの最初へ<' in japanese


def test_the_newest_page_is_canonical(newest: Path, older: Path) -> None:
    join(newest, older)
    old = newest / "jax-0.10" / "ja" / "a"
    assert (
        HEAD.format(url=f"{URL}/ja/a/both.html", english=f"{URL}/en/a/both.html")
        in (old / "both.html").read_text()
    )
    itself = {"url": f"{URL}/jax-0.10/ja/a/old.html", "english": f"{URL}/jax-0.10/en/a/old.html"}
    assert HEAD.format(**itself) in (old / "old.html").read_text()
    build(newest.parent, "0.12.1", "index", "a/both", "a/old")  # the newest has the page now
    there = {"url": f"{URL}/ja/a/old.html", "english": f"{URL}/en/a/old.html"}
    assert HEAD.format(**there) in (old / "old.html").read_text()


def test_what_a_site_has_once_is_the_newest(newest: Path, older: Path) -> None:
    join(newest, older)
    found = {str(path.relative_to(newest)) for path in (newest / "jax-0.10").rglob("*.*")}
    pages = {f"{code}/{name}" for code in LANGUAGES for name in ("index", "a/both", "a/old")}
    root = {"index.html", "favicon.svg"}  # leads to a language of that line
    assert found == {f"jax-0.10/{path}" for path in {f"{page}.html" for page in pages} | root}
    old = (newest / "jax-0.10" / "ja" / "a" / "both.html").read_text()
    assert 'href="../../../ja/changes.xml"' in old
    assert f'href="{COLAB}/jax-0.10/ja/_notebooks/a/both.ipynb"' in old
    new = (newest / "ja" / "a" / "both.html").read_text()
    assert 'href="../changes.xml"' in new
    assert f'href="{COLAB}/ja/_notebooks/a/both.ipynb"' in new


def test_another_build_keeps_the_older_lines_and_joins_them_anew(newest: Path, older: Path) -> None:
    join(newest, older)
    before = files(newest)
    join(newest)
    join(newest, newest / "jax-0.10")  # what a site holds can be given too
    join(newest, older)
    build(newest.parent, "0.12.0.1", "index", "a/both", "a/new")
    assert files(newest) == before
    build(newest.parent, "0.14.0", "index", "a/old")
    assert switcher(newest / "en" / "a" / "old.html").keys() == {"0.14", "0.10"}
    told = (newest / "jax-0.10" / "en" / "a" / "old.html").read_text()
    assert "See it for JAX 0.14, the newest" in told


def test_a_site_brings_the_lines_that_it_holds(newest: Path, older: Path, tmp_path: Path) -> None:
    join(newest, older)
    latest = build(tmp_path / "latest", "0.14", "index")
    join(latest, newest)
    assert list(older_lines(latest)) == ["0.12", "0.10"]
    assert not (latest / "jax-0.12" / "jax-0.10").exists()
    page = latest / "jax-0.10" / "ja" / "a" / "both.html"
    assert switcher(page) == {
        "0.14": "../../../ja/index.html",
        "0.12": "../../../jax-0.12/ja/a/both.html",
        "0.10": None,
    }


def test_a_line_that_is_removed_leaves_nothing(newest: Path, older: Path) -> None:
    before = files(newest)
    join(newest, older)
    (newest / "jax-0.10").rename(newest.parent / "away")
    join(newest)
    assert files(newest) == before


def test_what_cannot_be_joined_is_refused_in_one_line(
    newest: Path, older: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    unlisted = build(tmp_path / "unlisted", "0.10.2", "index")
    (unlisted / "versions.json").write_text('[{"jax": "../away"}]')
    again = build(tmp_path / "again", "0.10.0", "index")
    before = files(newest)
    for sites, problem in {
        (empty,): "empty is no site of this guide: nox -s docs builds one",
        (tmp_path / "none",): "none is no site of this guide",
        (unlisted,): "versions.json does not say the site's line of JAX: build that site again",
        (older, again): "are both JAX 0.10: give one of them",
        (newest,): "is JAX 0.12, not older than JAX 0.12",
    }.items():
        with pytest.raises(SystemExit) as refused:
            main([f"--site={newest}", *map(str, sites)])
        assert refused.value.code == 2
        said = capsys.readouterr().err
        assert problem in said
        assert said.count("\n") == 1
    with pytest.raises(SystemExit):
        main([f"--site={older}", str(newest)])
    assert "is JAX 0.12, not older than JAX 0.10" in capsys.readouterr().err
    assert files(newest) == before


def test_a_build_never_puts_an_older_line_over_the_newest(
    small_guide: SmallGuide, tmp_path: Path
) -> None:
    held = tmp_path / "site" / "jax-98.7"
    held.mkdir(parents=True)
    (tmp_path / "site" / "versions.json").touch()
    refused = small_guide.make()
    assert refused.returncode == 1
    assert "holds JAX 98.7 as an older line" in refused.stderr
    assert "--site FOLDER" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not small_guide.ran(refused)


def test_the_command_says_what_the_site_holds(
    newest: Path, older: Path, small_guide: SmallGuide
) -> None:
    command = [sys.executable, "-m", "docs._make.join", f"--site={newest}", str(older)]
    done = subprocess.run(command, cwd=small_guide.root, capture_output=True, text=True)
    assert done.stdout == f"{newest}: JAX 0.12, 0.10\n"
    assert not done.stderr


def test_it_waits_for_no_build(newest: Path, tmp_path: Path) -> None:
    (tmp_path / "_build").mkdir()
    with FileLock(tmp_path / "_build" / "lock"), pytest.raises(SystemExit) as refused:
        main([f"--site={newest}"])
    assert refused.value.code == 2
