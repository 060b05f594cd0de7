import { expect } from "chai";
import { portfolioConsent } from "../../src/access/owners/consent.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { plantKeys } from "../support/plant-keys.ts";
import { useWorld } from "../support/world.ts";

describe("personal tokens on the command line", () => {
  const world = useWorld({ fewItems: true });
  let accountId: string;
  const portfolios = ["A", "B"].map((letter) => `pf_${letter.repeat(24)}`);
  const list = portfolios.join(",");

  before(() => {
    accountId = world.account("free").accountId;
    for (const portfolioId of portfolios) {
      world.sql(
        `INSERT INTO portfolios (portfolio_id, account_id, name, display_currency, is_public, price_source, created_at, updated_at)
         VALUES (?, ?, 'Main', 'USD', 0, 'steam', 0, 0)`,
        portfolioId,
        accountId,
      );
    }
  });

  const create = (...words: string[]) => runHere(["keys", "create", accountId, ...words, "--json", "--db", world.path]);
  const keys = () => world.sql("SELECT * FROM api_keys");

  it("are created with consent, shown once and listed with their portfolios", async () => {
    const words = ["--personal", "--portfolios", list, "--consent", "--days", "90", "--name", "phone"];
    const made = await jsonOf("keys", "create", accountId, ...words, "--db", world.path);
    expect(made.secret).to.match(/^itemtape_pat_[0-9A-Za-z]{36}$/);
    const { secret, ...shown } = made;
    expect(shown).to.deep.include({ kind: "personal", scopes: ["portfolio:read"], portfolio_ids: portfolios });
    const listed = await jsonOf("keys", "list", accountId, "--db", world.path);
    expect(listed.at(-1)).to.deep.equal(shown);
    expect(JSON.stringify(listed)).to.not.include(secret.slice(-30));
    const onTerminal = await runHere(["keys", "rotate", made.key_id, "--db", world.path], { isTerminal: true });
    expect(onTerminal.lines).to.include(`reads    ${portfolios.join(", ")}`);
  });

  const refused: [string, string[], number, string][] = [
    ["without --consent, with the text to agree to", ["--personal", "--portfolios", list], 64, portfolioConsent.text],
    ["without portfolios", ["--personal", "--consent"], 64, "name the portfolios to read with --portfolios"],
    ["with an empty list", ["--personal", "--consent", "--portfolios", ","], 64, "--portfolios ID,ID"],
    ["for longer", ["--personal", "--portfolios", list, "--consent", "--days", "91"], 64, "--days: must be 7, 30, 90"],
    [
      "for an unknown portfolio",
      ["--personal", "--portfolios", `${list},pf_x`, "--consent"],
      65,
      "has no portfolio `pf_x`",
    ],
    ["half given", ["--portfolios", list], 64, "add --personal"],
    ["half given", ["--consent"], 64, "add --personal"],
  ];
  for (const [how, words, code, description] of refused) {
    it(`are refused ${how}: \`${words.join(" ")}\``, async () => {
      const before = keys();
      const ran = await create(...words);
      expect({ code: ran.code, lines: ran.lines }).to.deep.equal({ code, lines: [] });
      expect(ran.notes.join("\n")).to.include(description).and.not.include("\n");
      expect(keys()).to.deep.equal(before);
    });
  }

  it("need a terminal or --json like any secret", async () => {
    const words = ["--personal", "--portfolios", list, "--consent"];
    const ran = await runHere(["keys", "create", accountId, ...words, "--db", world.path]);
    expect(ran).to.deep.include({ code: 64, lines: [] });
  });

  it("are refused with the remedy if a hundred keys are in use", async () => {
    const full = world.account("free").accountId;
    world.change((database) => plantKeys(database, full, 99, "planted", world.clock.at));
    world.sql("UPDATE api_keys SET expires_at = ? WHERE account_id = ?", Date.UTC(2100, 0), full);
    const ran = await runHere(["keys", "create", full, "--json", "--db", world.path]);
    expect({ code: ran.code, lines: ran.lines }).to.deep.equal({ code: 65, lines: [] });
    expect(ran.notes.join()).to.include(`account ${full} has 100 keys in use, the maximum; revoke one first`);
  });
});
