import subprocess
import sys

from docs._guide.options import ROOT
from tests.conftest import SmallGuide


def test_nox_refuses_before_it_installs_anything(small_guide: SmallGuide) -> None:
    small_guide.write("noxfile.py", (ROOT / "noxfile.py").read_text())
    refused = subprocess.run(
        [sys.executable, "-m", "nox", "-s", "docs", "--", "--backend", "metal"],
        cwd=small_guide.root,
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2
    assert "choose one of cpu, cuda, tpu" in refused.stderr
    assert not list(small_guide.root.glob(".nox/guide*"))
