import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import type { Plan } from "../../src/access/plans.ts";
import type { OperationId } from "../../src/contract/types.ts";
import { Stage } from "../contract/replay.ts";
import { soundRequests } from "../contract/replay-table.ts";
import type { Answer } from "../support/client.ts";
import { describeLong } from "../support/size.ts";
import type { Account, World } from "../support/world.ts";
import { type Source, sources } from "./tag-sources.ts";

type Paths = Record<string, Record<string, { operationId: OperationId; security?: unknown[] }>>;
/** Every GET of the contract that needs a key. Their responses have tags. */
const operations = Object.values(document.paths as Paths)
  .flatMap(({ get }) => (get === undefined ? [] : [get]))
  .filter(({ security }) => security?.length !== 0)
  .map(({ operationId }) => operationId);
/** Its answer changes with the program alone. */
const fixed: readonly OperationId[] = ["listContractChanges"];
/** Queries for operations with more than one page. Their texts all differ, or their tags are equal. */
const queries = ["", "limit=1", "limit=3"];
/** Requests of one account: fewer than any plan has in a minute. */
const asksMax = 15;

/** A response without its request id and instant, and its tag. */
type Seen = { text: string; tag: string };

describeLong("entity tags after every source of change", () => {
  let stage: Stage;
  let world: World;
  let plan: Plan = "quant";
  /** By operation and address. */
  const seen = new Map<string, Seen>();
  let requests: (readonly [OperationId, string])[];
  const changed = new Set<OperationId>();

  before(async function () {
    this.timeout(180_000);
    stage = await Stage.start();
    ({ world } = stage);
    const [owner] = world.sql(
      "SELECT account_id AS id FROM portfolios WHERE portfolio_id = ?",
      stage.subjects.inventory,
    );
    world.accounts((accounts) => accounts.setPlan(String(owner?.id), "quant", null));
    const { inventory, observed } = stage.subjects;
    const sound = soundRequests(stage.subjects);
    requests = [
      ...operations.map((operation) => [operation, sound[operation].target] as const),
      // Its freshness alone changes by the clock.
      ["getMarketPrices", `/v1/items/${observed}/markets?provider=northgate`],
      ["listPortfolioHoldings", `/v1/me/portfolios/${inventory}/holdings?limit=1`],
    ];
    for (const [operation, target] of requests) seen.set(target, seenIn(operation, await ask(operation, target)));
  });
  after(() => world.stop());

  let asking: { account: Account; plan: Plan; left: number } | null = null;
  /** Returns the key of an account with few requests. Only its charges depend on that. */
  const secretFor = (operation: OperationId): string => {
    if (operation === "getUsage") return world.account(plan).secret;
    if (asking === null || asking.left === 0 || asking.plan !== plan)
      asking = { account: world.account(plan), plan, left: asksMax };
    asking.left -= 1;
    return asking.account.secret;
  };

  const ask = (operation: OperationId, target: string, tag?: string) => {
    const secret = operation.includes("ortfolio") ? world.keys.builderToken : secretFor(operation);
    const headers = { authorization: `Bearer ${secret}`, ...(tag !== undefined && { "if-none-match": tag }) };
    return world.client.checked(operation, { method: "GET", target, headers });
  };
  const seenIn = (operation: OperationId, { status, headers, text }: Answer): Seen => {
    expect(status, `${operation}: ${text}`).to.equal(200);
    const beside = /"request_id":"[^"]*","generated_at":"[^"]*"/;
    expect(text, operation).to.match(beside);
    return { text: text.replace(beside, ""), tag: headers.get("etag")! };
  };

  /** Sends the known tag. A 304 requires the same text, a 200 another text and another tag. */
  const look = async (operation: OperationId, target: string): Promise<boolean> => {
    const before = seen.get(target)!;
    const answer = await ask(operation, target, before.tag);
    // The free plan may not ask for everything.
    if (answer.status === 403 && plan === "free") return false;
    if (answer.status === 304) {
      expect(answer.headers.get("etag"), target).to.equal(before.tag);
      expect(seenIn(operation, await ask(operation, target)), `${target} as it was`).to.deep.equal(before);
      return false;
    }
    const now = seenIn(operation, answer);
    expect(now.text, `${target} is sent again`).to.not.equal(before.text);
    expect(now.tag, `${target} under its old tag`).to.not.equal(before.tag);
    seen.set(target, now);
    return true;
  };

  const walk = async ({ happen, changes, ...source }: Source) => {
    plan = source.plan ?? "quant";
    happen({ world, subjects: stage.subjects });
    const found = new Set<OperationId>();
    for (const [operation, target] of requests) if (await look(operation, target)) found.add(operation);
    for (const operation of found) changed.add(operation);
    expect([...found]).to.include.members([...changes]);
  };

  for (const source of sources) {
    it(`change exactly with the text after: ${source.name}`, async function () {
      this.timeout(60_000);
      await walk(source);
    });
  }

  it("change for every tagged operation through these sources", () => {
    expect(operations.length).to.be.greaterThan(20);
    expect(operations.filter((operation) => !changed.has(operation))).to.deep.equal(fixed);
  });

  it("differ between parameters exactly when the texts differ", async () => {
    for (const operation of operations) {
      const tags = new Map<string, string>();
      const texts = new Set<string>();
      for (const query of queries) {
        const { target } = soundRequests(stage.subjects)[operation];
        const answer = await ask(operation, query === "" ? target : `${target}?${query}`);
        if (answer.status === 400) continue;
        const { text, tag } = seenIn(operation, answer);
        texts.add(text);
        expect(tags.get(tag) ?? text, `${operation}?${query}`).to.equal(text);
        tags.set(tag, text);
      }
      expect(tags.size, operation).to.equal(texts.size);
    }
  });
});
