"""The search: by key, by pointer, by keyboard alone, from a disk and without JavaScript."""

import csv
import re
import unicodedata
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LANGUAGES, NewPage
from tests.host import Host

QUERIES = Path(__file__).parent / "queries"
FIND = """async ([queries, folder, language]) => {
  const { find } = await import(`${folder}_static/search/engine.js`);
  const results = [];
  for (const query of queries) results.push(await find(query, `${folder}pagefind/`, language));
  return results;
}"""


def queries(language: str) -> list[dict[str, str]]:
    """What readers may type, and the pages of which one must be first or among three."""
    with (QUERIES / f"{language}.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def plain(text: str) -> str:
    """A text as a reader compares it with another."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_query_finds_its_page(laptop: Page, address: str, language: str) -> None:
    rows = queries(language)
    assert len(rows) >= 40
    folder = f"{address}{language}/"
    laptop.goto(f"{folder}index.html")
    texts = [row["query"].replace("\\n", "\n") for row in rows]
    answers = laptop.evaluate(FIND, [texts, folder, language])
    wrong = []
    for row, results in zip(rows, answers, strict=True):
        paths = [urlsplit(result["url"]).path for result in results]
        names = [path.partition(f"/guide/{language}/")[2].removesuffix(".html") for path in paths]
        hit = not set(row["pages"].split("|")).isdisjoint(
            names[: {"first": 1, "top3": 3}[row["rank"]]]
        )
        if hit and row["known_miss"]:
            wrong.append(f"{row['query'][-80:]}: found now, so empty its known_miss")
        if not hit and not row["known_miss"]:
            wrong.append(f"{row['query'][-80:]}: {names[:3]}, not {row['pages']}")
        wrong += [
            f"{row['query'][-80:]}: {result['title']} twice"
            for result in results
            if plain(result["title"]) == plain(result.get("section", ""))
        ]
    assert not wrong, "\n".join(wrong)


LOAD = """async (folder) => {
  const { load } = await import(`${folder}_static/search/engine.js`);
  await load(`${folder}pagefind/`);
}"""


@pytest.mark.parametrize(
    ("language", "word"), [("en", "gradient"), ("ja", "再コンパイル"), ("ko", "기울기")]
)
def test_a_search_for_a_word_is_light(
    laptop: Page, address: str, language: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the engine is loaded; counted by the server, for a page does not see its worker."""
    folder = f"{address}{language}/"
    laptop.goto(f"{folder}index.html")
    laptop.evaluate(LOAD, folder)
    laptop.wait_for_timeout(300)
    sizes: list[int] = []
    send_header = Host.send_header

    def counted(host: Host, name: str, value: str) -> None:
        if name == "Content-Length":
            sizes.append(int(value))
        send_header(host, name, value)

    monkeypatch.setattr(Host, "send_header", counted)
    (results,) = laptop.evaluate(FIND, [[word], folder, language])
    assert results
    assert len(sizes) > len(results)  # texts of the pages shown, and at least one part of the index
    assert len(sizes) <= 15
    assert sum(sizes) <= 250_000


@pytest.mark.parametrize("key", ["/", "Control+k"])
def test_a_key_opens_it_and_nothing_is_loaded_before(laptop: Page, address: str, key: str) -> None:
    requests: list[str] = []
    laptop.on("request", lambda request: requests.append(request.url))
    laptop.goto(f"{address}ja/transforms/grad.html")
    assert [url for url in requests if "pagefind" in url or "/search/" in url] == []
    laptop.keyboard.press(key)
    box = laptop.get_by_role("dialog", name="検索")
    expect(box.get_by_role("searchbox")).to_be_focused()
    laptop.keyboard.type("非同期ディスパッチ")
    first = box.get_by_role("listitem").first
    expect(first).to_contain_text("非同期ディスパッチ：関数は計算が終わる前に戻る")
    expect(box.locator("mark").first).to_be_visible()


def results(page: Page) -> list[str | None]:
    """Where the results lead, once those of the whole text are there."""
    listed = page.get_by_role("dialog").locator(".search-results")
    expect(listed).to_have_attribute("aria-busy", "false")
    return [link.get_attribute("href") for link in listed.locator("a").all()]


@pytest.mark.parametrize(
    ("language", "text", "is_known"),
    [
        ("en", "inqwertyuiop", False),
        ("en", "iree", False),
        ("ja", "inqwertyuiop", False),
        ("ko", "그랗다람쥐", False),
        ("en", "memory bandwidth", True),
        ("ko", "그래디언트를", True),
    ],
)
def test_typing_key_by_key_finds_what_pasting_finds(
    new_page: NewPage, address: str, language: str, text: str, is_known: bool
) -> None:
    """While one types, Pagefind loads more of its index, where it finds beginnings of a word."""
    links = []
    for how in ("typed", "pasted"):
        page = new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}{language}/index.html")
        page.keyboard.press("/")
        box = page.get_by_role("dialog").get_by_role("searchbox")
        expect(box).to_be_focused()
        if how == "typed":
            page.keyboard.type(text, delay=150)  # slower than the pause before a search
        else:
            box.fill(text)
        links.append(results(page))
        status = page.get_by_role("dialog").get_by_role("status")
        expect(status).not_to_be_empty()
        start = page.get_by_role("dialog").locator(".search-start")
        expect(start).to_be_visible(visible=not is_known)
    assert links[0] == links[1]
    assert bool(links[0]) == is_known


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "message",
    [
        "JaxRuntimeError: UNIMPLEMENTED: default_memory_space is not supported.",
        "FlaxProfileError: the ledger of microbatches was closed twice",
    ],
)
def test_a_message_that_no_page_has_leads_to_no_errors_page(
    laptop: Page, address: str, language: str, message: str
) -> None:
    folder = f"{address}{language}/"
    laptop.goto(f"{folder}index.html")
    (found,) = laptop.evaluate(FIND, [[message], folder, language])
    assert not [page["url"] for page in found[:1] if "/trouble/errors-" in page["url"]]


