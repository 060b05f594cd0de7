import { join } from "node:path";
import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import { readCatalogSources } from "../../../src/import/catalog/read-source.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { type PublishOutcome, publishPoolInBatches } from "../../../src/import/pools/publish.ts";
import { readPoolFiles } from "../../../src/import/pools/read-files.ts";
import type { BatchStats } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { PoolWorld, poolsAt } from "./pool-world.ts";

const catalogFile = (name: string) => join(realDataFolder, "catalog", `cs2-lib-${name}.json.gz`);

describe("the pools of the real item list", () => {
  let world: PoolWorld;
  let outcomes: PublishOutcome[] = [];
  const batches: BatchStats[] = [];

  before(async function () {
    this.timeout(30_000);
    needRealData(this);
    world = new PoolWorld([]);
    const { $client: client } = world.database;
    client.pragma("synchronous = OFF");
    const documents = await readCatalogSources([catalogFile("items"), catalogFile("english")], "/");
    importCatalog(world.database, buildCatalog(documents).variants, poolsAt);
    const drafts = await readPoolFiles("cs2-lib", catalogFile("items"), catalogFile("english"), ".");
    const { drafted, withoutContainer } = draftPools(world.database, drafts, { clock: world.clock });
    expect([drafted.length, withoutContainer]).to.deep.equal([439, []]);
    const clock = { now: world.clock.now, monotonicMs: systemClock.monotonicMs };
    const publication = publishPoolInBatches(
      world.database,
      drafted.map(({ slug }) => slug),
      { clock },
    );
    let batch = publication.next();
    for (; batch.done !== true; batch = publication.next()) batches.push(batch.value);
    outcomes = batch.value;
  });
  after(() => world?.remove());

  const byType = () => world.all("SELECT state, type, count(*) AS pools FROM openables GROUP BY 1, 2 ORDER BY 1, 2");
  const tiersOf = (slug: string): { tier: string; weight: number; itemCount: number }[] =>
    JSON.parse(world.all<{ tiers: string }>("SELECT tiers FROM pool_revisions WHERE slug = ?", slug)[0]!.tiers);

  it("every case, capsule, package and box is published, and the terminal is not", () => {
    expect(byType()).to.deep.equal([
      { state: "active", type: "capsule", pools: 237 },
      { state: "active", type: "case", pools: 36 },
      { state: "active", type: "other", pools: 18 },
      { state: "active", type: "souvenir_package", pools: 147 },
      { state: "draft", type: "other", pools: 1 },
    ]);
    const blocked = outcomes.filter(({ outcome }) => outcome === "blocked");
    const reasonsBySlug = blocked.map(
      ({ slug, reasons }) => `${slug}: ${reasons.map(({ reason }) => reason).join("; ")}`,
    );
    expect(reasonsBySlug).to.deep.equal(["sealed-dead-hand-terminal: terminals sell offers, they are not opened"]);
    const rows = batches.reduce((sum, { rows: written }) => sum + written, 0);
    expect(rows).to.equal(438);
  });

  it("the numerators of every pool sum to its denominator, and every outcome is an exact item", () => {
    const sums = new Map<string, bigint>();
    for (const { id, numerator } of world.all<{ id: string; numerator: string }>(
      "SELECT revision_id AS id, numerator FROM pool_outcomes",
    )) {
      sums.set(id, (sums.get(id) ?? 0n) + BigInt(numerator));
    }
    const revisions = world.all<{ id: string; denominator: string }>(
      "SELECT revision_id AS id, denominator FROM pool_revisions",
    );
    expect(revisions).to.have.length(438);
    for (const { id, denominator } of revisions) expect(String(sums.get(id))).to.equal(denominator);
    const inexact = "SELECT count(*) AS n FROM pool_outcomes JOIN items USING (item_id) WHERE identity <> 'exact'";
    expect(world.all(inexact)).to.deep.equal([{ n: 0 }]);
  });

  it("Kilowatt has 13 knives and published odds; Chroma 2 has five knives in six finishes, each Doppler in seven phases", () => {
    expect(tiersOf("kilowatt-case").map(({ weight, itemCount }) => [weight, itemCount])).to.deep.equal([
      [625, 7],
      [125, 5],
      [25, 3],
      [5, 2],
      [2, 13],
    ]);
    expect(tiersOf("chroma-2-case").at(-1)).to.deep.equal({ tier: "rare_special", weight: 2, itemCount: 30 });
    const phases = world.all(
      `SELECT substr(identity_key, 1, 9) AS knife, count(DISTINCT phase) AS phases, count(DISTINCT numerator) AS shares
       FROM pool_outcomes JOIN pool_revisions USING (revision_id) JOIN items USING (item_id)
       WHERE pool_revisions.slug = 'chroma-2-case' AND phase IS NOT NULL GROUP BY 1`,
    );
    expect(phases).to.deep.equal(
      [500, 505, 506, 507, 508].map((knife) => ({ knife: `paint:${knife}`, phases: 7, shares: 4 })),
    );
    const sources = world.all("SELECT odds_source AS source, count(*) AS pools FROM pool_revisions GROUP BY 1");
    expect(sources).to.deep.equal([
      { source: "community", pools: 401 },
      { source: "inferred", pools: 10 },
      { source: "published", pools: 27 },
    ]);
  });

  it("two containers that share one of four names each have a slug of their own", () => {
    const twice = world.all<{ slug: string }>(
      `SELECT o.slug FROM openables AS o JOIN items USING (item_id)
       WHERE market_hash_name IN (SELECT market_hash_name FROM openables JOIN items USING (item_id) GROUP BY 1 HAVING count(*) > 1)
       ORDER BY 1`,
    );
    expect(twice.map(({ slug }) => slug)).to.deep.equal([
      "broken-fang-sticker-collection",
      "broken-fang-sticker-collection-4731",
      "recoil-sticker-collection",
      "recoil-sticker-collection-4723",
      "riptide-surf-shop-sticker-collection",
      "riptide-surf-shop-sticker-collection-4791",
      "shattered-web-sticker-collection",
      "shattered-web-sticker-collection-4667",
    ]);
  });
});
