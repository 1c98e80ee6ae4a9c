/** Adds a button that copies to each block of code, each address and each name to send. */
for (const code of document.querySelectorAll("pre, .address, .copyable")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent ?? "").catch(() => getSelection()?.selectAllChildren(code));
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  const block = document.createElement(code.localName === "pre" ? "div" : "span");
  block.className = "copied";
  code.replaceWith(block);
  block.append(code, button);
}
