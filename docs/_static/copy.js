// A button on each block of code that copies it: without prompts, with its comments as shown.
{
  const words = document.currentScript.dataset; // in the page's language
  const status = Object.assign(document.createElement("div"), { className: "copy-status", role: "status" });

  function code(block) {
    const lines = block.querySelector("pre").textContent.trimEnd().split("\n");
    const prompts = lines.filter((line) => /^(>>>|\.\.\.|\$) /.test(line));
    return (prompts.length ? prompts.map((line) => line.replace(/^\S+ /, "")) : lines).join("\n");
  }

  function addButton(block) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
    button.title = button.ariaLabel = words.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code(block));
      button.classList.add("copied");
      status.textContent = words.copied;
      setTimeout(() => (button.classList.remove("copied"), (status.textContent = "")), 2000);
    });
    block.append(button);
  }

  if (navigator.clipboard) { // not on a page from a disk
    document.body.append(status);
    for (const block of document.querySelectorAll("article div.highlight")) {
      if (!block.closest(".cell_output, .checks, .claim, .phrases")) addButton(block);
    }
  }
}
