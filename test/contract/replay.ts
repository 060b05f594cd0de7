import { documentedCursorKey } from "../../src/demo/documented-world.ts";
import type { LedgerEntry } from "../../src/roi/calculation.ts";
import { setCursorKey } from "../../src/store/write/demo-mark.ts";
import { Cursors } from "../../src/values/cursor.ts";
import { dayText } from "../../src/values/time/calendar.ts";
import type { Answer } from "../support/client.ts";
import { type Account, demoAt, World } from "../support/world.ts";
import type { Recording } from "./recordings.ts";
import {
  type CallerName,
  demo,
  type Found,
  firstPages,
  type PageName,
  type PortfolioPageName,
  portfolioPages,
  type Row,
  type Subjects,
  subjectNames,
} from "./replay-subjects.ts";
import { replayTable } from "./replay-table.ts";

const planMs = 30 * 86_400_000;
/** Requests of one account: fewer than any plan has in a minute. */
const asksMax = 10;

/** The demo world with the table's rows played in it, one after another. */
export class Stage {
  readonly world: World;
  readonly subjects: Subjects;
  readonly table: Record<string, Row>;
  #minuteUsed: Account | null = null;
  readonly #regulars = new Map<CallerName, { account: Account; left: number }>();

  /** The limit of requests in flight is low, so that few requests overload the server. */
  static async start(): Promise<Stage> {
    const world = new World({ config: { inFlightMax: 2 }, instead: { server: { waitingPerInFlight: 0 } } });
    world.change((database) => setCursorKey(database, documentedCursorKey));
    await world.restart();
    return new Stage(world, await findSubjects(world));
  }

  constructor(world: World, subjects: Subjects) {
    this.world = world;
    this.subjects = subjects;
    this.table = replayTable(subjects);
  }

  /** Provokes a recorded answer. */
  async play({ operationId, component }: Pick<Recording, "operationId" | "component">): Promise<Answer> {
    const row = this.table[component];
    if (row === undefined) throw new Error(`the replay table has no row for ${component}`);
    const { caller: callerName, state, request } = row(operationId);
    const isPlain = state === undefined && !/Usage|^stream/.test(operationId);
    const caller = isPlain ? await this.#regular(callerName) : await this.#caller(callerName);
    const undo = await state?.(this.world, caller);
    try {
      const authorization = callerName === "none" ? {} : { authorization: `Bearer ${caller.secret}` };
      const headers = { ...authorization, ...request.headers };
      return await this.world.client.send({ ...request, headers });
    } finally {
      await undo?.();
    }
  }

  /** Returns an account for several requests that do not depend on the account's earlier ones. */
  async #regular(name: CallerName): Promise<Account> {
    const known = this.#regulars.get(name);
    const regular =
      known !== undefined && known.left > 0 ? known : { account: await this.#caller(name), left: asksMax };
    this.#regulars.set(name, { ...regular, left: regular.left - 1 });
    return regular.account;
  }

  async #caller(name: CallerName): Promise<Account> {
    const { world } = this;
    if (name === "portfolioOwner") return demoOwner(world);
    if (name === "builderMinuteUsed" || name === "tokenMinuteUsed") {
      this.#minuteUsed ??= await minuteUsedUp(world);
      const used = this.#minuteUsed;
      if (name === "builderMinuteUsed") return used;
      return { ...used, secret: world.key(used.accountId, "personal", "portfolio:read") };
    }
    const plan = name === "free" ? "free" : "builder";
    const account = world.account(plan, `Replay ${name}`, plan === "free" ? null : demoAt + planMs);
    const { key, accountId } = account;
    if (name === "unknown") return { ...account, secret: `itemtape_live_${"0".repeat(36)}` };
    if (name === "expired") world.sql("UPDATE api_keys SET expires_at = ? WHERE key_id = ?", demoAt, key.keyId);
    if (name === "revoked") world.keysOf((keys) => keys.revoke(key.keyId));
    if (name === "disabled") world.accounts((accounts) => accounts.disable(accountId));
    if (name === "portfolioToken") return { ...account, secret: world.key(accountId, "personal", "portfolio:read") };
    return account;
  }
}

async function minuteUsedUp(world: World): Promise<Account> {
  const account = world.account("builder");
  for (let remaining = 1; remaining > 0; ) {
    const { headers } = await world.client.call("getUsage", { key: account.secret });
    remaining = Number(headers.get("x-ratelimit-remaining"));
  }
  return account;
}

/** A world that is looked into. */
type Findable = Pick<World, "sql" | "client" | "keys">;

