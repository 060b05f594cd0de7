import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readWrittenJson, validatorOf } from "../../../src/import/written-json.ts";
import { QuoteWorld } from "../../import/quotes/quote-world.ts";
import { answer, FeedServer } from "../../jobs/mirror/feed-server.ts";
import { runHere } from "../../support/cli.ts";
import { fencesOf, guideFile, readGuides } from "../../support/guides.ts";
import { casesBySize } from "../../support/size.ts";
import { needTool } from "../../support/skip.ts";

const names = ["Glock-18 | Pink DDPAT (Minimal Wear)", "Chroma Case"];
const textOf = (name: string) => readGuides().find(({ path }) => path.endsWith(`/${name}.md`))?.text ?? "";
const [prices = ""] = fencesOf(textOf("live-prices"), "json");
const [mapping = "", config = "", headers = ""] = fencesOf(textOf("data-in"), "json");

describe("guide to live prices", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld(names.map((marketHashName) => ({ marketHashName })));
    writeFileSync(join(world.folder, "prices.json"), prices);
  });
  afterEach(() => world.destroy());

  /** Runs a program of the guide as printed. Returns the prices published from its file. */
  async function asksOf(program: string, file: string) {
    writeFileSync(join(world.folder, file), guideFile(file));
    execFileSync(program, [file], { cwd: world.folder, stdio: "pipe" });
    await world.import(join(world.folder, "corner-shop.ndjson"), { adapter: "canonical" });
    return world.all(
      "SELECT market_hash_name AS name, ask_cents AS cents FROM best_asks JOIN items USING (item_id) ORDER BY cents",
    );
  }
  const asks = [
    { name: names[1], cents: 40 },
    { name: names[0], cents: 152 },
  ];

  it("has a Python program that writes a publishable canonical feed", async function () {
    needTool(this, "python3", "--version");
    expect(await asksOf("python3", "feed.py")).to.deep.equal(asks);
  });

  it("has a Node program that writes a publishable canonical feed", async () => {
    expect(await asksOf(process.execPath, "feed.mjs")).to.deep.equal(asks);
  });

  it("has programs that reject and name a price without two decimals", async function () {
    needTool(this, "python3", "--version");
    for (const price of casesBySize(["1.5", "2", "1.234", "1,50"], 2)) {
      writeFileSync(join(world.folder, "prices.json"), JSON.stringify({ "Chroma Case": price }));
      for (const [program, file] of [
        ["python3", "feed.py"],
        [process.execPath, "feed.mjs"],
      ] as const) {
        writeFileSync(join(world.folder, file), guideFile(file));
        const { status, stderr } = spawnSync(program, [file], { cwd: world.folder, encoding: "utf8" });
        expect([status, existsSync(join(world.folder, "corner-shop.ndjson"))], file).to.deep.equal([1, false]);
        expect(stderr, file).to.include(`Chroma Case: ${price} needs two decimals`);
      }
    }
  });

  it("has a data configuration that polls a replay with a key", async () => {
    const server = new FeedServer();
    await server.start();
    const entry = (name: string, min_price: number | null) => ({ market_hash_name: name, currency: "USD", min_price });
    const entries = [...names.map((name, index) => entry(name, index + 0.5)), entry("Nothing like it", 3)];
    server.behave = answer(200, JSON.stringify(entries));
    try {
      const written = JSON.parse(config) as { feeds: { source: string }[] };
      const source = server.url;
      const keyed = JSON.parse(`{${headers}}`) as object;
      const feeds = written.feeds.map((feed) => ({ ...feed, ...keyed, source }));
      const path = join(world.folder, "mirror.json");
      writeFileSync(path, JSON.stringify({ feeds }));
      const env = { ITEMTAPE_FEED_AUTHORIZATION: "Basic bG9jYWw6cmVwbGF5" };
      const { code, lines } = await runHere(["mirror", "--once", "--mirror-config", path, "--db", world.path], { env });
      expect(code).to.equal(0);
      expect(lines[0]).to.match(/^skinport: verified, 2 items in \d+ bytes, 1 price refused$/);
      expect(lines).to.include("published g1 with skinport: 2 items");
      expect(server.heads[0]).to.include("authorization: basic bg9jyww6cmvwbgf5");
    } finally {
      await server.stop();
    }
  });

  it("prints only configurations and mappings that the schemas accept", () => {
    const file = join(world.folder, "shown.json");
    writeFileSync(file, config);
    const schema = (name: string) => validatorOf(new URL(`../../../src/${name}.schema.json`, import.meta.url))();
    readWrittenJson(file, schema("jobs/mirror/mirror-config"), "file");
    writeFileSync(file, mapping);
    readWrittenJson(file, schema("import/quotes/mapping"), "file");
    expect(readFileSync(file, "utf8")).to.include("itemtape-mapping");
  });
});
