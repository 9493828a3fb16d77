"""One runnable, doctested script a subject; the pages show the same code."""
