import { expect } from "chai";
import { onlyItems } from "../contract/replay-states.ts";
import { casesBySize } from "../support/size.ts";
import { demoAt, useWorld, type World } from "../support/world.ts";
import {
  type Draft,
  type Fault,
  innerFaults,
  malformedAuthorizations,
  outerFaults,
  type Secrets,
  soundDraft,
  soundSecret,
  targetOf,
} from "./faults.ts";
import { type DeclaredOperation, declaredOperations, expectedOf, type Facts } from "./oracle.ts";

describe("refusals", () => {
  const world = useWorld();
  let secrets: Secrets;
  let ledgerBefore: { units: number; events: number };
  before(async () => {
    await onlyItems([1, 2, 3])(world, world.account("builder"));
    secrets = makeSecrets(world);
    ledgerBefore = world.charged();
  });

  /** Sends the request with its faults and compares the response with the refusal of the first failing check. */
  async function refuse(operation: DeclaredOperation, faults: readonly Fault[]): Promise<void> {
    const draft = soundDraft(operation, soundSecret(operation, secrets));
    for (const fault of faults) fault.apply(draft);
    const facts: Facts = Object.assign({}, ...faults.map((fault) => fault.facts));
    const { status, code } = expectedOf(operation, facts);
    const title = `${operation.operationId} with ${faults.map((fault) => fault.title).join(" and ")}`;
    const answer = await world.client.checked(operation.operationId, requestOf(operation, draft));
    expect([answer.status, answer.json?.code ?? null], `${title}: ${answer.text.slice(0, 300)}`).to.deep.equal([
      status,
      code,
    ]);
  }

  /** Operations of which each malformed header and each pair of faults is tried. */
  const whole = new Set(casesBySize(declaredOperations, 6));
  for (const operation of declaredOperations) {
    const refused = (fault: Fault) => expectedOf(operation, fault.facts).status >= 400;

    it(`${operation.operationId} names each documented fault`, async () => {
      const faults = [...outerFaults(operation, secrets), ...innerFaults(operation)].filter(refused);
      for (const fault of faults) await refuse(operation, [fault]);
      expect(faults.length).to.be.greaterThan(10);
    });

    if (!whole.has(operation)) continue;
    it(`${operation.operationId} reports the first checked of two faults`, async () => {
      const inner = innerFaults(operation);
      const faults = [...outerFaults(operation, secrets), ...inner.slice(0, 2), ...inner.slice(-2)];
      for (const [index, first] of faults.entries()) {
        for (const second of faults.slice(index + 1)) {
          if (canMeet(first, second) && refused(mixed(first, second))) await refuse(operation, [first, second]);
        }
      }
    });

    if (operation.scope === "none") continue;
    it(`${operation.operationId} refuses every malformed Authorization header`, async () => {
      const headers = malformedAuthorizations(secrets.good);
      expect(headers.length).to.be.greaterThan(30);
      for (const [index, authorization] of headers.entries()) {
        const apply = (draft: Draft) => Object.assign(draft.headers, { authorization });
        await refuse(operation, [
          { title: `header ${index}: ${authorization.slice(0, 40)}`, facts: { credential: "unknown" }, apply },
        ]);
      }
    });
  }

  it("cost no unit or attempt and never report an internal error", async () => {
    expect(world.charged()).to.deep.equal(ledgerBefore);
    expect(world.internalErrors).to.equal(0);
    const { headers } = await world.client.call("getUsage", { key: secrets.good });
    expect(headers.get("x-ratelimit-remaining")).to.equal("59");
  });
});

function makeSecrets(world: World): Secrets {
  const good = world.account("builder");
  const other = () => world.account("builder");
  const [expired, revoked, disabled, rotated] = [other(), other(), other(), other()];
  world.sql("UPDATE api_keys SET expires_at = ? WHERE key_id = ?", demoAt, expired.key.keyId);
  world.keysOf((keys) => keys.revoke(revoked.key.keyId));
  world.keysOf((keys) => keys.rotate(rotated.key.keyId));
  world.accounts((accounts) => accounts.disable(disabled.accountId));
  return {
    good: good.secret,
    expired: expired.secret,
    revoked: revoked.secret,
    disabled: disabled.secret,
    rotated: rotated.secret,
    token: world.key(good.accountId, "personal", "portfolio:read"),
    free: world.account("free").secret,
    freeToken: world.key(world.account("free").accountId, "personal", "portfolio:read"),
  };
}

/** Returns whether one request can have both faults without one undoing the other. */
function canMeet(first: Fault, second: Fault): boolean {
  const [one, other] = [first.facts, second.facts].map((facts) => Object.keys(facts)[0] ?? "");
  if (one === other) return false;
  const caller = ["credential", "scopes", "plan"];
  if (caller.includes(one ?? "") && caller.includes(other ?? "")) return false;
  const body = ["routeMissed", "tooLarge", "unwantedBody", "parameters"];
  if (body.includes(one ?? "") && body.includes(other ?? "") && /body|method|content/.test(first.title + second.title))
    return false;
  return !/slash|malformed path/.test(first.title) || !/slash|malformed path/.test(second.title);
}

function mixed(first: Fault, second: Fault): Fault {
  return { ...first, facts: { ...first.facts, ...second.facts } };
}

function requestOf(operation: DeclaredOperation, draft: Draft) {
  return {
    method: draft.method,
    target: targetOf(operation, draft),
    headers: draft.headers,
    ...(draft.body === undefined ? {} : { body: draft.body }),
  };
}
