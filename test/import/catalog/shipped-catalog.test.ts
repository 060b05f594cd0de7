import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import { compressList, type NamedRows, unpackList } from "../../../src/import/catalog/compressed-list.ts";
import { readCatalogSources } from "../../../src/import/catalog/read-source.ts";
import { documentsOf, readShippedList, shippedFile } from "../../../src/import/catalog/shipped-catalog.ts";
import { openWriter } from "../../../src/store/database.ts";
import { readItems } from "../../../src/store/write/catalog.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";
import { itLong } from "../../support/size.ts";
import { skip } from "../../support/skip.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const bytesMax = 400_000;
const variantsOf = (list: NamedRows) => buildCatalog({ cs2Lib: documentsOf(list), csgoApi: null }).variants;

describe("shipped catalog", () => {
  const shipped = readShippedList();
  const few = { ...shipped, items: shipped.items.slice(40, 240) };
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("names every row in English and Russian, within 400 KB", () => {
    expect(statSync(shippedFile).size).to.be.at.most(bytesMax);
    expect(shipped.items).to.have.lengthOf.above(25_000);
    const unnamed = shipped.items.filter(({ id }) => !shipped.english[id]?.name || !shipped.russian[id]?.name);
    expect(unnamed).to.deep.equal([]);
  });

  it("unpacks to the rows that were packed", () => {
    expect(unpackList(compressList(few))).to.deep.equal({
      ...few,
      english: namesOf(few.items, few.english),
      russian: namesOf(few.items, few.russian),
    });
  });

  it("keeps the ids of its items when a newer list is imported", () => {
    const path = join(folder, "market.db");
    newDatabase(path);
    const database = openWriter(path, 0);
    const idsAfter = (list: NamedRows, at: number) => {
      importCatalog(database, variantsOf(list), at);
      return new Map([...readItems(database).values()].map(({ identityKey, itemId }) => [identityKey, itemId]));
    };
    const before = idsAfter(few, 1);
    const newer = [...shipped.items.slice(240, 250), ...few.items.slice(20).reverse()];
    const renamed = { ...shipped.english, [newer[15]!.id]: { name: "Renamed | By the game" } };
    const after = idsAfter({ ...shipped, items: newer, english: renamed }, 2);
    expect(after.size).to.be.above(before.size);
    expect([...after].filter(([key]) => before.has(key))).to.have.deep.members([...before]);
    database.$client.close();
  });

  itLong("is packed to the same bytes from the npm package, twice", async function () {
    this.timeout(120_000);
    for (const name of ["package.json", "package-lock.json"])
      cpSync(join(root, "scripts/catalog", name), join(folder, name));
    const installed = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: folder });
    if (installed.status !== 0) skip(this, "npm cannot fetch @ianlucas/cs2-lib");
    for (const name of ["first", "second"]) {
      const file = join(folder, name);
      const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/pack-catalog.ts"), folder, file]);
      expect(status, String(stderr)).to.equal(0);
      expect(readFileSync(file).equals(readFileSync(shippedFile)), name).to.equal(true);
    }
    const whole = buildCatalog(await readCatalogSources(["@ianlucas/cs2-lib"], folder)).variants;
    expect(variantsOf(shipped)).to.deep.equal(whole);
  });
});

function namesOf<Name>(items: NamedRows["items"], names: Readonly<Record<string, Name>>) {
  return Object.fromEntries(items.map(({ id }) => [id, names[id]]));
}
