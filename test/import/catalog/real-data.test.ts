import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { buildCatalog, type Catalog } from "../../../src/import/catalog/build-catalog.ts";
import { readCatalogSources } from "../../../src/import/catalog/read-source.ts";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { NameIndex, type Resolution } from "../../../src/import/quotes/name-index.ts";
import { withoutEdition } from "../../../src/values/text/item-names.ts";
import { phases } from "../../../src/values/text/phases.ts";
import { casesBySize } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";

const steamFolder = join(realDataFolder, "steam/full");
const buffFile = join(realDataFolder, "buff163/buff163-2021-06-06.json.gz");

type Shares = Record<Resolution["kind"], number> & { total: number; joined: number; joinedOrDerived: number };

describe("real catalog", () => {
  let catalog: Catalog;
  let index: NameIndex;

  before(async () => {
    if (!existsSync(realDataFolder)) return;
    const documents = await readCatalogSources([join(realDataFolder, "catalog")], realDataFolder);
    catalog = buildCatalog(documents);
    const items = catalog.variants.map((variant, at) => ({ ...variant, itemId: at + 1 }));
    index = new NameIndex(items, (itemId) => items[itemId - 1]!);
  });

  beforeEach(function () {
    needRealData(this);
  });

  it("holds every identity once, in the columns' bounds", () => {
    const { variants } = catalog;
    expect(variants).to.have.lengthOf(36_521);
    expect(new Set(variants.map(({ identityKey }) => identityKey)).size).to.equal(variants.length);
    const isText = (text: string) => text.length >= 1 && text.length <= 300;
    const outOfBounds = variants.filter(
      ({ marketHashName, nameRu, slug, identity, phase, sourceKeys }) =>
        !isText(marketHashName) ||
        (nameRu !== null && !isText(nameRu)) ||
        !/^[a-z0-9][a-z0-9-]{0,119}$/.test(slug) ||
        (sourceKeys.length === 0) !== (identity === "unphased") ||
        (phase !== null && identity !== "exact"),
    );
    expect(outOfBounds).to.deep.equal([]);
  });

  it("omits only equipment, slots, consumable tokens and undescribed items", () => {
    const { skipped, unknownTypes, merged, unphased } = catalog.report;
    expect(Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]))).to.deep.equal({
      default_equipment: 53,
      not_an_item: 11,
      used_when_bought: 17,
      only_in_collection: 361,
    });
    expect([unknownTypes, merged, unphased]).to.deep.equal([{}, 2466, 81]);
  });

  it("has exactly the documented phases, 128 phased objects", () => {
    const phased = catalog.variants.filter(({ phase }) => phase !== null);
    const rows = phased.flatMap(({ sourceKeys }) => sourceKeys.filter((key) => key.startsWith("cs2-lib:")));
    expect(new Set(rows).size).to.equal(128);
    expect(new Set(phased.map(({ phase }) => phase))).to.deep.equal(new Set(phases));
  });

  it("matches 91 % of the newest feed, 93 % with derived variants", async () => {
    const file = (await readdir(steamFolder)).sort().at(-1) as string;
    const names = Object.keys((await json(join(steamFolder, file))).prices as object);
    const shares = sharesOf(names);
    print(file, shares);
    expect(names.length).to.equal(30_606);
    expect(shares.joined).to.be.at.least(0.91);
    expect(shares.joinedOrDerived).to.be.at.least(0.93);
    expect(shares.ambiguous_name).to.equal(0);
    expect(shares.unphased).to.equal(66);
  });

  it("includes every wear that the main platform names for known finishes", async () => {
    const finish = (name: string): string =>
      withoutEdition(name).plainName.replace(/ \([A-Z][a-zA-Z-]+( [A-Z]\w+)?\)$/, "");
    const known = new Set(
      catalog.variants.filter(({ wear }) => wear !== null).map((variant) => finish(variant.marketHashName)),
    );
    for (const file of casesBySize((await readdir(steamFolder)).sort(), 2)) {
      const names = Object.keys((await json(join(steamFolder, file))).prices as object);
      const stray = names.filter((name) => known.has(finish(name)) && index.resolve(name).kind === "unknown_name");
      expect(stray, file).to.deep.equal([]);
    }
  });

  it("matches the other marketplace by name, and nested phases by phase", async () => {
    const body = (await json(buffFile)) as Record<string, { starting_at: { doppler?: object } }>;
    const shares = sharesOf(Object.keys(body));
    print("buff163-2021-06-06.json.gz", shares);
    expect(shares.joinedOrDerived).to.be.at.least(0.997);
    const nested = Object.entries(body).flatMap(([name, { starting_at: ask }]) =>
      Object.entries(ask.doppler ?? {})
        .filter(([, price]) => typeof price === "number" && price > 0)
        .map(([phase]) => index.resolve(name, phase).kind),
    );
    expect(nested.length).to.equal(312);
    expect(new Set(nested)).to.deep.equal(new Set(["exact"]));
  });

  function sharesOf(names: readonly string[]): Shares {
    const counts = { exact: 0, unphased: 0, feedDerivable: 0, ambiguous_name: 0, unknown_name: 0 };
    for (const name of names) counts[index.resolve(name).kind] += 1;
    const joined = (counts.exact + counts.unphased) / names.length;
    return { ...counts, total: names.length, joined, joinedOrDerived: joined + counts.feedDerivable / names.length };
  }
});

function print(file: string, { joined, joinedOrDerived, ...counts }: Shares): void {
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  process.stdout.write(
    `      ${file}: ${percent(joined)} join, ${percent(joinedOrDerived)} with feed-derived variants (${JSON.stringify(counts)})\n`,
  );
}

async function json(file: string): Promise<Record<string, unknown>> {
  return JSON.parse((await readFeedFile(file)).bytes.toString("utf8"));
}
