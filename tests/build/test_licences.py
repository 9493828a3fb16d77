"""The texts of licences come from the installed packages."""

from types import SimpleNamespace

import pytest
from sphinx.errors import SphinxError

from docs._guide.ext.reference import licences
from docs._guide.ext.reference.licences import Work, text_of


def test_all_licence_files_of_a_package_are_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"COPYING": lambda: "MIT", "LICENSE": lambda: "BSD", "README": lambda: "no licence"}
    files = [SimpleNamespace(stem=stem, read_text=read) for stem, read in texts.items()]
    monkeypatch.setattr(licences, "distribution", lambda name: SimpleNamespace(files=files))
    work = Work("A work", "", "some-package", "MIT AND BSD", "", "")
    assert text_of(work) == "MIT\nBSD"
    del files[:2]
    with pytest.raises(SphinxError, match=r"^some-package has no licence file: "):
        text_of(work)
