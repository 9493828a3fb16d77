// A field that hides the rows without what is typed; it also finds the glossary's hidden spellings.
{
  const { label, none, rows } = document.currentScript.dataset; // words in the page's language
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: label, ariaLabel: label });
  const status = Object.assign(document.createElement("p"), { role: "status" });
  document.querySelector(".filter").prepend(field);
  document.querySelector(".filter").after(status);
  field.addEventListener("input", () => {
    let any = false;
    const typed = field.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(rows)) {
      const parts = row.matches("dt") ? [row, row.nextElementSibling] : [row];
      const hidden = !parts.some((part) => part.textContent.toLowerCase().includes(typed));
      for (const part of parts) part.hidden = hidden;
      any ||= !hidden;
    }
    status.textContent = any ? "" : none;
  });
}
