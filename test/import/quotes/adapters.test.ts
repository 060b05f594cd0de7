import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { type AdapterName, adapters } from "../../../src/import/quotes/adapters.ts";
import type { FeedReading } from "../../../src/import/quotes/observation.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { temporaryFolder } from "../../support/files.ts";

const at = Date.UTC(2026, 8, 1, 12);
const header = {
  format: "itemtape-feed",
  version: 1,
  feed: "hall",
  currency: "USD",
  providers: [{ provider: "hall", name: "Hall", kind: "cash" }],
};
const quote = { market_hash_name: "Item 1", provider: "hall", side: "ask", amount: 120 };

describe("source body formats", () => {
  describe("steam", () => {
    const metadata = { updated_at: "2026-09-01T11:00:00.000Z", currency: "USD", item_count: 9 };

    it("reads integer cents, and refuses dollars, zero, negative and oversized ones", () => {
      const text = `{"metadata":${JSON.stringify(metadata)},"prices":{"a":2339,"b":41.71,"c":0,"d":-5,"e":1e30,"f":NaN,"g":"12"}}`;
      const { observations, refusals } = read("steam", text);
      expect(observations.map(({ name, side, amountCents }) => [name, side, amountCents])).to.deep.equal([
        ["a", "ask", 2339],
      ]);
      expect(reasons(refusals)).to.deep.equal({
        fractional_cents: ["b"],
        negative: ["d"],
        non_finite: ["f"],
        oversized: ["e"],
        unparsable: ["g"],
        zero: ["c"],
      });
    });

    it("dates the body, but no quote, by the sweep", () => {
      const { observations, savedAt } = read("steam", { metadata, prices: { a: 1 } });
      expect([observations[0]?.observedAt, savedAt]).to.deep.equal([null, Date.UTC(2026, 8, 1, 11)]);
    });

    const broken: [string, unknown, string][] = [
      ["another currency", { metadata: { ...metadata, currency: "EUR" }, prices: { a: 1 } }, "only USD"],
      ["no currency", { metadata: { updated_at: metadata.updated_at }, prices: { a: 1 } }, "only USD"],
      ["no prices", { metadata }, "not the Steam shape"],
      ["a list of prices", { metadata, prices: [1] }, "not the Steam shape"],
      ["no time", { metadata: { currency: "USD", updated_at: "soon" }, prices: { a: 1 } }, "not a time"],
      [
        "a time before all times",
        { metadata: { ...metadata, updated_at: "1969-12-31T23:59:59Z" }, prices: { a: 1 } },
        "not a time",
      ],
      ["one name twice", `{"metadata":${JSON.stringify(metadata)},"prices":{"a":1,"a":2}}`, "twice"],
    ];
    for (const [what, content, says] of broken) {
      it(`rejects a body with ${what}`, () => {
        expect(() => read("steam", content)).to.throw(OperatorError, says);
      });
    }
  });

  describe("buff", () => {
    it("reads decimal dollars exactly, separates phases, and counts absent prices", () => {
      const text =
        '{"Knife":{"starting_at":{"price":1041.22,"doppler":{"Ruby":11872.03,"Phase 1":"null","Phase 2":0.29}},' +
        '"highest_order":{"price":0.0}},"Case":{"starting_at":{"price":1.005},"highest_order":{"price":"null"}}}';
      const { observations, refusals, absent } = read("buff", text);
      expect(observations.map(({ name, phase, side, amountCents }) => [name, phase, side, amountCents])).to.deep.equal([
        ["Knife", null, "ask", 104_122],
        ["Knife", "Ruby", "ask", 1_187_203],
        ["Knife", "Phase 2", "ask", 29],
      ]);
      expect(absent).to.equal(3);
      expect(reasons(refusals)).to.deep.equal({ fractional_cents: ["Case"] });
    });

    it("reads a phase only from a known suffix of the name", () => {
      const side = { price: 1 };
      const names = [
        ["Knife | Doppler (Factory New) Phase2", "Knife | Doppler (Factory New)", "Phase 2"],
        ["Knife | Doppler (Factory New) Black Pearl", "Knife | Doppler (Factory New)", "Black Pearl"],
        ["Knife (Factory New) Fire&Ice 1st", "Knife (Factory New) Fire&Ice 1st", null],
        ["Sticker | Ruby", "Sticker | Ruby", null],
        ["Knife (Factory New)", "Knife (Factory New)", null],
      ] as const;
      const { observations } = read(
        "buff",
        Object.fromEntries(names.map(([written]) => [written, { starting_at: side, highest_order: side }])),
      );
      expect(observations.filter((one) => one.side === "bid").map(({ name, phase }) => [name, phase])).to.deep.equal(
        names.map(([, name, phase]) => [name, phase]),
      );
    });

    it("reads null at any depth as an absent price", () => {
      const { observations, refusals, references, absent } = read("buff", {
        Case: { starting_at: { price: 1, doppler: null }, highest_order: null },
        Key: { starting_at: { price: null }, highest_order: null },
      });
      expect([observations.length, reasons(refusals), references.length, absent]).to.deep.equal([1, {}, 3, 3]);
      expect(read("buff", { Key: { starting_at: null, highest_order: null } }).absent).to.equal(2);
    });

    it("rejects and names a malformed entry and keeps the others", () => {
      const side = { price: 1.5 };
      const { observations, refusals } = read("buff", {
        Case: { starting_at: side, highest_order: side },
        Key: { starting_at: 1.5 },
        Pin: { starting_at: { price: 1.5, doppler: [] }, highest_order: { price: "cheap" } },
      });
      expect(observations).to.have.length(3);
      expect(reasons(refusals)).to.deep.equal({
        malformed: ["Key: starting_at", "Key: highest_order", "Pin: doppler"],
        unparsable: ["Pin"],
      });
    });

    it("rejects a malformed body as a whole", () => {
      expect(() => read("buff", [])).to.throw(OperatorError, "not the Buff shape");
      expect(() => read("buff", { a: 1, b: 2 })).to.throw(OperatorError, "not the Buff shape");
    });
  });

  describe("canonical", () => {
    it("rejects control characters and lone surrogates in names and quotes", () => {
      for (const bad of ["a\u0000", "a\u001b[2J", "a\u007f", "a\u202eb", "\ud800", "x\udc00y"]) {
        const providers = [{ provider: "hall", name: bad, kind: "cash" }];
        expect(() => read("canonical", lines({ ...header, providers }, { end: true, quotes: 0 }))).to.throw(
          OperatorError,
          "providers/0/name",
        );
        const quotes = [{ ...quote, market_hash_name: bad }, { ...quote, phase: bad }, quote];
        const { observations, refusals } = read("canonical", lines(header, ...quotes, { end: true, quotes: 3 }));
        expect([observations.length, refusals.list()[0]?.reason, refusals.total]).to.deep.equal([1, "malformed", 2]);
      }
    });

    it("rejects C1 control and direction characters in a provider's name", () => {
      for (const bad of ["a\u0085", "a\u009b31m", "a\u202eb", "a\u2066b", "a\u200fb"]) {
        const providers = [{ provider: "hall", name: bad, kind: "cash" }];
        const text = lines({ ...header, providers }, { end: true, quotes: 0 });
        expect(() => read("canonical", text), JSON.stringify(bad)).to.throw(OperatorError, "providers/0/name");
      }
    });

    it("reads every documented field", () => {
      const full = {
        ...quote,
        phase: "Ruby",
        quantity: 3,
        url: "https://hall.example/offers/7",
        observed_at: "2026-09-01T11:59:00.000Z",
      };
      const byId = { item_id: 5, provider: "hall", side: "bid", amount: 1 };
      const { facts, observations } = read("canonical", lines(header, full, byId, { end: true, quotes: 2 }));
      expect(facts).to.deep.equal({ feed: "hall", adapter: "canonical", providers: header.providers });
      expect(observations).to.deep.equal([
        {
          itemId: null,
          name: "Item 1",
          phase: "Ruby",
          provider: "hall",
          side: "ask",
          amountCents: 120,
          quantity: 3,
          url: "https://hall.example/offers/7",
          observedAt: at - 60_000,
        },
        {
          itemId: 5,
          name: null,
          phase: null,
          provider: "hall",
          side: "bid",
          amountCents: 1,
          quantity: null,
          url: null,
          observedAt: null,
        },
      ]);
    });

    const refused: [string, object, string][] = [
      ["zero", { amount: 0 }, "zero"],
      ["a negative amount", { amount: -1 }, "negative"],
      ["half a cent", { amount: 1.5 }, "fractional_cents"],
      ["an amount beyond 2^53", { amount: 2 ** 53 }, "oversized"],
      ["an amount as text", { amount: "12" }, "unparsable"],
      ["no amount", { amount: undefined }, "malformed"],
      ["a quantity of zero", { quantity: 0 }, "bad_quantity"],
      ["a quantity as text", { quantity: "3" }, "bad_quantity"],
      ["an http address", { url: "http://hall.example/" }, "bad_url"],
      ["a script address", { url: "javascript:alert(1)" }, "bad_url"],
      ["an address with credentials", { url: "https://me:secret@hall.example/" }, "bad_url"],
      ["an address without a host", { url: "https://" }, "bad_url"],
      ["an observation in the future", { observed_at: "2026-09-01T13:00:00Z" }, "bad_time"],
      ["an observation on an invalid day", { observed_at: "2026-02-30T13:00:00Z" }, "bad_time"],
      ["a time without a zone", { observed_at: "2026-09-01T11:00:00" }, "bad_time"],
      ["an undeclared provider", { provider: "other" }, "undeclared_provider"],
      ["an unknown side", { side: "sale" }, "malformed"],
      ["an unknown field", { note: "x" }, "malformed"],
      ["an id beside a name", { item_id: 1 }, "malformed"],
      ["no name", { market_hash_name: undefined }, "malformed"],
    ];
    for (const [what, change, reason] of refused) {
      it(`rejects only a quote with ${what} as ${reason}`, () => {
        const { observations, refusals } = read(
          "canonical",
          lines(header, { ...quote, ...change }, quote, { end: true, quotes: 2 }),
        );
        expect(observations).to.have.length(1);
        expect(Object.keys(reasons(refusals))).to.deep.equal([reason]);
      });
    }

    const broken: [string, string, string][] = [
      ["is cut off", lines(header, quote), "end line is missing"],
      ["has a wrong count of quotes", lines(header, quote, { end: true, quotes: 2 }), "line 3: the end line counts 2"],
      ["goes on after its end", lines(header, { end: true, quotes: 0 }, quote), "line 3: a line follows the end"],
      ["has no header", lines(quote, { end: true, quotes: 1 }), "line 1: not the header"],
      ["is of a later version", lines({ ...header, version: 2 }, { end: true, quotes: 0 }), "`version` must be equal"],
      ["is in another currency", lines({ ...header, currency: "EUR" }, { end: true, quotes: 0 }), "`currency` must be"],
      ["has a blank line", `${lines(header)}\n${lines({ end: true, quotes: 0 })}`, "line 2 is blank"],
      ["ends with a blank line of white space", `${lines(header, { end: true, quotes: 0 })} \t\r\n`, "line 3 is blank"],
      ["has a line that is not JSON", `${lines(header)}{"a":}\n`, "line 2, column 6"],
      ["has a line without end", `${lines(header)}"${"x".repeat(70_000)}`, "line 2: longer than 65536 bytes"],
      [
        "declares a provider twice",
        lines({ ...header, providers: [header.providers[0], header.providers[0]] }),
        "the provider hall is declared twice",
      ],
      [
        "declares a second main platform",
        lines({ ...header, providers: [{ provider: "hall", name: "Hall", kind: "main_platform" }] }),
        "not the header",
      ],
    ];
    for (const [what, text, says] of broken) {
      it(`rejects and locates a feed that ${what}`, () => {
        expect(() => read("canonical", text)).to.throw(OperatorError, says);
      });
    }
  });

  it("replaces control and direction characters in shown names", () => {
    const { refusals } = read("buff", {
      "\u001b[2J\u202ename": { starting_at: { price: -1 }, highest_order: { price: 1 } },
    });
    expect(refusals.list()[0]?.examples).to.deep.equal(["?[2J?name"]);
  });
});

