import { type DailyImportOptions, importDaily } from "../../../src/import/daily/daily-import.ts";
import type { DailyReport } from "../../../src/import/daily/report.ts";
import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { type Database, openWriter } from "../../../src/store/database.ts";
import { type Finalized, finalizeDaysInBatches } from "../../../src/store/write/finalize-days.ts";
import { dayOf, parseDay } from "../../../src/values/time/calendar.ts";
import { edit } from "../../support/unguarded.ts";
import { contentOf, timesOf } from "../quotes/frame-world.ts";
import { QuoteWorld } from "../quotes/quote-world.ts";

const rifleId = 4;

export const knife = "★ Karambit | Doppler (Factory New)";
export const dayOfText = (text: string) => parseDay(text)!;
/** Noon of a date, as Unix seconds. */
export const noon = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000;

/** A market with a knife of two phases and an unphased identity, a rifle, and a name that two items share. */
export class DailyWorld extends QuoteWorld {
  constructor() {
    super([
      { marketHashName: knife, phase: "Phase 2", identityKey: "paint:507:419/fn/plain/p2" },
      { marketHashName: knife, phase: "Ruby", identityKey: "paint:507:415/fn/plain/ruby" },
      { marketHashName: knife, identity: "unphased", identityKey: "paint:507:doppler/fn/plain/" },
      { marketHashName: "AK-47 | Redline (Field-Tested)", identityKey: "paint:7:282/ft/plain/" },
      { marketHashName: "Pin", identityKey: "pin:1//plain/" },
      { marketHashName: "Pin", identityKey: "pin:2//plain/" },
    ]);
  }

  importDaily(bodyPath: string, options: DailyImportOptions): Promise<DailyReport> {
    return importDaily(this.path, bodyPath, options, { clock: this.clock, pause: async () => {} });
  }

  write(statements: string): void {
    this.#writing((database) => edit(database.$client, statements));
  }

  /** Records northgate's ask for the rifle in an hour of a day, after an import has added northgate. */
  recordAsk(date: string, hour: number, amount: number): void {
    this.#writing((database) => {
      const ask = { provider: "northgate", side: "ask" as const, amount, quantity: null, observedAt: null };
      const content = contentOf("northgate", new Map([[rifleId, [ask]]]), { providers: ["northgate"] });
      const steps = recordFrameInBatches(database, content, timesOf(dayOfText(date) * 24 + hour), {
        clock: this.clock,
      });
      while (!steps.next().done);
    });
  }

  finalize(): Finalized {
    return this.#writing((database) => {
      const steps = finalizeDaysInBatches(database, dayOf(this.now), this.clock);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
      }
    });
  }

  /** Stores rates of the yuan by date. A date has one rate per source. */
  rates(rates: Record<string, string>, source = "ecb"): void {
    this.write("INSERT OR IGNORE INTO currencies VALUES ('CNY', 2)");
    for (const [date, rate] of Object.entries(rates)) {
      const day = dayOfText(date);
      this.write(`INSERT INTO exchange_rates VALUES ('CNY', '${source}', ${day}, '${rate}', 'test-1', NULL, 0)`);
    }
  }

  /** Every daily row in words, `import` being null for recorded ones. */
  rows(): string[] {
    return this.all<Record<string, string | number | null>>(
      `SELECT item_id, side, date(day * 86400, 'unixepoch') AS date, provider, amount, low_amount, high_amount, observations,
       coalesce(quantity, 'none') AS quantity, coalesce(import_id, 'recorded') AS import FROM daily_prices`,
    ).map((row) => Object.values(row).join(" "));
  }

  /** Everything that an import of daily history may touch. */
  dailyContent(): string {
    const tables = ["daily_prices", "daily_imports", "daily_import_rates", "feed_days", "feeds", "providers", "items"];
    return JSON.stringify(tables.map((table) => this.all(`SELECT * FROM ${table}`)));
  }

  #writing<T>(work: (database: Database) => T): T {
    const database = openWriter(this.path, 1000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  }
}

export const header = {
  format: "itemtape-daily",
  version: 1,
  feed: "northgate",
  provider: { provider: "northgate", name: "Northgate", kind: "cash" },
};

/** A canonical history of these rows; `end` null leaves the end line out. */
export function canonicalText(rows: readonly object[], head: object = header, end: object | null = null): string {
  const lines = [head, ...rows, end ?? { end: true, rows: rows.length }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
