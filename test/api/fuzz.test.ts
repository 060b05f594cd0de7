import { expect } from "chai";
import { onlyItems } from "../contract/replay-states.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { demoAt, World } from "../support/world.ts";
import {
  type Draft,
  type Fault,
  innerFaults,
  outerFaults,
  type Secrets,
  soundDraft,
  soundSecret,
  targetOf,
} from "./faults.ts";
import {
  type DeclaredOperation,
  declaredOperations,
  type Expected,
  expectedOf,
  type Facts,
  type Parameter,
} from "./oracle.ts";

const requests = 3_200;
const atOnce = 16;
const seed = Number(process.env.ITEMTAPE_FUZZ_SEED ?? 20_260_115);
const providers = ["steam", "northgate", "bazaar", "swapyard", "oldhall"];
const [unknownIndex, unknownCurrency] = ["no-such-index", "XTS"];
const shownOpenables = ["kilowatt-case", "chroma-2-case", "spectrum-2-case", "community-sticker-capsule-1"];
/** The second one is a draft. */
const hiddenOpenables = ["no-such-case", "operation-broken-fang-case"];
const unknownGenerations = ["g6", "g9999999999"];
/** Any of `from` with any of `to` is a window that every history reads, and so is each alone. */
const soundTexts: Readonly<Record<string, readonly string[]>> = {
  provider: providers,
  side: ["ask", "bid"],
  from: ["2025-12-20", "2025-12-31", "2026-01-05"],
  to: ["2026-01-05", "2026-01-06", "2026-01-14", "2026-01-15"],
  index_id: [..."knives-equal cases-capitalization ".repeat(4).trim().split(" "), unknownIndex],
  currency: ["EUR", "USD", "JPY", "EUR", "USD", "JPY", unknownCurrency],
  "getIndexHistory methodology_version": ["1"],
  "getOpenableHistory methodology_version": ["roi-1"],
  slug: [...shownOpenables, ...shownOpenables, ...hiddenOpenables],
  valuation_mode: ["steam_gross", "cash_ask"],
  granularity: ["hour", "day"],
  membership_version: ["1", "2"],
  generation: ["g5", "g4", "g3", "g1", "g5", ...unknownGenerations],
};
/** What no caller's token has selected, or what is no id at all. */
const otherPortfolios = ["pf_000000000000000demo7", "pf_000000000000000000000000", "x", "%20", "..%2F", "%F0%9F%92%A5"];
const texts = [
  "doppler",
  "★",
  "КЕРАМБИТ",
  "a",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "(factory new)",
  "É",
  "e\u0301",
  "💥",
  "x".repeat(120),
  "nothing such",
];

