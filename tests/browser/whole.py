"""A page whose sections do not wait: all of it is laid out, as after a reload."""

WHOLE = "document.documentElement.classList.remove('first-visit')"
