import { tableKinds } from "../../../db/schema/kinds.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { TestClock } from "../../support/clock.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { setStandingClock, standClock } from "../../support/standing-clock.ts";
import { World, type WorldOptions } from "../../support/world.ts";
import { cheapCost, type OwnerWorld } from "../../web/dashboard/owner-world.ts";

/** A clock that PostgreSQL also uses. */
class SharedClock extends TestClock {
  readonly #tell: (at: number) => Promise<unknown>;

  constructor(at: number, tell: (at: number) => Promise<unknown>) {
    super();
    this.at = at;
    this.#tell = tell;
  }

  /** Moves all clocks, and resolves when the database has the new time. */
  async move(ms: number): Promise<void> {
    this.advance(ms);
    await this.#tell(this.at);
  }
}

/** Nodes that share a PostgreSQL database with the accounts of `owners`. All clocks are stopped. */
export class Nodes {
  readonly url: string;
  readonly worlds: readonly World[];
  readonly clock: SharedClock;
  readonly #server: TestPostgres;

  static async start(
    server: TestPostgres,
    owners: OwnerWorld,
    count: number,
    options: WorldOptions = {},
  ): Promise<Nodes> {
    const url = await server.database();
    await owners.world.change((database) => withClient(url, (client) => importPrivate(database, client)));
    const { at } = owners.world.clock;
    await standClock(server, url, at);
    const clock = new SharedClock(at, (now) => server.query(url, setStandingClock, [now]));
    const worlds = Array.from(
      { length: count },
      () =>
        new World({
          fewItems: owners.world.hasFewItems,
          ...options,
          privateUrl: url,
          clock,
          ids: systemIds(),
          instead: { passwordCost: cheapCost, ...options.instead },
        }),
    );
    for (const world of worlds) {
      forgetPrivate(world);
      await world.restart();
    }
    return new Nodes(server, url, worlds, clock);
  }

  private constructor(server: TestPostgres, url: string, worlds: readonly World[], clock: SharedClock) {
    this.#server = server;
    this.url = url;
    this.worlds = worlds;
    this.clock = clock;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  async sql(text: string, values: unknown[] = []): Promise<any[]> {
    // The tables have the same names as in the file.
    return (await this.#server.query(`${this.url}?options=-csearch_path%3Ditemtape`, text, values)).rows;
  }

  async stop(): Promise<void> {
    for (const world of this.worlds) await world.stop();
  }
}

/** Keeps only the market in the node's file, so that all owner data is read from the database. */
function forgetPrivate(world: World): void {
  const kept: readonly string[] = ["guard_acceptances", "ledger_clock", "node_secrets", "openable_drafts"];
  world.change(({ $client }) => {
    $client.pragma("foreign_keys = OFF");
    for (const table of tableKinds.private) if (!kept.includes(table)) $client.exec(`DELETE FROM ${table}`);
    $client.pragma("foreign_keys = ON");
  });
}
