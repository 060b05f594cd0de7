import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { roiMethodology, valuationModes } from "../../../src/roi/calculation.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { checkOpenables } from "../../../src/store/check/openables.ts";
import { openReader, readTransaction } from "../../../src/store/database.ts";
import { refuseUnlessValid } from "../../../src/store/file/file.ts";
import { OpenablesStore, openableOfColumns } from "../../../src/store/read/openables.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { putBucket, putCalculation } from "../../domain/openables-world.ts";
import { Random } from "../../sim/random.ts";
import { MarketFile } from "../../support/market-file.ts";
import { insertPool } from "../../support/pools.ts";
import { bySize } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";

const flipsWanted = bySize({ short: 6, long: 60 });
const prizes = Array.from({ length: 40 }, (_, index) => index + 10);
const start = 20_000 * dayMs;
const slugs = ["first", "second"];

describe("check of openables", () => {
  let file: MarketFile;
  let revisions: string[];

  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.transaction(fill)();
  });
  afterEach(() => file.remove());

  function fill(): void {
    for (const itemId of [1, 2, 3, ...prizes]) file.item(itemId);
    revisions = [...slugs, "first"].map((slug, at) => {
      const outcomes = prizes.map((itemId, index) => ({ itemId, tier: `tier-${index % 4}`, numerator: index + at }));
      const definition = JSON.stringify({ slug, note: "a definition" });
      return insertPool(file.writer, { slug, itemId: slugs.indexOf(slug) + 1, outcomes, definition }).revisionId!;
    });
    insertPool(file.writer, { slug: "draft", itemId: 3, state: "draft", outcomes: [] });
    for (const [at, slug] of slugs.entries()) {
      const revisionId = revisions[at]!;
      for (const valuationMode of valuationModes) {
        const ledger = prizes.map((itemId) => [itemId, "steam", start, null] as const);
        putCalculation(file.writer, { slug, revisionId, valuationMode, calculatedAt: start, priceAsOf: start, ledger });
        for (let index = 0; index < 10; index += 1) {
          const series = { slug, revisionId, valuationMode, priceAsOf: start };
          putBucket(file.writer, { ...series, granularity: "day", ts: start + index * dayMs });
          putBucket(file.writer, { ...series, granularity: "hour", ts: start + index * hourMs });
        }
      }
    }
  }

  it("finds no fault in sound openables, and counts them", () => {
    expect(checkOpenables(file.reader)).to.deep.equal([
      {
        isFault: false,
        description: "3 revisions of pools, 4 calculations and 80 points of their history are unchanged",
      },
    ]);
    expect(checkDatabase(file.path).faults.filter((fault) => /^(openables|pages|tables)/.test(fault))).to.deep.equal(
      [],
    );
    const empty = new MarketFile();
    expect(faultsOf(empty)).to.equal("");
    empty.remove();
  });

  const revised = "DROP TRIGGER pool_revisions_never_change; UPDATE pool_revisions SET";
  const lies: Record<string, { sql: string; description: RegExp }> = {
    "another definition": {
      sql: `${revised} definition = replace(definition, 'a d', 'b d') WHERE revision_number = 2`,
      description: /^1 revisions of pools that were changed, such as first revision 2$/,
    },
    "another numerator": {
      sql: "DROP TRIGGER pool_outcomes_never_change; UPDATE pool_outcomes SET numerator = '9' WHERE numerator = '8'",
      description: /^3 revisions of pools that were changed/,
    },
    "a missing outcome": {
      sql: "DROP TRIGGER pool_outcomes_never_vanish; DELETE FROM pool_outcomes WHERE position = 39",
      description: /^3 revisions .*\n.*4 calculations with a ledger that differs from their revision's outcomes/,
    },
    "another container's revision": {
      sql: "UPDATE openables SET revision_id = (SELECT revision_id FROM openables WHERE slug = 'second') WHERE slug = 'first'",
      description: /^1 openables with another openable's revision, such as first$/,
    },
    "uncounted changes": {
      sql: "DELETE FROM openable_changes",
      description: /^changes of openables are not counted, so servers keep sending cached lists$/,
    },
    "other numbers": {
      sql: "UPDATE roi_calculations SET numbers = replace(numbers, '294', '295') WHERE valuation_mode = 'cash_ask'",
      description:
        /^2 calculations that were changed, such as first in cash_ask by roi-1, second in cash_ask by roi-1$/,
    },
    "another cost in the history": {
      sql: "UPDATE roi_history SET cost_cents = cost_cents + 1 WHERE granularity = 'day' AND slug = 'first'",
      description: /^20 points of a history that were changed, such as first in cash_ask, day 1728000000000/,
    },
    "a history of another methodology": {
      sql: "UPDATE roi_history SET methodology_version = 'roi-2'",
      description: /^80 points of a history that were changed/,
    },
  };
  for (const [what, { sql, description }] of Object.entries(lies)) {
    it(`reports ${what}`, () => {
      edit(file.writer.$client, sql);
      expect(faultsOf(file)).to.match(description);
    });
  }

  it("reports impossible rows with valid checksums", () => {
    const outcomes = prizes.map((itemId) => ({ itemId, tier: "only", numerator: 1 }));
    const revisionId = insertPool(file.writer, { slug: "second", itemId: 2, denominator: 41, outcomes }).revisionId!;
    expect(faultsOf(file)).to.equal(
      "1 revisions of pools with probabilities that do not sum to 1, such as second revision 2",
    );
    putCalculation(file.writer, { slug: "second", revisionId, calculatedAt: start, ledger: [0] });
    putCalculation(file.writer, {
      slug: "first",
      revisionId,
      calculatedAt: start,
      ledger: prizes.map(() => 0 as const),
    });
    putBucket(file.writer, { slug: "first", revisionId, granularity: "day", ts: start });
    expect(faultsOf(file).split("\n").slice(1)).to.deep.equal([
      "1 calculations with a revision of another openable, such as first in steam_gross by roi-1",
      "1 calculations with a ledger that differs from their revision's outcomes, such as second in steam_gross by roi-1",
      "1 points of a history with a revision of another openable, such as first in steam_gross, day 1728000000000",
    ]);
  });

  it("accepts publications, calculations and log checkpoints between two pieces", () => {
    const outcomes = prizes.map((itemId) => ({ itemId, tier: "only", numerator: 1 }));
    let chunks = 0;
    const found = checkOpenables(file.reader, (read) => {
      chunks += 1;
      const result = readTransaction(file.reader, read);
      if (chunks > 5) return result;
      const { revisionId } = insertPool(file.writer, { slug: "second", itemId: 2, outcomes });
      const ledger = prizes.map(() => 0 as const);
      const series = { slug: "second", revisionId: revisionId!, priceAsOf: start };
      putCalculation(file.writer, { ...series, calculatedAt: start + chunks, ledger });
      putBucket(file.writer, { ...series, granularity: "day", ts: start + (chunks % 3) * dayMs });
      const [log] = file.writer.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number; log: number }[];
      expect(log).to.include({ busy: 0, log: 0 });
      return result;
    });
    expect(found.filter(({ isFault }) => isFault)).to.deep.equal([]);
    expect(chunks).to.be.at.least(6);
  });

  it(`reports all ${flipsWanted} random single-bit flips that change an openable's answer`, function () {
    this.timeout(180_000);
    for (const client of [file.reader.$client, file.writer.$client]) client.close();
    const dense = new SqliteDatabase(file.path);
    dense.exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
    dense.close();
    const bytes = readFileSync(file.path);
    const truth = answersOf(file.path);
    const random = new Random(20260304);
    const missed: string[] = [];
    const handle = openSync(file.path, "r+");
    for (let changing = 0; changing < flipsWanted; ) {
      const [offset, bit] = [random.between(0, bytes.length - 1), random.between(0, 7)];
      writeSync(handle, Buffer.of(bytes[offset]! ^ (1 << bit)), 0, 1, offset);
      if (answersOf(file.path) !== truth) {
        changing += 1;
        if (!isFound(file.path)) missed.push(`byte ${offset} bit ${bit}`);
      }
      writeSync(handle, bytes, offset, 1, offset);
    }
    closeSync(handle);
    expect(missed).to.deep.equal([]);
  });
});

