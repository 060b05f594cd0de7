import { parseDocument, readDocumentText } from "./contract/document.ts";
import { Chance } from "./contract/measure/chance.ts";
import { idleKinds } from "./contract/measure/expected.ts";
import { changeKinds, type Measured, measureChange } from "./contract/measure/measure.ts";

// Arguments: number of documents, seed. A tenth of the documents change nothing for clients. A third of the others have two or three changes.
const documents = Number(process.argv[2] ?? 1_000);
const seed = Number(process.argv[3] ?? 1);
const document = parseDocument(readDocumentText());
const chance = new Chance(seed);
const found: Measured[] = [];
const realKinds = changeKinds.filter((kind) => !idleKinds.includes(kind));
const turns = { real: turnsOf(realKinds), idle: turnsOf(idleKinds) };
for (let index = 0; index < documents; index += 1) {
  const kinds = kindsOf(index);
  const measured = measureChange(document, kinds, chance);
  if (measured === null) {
    console.log(`${kinds.join(" + ")}: no place`);
    continue;
  }
  found.push(measured);
  for (const line of notesOf(measured)) console.log(`${kinds.join(" + ")}: ${line}`);
}
console.log("\n| kind | documents | breaking | missed | false | may break |\n|---|---|---|---|---|---|");
for (const kind of changeKinds) {
  const mine = found.filter(({ kinds }) => kinds.includes(kind));
  console.log(`| ${kind} | ${rowOf(mine)} |`);
}
console.log(`| **all** | ${rowOf(found)} |`);
const idle = found.filter(({ kinds }) => kinds.every((kind) => idleKinds.includes(kind)));
console.log(`| that change nothing | ${rowOf(idle)} |`);
const total = (of: (one: Measured) => number) => found.reduce((sum, one) => sum + of(one), 0);
console.log(
  `\nBroken places: ${total(({ sampled }) => sampled)} by its own exchanges, ${total(({ drawn }) => drawn)} more by exchanges of the review.`,
);

function notesOf({ missed, wrong, mayBreak, silent }: Measured): string[] {
  return [
    ...missed.map((id) => `missed in ${id}`),
    ...wrong.map((text) => `false: ${text}`),
    ...mayBreak.map((text) => `may break: ${text}`),
    ...silent.map((text) => `no wrong exchange: ${text}`),
  ];
}

function kindsOf(index: number): string[] {
  if (index % 10 === 9) return [turns.idle()];
  const more = index % 3 === 0 ? 1 + (index % 2) : 0;
  return [...new Set(Array.from({ length: 1 + more }, () => turns.real()))];
}

/** Returns a function that gives the kinds in turn, each round in another order. */
function turnsOf(kinds: readonly string[]): () => string {
  let left: string[] = [];
  return () => {
    if (left.length === 0) left = [...kinds];
    return left.splice(chance.below(left.length), 1)[0] ?? "";
  };
}

function rowOf(some: readonly Measured[]): string {
  const count = (of: (one: Measured) => readonly string[]) => some.reduce((sum, one) => sum + of(one).length, 0);
  const breaking = some.filter(({ breaks }) => breaks).length;
  const counts = [count(({ missed }) => missed), count(({ wrong }) => wrong), count(({ mayBreak }) => mayBreak)];
  return [some.length, breaking, ...counts].join(" | ");
}