/** Finds the subjects of requests. Each first page is charged to the demo's own accounts. */
export async function findSubjects(world: Findable): Promise<Subjects> {
  const facts = { ...findIndexFacts(world), ...findOpenableFacts(world) };
  const found = { ...findItems(world), ...facts, ...findPortfolios(world) };
  const pages = {} as Record<PageName | PortfolioPageName, string>;
  const { builder, builderToken, freeToken } = world.keys;
  const readAs = async (key: string, page: PageName | PortfolioPageName, target: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const { status, json, text } = await world.client.send({ method: "GET", target, headers });
    if (status !== 200 || json.meta.next_page === null) throw new Error(`${target} has no next page: ${text}`);
    pages[page] = json.meta.next_page;
  };
  for (const [page, target] of Object.entries(firstPages(found))) await readAs(builder, page as PageName, target);
  for (const [page, target] of Object.entries(portfolioPages(found)))
    await readAs(page.startsWith("free") ? freeToken : builderToken, page as PortfolioPageName, target);
  const foreignCursor = new Cursors(documentedCursorKey).write({
    operation: "listElsewhere",
    key: "all-items",
    filters: {},
  });
  return { ...found, ...pages, foreignCursor };
}

function findItems(world: Findable): Record<keyof typeof subjectNames, number> & Pick<Found, "last" | "identity"> {
  const ids = Object.entries(subjectNames).map(([subject, [name, phase]]) => {
    const [row] = world.sql("SELECT item_id FROM items WHERE market_hash_name = ? AND phase IS ?", name, phase);
    if (row === undefined) throw new Error(`the demo world has no ${name} (${phase ?? "no phase"})`);
    return [subject, Number(row.item_id)];
  });
  const [last] = world.sql("SELECT max(item_id) AS id FROM items");
  const [state] = world.sql("SELECT lower(hex(identity_digest)) AS identity FROM export_states ORDER BY state_id DESC");
  return {
    ...(Object.fromEntries(ids) as Record<keyof typeof subjectNames, number>),
    last: Number(last?.id),
    identity: String(state?.identity),
  };
}

function findIndexFacts(world: Findable): Pick<Found, "methodology" | "memberCount" | "uncoveredDay"> {
  const { equalIndex: index } = demo;
  const [row] = world.sql("SELECT methodology_version AS methodology FROM indexes WHERE index_id = ?", index);
  const [counted] = world.sql(
    `SELECT count(*) AS members FROM index_members WHERE index_id = ? AND membership_version =
       (SELECT max(membership_version) FROM index_memberships WHERE index_id = ?)`,
    index,
    index,
  );
  const [level] = world.sql("SELECT max(day) AS day FROM index_levels WHERE index_id = ? AND value IS NULL", index);
  if (row === undefined || typeof level?.day !== "number")
    throw new Error(`the demo world has no index ${index} with a day without a value`);
  return {
    methodology: String(row.methodology),
    memberCount: Number(counted?.members),
    uncoveredDay: dayText(level.day),
  };
}

type OpenableFacts = "openableCount" | "outcomeCount" | "phasedPosition" | "soldOutPosition" | "excludedPosition";

function findOpenableFacts(world: Findable): Pick<Found, OpenableFacts> {
  const [shown] = world.sql("SELECT count(*) AS openables FROM openables");
  const [phased] = world.sql(
    `SELECT count(*) AS outcomes, min(iif(phase IS NULL, NULL, position)) AS position FROM openables
       JOIN pool_outcomes USING (revision_id) JOIN items ON items.item_id = pool_outcomes.item_id WHERE openables.slug = ?`,
    demo.phasedOpenable,
  );
  const [calculation] = world.sql(
    "SELECT ledger FROM roi_calculations WHERE slug = ? AND valuation_mode = 'steam_gross'",
    demo.openable,
  );
  const ledger = JSON.parse(String(calculation?.ledger)) as (LedgerEntry | 0)[];
  const soldOutPosition = ledger.findIndex((entry) => entry !== 0 && entry[3] !== null);
  if (soldOutPosition < 1) throw new Error(`the demo world has no sold out outcome of ${demo.openable}`);
  const [excluded] = world.sql(
    "SELECT position FROM openables JOIN pool_outcomes USING (revision_id) WHERE slug = ? AND numerator = '0'",
    demo.narrowedOpenable,
  );
  if (excluded === undefined) throw new Error(`every outcome of ${demo.narrowedOpenable} has a chance`);
  return {
    openableCount: Number(shown?.openables),
    outcomeCount: Number(phased?.outcomes),
    phasedPosition: Number(phased?.position),
    soldOutPosition,
    excludedPosition: Number(excluded.position),
  };
}

function findPortfolios(world: Findable): Pick<Found, "inventory" | "showcase" | "emptyShelf" | "savings"> {
  const named = (name: string) => {
    const [row] = world.sql("SELECT portfolio_id AS id FROM portfolios WHERE name = ?", name);
    if (row === undefined) throw new Error(`the demo world has no portfolio ${name}`);
    return String(row.id);
  };
  return {
    inventory: named("Main inventory"),
    showcase: named("Showcase"),
    emptyShelf: named("Empty shelf"),
    savings: named("Savings"),
  };
}

/** The demo's Builder account, with its personal token. */
function demoOwner(world: World): Account {
  const [row] = world.sql("SELECT account_id AS id FROM portfolios WHERE name = 'Main inventory'");
  const accountId = String(row?.id);
  const key = world.keysOf((keys) => keys.list(accountId)).find(({ kind }) => kind === "personal");
  if (key === undefined) throw new Error("the demo's Builder account has no personal token");
  return { accountId, key, secret: world.keys.builderToken };
}
