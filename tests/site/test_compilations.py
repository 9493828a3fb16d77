"""How many programs XLA compiles for each page: most of the time of a first build."""

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import executed_pages
