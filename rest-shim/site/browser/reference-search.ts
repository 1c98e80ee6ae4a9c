/** The contents of the API reference: search, and the mark of the section that is read. */

import { byId } from "../../../src/service/checkout/page/elements.ts";

const contents = byId("contents");
const search = byId("search") as HTMLInputElement;
const sections = [...document.querySelectorAll<HTMLElement>("main > section")];

contents.addEventListener("click", ({ target }) => {
  const isLink = target instanceof Element && target.closest("a");
  if (isLink && contents.matches(":popover-open")) contents.hidePopover();
});
search.addEventListener("input", filter);
markCurrent();

/** Marks the section on the screen in the contents. */
function markCurrent(): void {
  const headings = new IntersectionObserver(
    (entries) => {
      const shown = entries.find(({ isIntersecting }) => isIntersecting)?.target.querySelector("h2");
      if (!shown) return;
      for (const link of contents.querySelectorAll("a")) {
        if (link.hash === `#${shown.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-10% 0px -80%" },
  );
  for (const section of sections) headings.observe(section);
}

/** Shows only the sections that contain every word of the search, and their links. */
function filter(): void {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const section of sections) {
    const text = section.textContent?.toLowerCase() ?? "";
    const isFound = words.every((word) => text.includes(word));
    if (isFound) count += 1;
    // Who sends what was found needs a token.
    section.hidden = !isFound && !section.querySelector("#authorization");
    const id = section.querySelector("h2")?.id;
    for (const item of contents.querySelectorAll<HTMLElement>(`li:has(a[href="#${id}"])`)) item.hidden = section.hidden;
  }
  const found = count === 0 ? "Nothing found: search for operations, fields or error codes." : `${count} found`;
  byId("found").textContent = search.value === "" ? "" : found;
}
