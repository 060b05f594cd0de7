import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readMapping } from "../../../src/import/quotes/mapping.ts";
import { adoptTerms } from "../../../src/import/quotes/mapping-terms.ts";
import { initRoot } from "../../releases/signer.ts";
import { jsonOf, runHere } from "../../support/cli.ts";
import { QuoteWorld } from "./quote-world.ts";

const mapping = {
  format: "itemtape-mapping",
  version: 1,
  feed: "hall",
  provider: { provider: "hall", name: "The Hall", kind: "cash" },
  entry: "item",
  list: "$",
  name: "@.name",
  currency: { documented: "USD" },
  ask: { path: "@.price", unit: "dollars" },
};
const stated = {
  terms_url: "https://hall.example/terms",
  terms_read_on: "2026-08-31",
  redistribution: "not_allowed",
  attribution: "Prices of The Hall",
};

describe("terms of providers", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([{}]);
  });
  afterEach(() => world.destroy());

  const mapped = (more: object) => {
    const path = join(world.folder, "hall.json");
    writeFileSync(path, JSON.stringify({ ...mapping, ...more }));
    return path;
  };
  const importing = (more: object, ...words: string[]) => {
    const body = world.body([{ name: "Item 0", price: 1 }]);
    return runHere(["import", "quotes", body, "--mapping", mapped(more), "--db", world.path, ...words]);
  };
  const terms = () =>
    world.all("SELECT terms_url, terms_read_on, redistribution, attribution FROM providers WHERE provider = 'hall'")[0];
  const set = (...words: string[]) => runHere(["providers", "set", "hall", ...words, "--db", world.path]);

  it("are taken from the mapping of each body", async () => {
    await importing(stated);
    expect(terms()).to.deep.equal(stated);
    await importing({ attribution: null });
    expect(terms()).to.deep.equal({
      terms_url: null,
      terms_read_on: null,
      redistribution: "unknown",
      attribution: null,
    });
    expect((await runHere(["db", "check", "--db", world.path])).code, "the checksums are of the new rows").to.equal(0);
  });

  it("stay as the operator set them, and name a mapping that forbids", async () => {
    await importing({});
    const { code, lines } = await set("--redistribution", "allowed", "--attribution", "By the Hall");
    expect([code, lines]).to.deep.equal([
      0,
      [
        "hall:",
        "  terms_url       unknown",
        "  terms_read_on   unknown",
        "  redistribution  allowed",
        "  attribution     By the Hall",
      ],
    ]);
    const dry = await importing(stated, "--dry-run", "--json");
    expect(JSON.parse(dry.lines[0]!).terms_conflict).to.deep.equal({ feed: "hall", provider: "hall", set: "allowed" });
    const { lines: report } = await importing(stated);
    expect(report.join("\n")).to.include("  terms    hall: its mapping forbids passing on its prices");
    expect(terms()).to.deep.equal({ ...stated, redistribution: "allowed", attribution: "By the Hall" });
    await set("--redistribution", "", "--attribution", "");
    expect(terms()).to.include({ redistribution: "unknown", attribution: null });
    const again = await importing(stated);
    expect(again.lines.join("\n")).not.to.include("terms  ");
    expect(terms()).to.deep.equal(stated);
  });

  it("reach existing files at a start, also of ready mappings", async () => {
    await importing({});
    await importing({ feed: "skinport", provider: { provider: "skinport", name: "Skinport", kind: "cash" } });
    const skinport = () => world.all("SELECT terms_url AS url FROM providers WHERE provider = 'skinport'");
    expect(skinport()).to.deep.equal([{ url: null }]);
    const hall = readMapping(mapped(stated), "/");
    const absent = { ...hall, feed: "new", provider: { provider: "new", name: "New", kind: "cash" as const } };
    expect(adoptTerms(world.path, [hall, absent, "steam"])).to.deep.equal({
      conflicts: [],
      notAllowed: ["hall", "new"],
    });
    expect([terms(), skinport()]).to.deep.equal([stated, [{ url: "https://skinport.com/tos" }]]);
    await set("--redistribution", "unknown");
    expect(adoptTerms(world.path, [hall])).to.deep.equal({
      conflicts: [{ feed: "hall", provider: "hall", set: "unknown" }],
      notAllowed: [],
    });
  });

  it("are refused without a provider, a field or a valid value", async () => {
    await importing({});
    const wrong: [code: number, text: string, words: string[]][] = [
      [64, "nothing to set", ["hall"]],
      [66, "nobody: the file has no provider with this slug", ["nobody", "--attribution", "A"]],
      [64, "--redistribution: must be one of allowed, not_allowed, unknown", ["hall", "--redistribution", "maybe"]],
      [64, "--terms-url: must be an https address", ["hall", "--terms-url", "http://hall.example"]],
      [64, "--terms-read-on: must be a UTC day", ["hall", "--terms-read-on", "2026-02-30"]],
      [64, "--attribution: must be a text", ["hall", "--attribution", "one\ntwo"]],
    ];
    for (const [expected, text, words] of wrong) {
      const { code, notes } = await runHere(["providers", "set", ...words, "--db", world.path]);
      expect([code, notes.length]).to.deep.equal([expected, 1]);
      expect(notes[0]).to.include(text);
    }
    expect(() => readMapping(mapped({ redistribution: "allowed" }), "/")).to.throw("redistribution");
  });

  it("decide whether a release is sealed, checked and served", async () => {
    await importing(stated);
    const [key, to] = ["release.pem", "releases"].map((name) => join(world.folder, name)) as [string, string];
    const trust = await initRoot(to, key);
    const seal = (...words: string[]) =>
      runHere(["release", "seal", "--db", world.path, "--to", to, "--key", key, ...words]);
    const refused = await seal();
    expect([refused.code, refused.lines]).to.deep.equal([77, []]);
    expect(refused.notes[0]).to.include("not allowed: the prices of hall may not be passed on by their terms; ");
    expect((await seal("--own-nodes")).code).to.equal(0);
    const checked = await runHere(["release", "check", to, "--trust", trust]);
    expect(checked.lines.at(-1)).to.match(/^not for others: the prices of hall /);
    expect(await jsonOf("release", "check", to, "--trust", trust)).to.deep.include({ not_for_others: ["hall"] });
    const config = join(world.folder, "mirror.json");
    const feed = {
      feed: "new",
      adapter: "mapped",
      mapping: "./new.json",
      source: "./new-body.json",
      interval_seconds: 60,
    };
    writeFileSync(config, JSON.stringify({ feeds: [feed] }));
    const provider = { provider: "new", name: "New", kind: "cash" };
    writeFileSync(join(world.folder, "new.json"), JSON.stringify({ ...mapping, ...stated, feed: "new", provider }));
    const serving = ["serve", "--db", world.path, "--port", "0", "--release-to", to, "--release-key", key];
    const served = await runHere([...serving, "--mirror", "--mirror-config", config]);
    expect([served.code, served.lines]).to.deep.equal([77, []]);
    expect(served.notes.at(-1)).to.include("not allowed: the prices of hall, new may not be passed on");
    await set("--redistribution", "unknown");
    const unknown = await seal();
    expect([unknown.code, unknown.lines.at(-1)]).to.deep.equal([
      0,
      "it is unknown whether the prices of hall may be passed on; `providers set` records it",
    ]);
    expect((await runHere(["release", "check", to, "--trust", trust])).lines).to.have.length(3);
  });
});
