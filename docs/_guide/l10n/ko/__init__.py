"""Rules for Korean; `spelling` is a command of its own, since it needs Hunspell and Kiwi."""

from docs._guide.l10n.ko import endings, particles, patterns

CHECKS = (endings, particles, patterns)
