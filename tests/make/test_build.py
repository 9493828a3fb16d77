"""A small guide, built as a whole: what runs again, what is kept, what is shown."""

import json
import re

from tests.conftest import SmallGuide, notebook, po


def test_pages_run_once_and_only_when_their_cells_or_modules_change(
    small_guide: SmallGuide,
) -> None:
    first = small_guide.make()
    assert first.returncode == 0, first.stdout + first.stderr
    assert small_guide.ran(first) == {"one", "two"}
    assert "[2/2] ran" in first.stdout
    for language in ("en", "ja", "ko"):  # three languages, one run
        assert ">42\n" in small_guide.page("one", language)

    assert small_guide.ran(small_guide.make()) == set()

    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose="Other prose."))
    edited = small_guide.make()
    assert small_guide.ran(edited) == set()
    assert "Other prose." in small_guide.page("one")

    small_guide.write("examples/used.py", "ANSWER = 43\n")
    assert small_guide.ran(small_guide.make()) == {"two"}
    for language in ("en", "ja", "ko"):
        assert ">43\n" in small_guide.page("two", language)

    small_guide.write("docs/one.md", notebook("print(6 * 8)"))
    assert small_guide.ran(small_guide.make()) == {"one"}
    assert ">48\n" in small_guide.page("one", "ko")

    other = small_guide.make("--language=en", XLA_FLAGS="--xla_force_host_platform_device_count=2")
    assert small_guide.ran(other) == {"one", "two"}  # another environment
    for language in ("en", "ja", "ko"):  # those not built are carried over
        assert ">48\n" in small_guide.page("one", language)
    assert small_guide.ran(small_guide.make("--fresh")) == {"one", "two"}


def test_a_failing_page_keeps_the_others_and_the_site(small_guide: SmallGuide) -> None:
    assert small_guide.make().returncode == 0
    before = small_guide.page("one")
    small_guide.write("docs/one.md", notebook("print('new')"))
    small_guide.write("docs/two.md", notebook("value = 1", "assert value == 2"))
    failed = small_guide.make()
    assert failed.returncode == 1
    lines = (small_guide.root / "docs" / "two.md").read_text().splitlines()
    line = lines.index("assert value == 2") + 1
    assert f"docs/two.md:{line}: cell 2 of 2 raised AssertionError" in failed.stderr
    assert "nox -s docs -- --page two" in failed.stderr
    assert "1 of 2 pages failed; 1 ran and are kept" in failed.stderr
    assert small_guide.page("one") == before

    only = small_guide.make("--page=two")
    assert only.returncode == 1
    assert small_guide.ran(only) == {"two"}
    small_guide.write("docs/two.md", notebook("value = 2", "assert value == 2"))
    assert small_guide.make("--page=two").returncode == 0
    assert small_guide.page("one") == before  # --page tries, and builds nothing
    assert small_guide.ran(small_guide.make()) == set()
    assert ">new\n" in small_guide.page("one")


def test_a_claim_about_time_gets_a_second_try_and_no_third(small_guide: SmallGuide) -> None:
    tries = small_guide.root / "tries"
    count = f"with open({str(tries)!r}, 'a') as file: file.write('x')"
    timed = "guide: {timed: true}\n"
    fails_once = notebook(count, f"assert len(open({str(tries)!r}).read()) > 1", more=timed)
    small_guide.write("docs/one.md", fails_once)
    disturbed = small_guide.make("--page=one")
    assert disturbed.returncode == 0
    assert "cell 2 of 2 raised AssertionError" in disturbed.stdout  # nothing is hidden
    assert tries.read_text() == "xx"

    for claim, text, more in (
        ("assert False", "xx", timed),
        ("assert False", "x", ""),  # measures no time
        ("1 / 0", "x", timed),  # no claim
    ):
        tries.write_text("")
        small_guide.write("docs/one.md", notebook(count, claim, more=more))
        assert small_guide.make("--page=one").returncode == 1
        assert tries.read_text() == text


def test_a_warning_of_sphinx_keeps_the_site(small_guide: SmallGuide) -> None:
    assert small_guide.make().returncode == 0
    before = small_guide.page("one")
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose="[to nowhere](none.md)"))
    failed = small_guide.make()
    assert failed.returncode == 1
    assert "one.md:11: WARNING" in failed.stdout
    assert "Sphinx did not build: en, ja, ko; the site stays as it was" in failed.stdout
    assert small_guide.page("one") == before
    again = small_guide.make()
    assert again.returncode == 1
    assert "one.md:11: WARNING" in again.stdout


