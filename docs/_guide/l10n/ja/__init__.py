"""Rules for Japanese; `textlint` is a command of its own, since it needs Node."""
