import { gzipSync } from "node:zlib";
import { randomOf } from "../../../scripts/support/numbers.ts";
import type { FeedAdapter } from "../../../src/import/quotes/adapters.ts";
import { readMapping } from "../../../src/import/quotes/mapping.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { canonicalBody, steamBody } from "../../support/bodies.ts";
import { publishedState, QuoteWorld } from "./quote-world.ts";

const names = Array.from({ length: 20 }, (_, index) => `Item ${index}`);

/** Every mutated shape: the adapters' shapes and a mapping's. */
export const shapes = ["steam", "buff", "canonical", "mapped"] as const;
export type Shape = (typeof shapes)[number];

const adapterOf = (shape: Shape): FeedAdapter => (shape === "mapped" ? readMapping("skinport", "/") : shape);

const centsFrom = (first: number) => Object.fromEntries(names.map((name, index) => [name, first + index]));

const bodies: Readonly<Record<Shape, string>> = {
  mapped: JSON.stringify(
    names.map((name, index) => ({
      market_hash_name: name,
      currency: "USD",
      min_price: index + 1.25,
      item_page: "https://shop.example/1",
      quantity: 1,
    })),
  ),
  steam: steamBody(centsFrom(100)),
  buff: JSON.stringify(
    Object.fromEntries(
      names.map((name, index) => [
        name,
        { starting_at: { price: index + 1.25 }, highest_order: { price: index + 0.5 } },
      ]),
    ),
  ),
  canonical: canonicalBody("hall", "hall", centsFrom(90)),
};

type Draw = (below: number) => number;
type Mutation = (text: string, draw: Draw) => Buffer | string;

/** Every one leaves something that a broken source, a torn download or an attacker could send. */
const mutations: Readonly<Record<string, Mutation>> = {
  truncated: (text, draw) => text.slice(0, draw(text.length - 1)),
  "one bit flipped": (text, draw) => {
    const bytes = Buffer.from(text);
    bytes[draw(bytes.length)]! ^= 1 << draw(8);
    return bytes;
  },
  "a piece removed": (text, draw) => {
    const at = draw(text.length - 20);
    return text.slice(0, at) + text.slice(at + 1 + draw(19));
  },
  "a key renamed": (text, draw) => replaceOne(text, /"[a-z_]+":/g, '"other":', draw),
  "a value of another type": (text, draw) =>
    replaceOne(text, /:(?:[0-9.]+|"[^"]*")/g, [":[]", ":{}", ":true", ":null", ':"x"'][draw(5)]!, draw),
  "huge numbers": (text) => text.replaceAll(/:[0-9.]+/g, ":1e308"),
  "numbers that are none": (text) => text.replaceAll(/:[0-9.]+/g, ":NaN"),
  "negative numbers": (text) => text.replaceAll(/:([0-9.]+)/g, ":-$1"),
  "zero everywhere": (text) => text.replaceAll(/:[0-9.]+/g, ":0"),
  "deep nesting": (text, draw) => replaceOne(text, /:[0-9.]+/g, `:${"[".repeat(50_000)}`, draw),
  "a key twice": (text, draw) => replaceOne(text, /\{("[^"]+":)/g, "{$1null,$1", draw),
  "unknown names": (text) => text.replaceAll("Item ", "Ietm "),
  "half of the file twice": (text, draw) => text.slice(0, draw(text.length)) + text,
  "gzip cut off": (text, draw) => {
    const packed = gzipSync(text);
    return packed.subarray(0, 3 + draw(packed.length - 4));
  },
  "gzip with a byte changed": (text, draw) => {
    const packed = gzipSync(text);
    packed[10 + draw(packed.length - 10)]! ^= 1 + draw(255);
    return packed;
  },
  "not UTF-8": (text, draw) =>
    Buffer.concat([Buffer.from(text.slice(0, draw(text.length))), Buffer.from([0xff, 0xfe])]),
  "another currency": (text) => text.replace('"USD"', '"EUR"').replace('"version":1', '"version":1,"currency":"EUR"'),
  shrunk: (text) => text.replaceAll(/Item 1?[3-9]/g, "Gone"),
};

export type FeedReport = {
  feeds: number;
  /** Refused feeds by the kind of their mutation. */
  refused: Map<string, number>;
  /** Faults, each with its mutation. Empty in a good run. */
  faults: string[];
};

/**
 * Imports `feeds` mutated bodies of one shape from `seed` into one file. A refused body must leave the file unchanged and its message must
 * name the source. An accepted body must leave a complete generation.
 */
export async function feedRing(shape: Shape, { feeds = 72, seed = 1 } = {}): Promise<FeedReport> {
  const world = new QuoteWorld(names.map(() => ({})));
  const kinds = Object.keys(mutations);
  const report: FeedReport = { feeds: 0, refused: new Map(kinds.map((kind) => [kind, 0])), faults: [] };
  try {
    for (const other of shapes) await world.import(world.body(bodies[other]), { adapter: adapterOf(other) });
    const adapter = adapterOf(shape);
    const draw = drawsFrom(seed);
    let digest = world.logicalDigest();
    for (; report.feeds < feeds; report.feeds += 1) {
      const kind = kinds[report.feeds % kinds.length]!;
      const path = world.body(Buffer.from(mutations[kind]!(bodies[shape], draw)));
      const error = await world.import(path, { adapter }).then(
        () => null,
        (error: unknown) => error as Error,
      );
      const fault = error === null ? brokenGeneration(world) : wrongRefusal(world, { error, path, digest });
      if (error === null) digest = world.logicalDigest();
      else report.refused.set(kind, report.refused.get(kind)! + 1);
      if (fault !== null) report.faults.push(`${shape}, seed ${seed}, feed ${report.feeds}, ${kind}: ${fault}`);
    }
    return report;
  } finally {
    world.destroy();
  }
}

function brokenGeneration(world: QuoteWorld): string | null {
  const { recorded, actual } = publishedState(world.path);
  return recorded === actual ? null : "the published quotes do not have their digest";
}

function wrongRefusal(
  world: QuoteWorld,
  { error, path, digest }: { error: Error; path: string; digest: string },
): string | null {
  if (!(error instanceof OperatorError)) return String(error);
  if (!error.message.includes(path)) return `the refusal names no file: ${error.message}`;
  return world.logicalDigest() === digest ? null : "the refusal changed the file";
}

function replaceOne(text: string, pattern: RegExp, by: string, draw: Draw): string {
  const found = [...text.matchAll(pattern)];
  const match = found[draw(found.length)]!;
  return text.slice(0, match.index) + match[0].replace(pattern, by) + text.slice(match.index + match[0].length);
}

/** The same draws in every run. */
function drawsFrom(seed: number): Draw {
  const random = randomOf(seed);
  return (below) => Math.floor((random() / 2 ** 32) * below);
}
