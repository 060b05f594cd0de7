import { constants, deflateRawSync } from "node:zlib";
import { expect } from "chai";
import { checkDatabase, checkDatabaseInPieces } from "../../../src/store/check/check.ts";
import { checksumOfPage } from "../../../src/store/read/market-snapshot.ts";
import { deflateBlock, inflateBlock } from "../../../src/values/gzip-blocks.ts";
import { MarketFile } from "../../support/market-file.ts";

type Page = { page_key: bigint; last_item_id: bigint; items: bigint; bytes: number; crc32: number; deflated: Buffer };

describe("checking sealed pages", () => {
  const file = new MarketFile();
  const findings = (from: string[]) => from.filter((line) => line.startsWith("exports:")).join("\n");

  before(() => {
    file.writer.$client.transaction(() => {
      for (let id = 1; id <= 600; id += 1) file.item(id);
    })();
    const ask = { provider: "p", amount: 135 };
    file.publish(1, 5, Object.fromEntries(Array.from({ length: 600 }, (_, id) => [id + 1, { asks: [ask, ask, ask] }])));
    file.seal();
  });
  after(() => file.remove());

  const change = (sql: string) => () => file.writer.$client.exec(sql);
  const forge = (forged: (page: { deflated: Buffer; bytes: number; crc32: number }) => typeof page) => () => {
    const { $client } = file.writer;
    const page = $client.prepare("SELECT * FROM export_pages ORDER BY page_key DESC LIMIT 1").safeIntegers();
    const { page_key, ...row } = page.get() as Page;
    const facts = {
      firstItemId: Number(page_key & 0x7fffffffn),
      lastItemId: Number(row.last_item_id),
      items: Number(row.items),
    };
    const block = forged({ deflated: row.deflated, bytes: Number(row.bytes), crc32: Number(row.crc32) });
    $client
      .prepare(
        "UPDATE export_pages SET bytes = @bytes, crc32 = @crc32, deflated = @deflated, deflated_crc32 = @packed WHERE page_key = @page_key",
      )
      .run({ ...block, packed: checksumOfPage({ ...block, ...facts }), page_key });
  };

  it("the check of sound pages counts them and finds no fault", () => {
    const { facts, faults } = checkDatabase(file.path);
    expect(findings(faults)).to.equal("");
    expect(findings(facts)).to.match(/[2-9] sealed pages hold the lines of 600 items/);
  });

  it("beside a server each sealed page is a piece of its own, and between two of them the log can be brought into the file", () => {
    let pieces = 0;
    const again = file.writer.$client.prepare("UPDATE market_state SET note = ?");
    const { facts, faults } = checkDatabaseInPieces(file.path, () => {
      pieces += 1;
      again.run(`piece ${pieces}`);
      const [log] = file.writer.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number; log: number }[];
      expect(log).to.include({ busy: 0, log: 0 });
    });
    expect(findings(faults)).to.equal("");
    const [, pages] = /([2-9]) sealed pages hold the lines of 600 items/.exec(findings(facts)) ?? [];
    file.writer.$client.exec("CREATE TEMP TABLE kept AS SELECT * FROM export_pages; DELETE FROM export_pages");
    let without = 0;
    checkDatabaseInPieces(file.path, () => {
      without += 1;
    });
    file.writer.$client.exec("INSERT INTO export_pages SELECT * FROM temp.kept; DROP TABLE temp.kept");
    expect(pieces - without).to.equal(Number(pages));
  });

  const lies: Record<string, () => void> = {
    "another checksum of the lines": change("UPDATE export_pages SET crc32 = 0"),
    "another checksum of the block": change("UPDATE export_pages SET deflated_crc32 = 0"),
    "another length": change("UPDATE export_pages SET bytes = bytes + 1"),
    "another count": change("UPDATE export_pages SET items = items - 1"),
    "a page that claims an item of the next one": change("UPDATE export_pages SET last_item_id = last_item_id + 1"),
    "a damaged block": change("UPDATE export_pages SET deflated = zeroblob(length(deflated))"),
    "another price with checksums that hold": forge((page) =>
      deflateBlock(Buffer.from(inflateBlock(page).toString().replace('"amount":135', '"amount":136'))),
    ),
    "a block behind which nothing would be decoded": forge((page) => {
      const deflated = deflateRawSync(inflateBlock(page), { level: 1, finishFlush: constants.Z_FINISH });
      return { ...page, deflated };
    }),
  };
  for (const [what, lie] of Object.entries(lies)) {
    it(`the check of sealed pages finds ${what}`, () => {
      lie();
      expect(findings(checkDatabase(file.path).faults)).to.match(
        /[1-9] sealed pages that are not the lines of their items, such as [0-9]+–[0-9]+/,
      );
      file.writer.$client.exec("DELETE FROM export_pages");
      file.seal();
      expect(findings(checkDatabase(file.path).faults)).to.equal("");
    });
  }

  it("missing pages and pages of another generation are no fault, and the check counts the latter", () => {
    file.writer.$client.exec(
      `DELETE FROM export_pages WHERE last_item_id < 300;
       INSERT INTO export_pages VALUES ((9 << 31) + 1, 1, 1, 1, 1, 1, X'00')`,
    );
    const { facts, faults } = checkDatabase(file.path);
    expect(findings(faults)).to.equal("");
    expect(findings(facts)).to.contain("1 sealed pages of other generations are left; the next import removes them");
  });
});