function faultsOf({ reader }: MarketFile): string {
  const found = checkOpenables(reader).filter(({ isFault }) => isFault);
  return found.map(({ description }) => description).join("\n");
}

function isFound(path: string): boolean {
  try {
    refuseUnlessValid(path);
    // The items of this file were not imported, so the catalog check reports each of them.
    return checkDatabase(path).faults.some((fault) => !fault.startsWith("catalog: 43 items whose columns"));
  } catch {
    return true;
  }
}

/** Everything that the store returns about openables, as one text. */
function answersOf(path: string): string {
  const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 2000 };
  try {
    const database = openReader(path);
    try {
      const store = new OpenablesStore(database);
      return JSON.stringify(
        valuationModes.map((valuationMode) => {
          const key = { valuationMode, methodologyVersion: roiMethodology };
          return [
            store.page({ ...key, after: "", limit: 100 }).map(openableOfColumns),
            ...slugs.map((slug) => {
              const ledger = store.ledger({ ...key, slug, revisionId: null });
              const outcomes = store.outcomes({ revisionId: String(ledger?.revisionId), from: 0, limit: 1000 });
              const points = (["day", "hour"] as const).map((granularity) =>
                store.history({ ...key, slug, granularity, ...whole }),
              );
              return [store.find({ ...key, slug }), ledger, outcomes, points];
            }),
          ];
        }),
      );
    } finally {
      database.$client.close();
    }
  } catch (error) {
    return String(error);
  }
}
