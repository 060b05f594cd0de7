// Searches the whole documentation from the side list of each page.
import { html } from "lit-html";
import { plural } from "../../../values/text/counted.ts";
import { byId, fill } from "../../browser/dom.ts";
import { type Entry, foundIn } from "./search.ts";

/** Maximum number of results shown. */
const shownMax = 12;
const field = byId("side-find", HTMLInputElement);
const groups = document.querySelectorAll<HTMLElement>(".side-group");
let entries: Promise<readonly Entry[]> | null = null;

field.addEventListener("focus", () => void read());
field.addEventListener("input", () => void search());
byId("side-filter", HTMLElement).hidden = false;
// Scrolls a long side list to the open page, without moving the page itself.
const side = byId("pages", HTMLElement);
const current = side.querySelector<HTMLElement>("[aria-current]");
if (current !== null && current.offsetTop > side.clientHeight - 40 && getComputedStyle(side).position === "sticky")
  side.scrollTop = current.offsetTop - side.clientHeight / 2;

/** Loads the index once; a failure is retried at the next call. */
function read(): Promise<readonly Entry[]> {
  entries ??= fetch("/docs/search.json").then((answer) => answer.json());
  entries.catch(() => {
    entries = null;
  });
  return entries;
}

async function search() {
  const query = field.value.trim();
  const found = query === "" ? [] : foundIn(await read(), query);
  // A newer query shows its own results.
  if (query !== field.value.trim()) return;
  for (const group of groups) group.hidden = query !== "";
  const rows = found
    .slice(0, shownMax)
    .map(
      ([path, title, part]) =>
        html`<li><a href=${path}>${title}${part === "" ? "" : html`<span>${part}</span>`}</a></li>`,
    );
  fill("side-found", rows);
  const none = "Nothing here has these words.";
  byId("side-count", HTMLElement).textContent =
    query === "" ? "" : found.length === 0 ? none : plural(found.length, "result");
}