@pytest.mark.parametrize(
    ("language", "query", "section"),
    [
        ("en", "tensor parallelism", "scale/sharded-training.html#tensor-parallel-split-a-layer"),
        ("ja", "テンソル並列", "scale/sharded-training.html#tensor-parallel-split-a-layer"),
        ("ko", "텐서 병렬", "scale/sharded-training.html#tensor-parallel-split-a-layer"),
        ("en", "vmap", "transforms/vmap.html"),  # its title says it
    ],
)
def test_a_query_leads_to_the_section_that_answers_it(
    laptop: Page, address: str, language: str, query: str, section: str
) -> None:
    folder = f"{address}{language}/"
    laptop.goto(f"{folder}index.html")
    (found,) = laptop.evaluate(FIND, [[query], folder, language])
    assert found[0]["url"].partition(f"/guide/{language}/")[2] == section


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dotted_name_is_one_word(laptop: Page, address: str, language: str) -> None:
    folder = f"{address}{language}/"
    laptop.goto(f"{folder}index.html")
    names = ["jax.lax.scan", "block_until_ready"]
    scan, ready = laptop.evaluate(FIND, [names, folder, language])
    assert scan[0]["url"].partition("#")[0].endswith("/transforms/scan.html")
    assert not [page["url"] for page in scan if "/index.html" in page["url"]]
    for name, last, pages in ((names[0], "scan", scan), (names[1], "ready", ready)):
        excerpts = [page["excerpt"].replace("</mark><mark>", "") for page in pages]
        marks = [mark for text in excerpts for mark in re.findall("<mark>(.*?)</mark>", text)]
        assert all(last in mark.lower() for mark in marks), marks
        assert any(name in mark for mark in marks), marks


@pytest.mark.parametrize(
    ("text", "status"), [("JAX", "The best 8 pages"), ("DeviceArray", r"Pages found: [1-7]")]
)
def test_the_count_is_true(laptop: Page, address: str, text: str, status: str) -> None:
    laptop.goto(f"{address}en/index.html")
    laptop.keyboard.press("/")
    laptop.keyboard.type(text)
    box = laptop.get_by_role("dialog")
    expect(box.get_by_role("status")).to_have_text(re.compile(f"^{status}$"))
    count = box.locator(".search-results li").count()
    assert str(count) in box.get_by_role("status").inner_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_typing_there_are_places_to_go(laptop: Page, address: str, language: str) -> None:
    laptop.goto(f"{address}{language}/reference/glossary.html")
    laptop.keyboard.press("/")
    box = laptop.get_by_role("dialog")
    links = box.locator(".search-start a")
    expect(links).to_have_count(7)
    expect(links.last).to_have_text(laptop.locator("h1").inner_text().removesuffix("¶"))
    laptop.wait_for_load_state("networkidle")
    laptop.keyboard.press("ArrowDown")
    expect(links.first).to_be_focused()
    links.last.click()  # to this page
    expect(box).to_be_hidden()


def test_the_field_in_the_sidebar_opens_the_dialog(laptop: Page, address: str) -> None:
    page = f"{address}ja/transforms/grad.html"
    laptop.goto(page)
    field = laptop.locator(".sidebar-search")
    box = laptop.get_by_role("dialog", name="検索")
    field.click()
    expect(box.get_by_role("searchbox")).to_be_focused()
    laptop.keyboard.press("Escape")
    expect(field).to_be_focused()
    expect(box).to_be_hidden()
    laptop.keyboard.type("scan")
    expect(box.get_by_role("searchbox")).to_have_value("scan")
    first = box.locator(".search-results a").first
    expect(first).to_have_attribute("href", re.compile("/guide/ja/transforms/scan.html"))
    expect(field).to_have_value("")
    laptop.keyboard.press("Escape")
    laptop.keyboard.press("Enter")
    expect(box).to_be_visible()
    assert laptop.url == page


