import { type Plan, planNames } from "../access/plans.ts";
import { startApp } from "../app.ts";
import { createEvents, type Events } from "../log/events.ts";
import { closeDatabase, openWriter } from "../store/database.ts";
import type { Ids } from "../values/ids.ts";
import { Front } from "./front.ts";
import { Journal } from "./journal.ts";
import { ScriptedKeys } from "./keys.ts";
import { PassingLimiter, type World } from "./world.ts";

/** Longest wait for the writer's lock, ms. */
const busyMs = 5000;
/** Clients of many scenarios come from one address. */
const connectionsMax = 4096;

/** A running sandbox. Secrets are those of keys that have no script yet. */
export type Sandbox = {
  port: number;
  /** Port on loopback of the ordinary server behind the front. */
  portBehind: number;
  controlKey: string;
  keys: Readonly<Record<Plan, string>>;
  /** A personal token that reads portfolios. */
  token: string;
  /** Resolves when the server behind the front cannot go on. */
  failed: Promise<Error>;
  /** Ends all connections, and removes the world's file. */
  close(): Promise<void>;
};

type Setup = { world: World; host: string; port: number; ids: Ids; events?: Events };

/** Serves a world behind a front that plays faults. The world is removed when the sandbox is closed, and when it cannot start. */
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
    const { clock } = world;
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
      instead: { limiter: new PassingLimiter(clock), ...(world.release !== null && { release: world.release }) },
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
      clock,
      ids,
      onError: (error) => events.internalError({ request_id: "", operation: null }, error),
    });
    const own = await front.listen(host, port);
    opened.push(() => front.close());
    const secretOf = (plan: Plan) => [plan, scripted.make(plan, "project", []).secret] as const;
    return {
      port: own,
      portBehind: app.port,
      controlKey,
      keys: Object.fromEntries(planNames.map(secretOf)) as Record<Plan, string>,
      token: scripted.make("builder", "personal", []).secret,
      failed: app.failed,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
