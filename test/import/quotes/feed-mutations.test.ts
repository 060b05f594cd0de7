import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { AdapterName } from "../../../src/import/quotes/adapters.ts";
import { OperatorError } from "../../../src/values/operator-error.ts";
import { publishedState, QuoteWorld } from "./quote-world.ts";

const mutationsPerShape = 72;
const names = Array.from({ length: 20 }, (_, index) => `Item ${index}`);

const bodies: Readonly<Record<AdapterName, string>> = {
  steam: JSON.stringify({
    metadata: { updated_at: "2026-09-01T11:00:00.000Z", currency: "USD", item_count: 20 },
    prices: Object.fromEntries(names.map((name, index) => [name, 100 + index])),
  }),
  buff: JSON.stringify(
    Object.fromEntries(
      names.map((name, index) => [
        name,
        { starting_at: { price: index + 1.25 }, highest_order: { price: index + 0.5 } },
      ]),
    ),
  ),
  canonical: [
    {
      format: "itemtape-feed",
      version: 1,
      feed: "hall",
      providers: [{ provider: "hall", name: "Hall", kind: "cash" }],
    },
    ...names.map((name, index) => ({ market_hash_name: name, provider: "hall", side: "ask", amount: 90 + index })),
    { end: true, quotes: names.length },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(""),
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

describe("broken feeds", function () {
  this.timeout(60_000);
  let world: QuoteWorld;
  before(async () => {
    world = new QuoteWorld(names.map(() => ({})));
    for (const [adapter, text] of Object.entries(bodies))
      await world.import(world.body(text), { adapter: adapter as AdapterName });
  });
  after(() => world.destroy());

  for (const adapter of ["steam", "buff", "canonical"] as const) {
    it(`mutated feeds of the ${adapter} shape publish and record nothing when they are refused, and a whole generation when not`, async () => {
      const draw = drawsFrom(adapter.length * 7919);
      const kinds = Object.keys(mutations);
      const refused = new Map(kinds.map((kind) => [kind, 0]));
      let digest = world.logicalDigest();
      for (let count = 0; count < mutationsPerShape; count += 1) {
        const kind = kinds[count % kinds.length]!;
        const path = world.body(Buffer.from(mutations[kind]!(bodies[adapter], draw)));
        const error = await world.import(path, { adapter }).then(
          () => null,
          (error: unknown) => error,
        );
        if (error === null) {
          expectWholeGeneration(world);
          digest = world.logicalDigest();
        } else {
          expect(error, `${kind}: ${String(error)}`).to.be.instanceOf(OperatorError);
          expect((error as Error).message, kind).to.contain(path);
          expect(world.logicalDigest(), kind).to.equal(digest);
          refused.set(kind, refused.get(kind)! + 1);
        }
      }
      const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
      expect(total, JSON.stringify([...refused])).to.be.at.least(36);
      for (const kind of [
        "truncated",
        "deep nesting",
        "numbers that are none",
        "gzip cut off",
        "not UTF-8",
        "unknown names",
      ])
        expect(refused.get(kind), kind).to.be.at.least(4);
    });
  }
});

function expectWholeGeneration(world: QuoteWorld): void {
  const { recorded, actual, orphans } = publishedState(world.path);
  expect(recorded).to.equal(actual);
  expect(orphans).to.equal(0);
}

function replaceOne(text: string, pattern: RegExp, by: string, draw: Draw): string {
  const found = [...text.matchAll(pattern)];
  const match = found[draw(found.length)]!;
  return text.slice(0, match.index) + match[0].replace(pattern, by) + text.slice(match.index + match[0].length);
}

/** The same draws in every run. */
function drawsFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
