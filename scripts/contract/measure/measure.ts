import { compareDocuments } from "../../../src/review/compare.ts";
import { type Node, node, type Operation, operationsOf } from "../../../src/review/document.ts";
import { Judge } from "../../../src/review/exchange/judge.ts";
import type { Finding } from "../../../src/review/finding.ts";
import { operationChanges } from "./operation-changes.ts";
import { schemaChanges } from "./schema-changes.ts";
import { sitesOf } from "./sites.ts";

/** A changed place: the operation that reaches it, and its path in the operation's view. */
type Place = { operation: string; near: readonly string[] };

/** The result of one document. `silent`: its kinds of changes without a wrong exchange. */
export type Measured = {
  kinds: readonly string[];
  breaks: boolean;
  missed: readonly string[];
  wrong: readonly string[];
  mayBreak: readonly string[];
};

/** All kinds of changes, by name. */
export const changeKinds: readonly string[] = [...Object.keys(schemaChanges), ...Object.keys(operationChanges)];

const exchangesMax = 200;
const operationsKept = 3;
/** Rules that concern only generated code, so no exchange violates them. */
const namesOfCode = ["operation-id", "parameter-renamed", "discriminator", "server", "schema-renamed"];

/** Random integers from a seed, the same in every run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % count;
  }
}

/** Changes a part of the document by the kinds and compares both versions. Returns null if no place can be changed. */
export function measureChange(document: Node, kinds: readonly string[], chance: Chance): Measured | null {
  for (let tries = 0; tries < 40; tries += 1) {
    const before = partOf(document, chance);
    const after = structuredClone(before);
    const places: Place[] = [];
    const changed = kinds.filter((kind) => {
      const found = changeBy(after, kind, chance);
      places.push(...(found ?? []));
      return found !== null;
    });
    if (changed.length < kinds.length) continue;
    return judged({ before, after, kinds, places });
  }
  return null;
}

/** Returns a document with a few of the operations, without examples of responses. */
function partOf(document: Node, chance: Chance): Node {
  const operations = operationsOf(document);
  const kept = new Set(Array.from({ length: operationsKept }, () => operations[chance.below(operations.length)]?.path));
  const paths = Object.fromEntries(Object.entries(node(document.paths)).filter(([path]) => kept.has(path)));
  const { examples: _, ...components } = node(document.components);
  const part = structuredClone({ ...document, paths, components });
  for (const { node: operation } of operationsOf(part)) dropExamples(operation);
  dropExamples(node(part.components).responses);
  return part;
}

function dropExamples(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { examples } = value as Node;
  if (examples !== undefined && !Array.isArray(examples)) delete (value as Node).examples;
  for (const child of Object.values(value)) dropExamples(child);
}

function changeBy(after: Node, kind: string, chance: Chance): Place[] | null {
  const ofSchema = schemaChanges[kind];
  if (ofSchema !== undefined) {
    const sites = sitesOf(after);
    const start = chance.below(Math.max(1, sites.length));
    for (const { schema } of [...sites.slice(start), ...sites.slice(0, start)])
      if (ofSchema(schema, after))
        return sites
          .filter((site) => site.schema === schema)
          .map(({ operation, near }) => ({ operation: operation.replace(/Again$/, ""), near }));
    return null;
  }
  const operations = operationsOf(after).filter(({ id }) => !id.endsWith("Again") && id !== "getFurther");
  const operation = operations[chance.below(Math.max(1, operations.length))];
  if (operation === undefined) return null;
  return changeOperation(operation, after, kind);
}

function changeOperation(operation: Operation, after: Node, kind: string): Place[] | null {
  const near = operationChanges[kind]?.(operation, after) ?? null;
  return near === null ? null : [{ operation: operation.id, near }];
}

type Changed = { before: Node; after: Node; kinds: readonly string[]; places: readonly Place[] };

function judged({ before, after, kinds, places }: Changed): Measured {
  const ids = new Set(operationsOf(after).map(({ id }) => id));
  const renamed = new Map([...ids].filter((id) => id.endsWith("Again")).map((id) => [id.replace(/Again$/, ""), id]));
  const judge = new Judge({ before, after, renamed });
  const broken = new Set<string>();
  for (const operation of new Set(places.map((place) => place.operation))) {
    const near = places.filter((place) => place.operation === operation).map((place) => place.near);
    // Each changed place has its own exchanges.
    if (near.some((place) => wrongOf(judge, operation, [place]) !== null)) broken.add(operation);
  }
  const { findings } = compareDocuments(before, after);
  const told = findings.filter(({ kind }) => kind === "breaking");
  const covers = ({ operations }: Finding, id: string) => operations.length === 0 || operations.includes(id);
  const isCode = ({ rule }: Finding) => namesOfCode.includes(rule);
  const missed = [...broken].filter((id) => !told.some((found) => covers(found, id)));
  const wrong = told.filter((found) => !isCode(found) && ![...broken].some((id) => covers(found, id)));
  const tell = ({ rule, description }: Finding) => `${rule}: ${description}`;
  const mayBreak = findings.filter(({ kind }) => kind === "may-break").map(tell);
  return { kinds, breaks: broken.size > 0, missed, wrong: wrong.map(tell), mayBreak };
}

/** Checks exchanges near the changed places. Returns the reason why the first one is wrong for the other side. */
function wrongOf(judge: Judge, operation: string, places: readonly (readonly string[])[]): string | null {
  const isNear = (near: readonly string[]) =>
    places.some((place) => place.every((step, index) => index >= near.length || near[index] === step));
  const distanceOf = (near: readonly string[]) =>
    Math.min(...places.map((place) => Math.abs(place.length - near.length)));
  // The nearest ones first, then a sample of all.
  const near = judge
    .exchangesOf(operation)
    .filter((exchange) => isNear(exchange.near))
    .toSorted((one, other) => distanceOf(one.near) - distanceOf(other.near));
  const nearest = near.slice(0, exchangesMax / 2);
  const steps = Math.max(1, Math.floor(near.length / (exchangesMax / 2)));
  const picked = [...nearest, ...near.filter((_, index) => index % steps === 0)];
  for (const exchange of picked.slice(0, exchangesMax)) {
    const [fault] = judge.faultsOf(exchange);
    if (fault !== undefined) return fault;
  }
  return null;
}
