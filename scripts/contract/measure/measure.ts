import { compareDocuments } from "../../../src/review/compare.ts";
import { type Node, node, type Operation, operationsOf, parseDocument } from "../../../src/review/document.ts";
import { Judge } from "../../../src/review/exchange/judge.ts";
import type { Finding } from "../../../src/review/finding.ts";
import { namesOfCode } from "../../../src/review/witness.ts";
import type { Chance } from "./chance.ts";
import { breakingSides, idleKinds, type Side } from "./expected.ts";
import { operationChanges, opposites } from "./operation-changes.ts";
import { otherYaml } from "./other-yaml.ts";
import { Sampler } from "./sample.ts";
import { schemaChanges } from "./schema-changes.ts";
import { sitesOf } from "./sites.ts";

/** A changed place: the kind of the change, the operation that reaches it, and its path in the operation's view. */
type Place = { kind: string; operation: string; side: Side; near: readonly string[] };

/**
 * The result of one document. `silent`: breaking kinds, each with a place, that no wrong exchange shows. `sampled`: the number of
 * places that the measure's own exchanges show as broken. `drawn`: the number of further places that only the review's exchanges show.
 */
export type Measured = {
  kinds: readonly string[];
  breaks: boolean;
  missed: readonly string[];
  wrong: readonly string[];
  mayBreak: readonly string[];
  silent: readonly string[];
  sampled: number;
  drawn: number;
};

/** All kinds of changes, by name. */
export const changeKinds: readonly string[] = [
  ...Object.keys(schemaChanges),
  ...Object.keys(operationChanges),
  ...Object.keys(opposites),
];

const exchangesMax = 200;
const operationsKept = 3;

