// Searches within a guide: parts without the words are hidden, the words in the others are marked, Enter goes to the next one.

const box = document.getElementById("search") as HTMLElement;
const field = document.getElementById("find") as HTMLInputElement;
const found = document.getElementById("found") as HTMLElement;
const parts = [...document.querySelectorAll("[data-part]")] as HTMLElement[];

let ranges: Range[] = [];
let position = -1;

field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || ranges.length === 0) return;
  event.preventDefault();
  position = (position + (event.shiftKey ? ranges.length - 1 : 1)) % ranges.length;
  ranges[position]?.startContainer.parentElement?.scrollIntoView({ block: "center" });
});
// A link to a part that the search hides shows everything again.
window.addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest("[data-part][hidden]") == null) return;
  field.value = "";
  search();
  target?.scrollIntoView();
});
box.hidden = false;

function search() {
  const words = field.value.trim().toLowerCase();
  position = -1;
  ranges = [];
  let count = 0;
  for (const part of parts) {
    const own = words === "" ? [] : matches(part, words);
    part.hidden = words !== "" && own.length === 0;
    if (own.length > 0) count += 1;
    ranges.push(...own);
  }
  found.textContent = words === "" ? "" : summary(count);
  // Browsers without highlights hide the other parts all the same.
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete("found");
  else CSS.highlights.set("found", new Highlight(...ranges));
}

function summary(count: number) {
  if (ranges.length === 0) return "Not found in this page.";
  return `${ranges.length} found in ${count} of ${parts.length} parts. Enter goes to the next one.`;
}

/** Finds `words` (lower case) in the text of a part, also across the edge of an element. */
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
  // Rarely lower case is longer: offsets would then be wrong.
  if (lower.length !== text.length) return [];
  const own: Range[] = [];
  for (let offset = lower.indexOf(words); offset !== -1; offset = lower.indexOf(words, offset + words.length)) {
    const range = document.createRange();
    const [first, last] = [pieceAt(pieces, offset), pieceAt(pieces, offset + words.length - 1)];
    range.setStart(first.node, offset - first.start);
    range.setEnd(last.node, offset + words.length - last.start);
    own.push(range);
  }
  return own;
}

function pieceAt(pieces: { node: Text; start: number }[], offset: number) {
  return pieces.findLast(({ start }) => start <= offset) as { node: Text; start: number };
}
