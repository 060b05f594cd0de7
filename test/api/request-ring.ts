import { toTimestamp } from "../../src/values/time/clock.ts";
import { onlyItems } from "../contract/replay-states.ts";
import { Random } from "../sim/random.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { demoAt, World } from "../support/world.ts";
import {
  type ClientState,
  type Draft,
  type Fault,
  heldStateOf,
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

export type RequestReport = {
  requests: number;
  /** Requests sent per operation, and the number of them with an expected 200. */
  tally: Map<string, { sent: number; accepted: number }>;
  /** Number of operator actions between the requests. */
  changes: number;
  /** Faults, each with its request. Empty in a good run. */
  faults: string[];
};

const atOnce = 16;
/** Share of the rounds of requests before which an operator changes something of one caller. */
const changeShare = 0.2;
const providers = ["steam", "northgate", "bazaar", "swapyard", "oldhall"];
const [unknownIndex, unknownCurrency] = ["no-such-index", "XTS"];
const shownOpenables = ["feral-predators-capsule", "chroma-2-case", "spectrum-2-case", "community-sticker-capsule-1"];
/** The second one is a draft. */
const hiddenOpenables = ["no-such-case", "operation-broken-fang-case"];
const newerGenerations = ["g6", "g9999999999"];
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
  item_type: ["Knife", "Gloves"],
  rarity: ["Covert", "no%20such%20rarity"],
  weapon: ["AK-47", "Karambit", "%01"],
  wear: ["Factory%20New", "Field-Tested"],
  phase: ["Ruby", "Phase%204"],
  stat_counter: ["true", "false"],
  souvenir: ["true", "false"],
  item_ids: ["661", "2,1,661", Array.from({ length: 100 }, (_, index) => index + 1).join()],
  generation: ["g5", "g4", "g3", "g1", "g5", ...newerGenerations],
};
/** Ids that are invalid or not selected by any caller's token. */
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

/**
 * Sends `requests` valid and invalid requests from `seed`, from sixteen callers at once. Each response and its charge must match a second
 * description of the contract. `stateful` also rotates keys, disables and enables accounts and uses months up between them. `fewItems` uses
 * a demo of few items. Ends at the first faulty round.
 */
export async function requestRing({
  requests = 3_200,
  seed = 1,
  stateful = false,
  fewItems = false,
} = {}): Promise<RequestReport> {
  const world = await World.start({ fewItems });
  const report: RequestReport = { requests: 0, tally: new Map(), changes: 0, faults: [] };
  try {
    const held = heldStateOf(world);
    await onlyItems([1, 2, 3, fewItems ? 11 : 661])(world, world.account("builder"));
    const known = new Set(world.sql("SELECT item_id FROM items").map((row) => Number(row.item_id)));
    const callers = Array.from({ length: atOnce }, (_, slot) => makeCaller(world, slot));
    const random = new Random(seed);
    for (let round = 0; round * atOnce < requests && report.faults.length === 0; round += 1) {
      if (stateful && random.chance(changeShare)) {
        change(world, random.pick(callers), random);
        report.changes += 1;
      }
      const batch = callers.map((caller, slot) => {
        const operation = declaredOperations[(slot + round) % declaredOperations.length] as DeclaredOperation;
        return { operation, ...makeRequest({ operation, caller, known, held }, () => random.next()) };
      });
      await sendBatch(world, batch, report);
    }
    if (world.internalErrors > 0) report.faults.push(`${world.internalErrors} internal errors`);
    return report;
  } finally {
    await world.stop();
  }
}

type Request = { operation: DeclaredOperation; draft: Draft; expected: Expected };

async function sendBatch(world: World, batch: readonly Request[], report: RequestReport): Promise<void> {
  const before = world.charged();
  const wrong = await Promise.all(batch.map((request) => ask(world, request)));
  report.faults.push(...wrong.filter((one) => one !== null).map((one) => `request ${report.requests} on: ${one}`));
  const units = batch.reduce((sum, { expected }) => sum + expected.units, 0);
  const after = world.charged();
  const now = [after.units - before.units, after.events - before.events];
  if (now.some((count) => count !== units)) {
    report.faults.push(`request ${report.requests} on: ${now.join(" units and ")} records instead of ${units}`);
  }
  report.requests += batch.length;
  for (const { operation, expected } of batch) {
    const count = report.tally.get(operation.operationId) ?? { sent: 0, accepted: 0 };
    const accepted = count.accepted + (expected.status === 200 ? 1 : 0);
    report.tally.set(operation.operationId, { sent: count.sent + 1, accepted });
  }
}

