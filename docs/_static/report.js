// "Something wrong here?": add the section, and the text that the reader has selected.
{
  const link = document.querySelector("a.report");
  const body = link && new URL(link.href).searchParams.get("body");

  function sectionOf(node) {
    const heading = node?.closest?.("article section")?.querySelector("h1, h2, h3");
    return heading ? heading.firstChild.textContent : "";
  }

  link?.addEventListener("pointerdown", () => { // a click removes the selection
    const selection = getSelection();
    const text = selection.toString().slice(0, 300);
    const linked = document.querySelector(":target");
    const section = text ? sectionOf(selection.anchorNode.parentElement) : sectionOf(linked);
    const url = new URL(link.href);
    const quote = text && `\n\n${text.replace(/^/gm, "> ")}`;
    url.searchParams.set("body", body.replace("Section: ", `Section: ${section}`) + quote);
    link.href = url;
  });
}
