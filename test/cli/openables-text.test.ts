import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PoolWorld, tierOf, weapon, weaponCase } from "../import/pools/pool-world.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";

/** Escape, the single-byte form of CSI, a character that reverses the text direction, and a harmless symbol. */
const hostile = "\u001b[2J\u009b31m\u202egnp\u{e0041}\u2028™";
const safe = "?[2J?31m?gnp??™";
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe("text of a pool file on a terminal", () => {
  const world = new PoolWorld([weapon(1, "AK-47 | One"), weaponCase(800, "Box", { contents: [1] })]);
  const folder = temporaryFolder();
  const db = ["--db", world.path];
  after(() => {
    world.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const draft = (name: string, facts: object) => {
    const path = join(folder, name);
    const pool = {
      format: "itemtape-pool",
      version: 1,
      container: "cs2-lib:800",
      name: "Box",
      type: "other",
      requires_key: false,
      counter_chance: "0",
      odds: { source: "community", reference: hostile },
      wear: { model: "wear-1", reference: hostile },
      never_published: hostile,
      tiers: [tierOf(["cs2-lib:1"])],
    };
    writeFileSync(path, JSON.stringify({ ...pool, ...facts }));
    return runHere(["openables", "draft", path, "--adapter", "pool", ...db]);
  };

  it("is printed without control characters, and unchanged in JSON", async () => {
    expect((await draft(`a${hostile}.json`, {})).code).to.equal(0);
    const { lines } = await runHere(["openables", "show", "box", ...db]);
    expect(lines).to.include.members([
      `  odds      community: ${safe}`,
      `  wear      wear-1: ${safe}`,
      `  blocked   ${safe} (never_published)`,
    ]);
    expect(lines.find((line) => line.startsWith("  source"))).to.include(`pool, a${safe}.json (sha256 `);
    const published = await runHere(["openables", "publish", "box", ...db]);
    expect(published.lines).to.deep.equal([`box is blocked: ${safe} (never_published)`]);
    const json = await runHere(["openables", "show", "box", "--json", ...db]);
    expect([...lines, ...json.lines].join("")).to.not.match(obeyed);
    expect(JSON.parse(json.lines.join("")).draft.definition.odds.reference).to.equal(hostile);
  });

  it("is refused in harmless words if a label has control characters", async () => {
    const items = [{ item: "cs2-lib:77", name: hostile }];
    const refused = await draft("b.json", { tiers: [{ tier: "all", weight: 1, items }] });
    expect(refused.code).to.equal(65);
    expect(JSON.stringify(refused)).to.include("must match pattern");
    expect((await draft("c.json", { name: "Box \u202e" })).code).to.equal(65);
    const reported = refused.notes.join("");
    expect(reported).to.include("nothing was changed").and.to.not.match(obeyed);
  });
});
