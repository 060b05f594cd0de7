import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { readCatalogSources } from "../../../src/import/catalog/read-source.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { runCli } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/files.ts";
import { itLong } from "../../support/size.ts";

const items = [{ id: 1, type: "sticker", def: 1209, index: 5 }];
const english = { 1: { name: "Sticker | A" } };

describe("catalog files", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, value: unknown): string => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    writeFileSync(join(folder, name), name.endsWith(".gz") ? gzipSync(text) : text);
    return name;
  };
  const names = async (...paths: string[]): Promise<string[]> =>
    buildCatalog(await readCatalogSources(paths, folder)).variants.map(({ marketHashName }) => marketHashName);
  const refusal = (...paths: string[]): Promise<Error> =>
    readCatalogSources(paths, folder).then(
      () => expect.fail("was accepted"),
      (error: Error) => error,
    );

  it("are read plain or compressed, singly or from nested folders", async () => {
    write("cs2-lib-items.json.gz", items);
    write("cs2-lib-english.json", english);
    write("notes.txt", "not a catalog");
    mkdirSync(join(folder, "lists"));
    write("lists/patches.json.gz", [{ id: "patch-1", name: "Patch | B", def_index: "1" }]);
    expect(await names(".")).to.deep.equal(["Sticker | A", "Patch | B"]);
    expect(await names("cs2-lib-english.json", "cs2-lib-items.json.gz")).to.deep.equal(["Sticker | A"]);
    expect(await names("lists")).to.deep.equal(["Patch | B"]);
  });

  itLong("are imported from the installed package by a second process", async () => {
    const home = "node_modules/@ianlucas/cs2-lib";
    mkdirSync(join(folder, home, "dist/translations"), { recursive: true });
    write(`${home}/package.json`, { name: "@ianlucas/cs2-lib", version: "7.0.0" });
    write(`${home}/dist/items.mjs`, `export const items=${JSON.stringify(items)};`);
    for (const language of ["english", "russian"])
      write(`${home}/dist/translations/${language}.mjs`, `export const names=${JSON.stringify(english)};`);
    await runCli(["db", "create", "--db", "market.db"], { cwd: folder });
    for (const time of ["first", "second"]) {
      const words = ["import", "catalog", "@ianlucas/cs2-lib", "--db", "market.db"];
      const { code, stderr } = await runCli(words, { cwd: folder });
      expect(code, `${time}: ${stderr}`).to.equal(0);
    }
  });

  it("are found in the installed package without running other folders' code", async () => {
    const home = "node_modules/@ianlucas/cs2-lib";
    mkdirSync(join(folder, home, "dist/translations"), { recursive: true });
    write(`${home}/package.json`, { name: "@ianlucas/cs2-lib", version: "7.0.0" });
    write(`${home}/dist/items.mjs`, `const e=${JSON.stringify(items)};export{e as CS2_ITEMS};`);
    write(`${home}/dist/translations/english.mjs`, `const e=${JSON.stringify(english)};export{e as english};`);
    write(`${home}/dist/translations/russian.mjs`, `export const russian={1:{name:"Наклейка | А"}};`);
    expect(await names("@ianlucas/cs2-lib")).to.deep.equal(["Sticker | A"]);
    expect((await refusal(home)).message).to.include("give its name instead");
    mkdirSync(join(folder, "stranger/dist"), { recursive: true });
    write("stranger/package.json", { name: "@ianlucas/cs2-lib" });
    const ran = join(folder, "ran");
    write(
      "stranger/dist/items.mjs",
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, "");`,
    );
    expect(await refusal("stranger")).to.be.instanceOf(OperatorError);
    expect(existsSync(ran)).to.equal(false);
  });

  it("merge pieces of a list, and reject rows that contradict each other", async () => {
    write("cs2-lib-english.json", english);
    mkdirSync(join(folder, "more"));
    const b = { id: 2, type: "sticker", def: 1209, index: 6 };
    write("cs2-lib-items-1.json", items);
    write("cs2-lib-items-2.json.gz", [...items, b]);
    write("more/english.json", { 1: { name: "Sticker | A" }, 2: { name: "Sticker | B" } });
    expect(await names(".")).to.deep.equal(["Sticker | A", "Sticker | B"]);
    write("more/patches.json", [{ id: "patch-1", name: "Patch | B", def_index: "1" }]);
    write("patches.json", [{ id: "patch-2", name: "Patch | C", def_index: "2" }]);
    expect(await names("patches.json", "more/patches.json")).to.deep.equal(["Patch | C", "Patch | B"]);
    write("more/patches.json", [{ id: "patch-2", name: "Patch | Other", def_index: "2" }]);
    const refused = (...paths: string[]) =>
      names(...paths).then(
        () => expect.fail("was accepted"),
        (error: Error) => error.message,
      );
    expect(await refused("patches.json", "more/patches.json")).to.equal(
      `${join(folder, "more/patches.json")}: row 1 (id patch-2) differs from ${join(folder, "patches.json")}; use files of one release`,
    );
    write("more/english.json", { 1: { name: "Sticker | Other" } });
    expect(await refused(".")).to.include('more/english.json: entry "1" differs from ');
    write("more/patches.json", [{ id: "patch-3", name: 3 }]);
    expect(await refused("patches.json", "more/patches.json")).to.include("more/patches.json: row 1 (id patch-3): ");
  });

  it("are rejected with one path when given twice", async () => {
    write("cs2-lib-items.json", items);
    write("cs2-lib-english.json", english);
    expect((await refusal(".", "cs2-lib-items.json")).message).to.equal(
      `${join(folder, "cs2-lib-items.json")}: given twice; name it once`,
    );
  });

  it("are rejected if they are not UTF-8", async () => {
    write("cs2-lib-items.json", items);
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc3], [0xc0, 0xaf]]) {
      const text = Buffer.concat([Buffer.from('{"1":{"name":"A'), Buffer.from(bytes), Buffer.from('"}}')]);
      writeFileSync(join(folder, "cs2-lib-english.json"), text);
      expect((await refusal("cs2-lib-items.json", "cs2-lib-english.json")).message).to.match(
        /cs2-lib-english\.json: not UTF-8 text/,
      );
    }
  });

  it("are recognized by their rows among other files of a folder", async () => {
    write("a.json", items);
    write("patches.json", english);
    write("items.json.gz", { 1: { name: "Наклейка | А" } });
    write("english.json", [null, { id: "crate-7" }, { id: "crate-7_highlight", name: "Highlight Package" }]);
    write("russian.json", [{ id: "patch-1", name: "Patch | B", def_index: 1 }]);
    write("all.json", { "skin-1": { id: "skin-1", name: "AK-47 | C" } });
    write("settings.json", { theme: "dark" });
    write("skins_not_grouped.json", [
      { id: "skin-1_0", name: "AK-47 | C (Factory New)", weapon: { id: "weapon_ak47" } },
    ]);
    write("skins.json", [{ id: "skin-1", name: "★ Bayonet", weapon: { weapon_id: 500 } }]);
    write("empty.json", []);
    const documents = await readCatalogSources(["."], folder);
    const { variants, report } = buildCatalog(documents);
    expect(variants.map(({ identityKey, nameRu }) => [identityKey, nameRu])).to.deep.equal([
      ["sticker:5/-/plain/-", "Наклейка | А"],
      ["item:7:highlight/-/plain/-", null],
      ["patch:1/-/plain/-", null],
      ["paint:500:0/-/plain/-", null],
    ]);
    expect(report.skipped.map(({ reason, count }) => [reason, count])).to.deep.equal([
      ["malformed_row", 1],
      ["no_name", 1],
    ]);
  });

  it("are rejected and named with the fix if unusable", async () => {
    write("cs2-lib-items.json", items);
    write("items.json", items);
    write("agents.json", "[{");
    write("other.json", []);
    mkdirSync(join(folder, "empty"));
    expect(await refusal("gone.json"))
      .to.be.instanceOf(OperatorError)
      .with.property("exitCode", 66);
    expect((await refusal("@ianlucas/cs2-lib")).message).to.include("npm install @ianlucas/cs2-lib");
    expect((await refusal("other.json")).message).to.match(
      /other\.json: has no catalog list; the lists are the item list of cs2-lib/,
    );
    expect((await refusal("agents.json")).message).to.match(/agents\.json: not JSON/);
    expect((await refusal("cs2-lib-items.json")).message).to.include("add its English names");
    expect((await refusal("empty")).message).to.include("has no catalog list");
    expect(await refusal())
      .to.be.instanceOf(OperatorError)
      .with.property("exitCode", 64);
  });
});
