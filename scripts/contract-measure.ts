import { parseDocument, readDocumentText } from "./contract/document.ts";
import { Chance, changeKinds, type Measured, measureChange } from "./contract/measure/measure.ts";

// Arguments: number of documents, seed. A third of the documents have two or three changes.
const documents = Number(process.argv[2] ?? 1_000);
const seed = Number(process.argv[3] ?? 1);
const document = parseDocument(readDocumentText());
const chance = new Chance(seed);
const found: Measured[] = [];
for (let index = 0; index < documents; index += 1) {
  const first = changeKinds[index % changeKinds.length] ?? "";
  const more = index % 3 === 0 ? 1 + (index % 2) : 0;
  const others = Array.from({ length: more }, () => changeKinds[chance.below(changeKinds.length)] ?? "");
  const measured = measureChange(document, [...new Set([first, ...others])], chance);
  if (measured !== null) found.push(measured);
}
console.log("| kind | documents | breaking | missed | false | may break |\n|---|---|---|---|---|---|");
for (const kind of changeKinds) {
  const mine = found.filter(({ kinds }) => kinds.includes(kind));
  console.log(`| ${kind} | ${rowOf(mine)} |`);
}
console.log(`| **all** | ${rowOf(found)} |`);
for (const { kinds, missed, wrong, mayBreak } of found) {
  const all = [...missed.map((id) => `missed in ${id}`), ...wrong.map((text) => `false: ${text}`)];
  for (const line of [...all, ...mayBreak.map((text) => `may break: ${text}`)])
    console.log(`${kinds.join(" + ")}: ${line}`);
}

function rowOf(some: readonly Measured[]): string {
  const count = (of: (one: Measured) => readonly string[]) => some.reduce((sum, one) => sum + of(one).length, 0);
  const breaking = some.filter(({ breaks }) => breaks).length;
  const counts = [count(({ missed }) => missed), count(({ wrong }) => wrong), count(({ mayBreak }) => mayBreak)];
  return [some.length, breaking, ...counts].join(" | ");
}