describe("generated requests", () => {
  let world: World;
  let callers: Caller[];
  let known: ReadonlySet<number>;
  before(async () => {
    world = await World.start();
    await onlyItems([1, 2, 3, 661])(world, world.account("builder"));
    known = new Set(world.sql("SELECT item_id FROM items").map((row) => Number(row.item_id)));
    callers = Array.from({ length: atOnce }, (_, slot) => makeCaller(world, slot));
  });
  after(() => world.stop());

  it(`all ${requests} generated requests are answered and charged as the contract says (seed ${seed})`, async () => {
    const random = mulberry32(seed);
    const tally = new Map<string, { sent: number; accepted: number }>();
    for (let sent = 0; sent < requests; sent += atOnce) {
      const before = world.charged();
      const batch = Array.from({ length: atOnce }, (_, slot) => {
        const operation = declaredOperations[(slot + sent / atOnce) % declaredOperations.length] as DeclaredOperation;
        return { slot, operation, ...makeRequest(operation, callers[slot] as Caller, known, random) };
      });
      const wrong = await Promise.all(batch.map(({ operation, draft, expected }) => ask(operation, draft, expected)));
      expect(
        wrong.filter((one) => one !== null),
        `seed ${seed}, from request ${sent}`,
      ).to.deep.equal([]);
      const units = batch.reduce((sum, { expected }) => sum + expected.units, 0);
      const after = world.charged();
      const now = { units: after.units - before.units, events: after.events - before.events };
      expect(now, `seed ${seed}, from request ${sent}: charges`).to.deep.equal({ units, events: units });
      for (const { operation, expected } of batch) {
        const count = tally.get(operation.operationId) ?? { sent: 0, accepted: 0 };
        tally.set(operation.operationId, {
          sent: count.sent + 1,
          accepted: count.accepted + (expected.status === 200 ? 1 : 0),
        });
      }
    }
    for (const [operationId, { sent, accepted }] of tally) {
      expect(sent, operationId).to.be.greaterThan(requests / declaredOperations.length - atOnce);
      expect(accepted / sent, `${operationId}: share of accepted requests`).to.be.at.least(0.3);
    }
    expect(world.internalErrors).to.equal(0);
    expect(callers.map(({ accountId }) => world.used(accountId)).every((used) => used > 0)).to.equal(true);
  }).timeout(60_000);

  /** Null when the answer is the expected one, else what is wrong about it. */
  async function ask(operation: DeclaredOperation, draft: Draft, { status, code }: Expected): Promise<string | null> {
    const target = targetOf(operation, draft);
    const message = `${draft.method} ${target} ${JSON.stringify(draft.headers).slice(0, 300)} ${draft.body?.slice(0, 200) ?? ""}`;
    try {
      const body = draft.body === undefined ? {} : { body: draft.body };
      const request = { method: draft.method, target, headers: draft.headers, ...body };
      const answer = await world.client.checked(operation.operationId, request);
      const got = answer.json?.code ?? null;
      return answer.status === status && got === code
        ? null
        : `${message}: ${answer.status} ${got}, not ${status} ${code}`;
    } catch (error) {
      return `${message}: ${String(error)}`;
    }
  }
});

type Caller = { secrets: Secrets; accountId: string; portfolioId: string };

function makeCaller(world: World, slot: number): Caller {
  const { secret, accountId, key } = world.account("quant");
  const portfolioId = world.change((database) => {
    const rows = new PortfolioRows(database);
    const made = rows.portfolio(`fuzz${slot}`, accountId);
    rows.holding(made, `fuzz${slot}`);
    rows.transaction(made, `fuzz${slot}`, Math.floor(demoAt / 86_400_000) - 9);
    rows.valuation(made, Math.floor(demoAt / 86_400_000) - 9);
    return made;
  });
  const variant = () => world.account("builder");
  const [expired, revoked, disabled] = [variant(), variant(), variant()];
  world.sql("UPDATE api_keys SET expires_at = ? WHERE key_id = ?", demoAt, expired.key.keyId);
  world.keysOf((keys) => keys.revoke(revoked.key.keyId));
  world.accounts((accounts) => accounts.disable(disabled.accountId));
  const good = world.keysOf((keys) => keys.rotate(key.keyId)).secret;
  const secrets = {
    good,
    rotated: secret,
    expired: expired.secret,
    revoked: revoked.secret,
    disabled: disabled.secret,
    token: world.keysOf((keys) => keys.createPersonal(accountId, "fuzz", 90, [portfolioId], true)).secret,
    free: world.account("free").secret,
    freeToken: world.key(world.account("free").accountId, "personal", "portfolio:read"),
  };
  return { secrets, accountId, portfolioId };
}

