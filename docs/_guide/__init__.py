"""The build of the guide: run the pages, build each language with Sphinx, publish the site.

options.py and machine.py are shared. execute imports nothing else of this package; ext,
the Sphinx extensions, imports execute; site imports ext; tools and __main__.py import all of
them.
"""
