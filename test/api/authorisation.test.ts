import { expect } from "chai";
import { onlyItems } from "../contract/replay-states.ts";
import { casesBySize } from "../support/size.ts";
import { type Account, demoAt, useWorld, type World } from "../support/world.ts";
import { type ClientState, heldStateOf, soundDraft, targetOf } from "./faults.ts";
import { declaredOperations, expectedOf, type Facts, type Plan } from "./oracle.ts";

const kinds = ["project", "personal"] as const;
const scopeSets = ["market:read", "portfolio:read", "market:read portfolio:read"] as const;
const allPlans: readonly Plan[] = ["free", "builder", "trader", "quant"];
const minuteMs = 60_000;

/** States in which an answer depends on the plan. */
const planned = ["sound", "plan ended", "month used up"];
/** Plans that are tested in a state. If all plans refuse alike, the short run tests one. */
const plansIn = (state: string) => casesBySize(allPlans, planned.includes(state) ? 2 : 1);

/** State of the caller's key or account, and the facts that result for each request. */
const states: Record<string, { facts: Facts; enter(world: World, account: Account): void }> = {
  sound: { facts: {}, enter: () => {} },
  "key expired": {
    facts: { credential: "expired" },
    enter: (world, { accountId }) =>
      void world.sql("UPDATE api_keys SET expires_at = ? WHERE account_id = ?", demoAt, accountId),
  },
  "key revoked": {
    facts: { credential: "revoked" },
    enter: (world, { accountId }) =>
      void world.sql("UPDATE api_keys SET revoked_at = ? WHERE account_id = ?", demoAt, accountId),
  },
  "account disabled": {
    facts: { credential: "disabled" },
    enter: (world, { accountId }) => void world.accounts((accounts) => accounts.disable(accountId)),
  },
  "plan ended": {
    facts: { plan: "free" },
    enter: (world, { accountId }) =>
      void world.sql("UPDATE accounts SET plan_ends_at = ? WHERE account_id = ?", demoAt, accountId),
  },
  "month used up": {
    facts: { monthUsedUp: true },
    enter: (world, { accountId }) =>
      void world.sql("INSERT INTO usage_months VALUES (?, '2026-01', 1000000)", accountId),
  },
};

describe("authorisation", () => {
  const world = useWorld({ fewItems: true });
  let minutes = 0;
  const seen = new Set<string>();
  const outcomes = new Map<string, number>();
  let held: ClientState;
  before(async () => {
    held = heldStateOf(world);
    await onlyItems([1, 2, 3])(world, world.account("builder"));
  });

  for (const [state, { facts, enter }] of Object.entries(states)) {
    for (const plan of plansIn(state)) {
      it(`on ${plan}, ${state}, every operation answers and charges each key as documented`, async () => {
        const account = world.account(plan);
        const secrets = kinds.flatMap((kind) =>
          scopeSets.map((scopes) => ({ kind, scopes, secret: world.key(account.accountId, kind, scopes) })),
        );
        enter(world, account);
        for (const { kind, scopes, secret } of secrets) {
          // A new minute for each key, so that the minute limit of the Free plan does not interfere.
          minutes += 1;
          world.clock.at = demoAt + minutes * minuteMs;
          for (const operation of declaredOperations) {
            const draft = soundDraft(operation, secret, held);
            // None of the keys has a portfolio.
            const namesPortfolio = operation.path.includes("{portfolio_id}");
            const missing = namesPortfolio ? { notFound: "portfolio_not_found" } : {};
            const expected = expectedOf(operation, { plan, scopes: scopes.split(" "), ...missing, ...facts });
            const before = world.used(account.accountId);
            const answer = await world.client.checked(operation.operationId, {
              method: draft.method,
              target: targetOf(operation, draft),
              headers: draft.headers,
              ...(draft.body === undefined ? {} : { body: draft.body }),
            });
            const cell = `${operation.operationId} ${kind} "${scopes}" ${plan} ${state}`;
            const units = world.used(account.accountId) - before;
            expect({ status: answer.status, code: answer.json?.code ?? null, units }, cell).to.deep.equal({
              status: expected.status,
              code: expected.code,
              units: expected.units,
            });
            seen.add(cell);
            outcomes.set(
              `${expected.status} ${expected.code ?? ""}`,
              (outcomes.get(`${expected.status} ${expected.code ?? ""}`) ?? 0) + 1,
            );
          }
        }
      });
    }
  }

  it("every documented outcome of operation, plan and key occurs", () => {
    const callers = kinds.length * scopeSets.length;
    const accounts = Object.keys(states).reduce((sum, state) => sum + plansIn(state).length, 0);
    expect(seen.size).to.equal(declaredOperations.length * callers * accounts);
    const wanted = [
      "200 ",
      "401 expired_api_key",
      "401 revoked_api_key",
      "403 account_disabled",
      "403 insufficient_scope",
      "404 portfolio_not_found",
    ];
    expect([...outcomes.keys()]).to.have.members([
      ...wanted,
      "403 plan_upgrade_required",
      "429 monthly_quota_exceeded",
    ]);
    expect(world.internalErrors).to.equal(0);
  });
});