def test_kanji_are_composed_in_the_field_before_it_opens_the_dialog(
    laptop: Page, address: str
) -> None:
    laptop.goto(f"{address}ja/transforms/grad.html")
    laptop.locator(".sidebar-search").focus()
    keyboard = laptop.context.new_cdp_session(laptop)
    for text in ("こ", "こうばい"):
        place = {"selectionStart": len(text), "selectionEnd": len(text)}
        keyboard.send("Input.imeSetComposition", {"text": text, **place})
        expect(laptop.locator(".sidebar-search")).to_have_value(text)
    keyboard.send("Input.insertText", {"text": "勾配"})
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_role("dialog").get_by_role("searchbox")).to_have_value("勾配")


def test_arrows_walk_enter_goes_and_escape_returns(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ko/measure/memory.html")
    link = laptop.locator("article section > p a").first
    link.focus()
    laptop.keyboard.press("/")
    box = laptop.get_by_role("dialog", name="검색")
    laptop.keyboard.type("그래디언트를")
    links = box.locator(".search-results a")
    expect(links.nth(1)).to_be_visible()
    for key, focused in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)):
        laptop.keyboard.press(key)
        expect(links.nth(focused)).to_be_focused()
    laptop.keyboard.press("ArrowUp")
    expect(box.get_by_role("searchbox")).to_be_focused()
    laptop.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(link).to_be_focused()

    laptop.keyboard.press("/")
    box.get_by_role("searchbox").fill("lax.scan")
    laptop.keyboard.press("Enter")  # at once, before the results are there
    laptop.wait_for_url(f"{address}ko/transforms/scan.html*")


def test_a_section_of_the_same_page_is_shown_and_the_dialog_closes(
    laptop: Page, address: str
) -> None:
    laptop.goto(f"{address}en/trouble/errors-tracing.html")
    laptop.keyboard.press("/")
    box = laptop.get_by_role("dialog", name="Search")
    laptop.keyboard.type("UnexpectedTracerError Encountered an unexpected tracer")
    expect(box.locator(".search-results a").first).to_be_visible()
    laptop.keyboard.press("Enter")
    laptop.wait_for_url("**/trouble/errors-tracing.html#*")
    expect(box).to_be_hidden()


def test_a_pasted_traceback_stays_whole(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/index.html")
    laptop.keyboard.press("/")
    query = next(row["query"] for row in queries("en") if row["query"].startswith("Traceback"))
    box = laptop.get_by_role("dialog").get_by_role("searchbox")
    box.fill("jit")
    first = laptop.locator(".search-results a").first
    expect(first).to_be_visible()  # so the handler of pasted text is loaded
    box.evaluate(
        """(input, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", text);
          const paste = { clipboardData, bubbles: true, cancelable: true };
          input.dispatchEvent(new ClipboardEvent("paste", paste));
        }""",
        query.replace("\\n", "\n"),
    )
    expect(first).to_have_attribute("href", re.compile("trouble/errors-values.html#"))


def test_the_page_for_searching_searches_for_what_its_address_names(
    laptop: Page, address: str
) -> None:
    laptop.goto(f"{address}ja/search.html?q=scan")
    first = laptop.locator(".search-page .search-results a").first
    expect(first).to_have_attribute("href", re.compile("/guide/ja/transforms/scan.html"))
    first.focus()
    laptop.keyboard.press("/")
    expect(laptop.locator(".search-page input")).to_be_focused()
    laptop.locator(".sidebar-search").click()
    expect(laptop.locator(".search-page input")).to_be_focused()
    expect(laptop.get_by_role("dialog")).to_be_hidden()


def test_a_phone_has_a_button_and_room(phone: Page, address: str) -> None:
    phone.goto(f"{address}ko/transforms/vmap.html")
    phone.locator(".mobile-header").get_by_role("button", name="검색 열기").tap()
    box = phone.get_by_role("dialog", name="검색")
    box.get_by_role("searchbox").fill("ㅋㅋㅋ")
    expect(box.get_by_role("status")).to_have_text("찾은 페이지가 없습니다.")
    expect(box.get_by_role("link", name="용어집")).to_be_visible()
    box.get_by_role("searchbox").fill("jax.debug.print")
    expect(box.get_by_role("listitem").first).to_be_visible()
    assert box.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    edges = box.bounding_box()
    assert edges and edges["x"] >= 0 and edges["x"] + edges["width"] <= 390


def test_without_javascript_the_form_leads_to_its_page(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ko/transforms/grad.html")
    for button in page.locator(".search-open").all():
        expect(button).to_be_hidden()
    page.locator("input.sidebar-search").fill("vmap")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}ko/search.html?q=vmap")
    expect(page.locator(".search-page")).to_be_hidden()  # its text: tests/site/test_search.py


def test_from_a_disk_it_says_what_it_needs(laptop: Page, site: Path) -> None:
    laptop.goto(f"{site.as_uri()}/ja/transforms/grad.html")
    laptop.keyboard.press("/")
    expect(laptop.locator(".search-dialog").get_by_role("status")).to_contain_text("nox -s serve")
