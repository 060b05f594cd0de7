// Searches within a guide: hides parts without the words, and highlights the words in the others. Enter moves to the next match.
import { byId } from "../../browser/dom.ts";

const field = byId("find", HTMLInputElement);
const parts = [...document.querySelectorAll<HTMLElement>("[data-part]")];
let ranges: Range[] = [];
let position = -1;

field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || ranges.length === 0) return;
  event.preventDefault();
  position = (position + (event.shiftKey ? ranges.length - 1 : 1)) % ranges.length;
  ranges[position]?.startContainer.parentElement?.scrollIntoView({ block: "center" });
});
// A link to a hidden part shows all parts again.
window.addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest("[data-part][hidden]") == null) return;
  field.value = "";
  search();
  target.scrollIntoView();
});
byId("search", HTMLElement).hidden = false;

function search() {
  const words = field.value.trim().toLowerCase();
  position = -1;
  const found = parts.map((part) => ({ part, own: words === "" ? [] : matches(part, words) }));
  for (const { part, own } of found) part.hidden = words !== "" && own.length === 0;
  ranges = found.flatMap(({ own }) => own);
  const count = parts.filter(({ hidden }) => !hidden).length;
  const summary = `${ranges.length} found in ${count} of ${parts.length} parts. Enter goes to the next one.`;
  byId("found", HTMLElement).textContent =
    words === "" ? "" : ranges.length === 0 ? "Not found in this page." : summary;
  // Browsers without highlights only hide the other parts.
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete("found");
  else CSS.highlights.set("found", new Highlight(...ranges));
}

/** Finds `words` (lower case) in the text of a part, also across elements. */
function matches(part: HTMLElement, words: string): Range[] {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const pieces: { node: Text; start: number }[] = [];
  let text = "";
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest(".anchor") != null) continue;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const lower = text.toLowerCase();
  // Offsets do not fit if the lower-case text has another length, which is rare.
  if (lower.length !== text.length) return [];
  const place = (offset: number) => pieces.findLast(({ start }) => start <= offset) as (typeof pieces)[number];
  const found: Range[] = [];
  for (let offset = lower.indexOf(words); offset !== -1; offset = lower.indexOf(words, offset + words.length)) {
    const range = document.createRange();
    const [first, last] = [place(offset), place(offset + words.length - 1)];
    range.setStart(first.node, offset - first.start);
    range.setEnd(last.node, offset + words.length - last.start);
    found.push(range);
  }
  return found;
}
