import { request as httpRequest } from "node:http";
import type { OperationId } from "../../src/contract/types.ts";
import { ExportIdentity } from "../../src/store/write/export-identity.ts";
import { ExportStateWriter } from "../../src/store/write/export-states.ts";
import type { RawRequest } from "../support/client.ts";
import { lengthenQuotes } from "../support/long-quotes.ts";
import { until } from "../support/until.ts";
import type { World } from "../support/world.ts";
import type { State } from "./replay-states.ts";
import { demo, get, type Makers, type Row, type Subjects } from "./replay-subjects.ts";

const { generation } = demo;
const generationId = Number(generation.slice(1));
const waitingPath = `/v1/markets/generations/current?after=${generation}&wait_seconds=30`;
/** Requests that states let other accounts or connections send, each of which costs its unit. */
export const chargedByStates: Record<string, number> = { ChangesBusy: 1, ChangesCapacity: 8, WaitingLimit: 4 };

export function changesBodies({ identity }: Subjects) {
  return { ChangesRequestHeld: { generation, identity_digest: identity } };
}

export function changesRequests(subjects: Subjects) {
  return {
    streamMarketChanges: changesSince(changesBodies(subjects).ChangesRequestHeld),
    getCurrentGeneration: get("/v1/markets/generations/current"),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

export function changesRows(subjects: Subjects, { ask }: Makers): Record<string, Row> {
  const held = changesBodies(subjects).ChangesRequestHeld;
  const asked = changesSince(held);
  const foreign = changesSince({ ...held, identity_digest: "0".repeat(64) });
  const busy: State = async (world, caller) => {
    const undo = lengthenedChanges(world);
    const stop = await streaming(world, asked, [caller.secret]);
    return async () => {
      await stop();
      undo();
    };
  };
  const full: State = async (world) => {
    const undo = lengthenedChanges(world);
    const others = Array.from({ length: 8 }, () => world.account("builder").secret);
    const stop = await streaming(world, asked, others);
    return async () => {
      await stop();
      undo();
    };
  };
  return {
    ChangesComplete: ask(asked, (world) => changed(world, { renamed: subjects.plain, removed: subjects.unquoted })),
    StateNotFoundProblem: ask(foreign),
    ChangesTooLarge: ask(asked, (world) => changed(world, { renamed: subjects.plain, touched: "true" })),
    ChangesBusy: ask(asked, busy),
    ChangesCapacity: ask(asked, full),
    WaitingLimit: ask(get(waitingPath), fourWaiting),
  };
}

function changesSince(body: object): RawRequest {
  return {
    method: "POST",
    target: "/v1/markets/changes",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** Renames an item and lets another leave; `touched` is the condition of further items that count as changed. Undoes it by plain SQL. */
function changed(
  world: World,
  { renamed, removed = 0, touched = "false" }: { renamed: number; removed?: number; touched?: string },
): () => void {
  const [row] = world.sql("SELECT market_hash_name AS name FROM items WHERE item_id = ?", renamed);
  world.change((database) => {
    const identity = new ExportIdentity(database, generationId);
    world.sql("UPDATE items SET market_hash_name = ? WHERE item_id = ?", `${row?.name} (Renamed)`, renamed);
    world.sql("UPDATE items SET in_catalog = 0 WHERE item_id = ?", removed);
    const known = identity.refresh([renamed, removed]);
    const more = world
      .sql(
        `SELECT item_id AS itemId, coalesce(quote_bytes, 0) AS bytes FROM items LEFT JOIN best_asks USING (item_id)
           WHERE in_catalog = 1 AND (${touched})`,
      )
      .map(({ itemId, bytes }) => ({ itemId: Number(itemId), isNew: false, bytes: Number(bytes) + 1 }));
    const all = new Map([...more, ...known].map((item) => [item.itemId, item]));
    const inOrder = [...all.values()].sort((a, b) => a.itemId - b.itemId);
    new ExportStateWriter(database).append(identity, inOrder, world.clock.at);
  });
  return () => {
    world.sql("UPDATE items SET market_hash_name = ? WHERE item_id = ?", row?.name, renamed);
    world.sql("UPDATE items SET in_catalog = 1 WHERE item_id = ?", removed);
    world.sql("DELETE FROM export_states WHERE state_id = (SELECT max(state_id) FROM export_states)");
  };
}

/** A difference of 15 MB, which no connection holds without being read. */
function lengthenedChanges(world: World): () => void {
  const chosen = world.sql("SELECT item_id AS id FROM best_asks ORDER BY 1 LIMIT 320").map(({ id }) => Number(id));
  world.change((database) => lengthenQuotes(database, 100_000, `item_id <= ${chosen.at(-1)}`));
  const undo = changed(world, { renamed: chosen[0]!, touched: `item_id <= ${chosen[150]}` });
  return () => {
    undo();
    world.change((database) => lengthenQuotes(database, 0));
  };
}

/** Starts a stream with each key and does not read it. Returns a function that cuts them and waits until their slots are free. */
async function streaming(world: World, asked: RawRequest, secrets: readonly string[]): Promise<() => Promise<void>> {
  const started = world.events.counters.get("stream_disconnected") ?? 0;
  const cuts: (() => void)[] = [];
  for (const secret of secrets) cuts.push(await send(world, asked, secret));
  return async () => {
    for (const cut of cuts) cut();
    await until(
      "the streams are over",
      () => (world.events.counters.get("stream_disconnected") ?? 0) >= started + secrets.length,
    );
  };
}

/** Four requests of the caller wait for the next generation. */
const fourWaiting: State = async (world, { secret }) => {
  const requests: ReturnType<typeof open>[] = [];
  while (requests.length < 4) {
    const outgoing = open(world, get(waitingPath), secret);
    outgoing.end();
    requests.push(outgoing);
    await until("a request waits", () => world.app.requestsWaiting() === requests.length);
  }
  return async () => {
    for (const outgoing of requests) outgoing.destroy();
    await until("none waits", () => world.app.requestsWaiting() === 0);
  };
};

function open(world: World, { method, target, headers = {} }: RawRequest, secret: string) {
  const outgoing = httpRequest(`${world.base}${target}`, {
    method,
    agent: false,
    headers: { ...headers, authorization: `Bearer ${secret}` },
  });
  outgoing.on("error", () => {});
  return outgoing;
}

function send(world: World, asked: RawRequest, secret: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = open(world, asked, secret);
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      incoming.on("error", () => {});
      if (incoming.statusCode === 200) resolve(() => void outgoing.destroy());
      else reject(new Error(`the stream was refused: ${incoming.statusCode}`));
    });
    outgoing.end(asked.body);
  });
}
