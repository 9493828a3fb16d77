// The words of Sphinx's search; Sphinx takes this file instead of its own, which is incomplete.
Documentation.addTranslations({
  "locale": "ko",
  "plural_expr": "0",
  "messages": {
    "Search Results": "검색 결과",
    "Searching": "검색 중",
    "Preparing search...": "검색을 준비하고 있습니다…",
    "Search finished, found one page matching the search query.": [
      "${resultCount}개 페이지를 찾았습니다."
    ],
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.": "일치하는 페이지가 없습니다. 낱말의 철자를 확인해 보세요.",
    ", in ": ", ",
    "Hide Search Matches": "검색어 강조 지우기"
  },
});