describe("body file", () => {
  const folder = temporaryFolder();
  const file = (name: string, bytes: Buffer | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  it("is read plain and compressed", async () => {
    expect((await readFeedFile(file("plain.json", "{}"))).bytes.toString()).to.equal("{}");
    expect((await readFeedFile(file("packed.json.gz", gzipSync("{}")))).bytes.toString()).to.equal("{}");
  });

  it("is never unpacked beyond its bound", async () => {
    const bomb = file("bomb.gz", gzipSync(Buffer.alloc(5_000_000)));
    await rejects(readFeedFile(bomb, 1_000_000), "unpacks to more than 1000000 bytes", 65);
    await rejects(readFeedFile(file("large.json", Buffer.alloc(2000)), 1000), "larger than 1000 bytes", 65);
  });

  it("is rejected and named if missing, empty, truncated or mislabeled", async () => {
    await rejects(readFeedFile(join(folder, "nothing.json")), "nothing.json: cannot be read (ENOENT)", 66);
    await rejects(readFeedFile(folder), "not a file", 66);
    await rejects(readFeedFile(file("empty.json", "")), "it is empty", 65);
    await rejects(readFeedFile(file("cut.gz", gzipSync("x".repeat(1000)).subarray(0, 20))), "broken gzip", 65);
    await rejects(readFeedFile(file("plain.gz", "{}")), "is not gzip", 65);
  });
});

function read(adapter: AdapterName, content: unknown): FeedReading {
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  return adapters[adapter].read({ name: "body", bytes }, at);
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function reasons(refusals: FeedReading["refusals"]): Record<string, readonly string[]> {
  return Object.fromEntries(refusals.list().map(({ reason, examples }) => [reason, examples]));
}

async function rejects(work: Promise<unknown>, says: string, exitCode: number): Promise<void> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error as OperatorError,
  );
  expect(error).to.be.instanceOf(OperatorError);
  expect(error?.message).to.contain(says);
  expect(error?.exitCode).to.equal(exitCode);
}
