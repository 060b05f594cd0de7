import { expect } from "chai";
import { selectionMax } from "../../src/access/keys.ts";
import { portfolioConsent } from "../../src/access/owners/consent.ts";
import { OwnerReads } from "../../src/access/owners/owner-reads.ts";
import { dayMs, dayOf } from "../../src/values/calendar.ts";
import { toTimestamp } from "../../src/values/clock.ts";
import { failureOf, noon, World } from "./world.ts";

describe("a personal token", () => {
  let world: World;
  let accountId: string;
  let other: string;
  const [first, second, foreign] = ["A", "B", "C"].map((letter) => `pf_${letter.repeat(24)}`) as [
    string,
    string,
    string,
  ];

  beforeEach(() => {
    world = new World();
    accountId = world.accounts.create("Ann").accountId;
    other = world.accounts.create("Bob").accountId;
    for (const [id, owner] of [
      [first, accountId],
      [second, accountId],
      [foreign, other],
    ] as const) {
      world.database.$client
        .prepare(
          `INSERT INTO portfolios (portfolio_id, account_id, name, display_currency, is_public, price_source, created_at, updated_at)
           VALUES (?, ?, ?, 'USD', 1, 'steam', ?, ?)`,
        )
        .run(id, owner, `name of ${id}`, noon, noon);
    }
  });
  afterEach(() => world.close());

  const make = (portfolioIds: readonly string[], { days = 30, consent = true, name = "phone" } = {}) =>
    world.keys.createPersonal(accountId, name, days, portfolioIds, consent);
  const rows = (text: string) => world.database.$client.prepare(text).all();

  it("a personal token reads the selected portfolios and nothing else", () => {
    const { key, secret } = make([second, first]);
    expect(secret).to.match(/^itemtape_pat_[0-9A-Za-z]{36}$/);
    expect(key).to.deep.include({ kind: "personal", scopes: ["portfolio:read"], portfolioIds: [first, second] });
    expect(world.credentials.identify(`Bearer ${secret}`, noon)).to.deep.include({
      accountId,
      kind: "personal",
      scopes: ["portfolio:read"],
    });
  });

  it("a personal token has the consent on record with its version and time, for each portfolio", () => {
    const { key } = make([first, second]);
    const consent = { key_id: key.keyId, consented_at: noon, consent_version: portfolioConsent.version };
    expect(rows("SELECT * FROM key_portfolios ORDER BY portfolio_id")).to.deep.equal([
      { ...consent, portfolio_id: first },
      { ...consent, portfolio_id: second },
    ]);
  });

  for (const days of [7, 30, 90]) {
    it(`a personal token expires after ${days} days when that is chosen`, () => {
      expect(make([first], { days }).key.expiresAt).to.equal(noon + days * dayMs);
    });
  }

  const refused: [string, () => unknown, RegExp][] = [
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
  for (const [what, work, description] of refused) {
    it(`a personal token is refused ${what}, and nothing of it stays`, async () => {
      expect((await failureOf(work)).message).to.match(description);
      expect(rows("SELECT key_id FROM api_keys UNION ALL SELECT key_id FROM key_portfolios")).to.deep.equal([]);
      expect(rows("SELECT kind FROM activity WHERE kind LIKE 'key%'")).to.deep.equal([]);
    });
  }

  it("a personal token is refused for a deleted portfolio in the same words as for an unknown one", async () => {
    world.database.$client.prepare("UPDATE portfolios SET deleted_at = ? WHERE portfolio_id = ?").run(noon, first);
    const { message } = await failureOf(() => make([first]));
    expect(message).to.equal(`account ${accountId} has no portfolio \`${first}\``);
  });

  it("a personal token selects a portfolio once, however often it is named", () => {
    expect(make([first, first]).key.portfolioIds).to.deep.equal([first]);
  });

  it("a personal token keeps permissions, selection, consent and expiry when it is rotated, and the old secret ends at once", async () => {
    const { key, secret } = make([first, second], { days: 7 });
    const consents = rows("SELECT * FROM key_portfolios");
    world.clock.at += dayMs;
    const rotated = world.keys.rotate(key.keyId);
    expect(rotated.secret)
      .to.match(/^itemtape_pat_/)
      .and.not.equal(secret);
    expect({ ...rotated.key, display: "", rotatedAt: null }).to.deep.equal({ ...key, display: "" });
    expect(rows("SELECT * FROM key_portfolios")).to.deep.equal(consents);
    const old = await failureOf(() => world.credentials.identify(`Bearer ${secret}`, world.clock.at));
    expect(old.code).to.equal("invalid_api_key");
    expect(world.credentials.identify(`Bearer ${rotated.secret}`, world.clock.at).scopes).to.deep.equal([
      "portfolio:read",
    ]);
  });

  it("a personal token has its life on record without any secret", () => {
    const { key, secret } = make([first, second]);
    const rotated = world.keys.rotate(key.keyId);
    world.keys.revoke(key.keyId);
    const records = world.accounts.activity(accountId, 10).filter(({ keyId }) => keyId === key.keyId);
    expect(records.map(({ kind, detail }) => [kind, detail])).to.deep.equal([
      ["key_revoked", null],
      ["key_rotated", null],
      ["key_created", `expires ${toTimestamp(key.expiresAt)}, reads 2 portfolios, consent ${portfolioConsent.version}`],
    ]);
    make([first]);
    expect(world.accounts.activity(accountId, 1)[0]?.detail).to.contain(", reads 1 portfolio, consent");
    for (const one of [secret, rotated.secret]) expect(JSON.stringify(records)).to.not.include(one.slice(-30));
  });

  it("a personal token is listed with its portfolios, without the name of one that was transferred", () => {
    const { key } = make([first, second]);
    world.database.$client.prepare("UPDATE portfolios SET account_id = ? WHERE portfolio_id = ?").run(other, second);
    const reads = new OwnerReads(world.reader);
    expect(reads.liveKeys(accountId, world.clock.at)).to.deep.equal([
      {
        ...key,
        portfolios: [
          { portfolioId: first, name: `name of ${first}`, consentedAt: noon },
          { portfolioId: second, name: null, consentedAt: noon },
        ],
      },
    ]);
    expect(reads.key(other, key.keyId)).to.equal(null);
    expect(reads.portfolios(accountId, noon).map(({ portfolioId }) => portfolioId)).to.deep.equal([first]);
    expect(reads.portfolio(accountId, second, noon)).to.equal(null);
    expect(reads.valuations(accountId, second, 0, 100_000)).to.deep.equal([]);
  });

  it("an owner sees no value of a future day, written by a clock that was ahead", () => {
    const today = dayOf(noon);
    const put = world.database.$client.prepare(
      `INSERT INTO portfolio_valuations (portfolio_id, account_id, day, holding_count, priced_holding_count, recorded_at)
       VALUES (?, ?, ?, 1, 0, 1)`,
    );
    for (const day of [today - 1, today + 1]) put.run(first, accountId, day);
    const reads = new OwnerReads(world.reader);
    expect(reads.portfolio(accountId, first, noon)?.latest?.day).to.equal(today - 1);
    expect(reads.portfolio(accountId, first, noon + dayMs)?.latest?.day).to.equal(today + 1);
  });
});
