// A field that hides the terms without what is typed; it also finds their hidden spellings.
{
  const words = document.currentScript.dataset; // in the page's language
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: words.filter, ariaLabel: words.filter });
  document.querySelector(".letters").prepend(field);
  field.addEventListener("input", () => {
    const typed = field.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(".terms tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(typed);
  });
}
