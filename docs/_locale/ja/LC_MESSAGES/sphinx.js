// The words of Sphinx's search; Sphinx takes this file instead of its own, which is incomplete.
Documentation.addTranslations({
  "locale": "ja",
  "plural_expr": "0",
  "messages": {
    "Search Results": "検索結果",
    "Searching": "検索中",
    "Preparing search...": "検索を準備しています…",
    "Search finished, found one page matching the search query.": [
      "${resultCount}ページが見つかりました。"
    ],
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.": "該当するページは見つかりませんでした。語のつづりを確かめてください。",
    ", in ": "、",
    "Hide Search Matches": "検索語の強調を消す"
  },
});
