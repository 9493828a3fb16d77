// Tabs with the same labels show the same one, on all pages: the choice is stored.
{
  const chosen = "tab"; // the name in localStorage

  function show(label) {
    for (const input of document.querySelectorAll(".tab-set > input")) {
      if (input.value === label) input.checked = true;
    }
  }

  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".tab-set > input")) return;
    const top = target.getBoundingClientRect().top;
    show(target.value);
    scrollBy(0, target.getBoundingClientRect().top - top); // tabs above may now be higher
    localStorage.setItem(chosen, target.value);
  });
  show(localStorage.getItem(chosen));
}
