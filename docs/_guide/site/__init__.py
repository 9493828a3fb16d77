"""From the pages to the published folder: Sphinx for each language, the search, the root."""