/** Half of the requests are sound, the others have one fault or, now and then, a fault of the caller and one of a parameter. */
function makeRequest(operation: DeclaredOperation, caller: Caller, known: ReadonlySet<number>, random: () => number) {
  const { secrets, portfolioId } = caller;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const anyPortfolio = () => (random() < 0.8 ? portfolioId : pick(otherPortfolios));
  const draft = soundDraft(operation, soundSecret(operation, secrets));
  const facts: Facts = { plan: "quant" };
  const faulty = random();
  const faults: Fault[] = [];
  if (faulty > 0.5) faults.push(pick(random() < 0.5 ? innerFaults(operation) : wholeFaults(operation, secrets)));
  const soundIn = new Set(faults.length === 0 ? operation.parameters.map(({ name }) => name) : []);
  for (const parameter of operation.parameters) {
    if (!soundIn.has(parameter.name) || (parameter.in === "query" && random() < 0.4)) continue;
    const isPortfolio = parameter.name === "portfolio_id";
    const value = isPortfolio ? anyPortfolio() : soundValue(operation, parameter, known, random, pick);
    if (value === null) continue;
    if (parameter.in === "path") draft.path[parameter.name] = value;
    else draft.query.push(`${parameter.name}=${value}`);
    if (parameter.name === "item_id" && !known.has(Number(value))) facts.notFound = "item_not_found";
    if (isPortfolio && value !== portfolioId) facts.notFound = "portfolio_not_found";
    if (value === unknownIndex) facts.notFound = "index_not_found";
    if (value === unknownCurrency) facts.notFound = "currency_not_found";
    if (unknownGenerations.includes(value)) facts.notFound = "generation_not_found";
    if (hiddenOpenables.includes(value)) facts.notFound = "openable_not_found";
  }
  if (faults.length === 0 && operation.takesBody)
    draft.body = operation.operationId === "resolveItemNames" ? soundNames(pick) : soundBatch(random, pick);
  for (const fault of faults) {
    fault.apply(draft);
    Object.assign(facts, fault.facts);
  }
  for (const [name, values] of Object.entries(wishes)) if (random() < 0.25) draft.headers[name] = pick(values);
  return { draft, expected: expectedOf(operation, facts) };
}

/** The Free plan has a small minute, which is not the question here; the other outer faults are. */
function wholeFaults(operation: DeclaredOperation, secrets: Secrets): Fault[] {
  const faults = outerFaults(operation, secrets);
  return faults.filter(({ facts }) => facts.plan !== "free" || operation.plan === "paid");
}

/** Headers that say how to answer: whatever they hold, nothing is refused for them. */
const wishes = {
  "if-none-match": ['W/"0000000000000000000000"', '"x", W/"y"', '*, "x"', '"', "W/", ",,,", "é", '"x,'.repeat(500)],
  "accept-encoding": ["gzip", "gzip;q=0", "identity;q=0", "br", "*;q=0", ";;;", '"gzip', `${"a,".repeat(1000)}gzip`],
  "if-modified-since": ["Wed, 01 Jan 2099 00:00:00 GMT", "x"],
  "if-match": ["*", '"x"'],
  range: ["bytes=0-1", "x"],
  accept: ["image/*", "*/*;q=0", ""],
};

type Pick = <T>(from: readonly T[]) => T;

/** A value within its bounds, often right at them; null: leave the parameter out. */
function soundValue(
  { operationId }: DeclaredOperation,
  { name, schema }: Parameter,
  known: ReadonlySet<number>,
  random: () => number,
  pick: Pick,
): string | null {
  const reported = soundTexts[name] ?? soundTexts[`${operationId} ${name}`];
  if (reported !== undefined) return pick(reported);
  if (schema.type === "integer") {
    const [least, most] = [Number(schema.minimum), Number(schema.maximum)];
    if (name === "item_id" && random() < 0.8) return String(pick([...known]));
    const bounds = [least, least + 1, most - 1, most];
    return String(random() < 0.4 ? pick(bounds) : least + Math.floor(random() * Math.min(most - least + 1, 4_000)));
  }
  if (name === "q") return encodeURIComponent(pick(texts));
  // Only the server can make a cursor.
  return null;
}

function soundBatch(random: () => number, pick: Pick): string {
  const size = pick([1, 2, 3, 99, 100]);
  const ids = new Set<number>();
  while (ids.size < size) ids.add(1 + Math.floor(random() * 5_000));
  return JSON.stringify({
    ...(random() < 0.3 && { provider: pick(providers) }),
    item_ids: [...ids],
    ...(random() < 0.3 && { side: pick(["ask", "bid"]) }),
  });
}

function soundNames(pick: Pick): string {
  const names = new Set(texts);
  for (let size = pick([1, 2, 50, 100]); names.size < size; ) names.add(`★ Karambit | Doppler ${names.size}`);
  return JSON.stringify({ names: [...names, "★ Karambit | Doppler (Factory New)"].slice(-pick([1, 2, 100])) });
}

/** A small generator that gives the same numbers for the same seed. */
function mulberry32(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
