import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { readShippedList } from "../../src/import/catalog/shipped-catalog.ts";
import { readPoolFiles } from "../../src/import/pools/read-files.ts";
import { dayOf, dayText } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { documentsOf, PoolWorld, tierOf, weapon, weaponCase } from "../import/pools/pool-world.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { needRealData, realDataFolder } from "../support/skip.ts";

const installed = "node_modules/@ianlucas/cs2-lib";
const rows = [
  weapon(1, "AK-47 | One"),
  weapon(2, "AK-47 | Two", { rarity: "#eb4b4b" }),
  weapon(3, "M4A4 | Dear", { rarity: "#e4ae39" }),
  weaponCase(800, "Box", { contents: [1, 2] }),
  weaponCase(801, "Dear Case", { contents: [1, 3] }),
  weaponCase(802, "Sealed Terminal", { contents: [1], keys: [] }),
];

describe("itemtape openables", () => {
  const world = new PoolWorld(rows);
  const folder = temporaryFolder();
  const db = ["--db", world.path];
  const documents = documentsOf(rows);
  const file = (name: string, value: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, name.endsWith(".gz") ? gzipSync(JSON.stringify(value)) : JSON.stringify(value));
    return path;
  };
  const items = file("items.json.gz", documents.items.value);
  const english = file("english.json", documents.english.value);
  const draftList = ["openables", "draft", items, "--adapter", "cs2-lib", "--english", english, ...db];
  const own = (facts: object = {}) => ({
    format: "itemtape-pool",
    version: 1,
    container: "cs2-lib:801",
    type: "case",
    requires_key: true,
    counter_chance: "1/10",
    odds: { source: "community", reference: "counted" },
    wear: { model: "wear-1", reference: "measured" },
    tiers: [tierOf(["cs2-lib:1"])],
    ...facts,
  });
  after(() => {
    world.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it("drafts a list, publishes complete pools and lists others with reasons", async () => {
    expect((await runHere(draftList)).lines).to.deep.equal([
      "3 pools: 3 new, 0 changed, 0 unchanged",
      "  types     case 2, other 1",
    ]);
    expect(await runHere(["openables", "publish", "--all", ...db])).to.deep.include({
      code: 0,
      lines: [
        "3 pools: 1 published, 2 blocked",
        "  blocked  1 by tier_without_weight",
        "  blocked  1 by never_published",
        "dear-case is blocked: the weight of the tier contraband is unknown (tier_without_weight)",
        "sealed-terminal is blocked: terminals sell offers, they are not opened (never_published)",
      ],
    });
    const named = await runHere(["openables", "publish", "box", "dear-case", ...db]);
    expect(named.code).to.equal(65);
    expect(named.lines[0]).to.match(/^box unchanged: revision 1 \(pr_[0-9a-f]{24}\), 20 outcomes$/);
    expect(named.lines.slice(1)).to.deep.equal([
      "dear-case is blocked: the weight of the tier contraband is unknown (tier_without_weight)",
    ]);
    expect((await runHere(draftList)).lines[0]).to.equal("3 pools: 0 new, 0 changed, 3 unchanged");
  });

  it("publishes the shipped catalog's complete pools but no retired one", async () => {
    const { items: listed, english: names } = readShippedList();
    const boxes = listed.filter(({ id }) => /\| (Kilowatt Case|Sealed Genesis Terminal)$/.test(names[id]!.name));
    const ids = new Set(boxes.flatMap(({ id, contents = [], specials = [] }) => [id, ...contents, ...specials]));
    const its = listed.filter(({ id }) => ids.has(id)).map((row) => ({ ...row, name: names[row.id]!.name }));
    const own = new PoolWorld(its);
    const call = () => jsonOf("openables", "draft", "shipped", "--publish", "--db", own.path);
    const slugs = ["kilowatt-case", "sealed-genesis-terminal"];
    const first = await call();
    expect(first.pools.map((pool: { slug: string }) => pool.slug)).to.have.members(slugs);
    const outcomes = first.published.pools.map((pool: { slug: string; outcome: string }) => [pool.slug, pool.outcome]);
    expect(Object.fromEntries(outcomes)).to.deep.equal({ [slugs[0]!]: "published", [slugs[1]!]: "blocked" });
    expect((await runHere(["openables", "retire", "kilowatt-case", "--db", own.path])).code).to.equal(0);
    expect((await call()).published).to.deep.include({ retired_with_draft: ["kilowatt-case"] });
    own.remove();
  });

  itLong("calculates each container that one cash provider's prices cover", async function () {
    this.timeout(180_000);
    needRealData(this);
    const newest = readdirSync(join(realDataFolder, "steam/full")).sort().at(-1)!;
    const { prices } = JSON.parse(String(gunzipSync(readFileSync(join(realDataFolder, "steam/full", newest)))));
    const body = Object.entries<number>(prices).map(([market_hash_name, cents]) => {
      return { market_hash_name, currency: "USD", item_page: "https://skinport.example/item", min_price: cents / 100 };
    });
    const own = ["--db", join(folder, "market.db")];
    expect((await runHere(["db", "create", ...own])).code).to.equal(0);
    await jsonOf("import", "catalog", "shipped", ...own);
    await jsonOf("import", "quotes", file("skinport.json", body), "--mapping", "skinport", ...own);
    const { published } = await jsonOf("openables", "draft", "shipped", "--publish", ...own);
    const outcomes = published.pools.map(({ outcome }: { outcome: string }) => outcome);
    expect(
      ["published", "blocked"].map((wanted) => outcomes.filter((one: string) => one === wanted).length),
    ).to.deep.equal([456, 2]);
    const { modes } = await jsonOf("roi", "calculate", ...own);
    expect(modes.cash_ask).to.include({ published: 397, withheld: 59, without_point: 223 });
  });

  it("drafts the same from a folder, the installed package or files", async () => {
    const from = process.cwd();
    for (const inner of ["lists", `${installed}/dist/translations`])
      mkdirSync(join(folder, inner), { recursive: true });
    file("lists/cs2-lib-items.json.gz", documents.items.value);
    file("lists/cs2-lib-english.json", documents.english.value);
    for (const name of ["items", "translations/english", "translations/russian"]) {
      const { value } = name === "items" ? documents.items : documents.english;
      writeFileSync(join(folder, installed, `dist/${name}.mjs`), `export const list = ${JSON.stringify(value)};`);
    }
    process.chdir(folder);
    try {
      for (const source of ["lists", "@ianlucas/cs2-lib"]) {
        const words = ["openables", "draft", source, "--adapter", "cs2-lib", ...db];
        const { lines, notes } = await runHere(words);
        expect(lines[0], notes.join()).to.equal("3 pools: 0 new, 0 changed, 3 unchanged");
        const named = await runHere([...words, "--english", english]);
        expect([named.code, ...named.notes]).to.deep.equal([64, `itemtape: --english: ${source} brings its own names`]);
      }
    } finally {
      process.chdir(from);
    }
    const [pool] = await readPoolFiles("cs2-lib", "@ianlucas/cs2-lib", null, folder);
    expect(pool!.provenance.files.map(({ name }) => name)).to.deep.equal(["items.mjs", "english.mjs"]);
    const sha256 = createHash("sha256").update(readFileSync(join(folder, installed, "dist/items.mjs")));
    expect(pool!.provenance.files[0]!.sha256).to.equal(sha256.digest("hex"));
  });

  it("`show` lists pools with their states, or one pool with its blockers", async () => {
    const { lines } = await runHere(["openables", "show", ...db]);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 6))).to.deep.equal([
      ["SLUG", "STATE", "TYPE", "REVISION", "OUTCOMES", "ODDS"],
      ["box", "active", "case", "1", "20", "published"],
      ["dear-case", "draft", "case", "-", "-", "-"],
      ["sealed-terminal", "draft", "other", "-", "-", "-"],
    ]);
    const listed: { slug: string; state: string; outcome_count: number | null }[] = await jsonOf(
      "openables",
      "show",
      ...db,
    );
    expect(listed.map(({ slug, state, outcome_count }) => [slug, state, outcome_count])).to.deep.equal([
      ["box", "active", 20],
      ["dear-case", "draft", null],
      ["sealed-terminal", "draft", null],
    ]);
    const { revision } = await jsonOf("openables", "show", "box", ...db);
    expect(revision).to.include({
      revision_id: (listed[0] as { revision_id?: string }).revision_id,
      revision_number: 1,
    });
    const shown = (await runHere(["openables", "show", "box", ...db])).lines.join("\n");
    expect(shown)
      .to.include('box (active): case "Box", item ')
      .and.to.include("    covert    weight 5  0.79365079 %  1 item");
    const sha256 = createHash("sha256").update(readFileSync(items)).digest("hex");
    expect(shown).to.include(`  source    cs2-lib, items.json.gz (sha256 ${sha256}), english.json (sha256 `);
    expect(shown).to.not.include(folder);
    const dear = await jsonOf("openables", "show", "dear-case", ...db);
    expect(dear).to.deep.include({ slug: "dear-case", state: "draft", revision: null, key_cost_cents: 249 });
    expect(dear.draft.tiers).to.deep.equal([
      { tier: "mil_spec", weight: 625, probability_pct: null, item_count: 1 },
      { tier: "contraband", weight: null, probability_pct: null, item_count: 1 },
    ]);
    expect(dear.draft.blocked.map(({ kind }: { kind: string }) => kind)).to.deep.equal(["tier_without_weight"]);
  });

  it("completes an item list by definition, and republishes by name only", async () => {
    const path = file("dear.json", own());
    expect((await jsonOf("openables", "draft", path, "--adapter", "pool", ...db)).pools).to.deep.equal([
      { slug: "dear-case", name: "Dear Case", type: "case", outcome: "changed" },
    ]);
    const { pools } = await jsonOf("openables", "publish", "dear-case", ...db);
    expect(pools[0]).to.deep.include({
      slug: "dear-case",
      outcome: "published",
      revision_number: 1,
      outcome_count: 10,
    });
    const today = dayText(dayOf(systemClock.now()));
    expect((await runHere(["openables", "retire", "dear-case", ...db])).lines).to.deep.equal([
      `dear-case is retired since ${today}; it stays readable`,
    ]);
    expect(await jsonOf("openables", "retire", "dear-case", "--on", "2020-01-01", ...db)).to.deep.equal({
      slug: "dear-case",
      active: false,
      retired_on: today,
      changed: false,
    });
    await jsonOf("openables", "draft", path, "--adapter", "pool", ...db);
    const { lines } = await runHere(["openables", "publish", "--all", ...db]);
    expect(lines.at(-1)).to.equal("  retired  dear-case: name them to publish them again");
    expect((await runHere(["openables", "publish", "dear-case", ...db])).lines[0]).to.match(
      /^dear-case reactivated: revision 1 /,
    );
  });

  it("refuses and names wrong arguments and files, with nothing written", async () => {
    const before = world.state();
    const twice = own({ tiers: [tierOf(["cs2-lib:1", "paint:7:1"])] });
    const unknown = own({ tiers: [tierOf(["cs2-lib:77"])] });
    const broken = join(folder, "broken.json");
    writeFileSync(broken, "[{]");
    const list = file("doubled.json", documentsOf([...rows, rows[0]!]).items.value);
    const lists = join(folder, "others");
    mkdirSync(lists);
    file("others/agents.json", []);
    const refused: [words: string[], code: number, message: RegExp][] = [
      [
        ["draft", file("twice.json", twice), "--adapter", "pool"],
        65,
        /`paint:7:1` is the same item as `cs2-lib:1`; nothing was drafted/,
      ],
      [
        // Both files of one call have the container.
        ["draft", file("once.json", own()), file("again.json", own()), "--adapter", "pool"],
        65,
        /another pool of this call has its container/,
      ],
      [
        ["draft", file("unknown.json", unknown), "--adapter", "pool"],
        65,
        /the catalog has no item `cs2-lib:77`; nothing was drafted/,
      ],
      [["draft", file("sum.json", own({ weight_total: 9 })), "--adapter", "pool"], 65, /sum to 1, not to 9/],
      [
        ["draft", list, "--adapter", "cs2-lib", "--english", english],
        65,
        /doubled\.json: the id \d+ is in the list twice/,
      ],
      [["draft", broken, "--adapter", "cs2-lib", "--english", english], 65, /broken\.json: not JSON/],
      [["draft", items, "--adapter", "cs2-lib"], 64, /--english: cs2-lib pools need/],
      [["draft", broken, "--adapter", "pool", "--english", english], 64, /--english: pools in Itemtape's own format/],
      [["draft", join(folder, "no.json"), "--adapter", "pool"], 66, /the file does not exist/],
      [["draft", "@ianlucas/cs2-lib", "--adapter", "cs2-lib"], 66, /not installed here; run npm install @ianlucas/],
      [["draft", "@ianlucas/cs2-lib", "--adapter", "pool"], 66, /the file does not exist/],
      [["draft", lists, "--adapter", "cs2-lib"], 65, /others: has no catalog list/],
      [["draft", lists, "--adapter", "pool"], 66, /not a file/],
      [["draft", items, "--adapter", "ebay"], 64, /--adapter: must be one of cs2-lib, csgo-api, pool/],
      [["publish"], 64, /name the containers to publish, or give --all/],
      [["publish", "box", "--all"], 64, /name the containers to publish, or give --all/],
      [["publish", "nope"], 65, /unknown container `nope`; `npx itemtape openables show` lists them/],
      [["retire", "sealed-terminal"], 65, /sealed-terminal: an unpublished container/],
      [["retire", "box", "--on", "2026-02-30"], 64, /--on: must be a day such as/],
      [["show", "box", "dear-case"], 64, /unexpected `dear-case`; usage: npx itemtape openables show \[SLUG\]/],
      [["show", "nope"], 65, /unknown container `nope`/],
    ];
    for (const [words, code, message] of refused) {
      const ran = await runHere(["openables", ...words, ...db]);
      expect(ran.code, words.join(" ")).to.equal(code);
      expect(ran.notes.join(), words.join(" "))
        .to.match(message)
        .and.to.match(/^itemtape: [^\n]*$/);
    }
    expect(world.state()).to.equal(before);
  });
});
