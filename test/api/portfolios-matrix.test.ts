import { Agent, request } from "node:http";
import { expect } from "chai";
import { isLongRun } from "../support/size.ts";
import { World } from "../support/world.ts";
import {
  createPeople,
  malformedIds,
  type People,
  patientPlans,
  portfolioOperations,
  targetOf,
} from "./portfolio-people.ts";

/** Operations that each caller tries on each portfolio: in the short run one, another on the next. */
const operationsOn = (index: number) =>
  isLongRun ? portfolioOperations : [portfolioOperations[index % portfolioOperations.length]!];
const operationsEach = operationsOn(0).length;

type Whole = { status: number; head: string; body: string; quota: number | null; minute: number | null };
type Caller = { secret: string; refused?: readonly [number, string]; reads: readonly string[] };

const agent = new Agent({ keepAlive: true });
/** Headers that differ from one request to the next. */
const ofRequest = /^(date|x-request-id|x-ratelimit-remaining|x-quota-remaining): .*\n/gim;

const unauthorized = (code: string) => ({ refused: [401, code] as const, reads: [] });
const scopeless = { refused: [403, "insufficient_scope"] as const, reads: [] };
const callers: Record<string, (people: People) => Caller> = {
  "a token": ({ tokens, ids }) => ({
    secret: tokens.own.secret,
    reads: [ids.movedAwayAndBack, ids.received, ids.selected, ids.selectedPublic],
  }),
  "another token of the account": ({ tokens, ids }) => ({ secret: tokens.ownOther.secret, reads: [ids.otherSelected] }),
  "a token with nothing selected": ({ tokens }) => ({ secret: tokens.ownNothing.secret, reads: [] }),
  "another account's token": ({ tokens, ids }) => ({ secret: tokens.theirs.secret, reads: [ids.foreign] }),
  "a Free account's token": ({ tokens, ids }) => ({ secret: tokens.free.secret, reads: [ids.free] }),
  "an expired token": ({ tokens }) => ({ secret: tokens.expired.secret, ...unauthorized("expired_api_key") }),
  "a revoked token": ({ tokens }) => ({ secret: tokens.revoked.secret, ...unauthorized("revoked_api_key") }),
  "a secret that was rotated away": ({ tokens }) => ({
    secret: tokens.rotated.secret,
    ...unauthorized("invalid_api_key"),
  }),
  "the secret after a rotation": ({ renewed, ids }) => ({ secret: renewed, reads: [ids.selected] }),
  "a project key of a paid plan": ({ me }) => ({ secret: me.secret, ...scopeless }),
  "a project key of the Free plan": ({ broke }) => ({ secret: broke.secret, ...scopeless }),
  "a disabled account's token": ({ tokens }) => ({
    secret: tokens.disabled.secret,
    refused: [403, "account_disabled"],
    reads: [],
  }),
};

