import { makeSignInLink, takesSignInLinks } from "../access/owners/sign-in-links.ts";
import { type Plan, planNames } from "../access/plans.ts";
import { startApp } from "../app.ts";
import { createEvents, type Events } from "../log/events.ts";
import { closeDatabase, openWriter } from "../store/database.ts";
import type { Ids } from "../values/ids.ts";
import { Front } from "./front.ts";
import { Journal } from "./journal.ts";
import { ScriptedKeys } from "./keys.ts";
import { ReplayThread } from "./replay/thread.ts";
import type { World } from "./world.ts";

/** Maximum wait for the write lock, in ms. */
const busyMs = 5000;
/** All clients of a test run share one address. */
const connectionsMax = 4096;

/** A running sandbox. `keys` and `token` are the secrets of keys without a script. */
export type Sandbox = {
  port: number;
  /** Loopback port of the ordinary server behind the front. */
  portBehind: number;
  controlKey: string;
  keys: Readonly<Record<Plan, string>>;
  /** A personal token that may read portfolios. */
  token: string;
  /** Path of a link that signs a browser in to the pages once, within ten minutes. Null if other machines reach the sandbox. */
  signInPath: string | null;
  /** Null without a replay. */
  replay: ReplayThread | null;
  /** Resolves to the error when the server behind the front fails. */
  failed: Promise<Error>;
  /** Closes all connections and removes the world's file. */
  close(): Promise<void>;
};

type Setup = { world: World; host: string; port: number; ids: Ids; events?: Events };

/** Starts a server for a world behind a front that plays faults. Removes the world on close or if the start fails. */
export async function startSandbox({
  world,
  host,
  port,
  ids,
  events = createEvents("error"),
}: Setup): Promise<Sandbox> {
  const opened: (() => unknown)[] = [() => world.remove()];
  const closeAll = async () => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    const { clocks } = world;
    const clock = clocks.account;
    const replay = await beginReplay(world, opened);
    const app = await startApp({
      config: {
        host: "127.0.0.1",
        port: 0,
        connectionsMax,
        connectionsPerAddressMax: connectionsMax,
        inFlightMax: 256,
      },
      databasePath: world.path,
      clock,
      ids,
      events,
      instead: { marketClock: clocks.market, ...(world.release !== null && { release: world.release }) },
    });
    opened.push(() => app.close(0));
    const database = openWriter(world.path, busyMs);
    opened.push(() => closeDatabase(database));
    const scripted = new ScriptedKeys({ database, clock, ids }, world.demo);
    const controlKey = `itemtape_sandbox_${ids.secret(30)}`;
    const front = new Front({
      port: app.port,
      controlKey,
      keys: scripted,
      others: new Journal(clock),
      clocks,
      replay,
      ids,
      onError: (error) => events.internalError({ request_id: "", operation: null }, error),
    });
    const own = await front.listen(host, port);
    opened.push(() => front.close());
    const made = planNames.map((plan) => scripted.make(plan, "project", []));
    const { accountId } = made.find(({ plan }) => plan === "quant")!;
    const server = { host, publicUrl: "" };
    return {
      port: own,
      portBehind: app.port,
      controlKey,
      keys: Object.fromEntries(made.map(({ plan, secret }) => [plan, secret])) as Record<Plan, string>,
      signInPath: takesSignInLinks(server)
        ? makeSignInLink({ database, clock, ids }, server, { accountId }).path
        : null,
      replay,
      token: scripted.make("builder", "personal", []).secret,
      failed: app.failed,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Prepares the file of a replay, in a thread. */
async function beginReplay(world: World, opened: (() => unknown)[]): Promise<ReplayThread | null> {
  if (world.replay === null) return null;
  const { signal, ...recorded } = world.replay;
  const replay = new ReplayThread({ path: world.path, ...recorded }, world.clocks);
  opened.push(() => replay.end());
  await replay.begin(signal);
  return replay;
}
