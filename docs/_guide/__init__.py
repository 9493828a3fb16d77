"""The build of the guide: run the pages, build each language with Sphinx, publish the site.

options.py and machine.py are shared. Above them, each package imports only those before it:
execute (runs the pages), po (reads translations), ext (the Sphinx extensions), site (makes the
site of what Sphinx writes), __main__.py (one build). l10n (checks of the translations) imports po,
and tools (what else the noxfile calls) imports all.
"""
