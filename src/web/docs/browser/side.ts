// Filters the list beside each page of the documentation by words that an entry must all have.
import { byId } from "../../browser/dom.ts";

const field = byId("side-find", HTMLInputElement);
const none = byId("side-none", HTMLElement);

field.addEventListener("input", filter);
byId("side-filter", HTMLElement).hidden = false;
// Scrolls a list that is longer than the screen to the open page, without moving the page itself.
const side = byId("pages", HTMLElement);
const current = side.querySelector<HTMLElement>("[aria-current]");
if (current !== null && current.offsetTop > side.clientHeight - 40 && getComputedStyle(side).position === "sticky")
  side.scrollTop = current.offsetTop - side.clientHeight / 2;

function filter() {
  const words = field.value.trim().toLowerCase().split(/\s+/);
  none.hidden = false;
  for (const group of document.querySelectorAll<HTMLElement>(".side-group")) {
    const entries = [...group.querySelectorAll<HTMLElement>("[data-find]")];
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.find?.includes(word));
    group.hidden = entries.every(({ hidden }) => hidden);
    if (!group.hidden) none.hidden = true;
  }
}