describe("portfolio ownership", () => {
  let world: World;
  let people: People;
  const refusals = new Map<string, string[]>();
  const cells = { answered: 0, hidden: 0, refused: 0, lists: 0 };

  before(async () => {
    world = await World.start({ instead: { plans: patientPlans } });
    people = createPeople(world);
  });
  after(async () => {
    agent.destroy();
    await world.stop();
  });

  for (const [name, callerOf] of Object.entries(callers)) {
    it(`${name} gets the response and charge of its relation to each portfolio`, async () => {
      const caller = callerOf(people);
      let units = 0;
      let quota: number | null = null;
      const before = world.charged().units;
      const ask = async (target: string, cell: string) => {
        const whole = await fetchWhole(world, target, caller.secret);
        if (caller.refused !== undefined) {
          expect([whole.status, JSON.parse(whole.body).code], cell).to.deep.equal(caller.refused);
          cells.refused += 1;
          return whole;
        }
        units += 1;
        if (quota !== null) expect(whole.quota, `the unit of ${cell}`).to.equal(quota - 1);
        quota = whole.quota;
        return whole;
      };
      const listed = await ask("/v1/me/portfolios", `${name} lists`);
      cells.lists += 1;
      if (caller.refused === undefined) expect(idsOf(listed), name).to.deep.equal([...caller.reads].sort());
      const named = [...Object.entries(people.ids), ...malformedIds(people.ids).map((id) => [id, id])];
      for (const [index, [relation, id]] of named.entries()) {
        for (const operation of operationsOn(index)) {
          const cell = `${name}, ${operation} of ${relation}`;
          const whole = await ask(targetOf(operation, id!), cell);
          if (caller.refused !== undefined) continue;
          if (caller.reads.includes(id!)) {
            expect(whole.status, cell).to.equal(200);
            cells.answered += 1;
          } else {
            expect(whole.status, cell).to.equal(404);
            cells.hidden += 1;
            const same = `${whole.head}\n${whole.body}`;
            refusals.set(same, [...(refusals.get(same) ?? []), cell]);
          }
        }
      }
      expect(world.charged().units - before, name).to.equal(units);
    });
  }

  it("gives an identical response for every portfolio a key may not read", () => {
    const [first] = refusals.keys();
    expect([...refusals.keys()]).to.deep.equal([first]);
    expect(first)
      .to.include('"code":"portfolio_not_found"')
      .and.not.match(/pf_|hl_|tx_|acc_|key_/);
    const ids = Object.keys(people.ids).length + malformedIds(people.ids).length;
    expect(ids).to.equal(50);
    const asked = ids * operationsEach;
    const answered = 8 * operationsEach;
    expect(cells).to.deep.equal({ answered, hidden: 6 * asked - answered, refused: 6 * (asked + 1), lists: 12 });
    expect(world.internalErrors).to.equal(0);
  });

  it("shows only the current owner's rows, never an earlier owner's", async () => {
    const { ids, tokens } = people;
    const of = async (id: string) => {
      const read = (operation: string) =>
        world.client.call(operation, { key: tokens.own.secret, path: { portfolio_id: id } }).then(({ json }) => json);
      const [settings, lots, ledger, values] = await Promise.all(portfolioOperations.map(read));
      const rows = [lots, ledger, values].map(({ data }) => data.length);
      return [settings.data.transaction_count, ...rows, values.meta.missing_points];
    };
    expect(await of(ids.movedAwayAndBack)).to.deep.equal([2, 2, 2, 2, (await of(ids.selected))[4]]);
    expect(await of(ids.received)).to.deep.equal([0, 2, 0, 0, "31 of 31 days absent: 2025-12-16/2026-01-15"]);
    const { json } = await world.client.call("listPortfolios", { key: tokens.own.secret });
    const counts = (json.data as { portfolio_id: string; transaction_count: number }[]).map(
      ({ portfolio_id, transaction_count }) => [portfolio_id, transaction_count],
    );
    expect(Object.fromEntries(counts)).to.include({ [ids.received]: 0, [ids.selected]: 2 });
  });

  it("validates a query in the same way for every portfolio id", async () => {
    const { ids, tokens } = people;
    const found = new Set<string>();
    for (const id of [ids.selected, ids.unselected, ids.foreign, ids.nonexistent, "pf_"]) {
      const before = world.charged();
      const { status, head, body } = await fetchWhole(world, `${targetOf("getPortfolio", id)}?x`, tokens.own.secret);
      found.add([status, head, body].join("\n"));
      expect(world.charged()).to.deep.equal(before);
    }
    expect(found.size).to.equal(1);
    expect([...found][0]).to.match(/^400\n/);
  });

  it("reveals no more by HEAD or a cached ETag than by GET", async () => {
    const { ids, tokens } = people;
    const { secret } = tokens.own;
    const found = new Set<string>();
    const etag = (
      await world.client.call("getPortfolio", { key: secret, path: { portfolio_id: ids.selected } })
    ).headers.get("etag")!;
    for (const id of [ids.unselected, ids.foreignPublic, ids.deleted, ids.movedAway, ids.nonexistent]) {
      const { status, head, body } = await fetchWhole(world, targetOf("getPortfolio", id), secret, "HEAD");
      found.add([status, head, body].join("\n"));
      for (const tag of [etag, "*"]) {
        const kept = await world.client.send({
          method: "GET",
          target: targetOf("getPortfolio", id),
          headers: { authorization: `Bearer ${secret}`, "if-none-match": tag },
        });
        expect([kept.status, kept.headers.get("etag")]).to.deep.equal([404, null]);
      }
    }
    expect(found.size).to.equal(1);
  });
});

function idsOf({ body }: Whole): string[] {
  return (JSON.parse(body).data as { portfolio_id: string }[]).map(({ portfolio_id }) => portfolio_id);
}

/** The response with its raw headers, without the parts that differ between requests. */
function fetchWhole(world: World, path: string, key: string, method = "GET"): Promise<Whole> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const outgoing = request(world.base, { path, method, headers, agent }, (incoming) => {
      let body = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      incoming.once("error", reject);
      incoming.once("end", () => {
        const id = String(incoming.headers["x-request-id"]);
        resolve({
          status: incoming.statusCode ?? 0,
          head: headOf(incoming.rawHeaders, incoming.statusMessage),
          body: body.replace(id, "req_"),
          quota: numberOf(incoming.headers["x-quota-remaining"]),
          minute: numberOf(incoming.headers["x-ratelimit-remaining"]),
        });
      });
    });
    outgoing.once("error", reject);
    outgoing.end();
  });
}

function headOf(raw: readonly string[], statusMessage: string | undefined): string {
  const lines = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1]}\n`] : []));
  return `${statusMessage}\n${lines.join("").replaceAll(ofRequest, "")}`;
}

function numberOf(header: string | string[] | undefined): number | null {
  return header === undefined ? null : Number(header);
}
