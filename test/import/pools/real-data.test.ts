import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import { readCatalogSources } from "../../../src/import/catalog/read-source.ts";
import { poolCompletions } from "../../../src/import/pool-completions.ts";
import { type CompletedPool, draftPools } from "../../../src/import/pools/draft.ts";
import { type PublishOutcome, publishPoolInBatches } from "../../../src/import/pools/publish.ts";
import { readPoolFiles } from "../../../src/import/pools/read-files.ts";
import { PoolCatalog } from "../../../src/store/read/pool-catalog.ts";
import type { BatchStats } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { PoolWorld, poolsAt } from "./pool-world.ts";

const catalogFile = (name: string) => join(realDataFolder, "catalog", `cs2-lib-${name}.json.gz`);

const ofContainer = "SELECT slug FROM openable_drafts JOIN item_sources USING (item_id) WHERE source_key = ?";
const originalCases = [
  "cs-go-weapon-case",
  "cs-go-weapon-case-2",
  "cs-go-weapon-case-3",
  "esports-2013-case",
  "esports-2013-winter-case",
  "esports-2014-summer-case",
  "operation-bravo-case",
  "operation-phoenix-weapon-case",
  "operation-vanguard-weapon-case",
  "revolver-case",
  "winter-offensive-weapon-case",
];
const newerCases = ["danger-zone-case", "fracture-case", "horizon-case", "shattered-web-case"];
const json = (path: string) => JSON.parse(readFileSync(join(realDataFolder, path), "utf8"));

describeLong("pools of the real item list", () => {
  let world: PoolWorld;
  let outcomes: PublishOutcome[] = [];
  const batches: BatchStats[] = [];
  const blockedAsListed = new Map<string, string>();
  let completions: CompletedPool[] = [];

  before(async function () {
    this.timeout(180_000);
    needRealData(this);
    world = new PoolWorld([]);
    const { $client: client } = world.database;
    client.pragma("synchronous = OFF");
    const documents = await readCatalogSources([catalogFile("items"), catalogFile("english")], "/");
    importCatalog(world.database, buildCatalog(documents).variants, poolsAt);
    const drafts = await readPoolFiles("cs2-lib", catalogFile("items"), catalogFile("english"), ".");
    draftPools(world.database, drafts, { clock: world.clock });
    for (const { definition } of drafts) {
      if (definition.type !== "case") continue;
      const [{ slug }] = world.all<{ slug: string }>(ofContainer, definition.container) as [{ slug: string }];
      const { outcome, reasons } = world.publish(slug);
      if (outcome === "blocked") blockedAsListed.set(slug, reasons.map(({ reason }) => reason).join("; "));
    }
    const parts = { clock: world.clock, completions: poolCompletions() };
    const { drafted, withoutContainer, completed } = draftPools(world.database, drafts, parts);
    completions = completed;
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

  it("publish every case, capsule, package and box, but not the terminal", () => {
    expect(byType()).to.deep.equal([
      { state: "active", type: "capsule", pools: 237 },
      { state: "active", type: "case", pools: 36 },
      { state: "active", type: "other", pools: 18 },
      { state: "active", type: "souvenir_package", pools: 147 },
    ]);
    const blocked = outcomes.filter(({ outcome }) => outcome === "blocked");
    const reasonsBySlug = blocked.map(
      ({ slug, reasons }) => `${slug}: ${reasons.map(({ reason }) => reason).join("; ")}`,
    );
    expect(reasonsBySlug).to.deep.equal(["sealed-dead-hand-terminal: terminals sell offers, they are not opened"]);
    const rows = batches.reduce((sum, { rows: written }) => sum + written, 0);
    expect(rows).to.equal(438 - 21);
  });

  it("appear truncated for exactly the fifteen lists of fifty rare specials", () => {
    expect([...blockedAsListed.keys()].sort()).to.deep.equal([...originalCases, ...newerCases].sort());
    const end =
      "its list of rare specials looks cut off: 15 lists of its source end at 50 rare specials and none is longer";
    const beside = "knives beside them have the finishes of";
    for (const slug of originalCases)
      expect(blockedAsListed.get(slug)).to.equal(`${end}; ${beside} Karambit | Fade, Karambit | Urban Masked`);
    for (const slug of ["danger-zone-case", "horizon-case"])
      expect(blockedAsListed.get(slug)).to.equal(`${end}; ${beside} Ursus Knife | Safari Mesh, Ursus Knife | Scorched`);
    for (const slug of ["fracture-case", "shattered-web-case"])
      expect(blockedAsListed.get(slug)).to.equal(
        `${end}; ${beside} Survival Knife | Forest DDPAT, Survival Knife | Boreal Forest`,
      );
  });

  it("complete those fifteen with real knives of the item list", () => {
    const added = Object.fromEntries(completions.map(({ slug, added: names }) => [slug, names.length]));
    expect(added).to.deep.equal(
      Object.fromEntries([...originalCases.map((slug) => [slug, 15]), ...newerCases.map((slug) => [slug, 2])]),
    );
    const catalog = new PoolCatalog(world.database);
    const withoutWear = (found: string) => found.replace(/ \([^)]*\)$/, "");
    for (const { specials } of poolCompletions().values()) {
      for (const [object, name] of specials) {
        const names = new Set(catalog.find(object).flatMap((found) => found.names.map(withoutWear)));
        expect(names, object).to.deep.equal(new Set([`★ ${name}`, `★ StatTrak™ ${name}`]));
      }
    }
  });

  it("match the cited repository in knives, finishes and counts", () => {
    const finishes = new Set<string>(json("roi/case-ev/catalogues/knives/Original.json").Finishes.Simple);
    for (const { name, specials, reference, container } of poolCompletions().values()) {
      const file = /data\/catalogues\/cases\/(\w+)\.json/.exec(reference)![1]!;
      const knifeOf = (special: string) => special.split(" | ")[0]!;
      const listed = json(`roi/case-ev/catalogues/cases/${file}.json`).Knives as string[];
      expect(new Set([...specials.values()].map(knifeOf)), name).to.deep.equal(new Set(listed));
      for (const knife of listed) {
        const own = [...specials.values()].filter((special) => knifeOf(special) === knife);
        const ofFamily = own.map((special) => (special.split(" | ")[1] ?? "Vanilla").replace("Night Stripe", "Night"));
        expect(new Set(ofFamily), `${name}: ${knife}`).to.deep.equal(finishes);
      }
      const counted = gunzipSync(readFileSync(join(realDataFolder, `roi/case-ev/precomputed/${file}.json.gz`)));
      const [{ tiers }] = world.all<{ tiers: string }>(
        `SELECT tiers FROM pool_revisions JOIN openables USING (slug) JOIN items USING (item_id)
         WHERE identity_key GLOB ? || '/*' ORDER BY revision_number DESC LIMIT 1`,
        container,
      ) as [{ tiers: string }];
      const itemCounts = (JSON.parse(tiers) as { itemCount: number }[]).map(({ itemCount }) => itemCount);
      expect(
        itemCounts.reduce((sum, count) => sum + count, 0),
        name,
      ).to.equal(JSON.parse(String(counted)).item_count);
    }
  });

  it("have exact items as outcomes, with numerators that sum to the denominator", () => {
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

  it("have known knives, finishes and phases for Kilowatt and Chroma 2", () => {
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
      { source: "inferred", pools: 25 },
      { source: "published", pools: 12 },
    ]);
  });

  it("give two containers with a shared name distinct slugs", () => {
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
