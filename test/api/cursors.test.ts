import { expect } from "chai";
import { document, operationList } from "../../scripts/contract/answers.ts";
import { dayText } from "../../src/values/time/calendar.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { casesBySize } from "../support/size.ts";
import { type Account, demoAt, useWorld } from "../support/world.ts";

type Target = { operationId: string; path: Record<string, string | number>; query: Record<string, string | number> };
type Parameters = readonly { $ref: string }[];

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
const inFlightMax = 16;
const yesterday = dayText(Math.floor(demoAt / 86_400_000) - 1);

const cursorOperations = operationList
  .filter(({ path, method }) => {
    const declared = document.paths[path]?.[method.toLowerCase()]?.parameters as Parameters | undefined;
    return declared?.some(({ $ref }) => $ref.endsWith("/AfterPage"));
  })
  .map(({ operationId }) => operationId);

describe("cursors over HTTP", () => {
  const world = useWorld();
  let account: Account;
  let token: string;
  let portfolioId: string;
  const cursors = new Map<string, { target: Target; cursor: string }>();
  before(async () => {
    account = world.account("quant");
    portfolioId = makePortfolios();
    for (const operationId of cursorOperations) {
      const target = targetOf(operationId);
      const { json } = await world.client.call(operationId, withKey(target, { limit: 1 }));
      cursors.set(operationId, { target, cursor: json.meta.next_page });
    }
  });

  it("exist for every list and history of the demo world", () => {
    expect(cursorOperations).to.include.members(["listProviders", "getDailyPriceHistory", "getHourlyPriceHistory"]);
    for (const [operationId, { cursor }] of cursors)
      expect(cursor, operationId).to.be.a("string").with.length.at.most(512);
  });

  for (const operationId of cursorOperations) {
    it(`${operationId} refuses a cursor with any altered character, without cost`, async () => {
      const { cursor } = cursors.get(operationId)!;
      const forged = Array.from(cursor).flatMap((character, index) => {
        const other = alphabet[(alphabet.indexOf(character) + 1 + (index % (alphabet.length - 1))) % alphabet.length]!;
        const [before, after] = [cursor.slice(0, index), cursor.slice(index + 1)];
        return [before + other + after, before + after, `${before}${character}${other}${after}`];
      });
      await refusedFree(operationId, forged, ["invalid_cursor", "invalid_parameter"]);
    });

    it(`${operationId} refuses the cursor of any other operation, without cost`, async () => {
      const others = Array.from(cursors.entries()).filter(([other]) => other !== operationId);
      await refusedFree(
        operationId,
        others.map(([, { cursor }]) => cursor),
        ["cursor_mismatch"],
      );
    });
  }

  it("stay valid unchanged after all refusals", async () => {
    for (const [operationId, { target, cursor }] of cursors) {
      const before = world.used(account.accountId);
      const { status } = await world.client.call(operationId, withKey(target, { after: cursor }));
      expect([status, world.used(account.accountId)], operationId).to.deep.equal([200, before + 1]);
    }
    expect(world.internalErrors).to.equal(0);
  });

  /** Checks that each of `forged` is a 400 with one of `codes`, free of charge. */
  async function refusedFree(operationId: string, forged: readonly string[], codes: readonly string[]): Promise<void> {
    const { target } = cursors.get(operationId)!;
    const before = world.charged();
    const tried = casesBySize(forged, 24);
    for (let next = 0; next < tried.length; next += inFlightMax) {
      const calls = tried.slice(next, next + inFlightMax).map(async (after) => {
        const { status, json } = await world.client.call(operationId, withKey(target, { after }));
        expect(status, after).to.equal(400);
        expect(json.code, after).to.be.oneOf(codes);
      });
      await Promise.all(calls);
    }
    expect(world.charged()).to.deep.equal(before);
  }

  function withKey({ operationId, path, query }: Target, more: Target["query"]) {
    const key = operationId.includes("Portfolio") ? token : account.secret;
    return { key, path, query: { ...query, ...more } };
  }

  /** Two portfolios, the first one with two rows of each kind, which a token of the account has selected. */
  function makePortfolios(): string {
    const ids = world.change((database) => {
      const rows = new PortfolioRows(database);
      const [first, second] = [rows.portfolio("1", account.accountId), rows.portfolio("2", account.accountId)];
      for (const index of [1, 2]) {
        rows.holding(first, `${index}`);
        rows.transaction(first, `${index}`, Math.floor(demoAt / 86_400_000) - index);
        rows.valuation(first, Math.floor(demoAt / 86_400_000) - index);
      }
      return [first, second];
    });
    token = world.keysOf((keys) => keys.createPersonal(account.accountId, "cursors", 90, ids, true)).secret;
    return ids[0]!;
  }

  /** A request in the demo world with more than one row in its response. */
  function targetOf(operationId: string): Target {
    const path = {
      item_id: Number(
        world.sql("SELECT item_id AS id FROM daily_prices GROUP BY item_id ORDER BY count(*) DESC LIMIT 1")[0]?.id,
      ),
      index_id: String(world.sql("SELECT min(index_id) AS id FROM indexes")[0]?.id),
      currency: "EUR",
      slug: String(world.sql("SELECT slug FROM roi_history GROUP BY slug ORDER BY count(*) DESC LIMIT 1")[0]?.slug),
      portfolio_id: portfolioId,
    };
    return {
      operationId,
      path,
      query: operationId === "getHourlyPriceHistory" ? { from: yesterday, side: "ask" } : {},
    };
  }
});
