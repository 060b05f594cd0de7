import { expect } from "chai";
import { selectionMax } from "../../src/access/keys.ts";
import { portfolioConsent } from "../../src/access/owners/consent.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { casesBySize } from "../support/size.ts";
import { onEachStore } from "./stores.ts";
import { failureOf, noon } from "./world.ts";

onEachStore("personal token", (world, engine) => {
  let accountId: string;
  let other: string;
  const [first, second, foreign] = ["A", "B", "C"].map((letter) => `pf_${letter.repeat(24)}`) as [
    string,
    string,
    string,
  ];

  beforeEach(async () => {
    accountId = await world.account("Ann");
    other = await world.account("Bob");
    for (const [id, owner] of [
      [first, accountId],
      [second, accountId],
      [foreign, other],
    ] as const) {
      await world.sql(
        `INSERT INTO portfolios (portfolio_id, account_id, name, display_currency, is_public, price_source, created_at, updated_at)
         VALUES (?, ?, ?, 'USD', true, 'steam', ?, ?)`,
        id,
        owner,
        `name of ${id}`,
        noon,
        noon,
      );
    }
  });

  const make = (portfolioIds: readonly string[], { days = 30, consent = true, name = "phone" } = {}) =>
    world.keys.createPersonal(accountId, name, days, portfolioIds, consent);
  const rows = (text: string) => world.sql(text);

  it("reads the selected portfolios only", async () => {
    const { key, secret } = await make([second, first]);
    expect(secret).to.match(/^itemtape_pat_[0-9A-Za-z]{36}$/);
    expect(key).to.deep.include({ kind: "personal", scopes: ["portfolio:read"], portfolioIds: [first, second] });
    expect(await world.identify({ secret }, noon)).to.deep.include({
      accountId,
      kind: "personal",
      scopes: ["portfolio:read"],
    });
  });

  it("records consent with version and time for each portfolio", async () => {
    const { key } = await make([first, second]);
    const consent = { key_id: key.keyId, consented_at: noon, consent_version: portfolioConsent.version };
    expect(await rows("SELECT * FROM key_portfolios ORDER BY portfolio_id")).to.deep.equal([
      { ...consent, portfolio_id: first },
      { ...consent, portfolio_id: second },
    ]);
  });

  const refused: [string, () => Promise<unknown>, RegExp][] = [
    ["without consent", () => make([first], { consent: false }), /needs your consent/],
    ["without a portfolio", () => make([]), /needs a portfolio to read/],
    ["for longer than 90 days", () => make([first], { days: 91 }), /expires after 7, 30, 90 days, not 91/],
    ["for no days", () => make([first], { days: 0 }), /not 0/],
    ["for a portfolio of another account, be it public", () => make([first, foreign]), /has no portfolio `pf_C/],
    ["for one that does not exist", () => make(["pf_nowhere"]), /has no portfolio `pf_nowhere`/],
    [
      "for more than it may select",
      () => make(Array.from({ length: selectionMax + 1 }, (_, n) => `pf_${n}`)),
      /at most/,
    ],
    [
      "for unknown ones, as many as it may select",
      () => make(Array.from({ length: selectionMax }, (_, n) => `pf_${n}`)),
      /has no portfolio `pf_0`/,
    ],
    ["without a name", () => make([first], { name: " " }), /name must have/],
  ];
  for (const [what, work, description] of engine === "the file" ? refused : casesBySize(refused, 3)) {
    it(`is refused ${what}, and leaves nothing behind`, async () => {
      expect((await failureOf(work)).message).to.match(description);
      expect(await rows("SELECT key_id FROM api_keys UNION ALL SELECT key_id FROM key_portfolios")).to.deep.equal([]);
      expect(await rows("SELECT kind FROM activity WHERE kind LIKE 'key%'")).to.deep.equal([]);
    });
  }

  it("is refused alike for a deleted and an unknown portfolio", async () => {
    await world.sql("UPDATE portfolios SET deleted_at = ? WHERE portfolio_id = ?", noon, first);
    const { message } = await failureOf(() => make([first]));
    expect(message).to.equal(`account ${accountId} has no portfolio \`${first}\``);
  });

  it("selects a portfolio once, however often it is named", async () => {
    expect((await make([first, first])).key.portfolioIds).to.deep.equal([first]);
  });

  it("keeps permissions, selection, consent and expiry when rotated", async () => {
    const { key, secret } = await make([first, second], { days: 7 });
    const consents = await rows("SELECT * FROM key_portfolios");
    world.clock.at += dayMs;
    const rotated = await world.keys.rotate(key.keyId);
    expect(rotated.secret)
      .to.match(/^itemtape_pat_/)
      .and.not.equal(secret);
    expect({ ...rotated.key, display: "", rotatedAt: null }).to.deep.equal({ ...key, display: "" });
    expect(await rows("SELECT * FROM key_portfolios")).to.deep.equal(consents);
    const old = await failureOf(() => world.identify({ secret }));
    expect(old.code).to.equal("invalid_api_key");
    expect((await world.identify(rotated)).scopes).to.deep.equal(["portfolio:read"]);
  });

  it("records its activity without any secret", async () => {
    const { key, secret } = await make([first, second]);
    const rotated = await world.keys.rotate(key.keyId);
    await world.keys.revoke(key.keyId);
    const records = (await world.accounts.activity(accountId, 10)).filter(({ keyId }) => keyId === key.keyId);
    expect(records.map(({ kind, detail }) => [kind, detail])).to.deep.equal([
      ["key_revoked", null],
      ["key_rotated", null],
      ["key_created", `expires ${toTimestamp(key.expiresAt)}, reads 2 portfolios, consent ${portfolioConsent.version}`],
    ]);
    await make([first]);
    expect((await world.accounts.activity(accountId, 1))[0]?.detail).to.contain(", reads 1 portfolio, consent");
    for (const one of [secret, rotated.secret]) expect(JSON.stringify(records)).to.not.include(one.slice(-30));
  });

  it("is listed with its portfolios, without names of transferred or deleted ones", async () => {
    const { key } = await make([first, second]);
    await world.sql("UPDATE portfolios SET account_id = ? WHERE portfolio_id = ?", other, second);
    const reads = await world.owners();
    expect(await reads.liveKeys(accountId, world.clock.at)).to.deep.equal([
      {
        ...key,
        portfolios: [
          { portfolioId: first, name: `name of ${first}`, consentedAt: noon },
          { portfolioId: second, name: null, consentedAt: noon },
        ],
      },
    ]);
    expect(await reads.key(other, key.keyId)).to.equal(null);
    expect((await reads.portfolios(accountId, noon)).map(({ portfolioId }) => portfolioId)).to.deep.equal([first]);
    expect(await reads.portfolio(accountId, second, noon)).to.equal(null);
    expect(await reads.valuations(accountId, second, { fromDay: 0, toDay: 100_000, at: noon })).to.deep.equal([]);
    await world.sql("UPDATE portfolios SET deleted_at = ? WHERE portfolio_id = ?", noon, first);
    const names = (await reads.key(accountId, key.keyId))!.portfolios.map(({ name }) => name);
    expect(names).to.deep.equal([null, null]);
    expect((await world.keys.rotate(key.keyId)).key.portfolioIds).to.deep.equal([first, second]);
  });
});
