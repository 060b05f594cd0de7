import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import type { Plan } from "../../src/access/plans.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { newDatabase, quickFolder } from "../support/files.ts";
import { demoFewItemsPastFile, demoPastFile } from "../support/kept-files.ts";
import { publishOffers } from "../support/publish.ts";

export type Person = { accountId: string; keyId: string; secret: string };

/** The contents of a ledger. `faults` lists its contradictions. Empty if it has none. */
export type LedgerFacts = { requestIds: ReadonlySet<string>; liveLeases: number; faults: string[] };

/** A database file in a new folder, for programs on the system's clock. */
export class FaultFile {
  readonly folder: string;
  readonly path: string;

  /**
   * `folder` is the parent folder, such as a file system in memory. `empty` omits the demo world. The demo world has few days of history,
   * all complete. `fewItems` keeps a tenth of its items. `from` is a file to copy.
   */
  constructor({ folder = quickFolder(), empty = false, fewItems = false, from = "" } = {}) {
    this.folder = mkdtempSync(join(folder, "itemtape-fault-"));
    this.path = join(this.folder, "itemtape.db");
    if (empty) newDatabase(this.path);
    else copyFileSync(from || (fewItems ? demoFewItemsPastFile() : demoPastFile()).path, this.path);
  }

  /** A new account with one key. */
  person(plan: Plan = "quant"): Person {
    return this.change((database) => {
      const parts = { database, clock: systemClock, ids: systemIds() };
      const { accountId } = new Accounts(parts).create(`${plan} account`);
      if (plan !== "free") new Accounts(parts).setPlan(accountId, plan, null);
      const { key, secret } = new Keys(parts).create(accountId, "key", 30);
      return { accountId, keyId: key.keyId, secret };
    });
  }

  people(count: number): Person[] {
    return Array.from({ length: count }, () => this.person());
  }

  /** Changes the file as another process would. */
  change<T>(work: (database: Database) => T): T {
    const database = openWriter(this.path, 5000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  }

  /** The state of the market now, as a request for changes names it. */
  marketState(): { generation: string; identity_digest: string } {
    return this.#read(({ $client: client }) => {
      const row = client
        .prepare(
          "SELECT generation_id AS id, identity_digest AS digest FROM export_states ORDER BY state_id DESC LIMIT 1",
        )
        .get() as { id: number; digest: Buffer };
      return { generation: `g${row.id}`, identity_digest: row.digest.toString("hex") };
    });
  }

  /**
   * Publishes an offer of each item with an address of `addressLength` characters, then other prices of the first `changed` items. Returns
   * the state between the two. Changes since it are these items.
   */
  publishTwice(changed: number, addressLength: number): { generation: string; identity_digest: string } {
    const items = this.#read(({ $client }) => $client.prepare("SELECT item_id FROM items").pluck().all() as number[]);
    const cents = new Map(items.map((itemId) => [itemId, 100 + itemId]));
    const publish = () => {
      publishOffers({ change: (work) => this.change(work), clock: systemClock }, cents, addressLength);
    };
    publish();
    const held = this.marketState();
    for (const itemId of items.slice(0, changed)) cents.set(itemId, 101 + itemId);
    publish();
    return held;
  }

  /** Units charged to an account. */
  used({ accountId }: Person): number {
    return this.#read(
      ({ $client: client }) =>
        client
          .prepare("SELECT coalesce(sum(used), 0) FROM usage_months WHERE account_id = ?")
          .pluck()
          .get(accountId) as number,
    );
  }

  /** Exports that hold a slot, of one account or of all. */
  liveLeases(person?: Person): number {
    const query =
      "SELECT count(*) FROM snapshot_leases WHERE state = 'reserved' AND account_id = coalesce(?, account_id)";
    return this.#read(
      ({ $client: client }) =>
        client
          .prepare(query)
          .pluck()
          .get(person?.accountId ?? null) as number,
    );
  }

  /** Reads the ledger and holds its parts against each other. Opens the file for writing, so that SQLite recovers it first. */
  ledger(): LedgerFacts {
    return this.change(ledgerFacts);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #read<T>(work: (database: Database) => T): T {
    const database = openReader(this.path);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  }
}

export function ledgerFacts({ $client: client }: Database): LedgerFacts {
  const integrity = client.pragma("integrity_check", { simple: true });
  const uneven = client.prepare(
    `SELECT count(*) FROM (SELECT account_id, month, count(*) AS events FROM usage_events GROUP BY 1, 2) AS counted
     FULL JOIN usage_months AS stated USING (account_id, month) WHERE counted.events IS NOT stated.used`,
  );
  const unpaid = client.prepare(
    "SELECT count(*) FROM snapshot_leases WHERE lease_id NOT IN (SELECT request_id FROM usage_events)",
  );
  const misdated = client.prepare(
    `SELECT count(*) FROM (SELECT key_id, max(at) / 86400000 AS day FROM usage_events GROUP BY 1) AS charged
     FULL JOIN key_uses AS stated USING (key_id) WHERE charged.day IS NOT stated.day`,
  );
  const live = client.prepare("SELECT count(*) FROM snapshot_leases WHERE state = 'reserved'");
  const number = (statement: typeof live) => statement.pluck().get() as number;
  const faults = [
    ...(integrity === "ok" ? [] : [`integrity check: ${String(integrity)}`]),
    ...(number(uneven) === 0 ? [] : ["a month's sum is not the number of its units"]),
    ...(number(misdated) === 0 ? [] : ["a key's last used day is not that of its latest unit"]),
    ...(number(unpaid) === 0 ? [] : ["a lease has no unit that paid for it"]),
  ];
  const requestIds = client.prepare("SELECT request_id FROM usage_events").pluck().all() as string[];
  return { requestIds: new Set(requestIds), liveLeases: number(live), faults };
}
