import { expect } from "chai";
import { getTableName } from "drizzle-orm";
import { holdings, portfolios, portfolioTransactions, removedLots } from "../../db/schema/portfolios.ts";
import { createEvents } from "../../src/log/events.ts";
import { canaryForm } from "../support/portfolios.ts";
import { type Account, World } from "../support/world.ts";
import { type Draft, type Fault, innerFaults, outerFaults, soundDraft, targetOf } from "./faults.ts";
import { declaredOperations } from "./oracle.ts";
import { createPeople, type People, patientPlans, portfolioOperations } from "./portfolio-people.ts";

const tables = [portfolios, holdings, portfolioTransactions, removedLots];
const privateColumns = ["notes", "external_account_id", "integration_ref"];
/** A cursor is text that can be read back. */
const cursorForm = /"next_(?:page|cursor)":"([A-Za-z0-9_-]+)\./g;

/** A world that records every log line. */
class LoudWorld extends World {
  readonly log: string[] = [];
  override readonly events = createEvents("debug", { write: (line: string) => void this.log.push(line) });
}

describe("private portfolio columns", () => {
  let world: LoudWorld;
  let people: People;
  const reported: string[] = [];
  const answered = new Map<string, number>();
  before(async () => {
    world = new LoudWorld({ instead: { plans: patientPlans } });
    await world.restart();
    people = createPeople(world);
  });
  after(() => world.stop());

  /** Sends a draft and records the whole response. */
  const send = async (operation: (typeof declaredOperations)[number], draft: Draft) => {
    const { status, headers, text } = await world.client.send({
      method: draft.method,
      target: targetOf(operation, draft),
      headers: draft.headers,
      ...(draft.body === undefined ? {} : { body: draft.body }),
    });
    reported.push([...headers].map(([name, value]) => `${name}: ${value}`).join("\n"), text);
    for (const [, payload = ""] of text.matchAll(cursorForm))
      reported.push(Buffer.from(payload, "base64url").toString());
    answered.set(`${operation.operationId} ${status}`, (answered.get(`${operation.operationId} ${status}`) ?? 0) + 1);
  };
  const sound = (operation: (typeof declaredOperations)[number], secret: string, portfolioId: string) => {
    const draft = soundDraft(operation, secret);
    if ("portfolio_id" in draft.path) draft.path.portfolio_id = portfolioId;
    return draft;
  };

  it("hold a canary in every private column of every row", () => {
    for (const table of tables.map(getTableName)) {
      const form = privateColumns.map((column) => `${column} LIKE 'canary-%'`).join(" AND ");
      const [row] = world.sql(
        `SELECT count(*) AS rows, sum(${form}) AS filled FROM ${table}
         WHERE portfolio_id LIKE 'pf_000000%' AND notes LIKE 'canary-%'`,
      );
      expect(row?.rows, table).to.be.greaterThan(9).and.to.equal(row?.filled);
    }
  });

  it("are read with every operation, kind of key and portfolio", async () => {
    const { tokens, me, broke, ids } = people;
    const secrets = [...Object.values(tokens).map(({ secret }) => secret), me.secret, broke.secret];
    for (const operation of declaredOperations) {
      for (const secret of secrets) {
        await send(operation, sound(operation, secret, ids.selected));
        if (!operation.parameters.some(({ name }) => name === "portfolio_id")) continue;
        for (const id of Object.values(ids)) await send(operation, sound(operation, secret, id));
      }
      if (!operation.operationId.includes("ortfolio")) continue;
      const paged = sound(operation, tokens.own.secret, ids.selected);
      if (operation.operationId !== "getPortfolio") paged.query.push("limit=1");
      await send(operation, paged);
    }
    for (const operation of ["listPortfolios", ...portfolioOperations])
      expect(answered.get(`${operation} 200`), operation).to.be.greaterThan(5);
  });

  it("are tried with every faulty portfolio request", async () => {
    const { tokens, me, broke, ids } = people;
    const rotated = tokens.rotated.secret;
    const { expired, revoked, disabled, own } = tokens;
    const secrets = {
      good: me.secret,
      expired: expired.secret,
      revoked: revoked.secret,
      disabled: disabled.secret,
      rotated,
      token: own.secret,
      free: broke.secret,
      freeToken: tokens.free.secret,
    };
    for (const operation of declaredOperations.filter(({ operationId }) => operationId.includes("ortfolio"))) {
      for (const fault of [...outerFaults(operation, secrets), ...innerFaults(operation)] as Fault[]) {
        const draft = sound(operation, own.secret, ids.selected);
        fault.apply(draft);
        await send(operation, draft);
      }
    }
    for (const status of [400, 401, 403, 404])
      expect(answered.get(`getPortfolioHistory ${status}`), String(status)).to.be.greaterThan(0);
  });

  it("are tried with used-up limits and an unreadable file", async () => {
    const { ids, tokens, free } = { ...people, free: people.tokens.free };
    const poor: Account = people.broke;
    const declared = declaredOperations.filter(({ operationId }) =>
      (portfolioOperations as readonly string[]).includes(operationId),
    );
    world.sql("UPDATE usage_months SET used = 1000 WHERE account_id = ?", poor.accountId);
    for (const operation of declared) await send(operation, sound(operation, free.secret, ids.free));
    expect(answered.get("getPortfolio 429")).to.be.greaterThan(0);
    // Dates cannot represent this instant, so any code that formats it fails with the row in hand.
    for (const [table, column] of [
      ["portfolios", "updated_at"],
      ["holdings", "updated_at"],
      ["portfolio_transactions", "recorded_at"],
      ["portfolio_valuations", "recorded_at"],
    ] as const) {
      world.sql(`UPDATE ${table} SET ${column} = 9000000000000000 WHERE portfolio_id = ?`, ids.selected);
    }
    for (const operation of declared) await send(operation, sound(operation, tokens.own.secret, ids.selected));
    for (const operation of portfolioOperations) expect(answered.get(`${operation} 503`), operation).to.equal(1);
    expect(world.log.filter((line) => line.includes("internal error"))).to.have.length(4);
  });

  it("appear in no response, header, cursor or log line", () => {
    expect(reported.length).to.be.greaterThan(2000);
    expect(world.log.length).to.be.greaterThan(1000);
    const lines = [...reported, ...world.log];
    const found = lines.filter(isTelling);
    expect(found).to.deep.equal([]);
    const secrets = [...Object.values(people.tokens).map(({ secret }) => secret), people.me.secret, people.renewed];
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret.slice(-30))))).to.deep.equal([]);
  });

  it("are found by the search in plain text, hexadecimal and base64", () => {
    for (const before of ["", "x", "xy", "xyz"]) {
      const text = Buffer.from(`${before}canary-holding-notes`);
      for (const form of ["latin1", "hex", "base64", "base64url"] as const)
        expect(isTelling(`{"detail":"${text.toString(form)}"}`), form).to.equal(true);
    }
  });
});

/** The base64 digits that depend only on "canary", at each of three offsets. */
const encoded = [0, 1, 2].map((place) => {
  const digits = Buffer.from(`${"\0".repeat(place)}canary`).toString("base64");
  return digits.slice(Math.ceil((place * 8) / 6), Math.floor(((place + 6) * 8) / 6));
});

function isTelling(line: string): boolean {
  return canaryForm.test(line) || /63616e617279/i.test(line) || encoded.some((digits) => line.includes(digits));
}