/** Changes a part of the document by the kinds and compares both versions. Returns null if no place can be changed. */
export function measureChange(document: Node, kinds: readonly string[], chance: Chance): Measured | null {
  for (let tries = 0; tries < 100; tries += 1) {
    const before = partOf(document, chance);
    const after = structuredClone(before);
    const places: Place[] = [];
    const changed = kinds.filter((kind) => {
      const opposite = opposites[kind];
      const found = opposite === undefined ? changeBy(after, kind, chance) : changeBy(before, opposite, chance);
      places.push(...(found ?? []).map((place) => ({ ...place, kind })));
      return found !== null;
    });
    if (changed.length < kinds.length) continue;
    const isIdle = kinds.every((kind) => idleKinds.includes(kind));
    const written = isIdle ? parseDocument(otherYaml(after, chance)) : after;
    return judged({ before, after: written, kinds, places }, chance);
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

function changeBy(document: Node, kind: string, chance: Chance): Omit<Place, "kind">[] | null {
  const ofSchema = schemaChanges[kind];
  if (ofSchema !== undefined) {
    const sites = sitesOf(document);
    const start = chance.below(Math.max(1, sites.length));
    for (const { schema } of [...sites.slice(start), ...sites.slice(0, start)])
      if (ofSchema(schema, document))
        return sites
          .filter((site) => site.schema === schema)
          .map(({ operation, near, side, isStream }) => ({
            operation: operation.replace(/Again$/, ""),
            near,
            side: isStream ? "stream" : side,
          }));
    return null;
  }
  const operations = operationsOf(document).filter(({ id }) => !id.endsWith("Again") && id !== "getFurther");
  const start = chance.below(Math.max(1, operations.length));
  for (const operation of [...operations.slice(start), ...operations.slice(0, start)]) {
    const found = changeOperation(operation, document, kind);
    if (found !== null) return found;
  }
  return null;
}

function changeOperation(operation: Operation, document: Node, kind: string): Omit<Place, "kind">[] | null {
  const near = operationChanges[kind]?.(operation, document) ?? null;
  const side = near?.[0] === "responses" ? "response" : "request";
  return near === null ? null : [{ operation: operation.id, near, side }];
}

type Changed = { before: Node; after: Node; kinds: readonly string[]; places: readonly Place[] };

function judged(changed: Changed, chance: Chance): Measured {
  const { before, after, kinds, places } = changed;
  const truth = truthOf(changed, chance);
  const broken = new Set([...truth.drawn, ...truth.sampled].map(({ operation }) => operation));
  const { findings } = compareDocuments(before, after);
  const told = findings.filter(({ kind }) => kind === "breaking");
  const covers = ({ operations }: Finding, id: string) => operations.length === 0 || operations.includes(id);
  const isCode = ({ rule }: Finding) => namesOfCode.includes(rule);
  const missed = [...broken].filter((id) => !told.some((found) => covers(found, id)));
  const isIdle = kinds.every((kind) => idleKinds.includes(kind));
  const wrong = isIdle
    ? findings.filter(({ kind }) => kind !== "wording")
    : told.filter((found) => !isCode(found) && ![...broken].some((id) => covers(found, id)));
  const tell = ({ rule, description }: Finding) => `${rule}: ${description}`;
  return {
    kinds,
    breaks: broken.size > 0,
    missed,
    wrong: wrong.map(tell),
    mayBreak: findings.filter(({ kind }) => kind === "may-break").map(tell),
    silent: silentOf(places, [...truth.drawn, ...truth.sampled]),
    sampled: truth.sampled.length,
    drawn: truth.drawn.length,
  };
}

/** Returns each breaking kind that no wrong exchange shows at any place, with its first place. */
function silentOf(places: readonly Place[], broken: readonly Place[]): string[] {
  const kinds = new Set(places.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const expected = places.find((place) => place.kind === kind && breakingSides[kind]?.includes(place.side) === true);
    if (expected === undefined || broken.some((place) => place.kind === kind)) return [];
    return [`${kind} (${expected.operation} ${expected.near.join("/")})`];
  });
}

/** Finds the places with an exchange that is wrong on the other side, drawn by the measure or only by the review. */
function truthOf({ before, after, places }: Changed, chance: Chance): { sampled: Place[]; drawn: Place[] } {
  const ids = new Set(operationsOf(after).map(({ id }) => id));
  const renamed = new Map([...ids].filter((id) => id.endsWith("Again")).map((id) => [id.replace(/Again$/, ""), id]));
  const judge = new Judge({ before, after, renamed });
  const [old, now] = [new Sampler(before, chance), new Sampler(after, chance)];
  const isSampledWrong = ({ operation, near }: Place, count: number) => {
    const asked = old.operations.find(({ id }) => id === operation);
    const answered = now.operations.find(({ id }) => id === (renamed.get(operation) ?? operation));
    if (asked === undefined) return false;
    for (let index = 0; index < count; index += 1) {
      const request = old.request(asked, near);
      const isAnswer = answered !== undefined && (near[0] === "responses" || index % 4 === 0);
      const exchange = isAnswer ? now.answer(answered, request, near) : { request, answer: null, near };
      if (judge.faultsOf(exchange).length > 0) return true;
    }
    return false;
  };
  const sampled = places.filter((place) => isSampledWrong(place, sharedCount(place, places)));
  return { sampled, drawn: places.filter((place) => !sampled.includes(place) && isDrawnWrong(judge, place)) };
}

/** Returns the number of exchanges for one place: the places of an operation share them. */
function sharedCount({ operation }: Place, places: readonly Place[]): number {
  return Math.ceil(exchangesMax / places.filter((place) => place.operation === operation).length);
}

/** Checks the review's exchanges near a place: the nearest ones, and a sample of all. */
function isDrawnWrong(judge: Judge, place: Place): boolean {
  const isNear = (near: readonly string[]) =>
    place.near.every((step, index) => index >= near.length || near[index] === step);
  const distanceOf = (near: readonly string[]) => Math.abs(place.near.length - near.length);
  const near = judge
    .exchangesOf(place.operation)
    .filter((exchange) => isNear(exchange.near))
    .toSorted((one, other) => distanceOf(one.near) - distanceOf(other.near));
  const nearest = near.slice(0, exchangesMax / 2);
  const steps = Math.max(1, Math.floor(near.length / (exchangesMax / 2)));
  const picked = [...nearest, ...near.filter((_, index) => index % steps === 0)];
  return picked.slice(0, exchangesMax).some((exchange) => judge.faultsOf(exchange).length > 0);
}
