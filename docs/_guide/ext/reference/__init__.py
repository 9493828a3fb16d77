"""Directives that fill reference pages from data: `{terms}` and `{licences}`."""
