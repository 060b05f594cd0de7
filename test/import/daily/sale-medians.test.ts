import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { refuseSaleMedians } from "../../../src/import/daily/sale-medians.ts";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { canonicalText } from "./daily-world.ts";

const judge = (text: string) => refuseSaleMedians({ name: "body", bytes: Buffer.from(text) });
const said = /^body: .*: medians of completed sales are not quotes and are never imported; the whole file was refused/;

describe("sale medians", () => {
  const medians: Record<string, string> = {
    "a table with a byte-order mark": "\ufeffdate,price,volume,case\nJan 04 2026 01: +0,3.345,2238,Revolver Case\n",
    "a table": "date,price,volume\r\nJan 04 2026 01: +0,3.345,2238\r\n",
    "a table without a header": "Jan 04 2026 01: +0,3.345,2238\n",
    "a list of objects": '[{"time":1716598800000,"value":0.03,"volume":24}]',
    "a list of objects in another order": '[ {"volume": 24, "value": 0.03, "time": 1716598800000} ]',
    "the market page's own answer":
      '{"success":true,"price_prefix":"$","price_suffix":"","prices":[["Nov 27 2013 01: +0",0.331,"6112"]]}',
    "the list inside of it": '[["Nov 27 2013 01: +0",0.331,"6112"]]',
  };
  for (const [what, text] of Object.entries(medians)) {
    it(`are rejected and named as ${what}`, () => {
      expect(() => judge(text)).to.throw(OperatorError, said);
    });
  }

  const others: Record<string, string> = {
    "a Steam body": '{"metadata":{"updated_at":"2026-01-10T00:00:00Z"},"prices":{"AK-47":5}}',
    "a Buff history": '{"AK-47":[[1663243200],[1590],[0]]}',
    "a canonical history": canonicalText([{ item_id: 1, date: "2026-08-30", side: "ask", amount: 5 }]),
    "rates of the central bank": "Date,USD,JPY,\n2026-04-13,1.1684,186.75,\n",
    "an empty list": "[]",
    "a list of objects with no volume": '[{"time":1,"value":2},{"volume":3}]',
  };
  for (const [what, text] of Object.entries(others)) {
    it(`are not found in ${what}`, () => {
      judge(text);
    });
  }

  it("are found in all real median files and no other price file", async function () {
    needRealData(this);
    const refused: string[] = [];
    for (const folder of ["steam", "steam/full", "buff163", "fx", "fx/currency-api"]) {
      const names = readdirSync(join(realDataFolder, folder)).filter((name) => /\.(json|csv)(\.gz)?$/.test(name));
      for (const name of names) {
        try {
          refuseSaleMedians(await readFeedFile(join(realDataFolder, folder, name)));
        } catch {
          refused.push(name);
        }
      }
    }
    expect(refused).to.have.length(2);
    for (const name of refused) expect(name).to.match(/^pricehistory-/);
  });
});
