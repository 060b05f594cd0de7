import { expect } from "chai";
import { PortfoliosStore } from "../../../src/store/read/portfolios.ts";
import { PortfolioWriter } from "../../../src/store/write/portfolios.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { parseDay } from "../../../src/values/time/calendar.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

describe("portfolios of an account", () => {
  const world = new PortfolioWorld();
  after(() => world.remove());
  const record = (portfolioId: string) => new PortfolioWriter(world.file.writer).find(portfolioId);
  const activity = (accountId: string) =>
    world.rows<{ kind: string; detail: string | null }>(
      "SELECT kind, detail FROM activity WHERE account_id = ? AND kind <> 'account_created'",
      accountId,
    );

  it("are private, in dollars and at the lowest ask when new", () => {
    const { accountId } = world;
    const made = world.portfolios.create({ accountId, name: "Mine" });
    expect(made).to.include({ isPublic: false, displayCurrency: "USD", priceSource: "lowest-ask", deletedAt: null });
    expect(made.portfolioId).to.match(/^pf_[A-Za-z0-9]{16,32}$/);
    expect(record(made.portfolioId)).to.deep.equal(made);
    const onFree = () => world.portfolios.create({ accountId, name: "Mine", isFree: true }).priceSource;
    expect(onFree(), "without a main platform").to.equal("lowest-ask");
    world.rows("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam' RETURNING 1");
    expect(onFree()).to.equal("steam");
    const change = (priceSource: string) =>
      world.portfolios.change(made.portfolioId, { name: "Mine", displayCurrency: "USD", priceSource });
    change("other");
    expect(() => change("nowhere")).to.throw(OperatorError, /the provider `nowhere`/);
    expect(record(made.portfolioId)).to.include({ priceSource: "other" });
  });

  it("reject an unknown account, currency or provider when created", () => {
    const { accountId } = world;
    const facts = { accountId, name: "x", priceSource: "steam" };
    for (const [wrong, says] of [
      [{ accountId: "acc_none" }, /unknown account `acc_none`/],
      [{ displayCurrency: "eur" }, /unknown currency `eur`/],
      [{ displayCurrency: "XAU" }, /unknown currency `XAU`/],
      [{ priceSource: "nowhere" }, /the provider `nowhere`/],
    ] as const) {
      expect(() => world.portfolios.create({ ...facts, ...wrong })).to.throw(OperatorError, says);
    }
  });

  it("keep notes unchanged if they can be stored", () => {
    const facts = { accountId: world.accountId, name: "x", priceSource: "steam" };
    const notes = (text?: string) => record(world.portfolios.create({ ...facts, notes: text }).portfolioId)!.notes;
    expect([notes(), notes(""), notes(" =1+1\n")]).to.deep.equal([null, null, " =1+1\n"]);
    for (const wrong of ["a\u0000", "\ud800", "x".repeat(2001)])
      expect(() => notes(wrong)).to.throw(OperatorError, /the portfolio's notes have at most 2000 characters/);
  });

  it("record a transfer for both owners anonymously, and end tokens' access", () => {
    const [from, to] = [world.account("From"), world.account("To")];
    const portfolioId = world.portfolio(from);
    world.rows(
      `INSERT INTO api_keys VALUES ('key_1', ?, 'personal', 'k', 'aaaa', 'bbbb', zeroblob(32), 'portfolio:read', 1, 2, NULL, NULL) RETURNING 1`,
      from,
    );
    world.rows("INSERT INTO key_portfolios VALUES ('key_1', ?, 1, '1') RETURNING 1", portfolioId);
    const reads = (accountId: string) =>
      new PortfoliosStore(world.file.reader).open(portfolioId, { keyId: "key_1", accountId }, () => true);
    expect(reads(from)).to.equal(true);
    expect(world.portfolios.transfer(portfolioId, to)).to.deep.equal({ from });
    expect(reads(from)).to.equal(null);
    expect(world.rows("SELECT * FROM key_portfolios")).to.have.length(1);
    expect(record(portfolioId)!.accountId).to.equal(to);
    expect(activity(from)).to.deep.equal([
      { kind: "owner_changed", detail: `portfolio ${portfolioId} was given away` },
    ]);
    expect(activity(to)).to.deep.equal([{ kind: "owner_changed", detail: `portfolio ${portfolioId} was received` }]);
    const before = world.digest();
    expect(() => world.portfolios.transfer(portfolioId, to)).to.throw(OperatorError, /belongs to .* already/);
    expect(() => world.portfolios.transfer(portfolioId, "acc_none")).to.throw(OperatorError, /unknown account/);
    expect(world.digest()).to.equal(before);
  });

  it("keep earlier records with their owner after a transfer", () => {
    const [from, to] = [world.account("First"), world.account("Second")];
    const portfolioId = world.portfolio(from);
    const row = { record: "transaction", integration_ref: "T1", kind: "buy", item_id: 1, quantity: 1 };
    const bought = { ...row, occurred_on: "2026-03-08" };
    const held = { record: "lot", integration_ref: "L1", item_id: 1, quantity: 1, acquired_on: "2026-03-08" };
    world.importLines(portfolioId, held, bought);
    for (const date of ["2026-03-08", "2026-03-09"]) world.ask(date, 1, 100);
    world.value("2026-03-09", { portfolioId });
    world.portfolios.transfer(portfolioId, to);
    const before = world.rows("SELECT * FROM portfolio_valuations");
    expect(world.importLines(portfolioId, bought), "what the other one recorded is unknown to it").to.include({
      transactions: 1,
    });
    world.value("2026-03-10", { portfolioId, again: true });
    const first = parseDay("2026-03-08")!;
    const days = (table: string, day: string) =>
      world.rows(`SELECT account_id, ${day} - ? AS day FROM ${table} ORDER BY account_id = ?`, first, to);
    expect(days("portfolio_transactions", "occurred_day")).to.deep.equal([
      { account_id: from, day: 0 },
      { account_id: to, day: 0 },
    ]);
    expect(days("portfolio_valuations", "day")).to.deep.equal([
      { account_id: from, day: 0 },
      { account_id: to, day: 1 },
    ]);
    expect(world.rows("SELECT * FROM portfolio_valuations WHERE account_id = ?", from)).to.deep.equal(before);
    expect(world.portfolios.list(to)[0]).to.include({ lots: 1, transactions: 1, valuedDay: first + 1 });
    world.portfolios.transfer(portfolioId, from);
    expect(world.portfolios.list(from)[0]).to.include({ lots: 1, transactions: 1, valuedDay: first });
  });

  it("record sharing only if it changed, and report whether it did", () => {
    const accountId = world.account("Sharer");
    const portfolioId = world.portfolio(accountId);
    expect(world.portfolios.share(portfolioId, true)).to.deep.equal({ wasPublic: false });
    expect(world.portfolios.share(portfolioId, true)).to.deep.equal({ wasPublic: true });
    expect(record(portfolioId)!.isPublic).to.equal(true);
    world.portfolios.share(portfolioId, false);
    expect(activity(accountId)).to.deep.equal([
      { kind: "owner_changed", detail: `portfolio ${portfolioId} was made public` },
      { kind: "owner_changed", detail: `portfolio ${portfolioId} was made private` },
    ]);
  });

  it("are hidden from every command and list once deleted", () => {
    const accountId = world.account("Deleter");
    const [kept, gone] = [world.portfolio(accountId), world.portfolio(accountId)];
    world.importLines(kept, { record: "lot", integration_ref: "L1", item_id: 1, quantity: 2 });
    world.portfolios.remove(gone);
    expect(activity(accountId)).to.deep.equal([{ kind: "owner_changed", detail: `portfolio ${gone} was deleted` }]);
    const listed = world.portfolios.list(accountId);
    expect(
      listed.map(({ portfolioId, lots, transactions, valuedDay }) => [portfolioId, lots, transactions, valuedDay]),
    ).to.deep.equal([[kept, 1, 0, null]]);
    for (const work of [
      () => world.portfolios.remove(gone),
      () => world.portfolios.share(gone, true),
      () => world.portfolios.transfer(gone, world.accountId),
    ]) {
      expect(work).to.throw(OperatorError, `unknown portfolio \`${gone}\``);
    }
    expect(() => world.portfolios.list("acc_none")).to.throw(OperatorError, /unknown account/);
  });
});
