"""What the audit found: one line each, with what to do."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """A page that is over a budget.

    >>> print(Finding("ja/index", "weight", "72 kB, budget 60 kB"))
    ja/index: weight: 72 kB, budget 60 kB
    """

    page: str
    check: str
    advice: str

    def __str__(self) -> str:
        """The line that is printed."""
        return f"{self.page}: {self.check}: {self.advice}"
