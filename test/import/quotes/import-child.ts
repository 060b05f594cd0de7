import { type ImportParts, importQuotes } from "../../../src/import/quotes/quote-import.ts";
import { openReader } from "../../../src/store/database.ts";
import { QuoteWriter } from "../../../src/store/write/quotes.ts";
import { systemClock } from "../../../src/values/time/clock.ts";

/**
 * An import in its own process: `DATABASE BODY [WHERE COUNT]`. Kills itself at the COUNT-th event of a kind. A kind is a pause between two
 * transactions, or a reading of the clock, usually inside a transaction. It can also be a quote written by a publication, or a pause with a
 * new current generation. Without COUNT it runs to its end.
 */
const [database, body, where, count] = process.argv.slice(2);
const before = where === "published" ? currentGeneration() : null;
let left = Number(count ?? Number.POSITIVE_INFINITY);
const dieAt = (place: string) => {
  if (place === where && --left === 0) process.kill(process.pid, "SIGKILL");
};
const parts: ImportParts = {
  clock: {
    now: systemClock.now,
    monotonicMs: () => {
      dieAt("inside");
      return systemClock.monotonicMs();
    },
  },
};
if (where !== undefined) {
  parts.pause = async () => {
    dieAt("between");
    if (where === "published" && currentGeneration() !== before) dieAt("published");
  };
}
if (where === "writing") {
  const { write } = QuoteWriter.prototype;
  QuoteWriter.prototype.write = function (publication, checksum) {
    const { changes } = publication;
    const { rowOf } = changes;
    changes.rowOf = (change) => {
      dieAt("writing");
      return rowOf.call(changes, change);
    };
    return write.call(this, publication, checksum);
  };
}
const report = await importQuotes(database!, body!, { adapter: "steam" }, parts);
process.stdout.write(JSON.stringify({ outcome: report.outcome, lockHeldMsMax: report.lockHeldMsMax }));

function currentGeneration(): unknown {
  return read("SELECT current_generation_id FROM market_state");
}

/** Returns the only column of the first row, or undefined without a row. */
function read(select: string): unknown {
  const { $client: client } = openReader(database!);
  const value = client.prepare(select).pluck().get();
  client.close();
  return value;
}
