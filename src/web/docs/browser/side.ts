// Filters the list beside each page of the documentation: an entry stays where it has all words.
import { byId } from "../../browser/dom.ts";

const field = byId("side-find", HTMLInputElement);
const none = byId("side-none", HTMLElement);
const groups = [...document.querySelectorAll(".side-group")].map((group) => ({
  group: group as HTMLElement,
  entries: [...group.querySelectorAll("[data-find]")] as HTMLElement[],
}));

field.addEventListener("input", filter);
byId("side-filter", HTMLElement).hidden = false;
// The open page is in sight in a list that is longer than the screen; the page itself stays where it is.
const side = byId("pages", HTMLElement);
const current = side.querySelector("[aria-current]") as HTMLElement | null;
if (current !== null && current.offsetTop > side.clientHeight - 40 && getComputedStyle(side).position === "sticky")
  side.scrollTop = current.offsetTop - side.clientHeight / 2;

function filter() {
  const words = field.value.trim().toLowerCase().split(/\s+/);
  let count = 0;
  for (const { group, entries } of groups) {
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.find?.includes(word));
    const shown = entries.filter(({ hidden }) => !hidden).length;
    group.hidden = shown === 0;
    count += shown;
  }
  none.hidden = count > 0;
}
