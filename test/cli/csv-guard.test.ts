import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Call } from "../../src/cli/command.ts";
import { CsvWriter, DayCsvWriter } from "../../src/cli/export/csv-writer.ts";
import { printCsv } from "../../src/cli/print.ts";
import { csvOf } from "../../src/web/market/browser/csv.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { useWorld } from "../support/world.ts";

const formulas = ["=1+1", "+1 knife", "-karambit", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("http://x","y")'];
const harmless = ["★ Karambit", "AK-47", "'quoted'", "-12.50", "1e5", "", "a=b"];

describe("CSV formula guard", () => {
  const folder = temporaryFolder();
  const path = join(folder, "rows.csv");

  /** Each door writes a text, and a negative number if its rows have one. */
  const doors: Readonly<Record<string, (text: string) => string>> = {
    "search, price, history and get": (text) => {
      const lines: string[] = [];
      const call = { out: { line: (line: string) => void lines.push(`${line}\n`) } } as unknown as Call;
      printCsv(call, ["text", "amount"], [{ text, amount: -5 }]);
      return lines.join("");
    },
    export: (text) => {
      writeFileSync(path, "");
      const writer = new CsvWriter(path);
      const id = { generation: "g1", ingested_at: "2026-01-15T12:00:00.000Z", request_id: "req_1" };
      writer.start({ type: "start", ...id } as unknown as Parameters<CsvWriter["start"]>[0]);
      const item = { item_id: -5, market_hash_name: text, phase: null, availability: "quoted", asks: [], bids: [] };
      writer.item(item as unknown as Parameters<CsvWriter["item"]>[0]);
      writer.finish();
      return readFileSync(path, "utf8");
    },
    "export day": (text) => {
      writeFileSync(path, "");
      const writer = new DayCsvWriter(path, "daily");
      writer.row([-5, text]);
      writer.finish();
      return readFileSync(path, "utf8");
    },
    "the chart": (text) => {
      const row = { ts: text, amount: -5 };
      const points = [{ at: 0, state: "quoted", row }];
      const series = { key: "steam", name: "Steam", side: "ask", points };
      const chart = { step: 60 } as unknown as Parameters<typeof csvOf>[0];
      const all = [series] as unknown as Parameters<typeof csvOf>[1];
      return csvOf(chart, all, { item: text, range: { min: -1, max: 1 } });
    },
  };
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  for (const [door, write] of Object.entries(doors)) {
    it(`${door}: marks formulas with an apostrophe`, () => {
      for (const text of formulas) {
        const written = write(text);
        expect(written, text).to.include(quoted(`'${text}`));
        expect(written, text).to.match(/(?:^|[,\n])-5(?:,|\r\n)/m);
      }
    });

    it(`${door}: keeps other texts`, () => {
      for (const text of harmless)
        expect(write(text), text)
          .to.include(quoted(text))
          .and.not.include(`'${quoted(text)},`);
    });
  }
});

describe("CSV formula guard in account usage", () => {
  const world = useWorld({ fewItems: true });

  it("accounts usage: marks formulas with an apostrophe", async () => {
    for (const name of ["=1+1", "+1 knife", "-karambit", "@SUM(1)", '=HYPERLINK("http://x","y")', "-12.50"]) {
      const account = world.account("builder", name);
      await world.client.call("getItem", { path: { item_id: 95 }, key: account.secret });
    }
    const { lines } = await runHere(["accounts", "usage", "--csv", "--month", "2026-01", "--db", world.path]);
    const names = lines.map((line) => /^[^,]*,[^,]*,(.*),1$/.exec(line)?.[1]);
    expect(names).to.include.members(["'=1+1", "'+1 knife", "'-karambit", "'@SUM(1)", "-12.50"]);
    expect(names).to.include(`"'=HYPERLINK(""http://x"",""y"")"`);
  });
});
