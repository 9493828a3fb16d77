// A field that hides the rows without what is typed; it also finds the glossary's hidden spellings.
{
  const { label, rows } = document.currentScript.dataset; // the label is in the page's language
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: label, ariaLabel: label });
  document.querySelector(".filter").prepend(field);
  field.addEventListener("input", () => {
    const typed = field.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(rows)) {
      const parts = row.matches("dt") ? [row, row.nextElementSibling] : [row];
      const hidden = !parts.some((part) => part.textContent.toLowerCase().includes(typed));
      for (const part of parts) part.hidden = hidden;
    }
  });
}