/** Returns null if the response is as expected and valid by its schema, else its fault. */
async function ask(world: World, { operation, draft, expected }: Request): Promise<string | null> {
  const { status, code } = expected;
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

/** Applies an operator's action to a caller, after undoing the previous action. */
function change(world: World, caller: Caller, random: Random): void {
  const { accountId } = caller;
  if (caller.state === "disabled") world.accounts((accounts) => accounts.enable(accountId));
  caller.state = random.pick(["good", "good", "disabled"] as const);
  if (caller.state === "disabled") world.accounts((accounts) => accounts.disable(accountId));
  else {
    const rotated = caller.secrets.good;
    caller.secrets = { ...caller.secrets, rotated, good: world.keysOf((keys) => keys.rotate(caller.keyId)).secret };
  }
}

type Caller = { secrets: Secrets; accountId: string; keyId: string; portfolioId: string; state: "good" | "disabled" };

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
  return { secrets, accountId, keyId: key.keyId, portfolioId, state: "good" };
}

type Asked = { operation: DeclaredOperation; caller: Caller; known: ReadonlySet<number>; held: ClientState };

/** Half of the requests are sound, the others have one fault or, now and then, a fault of the caller and one of a parameter. */
function makeRequest({ operation, caller, known, held }: Asked, random: () => number) {
  const { secrets, portfolioId, state } = caller;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const anyPortfolio = () => (random() < 0.8 ? portfolioId : pick(otherPortfolios));
  const draft = soundDraft(operation, soundSecret(operation, secrets), held);
  const isDisabled = state === "disabled" && operation.scope !== "none";
  const facts: Facts = { plan: "quant", ...(isDisabled && { credential: "disabled" as const }) };
  const faulty = random();
  const faults: Fault[] = [];
  if (faulty > 0.5)
    faults.push(pick(isDisabled || random() < 0.5 ? innerFaults(operation) : wholeFaults(operation, secrets)));
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
    if (newerGenerations.includes(value)) facts.notFound = "generation_not_found";
    if (hiddenOpenables.includes(value)) facts.notFound = "openable_not_found";
  }
  const hasFixedBody = ["streamMarketChanges", "streamHistoryDay"].includes(operation.operationId);
  if (faults.length === 0 && operation.takesBody && !hasFixedBody) draft.body = soundBody(operation, random, pick);
  const boundOf = (name: string) => draft.query.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const [least, most] = [boundOf("ask_min"), boundOf("ask_max")];
  if (least !== undefined && most !== undefined && BigInt(least) > BigInt(most)) facts.parameters = "invalid_parameter";
  for (const fault of faults) {
    fault.apply(draft);
    Object.assign(facts, fault.facts);
  }
  for (const [name, values] of Object.entries(wishes)) if (random() < 0.25) draft.headers[name] = pick(values);
  return { draft, expected: expectedOf(operation, facts) };
}

/** The Free plan's small minute limit is not tested here. The other outer faults are. */
function wholeFaults(operation: DeclaredOperation, secrets: Secrets): Fault[] {
  const faults = outerFaults(operation, secrets);
  return faults.filter(({ facts }) => facts.plan !== "free" || operation.plan === "paid");
}

/** Headers that select the form of the response. No value of them is refused. */
const wishes = {
  "if-none-match": ['W/"0000000000000000000000"', '"x", W/"y"', '*, "x"', '"', "W/", ",,,", "é", '"x,'.repeat(500)],
  "accept-encoding": ["gzip", "gzip;q=0", "identity;q=0", "br", "*;q=0", ";;;", '"gzip', `${"a,".repeat(1000)}gzip`],
  "if-modified-since": ["Wed, 01 Jan 2099 00:00:00 GMT", "x"],
  "if-match": ["*", '"x"'],
  range: ["bytes=0-1", "x"],
  accept: ["image/*", "*/*;q=0", ""],
};

type Pick = <T>(from: readonly T[]) => T;

/** A value within its bounds, often right at them. Null leaves the parameter out. */
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

function soundBody({ operationId }: DeclaredOperation, random: () => number, pick: Pick): string {
  if (operationId === "resolveItemNames") return soundNames(pick);
  return soundBatch(random, pick, operationId === "getMarketPricesKnownAt" ? { known_at: toTimestamp(demoAt) } : {});
}

function soundBatch(random: () => number, pick: Pick, more: object): string {
  const size = pick([1, 2, 3, 99, 100]);
  const ids = new Set<number>();
  while (ids.size < size) ids.add(1 + Math.floor(random() * 5_000));
  return JSON.stringify({
    ...more,
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
