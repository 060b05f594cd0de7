import { expect } from "chai";
import { dayMs, dayOf } from "../../src/values/time/calendar.ts";
import { idOf, PortfolioRows } from "../support/portfolios.ts";
import { demoAt, useWorld } from "../support/world.ts";
import { createPeople, type People, patientPlans, portfolioOperations } from "./portfolio-people.ts";

type Change = { does(): void; undoes(): void; answers: readonly [number, string] };

const listOperations = ["listPortfolioHoldings", "listPortfolioTransactions", "getPortfolioHistory"] as const;

describe("changes to a personal token's access", () => {
  const world = useWorld({ instead: { plans: patientPlans } });
  let people: People;
  before(() => {
    people = createPeople(world);
  });

  const rows = (work: (rows: PortfolioRows) => void) => world.change((database) => work(new PortfolioRows(database)));
  const get = (operation: string, portfolioId: string, key = people.tokens.own.secret, query = {}) =>
    world.client.call(operation, { key, path: { portfolio_id: portfolioId }, query });
  const listed = async (key = people.tokens.own.secret) => {
    const { json } = await world.client.call("listPortfolios", { key });
    return (json.data as { portfolio_id: string }[]).map(({ portfolio_id }) => portfolio_id);
  };

  const hidden = [404, "portfolio_not_found"] as const;
  const changes: Record<string, () => Change> = {
    "a transfer to another account": () => ({
      does: () => rows((file) => file.transfer(people.ids.selected, people.other.accountId)),
      undoes: () => rows((file) => file.transfer(people.ids.selected, people.me.accountId)),
      answers: hidden,
    }),
    "taking it out of the selection": () => ({
      does: () => rows((file) => file.unselect(people.tokens.own.keyId, people.ids.selected)),
      undoes: () => rows((file) => file.select(people.tokens.own.keyId, people.ids.selected)),
      answers: hidden,
    }),
    "a disabled account": () => ({
      does: () => void world.accounts((accounts) => accounts.disable(people.me.accountId)),
      undoes: () => void world.accounts((accounts) => accounts.enable(people.me.accountId)),
      answers: [403, "account_disabled"],
    }),
    "the end of the token": () => ({
      does: () => world.clock.advance(90 * dayMs),
      undoes: () => world.clock.advance(-90 * dayMs),
      answers: [401, "expired_api_key"],
    }),
  };
  for (const [what, made] of Object.entries(changes)) {
    it(`${what} and its reversal affect every later request`, async () => {
      const { does, undoes, answers } = made();
      const { selected } = people.ids;
      for (let round = 0; round < 5; round += 1) {
        for (const operation of portfolioOperations) {
          expect((await get(operation, selected)).status).to.equal(200);
          does();
          const { status, json } = await get(operation, selected);
          expect([status, json.code], operation).to.deep.equal(answers);
          undoes();
        }
        expect(await listed()).to.include(selected);
        does();
        if (answers === hidden) expect(await listed()).to.not.include(selected);
        else
          expect((await world.client.call("listPortfolios", { key: people.tokens.own.secret })).status).to.equal(
            answers[0],
          );
        undoes();
      }
    });
  }

  it("affect new requests while others are in flight", async () => {
    const { selected } = people.ids;
    for (let round = 0; round < 20; round += 1) {
      const crowd = Array.from({ length: 8 }, () =>
        world.client.call("getItem", { key: people.me.secret, path: { item_id: 1 } }),
      );
      rows((file) => file.transfer(selected, people.other.accountId));
      const refused = await Promise.all(portfolioOperations.map((operation) => get(operation, selected)));
      expect(refused.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
      rows((file) => file.transfer(selected, people.me.accountId));
      expect((await get("getPortfolio", selected)).status).to.equal(200);
      await Promise.all(crowd);
    }
  });

  it("stop other tokens' access when a portfolio is transferred and back", async () => {
    const { ids, tokens, me, other } = people;
    rows((file) => file.transfer(ids.foreign, me.accountId));
    for (const { secret } of [tokens.own, tokens.ownOther, tokens.theirs])
      expect((await get("getPortfolio", ids.foreign, secret)).status).to.equal(404);
    rows((file) => file.transfer(ids.foreign, other.accountId));
    expect((await get("getPortfolio", ids.foreign, tokens.theirs.secret)).status).to.equal(200);
  });

  it("hand over no row of the previous owner on a transfer", async () => {
    const { tokens, me, other } = people;
    const lent = idOf("pf_", "lent");
    const today = dayOf(demoAt);
    rows((file) => {
      file.select(tokens.own.keyId, file.portfolio("lent", me.accountId));
      file.select(tokens.theirs.keyId, lent);
      file.transaction(lent, "lentMine", today - 1);
      file.valuation(lent, today - 1, { valueCents: 111 });
    });
    const seen = async (key: string) => {
      const [settings, ledger, values] = await Promise.all(
        ["getPortfolio", "listPortfolioTransactions", "getPortfolioHistory"].map((operation) =>
          get(operation, lent, key),
        ),
      );
      if (settings!.status !== 200) return settings!.status;
      const ids = (ledger!.json.data as { transaction_id: string }[]).map(({ transaction_id }) => transaction_id);
      const cents = (values!.json.data as { value_cents: number }[]).map(({ value_cents }) => value_cents);
      expect(settings!.json.data.transaction_count).to.equal(ids.length);
      return [...ids, ...cents];
    };
    const mine = [idOf("tx_", "lentMine"), 111];
    expect([await seen(tokens.own.secret), await seen(tokens.theirs.secret)]).to.deep.equal([mine, 404]);
    rows((file) => file.transfer(lent, other.accountId));
    expect([await seen(tokens.own.secret), await seen(tokens.theirs.secret)]).to.deep.equal([404, []]);
    rows((file) => {
      file.transaction(lent, "lentTheirs", today - 1);
      file.valuation(lent, today - 1, { valueCents: 222 });
    });
    expect(await seen(tokens.theirs.secret)).to.deep.equal([idOf("tx_", "lentTheirs"), 222]);
    rows((file) => file.transfer(lent, me.accountId));
    expect([await seen(tokens.own.secret), await seen(tokens.theirs.secret)]).to.deep.equal([mine, 404]);
  });

  it("end secrets at once by rotation and revocation, for every operation", async () => {
    const { ids, renewed, tokens } = people;
    expect((await get("getPortfolio", ids.selected, renewed)).status).to.equal(200);
    const next = world.keysOf((keys) => keys.rotate(tokens.rotated.keyId).secret);
    for (const operation of portfolioOperations) {
      expect((await get(operation, ids.selected, renewed)).json.code).to.equal("invalid_api_key");
      expect((await get(operation, ids.selected, next)).status).to.equal(200);
    }
    world.keysOf((keys) => keys.revoke(tokens.rotated.keyId));
    for (const operation of portfolioOperations)
      expect((await get(operation, ids.selected, next)).json.code).to.equal("revoked_api_key");
  });

  it("end a deleted portfolio and its cursors for good", async () => {
    const { tokens, me } = people;
    const doomed = idOf("pf_", "doomed");
    rows((file) => {
      file.select(tokens.own.keyId, file.portfolio("doomed", me.accountId));
      for (const part of ["1", "2"]) file.holding(doomed, `doomed${part}`);
    });
    const { json } = await get("listPortfolioHoldings", doomed, tokens.own.secret, { limit: 1 });
    rows((file) => file.remove(doomed));
    const after = await get("listPortfolioHoldings", doomed, tokens.own.secret, { after: json.meta.next_page });
    expect([after.status, after.json.code]).to.deep.equal(hidden);
    expect(await listed()).to.not.include(doomed);
  });

  it("refuse a cursor of another account, portfolio or window without cost", async () => {
    const { ids, tokens } = people;
    const first = async (operation: string) =>
      (await get(operation, ids.selected, tokens.own.secret, { limit: 1 })).json.meta;
    const list = (await world.client.call("listPortfolios", { key: tokens.own.secret, query: { limit: 1 } })).json.meta;
    const metas = new Map<string, { next_page: string }>();
    for (const operation of listOperations) metas.set(operation, await first(operation));
    const before = world.charged();
    const refused: [string, number, string][] = [];
    const note = (what: string, { status, json }: { status: number; json: { code: string } }) =>
      refused.push([what, status, json.code]);
    for (const [operation, { next_page: after }] of metas) {
      for (const id of [ids.selectedPublic, ids.foreign, ids.nonexistent, "pf_"])
        note(`${operation} of ${id}`, await get(operation, id, tokens.own.secret, { after }));
      note(`${operation} by another account`, await get(operation, ids.selected, tokens.theirs.secret, { after }));
      if (operation !== "listPortfolioHoldings")
        note(`${operation} from`, await get(operation, ids.selected, tokens.own.secret, { after, from: "2026-01-01" }));
    }
    const theirs = { key: tokens.theirs.secret, query: { after: list.next_page } };
    note("listPortfolios by another account", await world.client.call("listPortfolios", theirs));
    expect(refused).to.have.length(3 * 5 + 2 + 1);
    for (const one of refused) expect(one.slice(1), one[0]).to.deep.equal([400, "cursor_mismatch"]);
    expect(world.charged()).to.deep.equal(before);
    for (const [operation, { next_page: after }] of metas) {
      const page = await get(operation, ids.selected, tokens.own.secret, { after });
      expect([page.status, page.json.data.length], operation).to.deep.equal([200, 1]);
    }
  });

  it("refuse an invalid range without cost for every portfolio id", async () => {
    const { ids, tokens } = people;
    const before = world.charged();
    const tomorrow = new Date((dayOf(demoAt) + 1) * dayMs).toISOString().slice(0, 10);
    for (const operation of ["listPortfolioTransactions", "getPortfolioHistory"]) {
      for (const id of [ids.selected, ids.foreign, ids.nonexistent]) {
        const codes = [];
        for (const query of [{ from: "2025-01-01", to: "2026-01-10" }, { to: tomorrow }, { from: "2026-01-9" }])
          codes.push((await get(operation, id, tokens.own.secret, query)).json.code);
        expect(codes).to.deep.equal(["window_too_large", "invalid_range", "invalid_parameter"]);
      }
    }
    expect(world.charged()).to.deep.equal(before);
    expect(world.internalErrors).to.equal(0);
  });
});