def test_cell_options_that_cannot_be_read_end_in_one_line(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", notebook("---\ntags: [a, b\n---\n1"))
    failed = small_guide.make()
    assert failed.returncode == 1
    assert failed.stderr.startswith("docs/one.md: Code cell 1 at line 13 could not be read:")
    assert failed.stderr.count("\n") == 1


def test_a_formula_that_cannot_be_read_fails_with_its_line(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", notebook("1", prose=r"A formula: $\frac{1}$."))
    failed = small_guide.make("--language=en")
    assert failed.returncode == 1
    assert re.search(r"one\.md:\d+: WARNING: formula", failed.stdout)


def test_what_ran_a_page_stands_at_its_foot_and_on_the_status_page(
    small_guide: SmallGuide,
) -> None:
    assert small_guide.make("--language=en").returncode == 0
    foot = small_guide.page("one").split('class="provenance"')[1]
    facts = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", foot))
    assert facts["Backend"] == "cpu"
    assert facts["Cells"] == "1"
    assert re.fullmatch(r"\d+\.\d+", facts["Seconds"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", facts["Date"])
    assert {"Device", "JAX", "Python"} <= facts.keys()
    assert 'class="provenance"' not in small_guide.page("index")
    status = small_guide.page("reference/status")
    rows = re.findall(r"<tr.*?</tr>", status, re.DOTALL)
    assert len(rows) == 3  # the head and two pages
    assert facts["Seconds"] in rows[1]


def test_an_untranslated_paragraph_is_marked_and_counted(small_guide: SmallGuide) -> None:
    for code, prose, title in (("ja", "文章です。", "ページ"), ("ko", "글입니다.", "")):
        text = po({"Some prose.": prose, "A page": title})
        small_guide.write(f"locale/{code}/LC_MESSAGES/one.po", text)
    built = small_guide.make()
    assert "untranslated" not in small_guide.page("one", "en")
    assert ">文章です。</p>" in small_guide.page("one", "ja")
    assert "untranslated" not in small_guide.page("one", "ja")
    assert 'class="untranslated"' in small_guide.page("one", "ko")
    assert 'class="untranslated"' in small_guide.page("two", "ja")  # a page without any .po
    counts = {code: int(n) for code, n in re.findall(r"^(\w\w): (\d+) untr", built.stdout, re.M)}
    assert counts["ko"] == counts["ja"] + 1


def test_a_book_is_published_until_it_is_taken_away(small_guide: SmallGuide) -> None:
    small_guide.write("books/jax-guide-en.epub", "A book")
    assert small_guide.make("--language=en").returncode == 0
    published = small_guide.root / "site" / "en" / "jax-guide-en.epub"
    assert published.read_text() == "A book"
    (small_guide.root / "books" / "jax-guide-en.epub").unlink()
    assert small_guide.make("--language=en").returncode == 0
    assert not published.exists()
    assert "epub" not in small_guide.page("one")


def test_nothing_stays_of_a_page_that_is_gone(small_guide: SmallGuide) -> None:
    site = small_guide.root / "site"
    small_guide.write("locale/ja/LC_MESSAGES/two.po", po({"Some prose.": "文章です。"}))
    assert small_guide.make("--language=ja").returncode == 0
    of_page = {"two.html", "_notebooks/two.ipynb", "_originals/two.js", "_po/two.po"}
    assert {name for name in of_page if (site / "ja" / name).exists()} == of_page
    small_guide.write("docs/two.md", "# A page\n\nSome prose.\n")
    assert small_guide.make("--language=ja").returncode == 0
    assert {name for name in of_page if not (site / "ja" / name).exists()} == {
        "_notebooks/two.ipynb"
    }
    for name in ("docs/two.md", "locale/ja/LC_MESSAGES/two.po"):
        (small_guide.root / name).unlink()
    contents = small_guide.root / "docs" / "index.md"
    small_guide.write("docs/index.md", contents.read_text().replace("two\n", ""))
    assert small_guide.make("--language=ja").returncode == 0
    assert [file for file in site.rglob("*") if file.stem == "two"] == []
    words = json.loads((site / "ja" / "pagefind" / "words.json").read_text())
    assert "two" not in {page["name"] for page in words["pages"].values()}
