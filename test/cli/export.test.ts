import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { publishedMeanwhile } from "../contract/replay-states.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { isLongRun } from "../support/size.ts";
import { type Account, World } from "../support/world.ts";
import { demoTerms, readBack, termsIn } from "./export-files.ts";
import { ExportServer, generation, type Item, items, lines, linesOf, sends } from "./export-server.ts";

const formats = ["ndjson", "csv", "parquet", "sqlite"] as const;

describe("itemtape export from the real service", () => {
  const folder = temporaryFolder();
  let world: World;
  let account: Account;
  let reported: { text: string; records: Record<string, never>[] };
  before(async () => {
    world = await World.start(isLongRun ? {} : { fewItems: true });
    account = world.account("trader");
    reported = await world.client.call("streamMarketSnapshot", { key: world.account("trader").secret });
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) =>
    runHere(["export", ...words], { env: { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base } });

  for (const format of formats) {
    it(`exports each item as ${format}, with the facts that identify the generation`, async () => {
      const path = join(folder, `market.${format}`);
      // Without a flag, the file name gives the format.
      const named = format === "parquet" || format === "csv" ? [] : ["--format", format];
      const { code, lines: printed, notes } = await run(path, ...named, "--json");
      expect([code, notes]).to.deep.equal([0, ["exporting"]]);
      const result = JSON.parse(printed[0]!);
      const { items: read, facts } = await readBack(format, path);
      expect(read)
        .to.have.length(reported.records.length - 2)
        .above(200);
      expect(JSON.stringify(read)).to.equal(JSON.stringify(reported.records.slice(1, -1).map(({ data }) => data)));
      const { generation: name, ingested_at } = reported.records[0] as unknown as Record<string, string>;
      expect(facts).to.include({ generation: name, ingested_at, request_id: result.request_id });
      if (format === "parquet" || format === "sqlite") expect(facts.digest).to.equal(result.digest);
      expect(result).to.include({
        result: "complete",
        file: path,
        format,
        generation: name,
        items: read.length,
        attempts: 1,
      });
      if (format !== "ndjson") expect(termsIn(format, path)).to.deep.include(demoTerms).and.to.have.length(5);
      expect(result).to.include({ bytes: statSync(path).size, digest_checked: true });
    });
  }

  it("exports ndjson with the bytes of the response", () => {
    const ownId = (text: string) => text.replaceAll(/req_[0-9a-z]{26}/g, "req");
    expect(ownId(readFileSync(join(folder, "market.ndjson"), "utf8"))).to.equal(ownId(reported.text));
  });

  it("restarts at a new generation, and rejects prices that contradict the digest", async () => {
    // The restored generation has no prices any more, only its digest.
    const undo = await publishedMeanwhile(world, account);
    const path = join(folder, "second.ndjson");
    const { code, notes } = await run(path, "--format", "ndjson", "--attempts", "2");
    const unchecked = await run(path, "--format", "ndjson", "--no-digest", "--json");
    await undo();
    expect([code, notes[1]]).to.deep.equal([94, "export changed: attempt 2 of 2 follows"]);
    expect(JSON.parse(unchecked.lines[0]!)).to.include({ generation: "g4", digest_checked: false });
  });

  it("refuses a smaller plan's key and an unknown key, with nothing left", async () => {
    const path = join(folder, "refused.csv");
    for (const [key, description] of [
      [world.account("free").secret, /HTTP 403 `plan_upgrade_required`.*see http.*\/problems\/plan_upgrade_required/],
      ["itemtape_live_unknown", /HTTP 401 `invalid_api_key`.*the environment variable ITEMTAPE_API_KEY/],
    ] as const) {
      const env = { ITEMTAPE_API_KEY: key, ITEMTAPE_URL: world.base };
      const { code, notes } = await runHere(["export", path, "--format", "csv"], { env });
      expect([code, notes.length]).to.deep.equal([77, 1]);
      expect(notes[0]).to.match(description).and.not.include(key);
    }
    expect(readdirSync(folder).filter((name) => /refused|part/.test(name))).to.deep.equal([]);
  });
});

describe("export output", () => {
  const folder = temporaryFolder();
  let server: ExportServer;
  before(async () => {
    server = await ExportServer.start();
  });
  beforeEach(() => server.reset());
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const format of formats) {
    it(`keeps awkward names, largest numbers, repeated providers and empty items as ${format}`, async () => {
      const path = join(folder, `hard.${format}`);
      const env = { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
      const { code, lines: message } = await runHere(["export", path, "--format", format], { env });
      expect(code).to.equal(0);
      expect(message[0]).to.match(new RegExp(`: complete, ${items.length} items and 7 quotes of ${generation} `));
      expect((await readBack(format, path)).items).to.deep.equal(items);
      if (format === "ndjson") expect(readFileSync(path, "utf8")).to.equal(lines.map((line) => `${line}\n`).join(""));
    });

    it(`writes every item as ${format} beyond the buffer size`, async () => {
      const url = `https://example.com/${"x".repeat(1000)}`;
      const many = Array.from({ length: 600 }, (_, index): Item => {
        const asks = [{ ...items[0]!.asks[0]!, amount: index + 1, url: url + index }];
        return { ...items[0]!, item_id: index + 1, asks, bids: [] };
      });
      server.published = many;
      server.script = [sends(linesOf(many))];
      const path = join(folder, `large.${format}`);
      const env = { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
      const { code, notes } = await runHere(["export", path, "--format", format], { env });
      expect(code, notes.join()).to.equal(0);
      expect((await readBack(format, path)).items).to.deep.equal(many);
    });
  }
});
