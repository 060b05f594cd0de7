import type { Caller } from "../../src/access/credentials.ts";
import { type OperationTable, operationTable } from "../../src/api/operations.ts";
import type { ServedDomain } from "../../src/api/served-market.ts";
import { buildDomain } from "../../src/compose.ts";
import { loadContract } from "../../src/contract/document.ts";
import type { Schema } from "../../src/contract/types.ts";
import type { SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { closeDatabase, openReader } from "../../src/store/database.ts";
import { Encoded } from "../../src/values/encoded.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import type { Clock } from "../../src/values/time/clock.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";

/** A request of an operation with its parameters. */
export type Request = { operation: keyof OperationTable; params: Readonly<Record<string, unknown>> };

type Row = {
  prepare(params: object, context: object): unknown;
  read(query: unknown, admission: object): { data: unknown; meta?: Record<string, unknown> };
};

const caller: Caller = {
  accountId: "acct_known",
  keyId: "key_known",
  kind: "project",
  scopes: ["market:read"],
  plan: "quant",
  planEndsAt: null,
  monthUsed: 0,
};
/** Pages of one answer that are followed. */
const pagesMax = 3;

/** Asks the operations of a server on a file, without HTTP. */
export class Asker {
  readonly domain: ServedDomain;
  readonly #clock: Clock;
  readonly #table: OperationTable;
  readonly #readers;

  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    this.#readers = { market: openReader(path), exports: openReader(path), access: openReader(path) };
    this.domain = buildDomain(this.#readers, { clock, marketClock: clock }, "test", loadContract());
    this.#table = operationTable(this.domain);
  }

  /**
   * Returns an answer as text, with up to three of its pages, without the fields that differ by time of asking: ids, cursors and the
   * instant itself. Pass `knownAt` (UTC ms) to ask as known then. A refusal is its code and detail.
   */
  answer({ operation, params }: Request, knownAt: number | null = null): string {
    const asked = knownAt === null ? params : { ...params, known_at: toTimestamp(knownAt) };
    const pages: string[] = [];
    let after: unknown = null;
    do {
      const page = this.#page(operation, after === null ? asked : { ...params, after });
      pages.push(page.text);
      after = page.next;
    } while (after !== null && pages.length < pagesMax);
    return pages.join("\n");
  }

  /** Returns `data` and `meta` of an answer. */
  read({ operation, params }: Request): { data: unknown; meta: Record<string, unknown> } {
    const { data, meta = {} } = this.#reply(operation, params);
    return { data: data instanceof Encoded ? JSON.parse(data.json) : data, meta };
  }

  /** Returns the newest 1,000 revisions of days. */
  days(): Schema<"HistoryDay">[] {
    return this.read({ operation: "listHistoryDays", params: { limit: 1000 } }).data as Schema<"HistoryDay">[];
  }

  /** Returns the last record of the export of a day. Pass `revision` for a superseded one. */
  dayEnd(date: string, resolution: "daily" | "hourly", revision?: number): Record<string, unknown> {
    const body = { resolution, ...(revision !== undefined && { revision }) };
    const { stream } = this.#reply("streamHistoryDay", { date, body }) as unknown as { stream: SnapshotRun };
    let last = "";
    for (let page = stream.next(0); page !== null; page = stream.next(0)) last = page.toString().trimEnd();
    stream.over?.();
    return JSON.parse(last.slice(last.lastIndexOf("\n") + 1)) as Record<string, unknown>;
  }

  close(): void {
    for (const reader of Object.values(this.#readers)) closeDatabase(reader);
  }

  #page(operation: Request["operation"], params: object): { text: string; next: unknown } {
    try {
      const { data, meta = {} } = this.#reply(operation, params);
      const { next_page: next = null, known_at: _at, ...rest } = meta;
      const json = data instanceof Encoded ? data.json : JSON.stringify(data);
      if (data instanceof Encoded) data.sent?.();
      return { text: `${json} ${JSON.stringify(rest)} ${next === null ? "last" : "more"}`, next };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { text: `${error.code}: ${error.message.replace("the day of `known_at`", "today")}`, next: null };
    }
  }

  #reply(operation: Request["operation"], params: object) {
    const row = this.#table[operation] as unknown as Row;
    const at = this.#clock.now();
    const { reference } = this.domain;
    const query = row.prepare(params, { caller, at, reference });
    return row.read(query, { caller, at, requestId: "req_known", lease: null });
  }
}
