"""A small guide, built as a whole: what runs, what is kept, what is shown and counted."""

import re

from tests.conftest import SmallGuide, notebook, po


def test_a_page_runs_once_for_all_languages_and_again_when_its_code_changes(
    built_guide: SmallGuide,
) -> None:
    guide = built_guide
    fresh = guide.build("--fresh", "--jobs=1")
    assert re.findall(r"^running (\w+) \(1 cells\)$", fresh.stdout, re.M) == ["one", "two"]
    assert re.findall(r"^\[(\d)/2\] ran (\w+) in \d", fresh.stdout, re.M) == [
        ("1", "one"),
        ("2", "two"),
    ]
    for language in ("ja", "ko", "en"):
        assert ">42\n" in guide.page("one", language)
        foot = guide.page("one", language).split('class="provenance"')[1]
        assert "2026-01-02" not in foot, "the page ran again, with the same output"
    facts = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", foot))
    assert facts["Backend"] == "cpu"
    rows = re.findall(r"<tr.*?</tr>", guide.page("reference/status"), re.DOTALL)
    assert len(rows) == 3  # the head and two pages
    assert facts["Seconds"] in rows[1]

    entry = next(guide.root.glob("_build/outputs/*/two.ipynb"))
    entry.write_text(entry.read_text(encoding="utf-8").replace("43", "34"), encoding="utf-8")
    guide.write("docs/one.md", notebook("print(6 * 7)", prose="Other prose."))
    assert guide.ran(guide.make("--language=en")) == {"two"}, "its entry was damaged"
    assert "Other prose." in guide.page("one")
    assert ">34\n" not in guide.page("two")

    guide.write("docs/one.md", notebook("print(6 * 8)"))
    other_backend_settings = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    assert guide.ran(guide.make("--language=en", **other_backend_settings)) == {"one", "two"}
    assert ">48\n" in guide.page("one")
    assert ">42\n" in guide.page("one", "ja"), "a language that was not built is kept"


def test_a_failing_page_keeps_the_outputs_of_others_and_the_site(built_guide: SmallGuide) -> None:
    guide = built_guide
    before = guide.site()
    guide.write("docs/one.md", notebook("print('new')"))
    guide.write("docs/two.md", notebook("value = 1", "assert value == 2"))
    failed = guide.make()
    assert failed.returncode == 1
    lines = (guide.root / "docs" / "two.md").read_text(encoding="utf-8").splitlines()
    line = lines.index("assert value == 2") + 1
    assert f"docs/two.md:{line}: cell 2 of 2 raised AssertionError" in failed.stderr
    assert "nox -s docs -- --page two" in failed.stderr
    assert failed.stderr.endswith("1 of 2 pages failed; the outputs of 1 are cached\n")
    assert "] FAILED two in " in failed.stdout
    assert guide.site() == before

    guide.write("docs/two.md", notebook("value = 2", "assert value == 2"))
    only = guide.make("--page=two")
    assert (only.returncode, guide.ran(only)) == (0, {"two"})
    assert guide.site() == before
    assert guide.ran(guide.make("--language=en")) == set()
    assert ">new\n" in guide.page("one")


def test_a_warning_of_sphinx_keeps_the_site_until_it_is_mended(built_guide: SmallGuide) -> None:
    before = built_guide.site()
    built_guide.write("docs/one.md", notebook("print(6 * 7)", prose="[to nowhere](none.md)"))
    for _attempt in range(2):
        failed = built_guide.make("--language=en")
        assert failed.returncode == 1
        assert "one.md:11: WARNING" in failed.stdout
        assert "Sphinx did not build: en; the site stays as it was" in failed.stdout
    assert built_guide.site() == before


def test_a_page_that_changes_during_the_build_is_not_shown_with_old_outputs(
    small_guide: SmallGuide,
) -> None:
    page = str(small_guide.root / "docs" / "one.md")
    change = f"import pathlib\npage = pathlib.Path({page!r})\n"
    change += "page.write_text(page.read_text().replace('6 * 7', '6 * 8'))"
    small_guide.write("docs/two.md", notebook(change))
    failed = small_guide.make("--language=en")
    assert failed.returncode == 1
    assert "for docs/one.md (its code has changed): run `nox -s docs`" in failed.stdout
    assert not (small_guide.root / "site").exists()


def test_a_measurement_that_does_not_hold_is_shown_and_fatal_only_if_strict(
    small_guide: SmallGuide,
) -> None:
    guide = small_guide
    guide.write("docs/one.md", notebook(":tags: [measures]\nprint(2)\nassert 2 > 3"))
    made = guide.build("--language=en")
    line = len(notebook("").splitlines())
    assert f"hold on this machine:\n  docs/one.md:{line}: assert 2 > 3\n" in made.stdout
    note = "did not hold on this machine: assert 2 &gt; 3"
    assert note in guide.page("one")
    assert f"A page: {note}" in guide.page("reference/status")
    assert guide.ran(guide.build("--language=en")) == set()
    strict = guide.make("--language=en", "--strict")
    assert (strict.returncode, guide.ran(strict)) == (1, {"one"})
    assert "raised AssertionError" in strict.stderr


def test_a_page_with_a_new_tag_runs_again(small_guide: SmallGuide) -> None:
    guide = small_guide
    guide.write("docs/one.md", notebook(":tags: [measures]\nassert 2 > 3"))
    guide.build("--language=en")
    guide.write("docs/one.md", notebook("assert 2 > 3"))
    assert guide.make("--language=en").returncode == 1


def test_an_untranslated_paragraph_is_marked_and_counted(built_guide: SmallGuide) -> None:
    for code, prose, title in (("ja", "文章です。", "ページ"), ("ko", "글입니다.", "")):
        text = po({"Some prose.": prose, "A page": title})
        built_guide.write(f"locale/{code}/LC_MESSAGES/one.po", text)
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}  # of ASCII
    built = built_guide.make("--language=ja", "--language=ko", **locale)
    assert built.returncode == 0, built.stderr
    assert "untranslated" not in built_guide.page("one", "en")
    assert ">文章です。</p>" in built_guide.page("one", "ja")
    assert "untranslated" not in built_guide.page("one", "ja")
    assert 'class="untranslated"' in built_guide.page("one", "ko")
    assert 'class="untranslated"' in built_guide.page("two", "ja")  # a page without any .po
    counts = {
        code: int(n) for code, n in re.findall(r"^warning: (\w\w): (\d+) untr", built.stdout, re.M)
    }
    assert counts["ko"] == counts["ja"] + 1
    before = built_guide.site()
    refused = built_guide.make("--language=ko", "--strict")
    assert (refused.returncode, built_guide.site()) == (1, before)
    assert f"ko: {counts['ko']} untranslated paragraphs" in refused.stderr


def test_a_build_names_the_languages_that_lack_a_link_to_a_new_one(small_guide: SmallGuide) -> None:
    small_guide.build("--language=en")
    added = small_guide.build("--language=ja").stdout
    assert "\nen: no links to ja until it is built again\n" in added
    assert "ja: no links" not in added
