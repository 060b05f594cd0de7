import type { OperationMethods } from "../../generated/client-methods.ts";
import { clientOperations } from "../../generated/client-operations.ts";
import { Calls } from "./calls.ts";
import { exportVerified, streamChunks } from "./exports.ts";
import { followMarket } from "./follow.ts";
import { checkOptions } from "./options.ts";
import type {
  Answer,
  Arguments,
  CallOptions,
  ConditionalOptions,
  ExportOptions,
  FollowOptions,
  ItemtapeOptions,
  JsonOperationId,
  Market,
  NotModified,
  OperationId,
  PagedOperationId,
  Params,
  RawAnswer,
  ReadOptions,
  Row,
  SnapshotRecord,
  StreamOptions,
  VerifiedExport,
} from "./types.ts";

export interface Itemtape extends OperationMethods {}

/**
 * The API with one key, or with none for `getStatus`. Each JSON operation is a method: `client.getItem({ item_id: 445 })`.
 *
 * - Only 429 and 503 are sent again, after `Retry-After` and some jitter, within the attempts and times of `RetryPolicy`; a
 *   used-up month (`monthly_quota_exceeded`) never.
 * - The key goes into the `Authorization` header of requests to `baseUrl` and nowhere else; redirects are refused.
 * - A refusal is an `ItemtapeError`, no answer or a broken one a `TransportError`, wrong parameters are a `TypeError` before
 *   anything is sent. An abort throws the reason of the caller's signal.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the loop below makes every method of the interface.
export class Itemtape {
  readonly #calls: Calls;

  /** @throws {TypeError} when an option cannot be used. */
  constructor(options: ItemtapeOptions = {}) {
    this.#calls = new Calls(options);
    // Its own, so that `const { getItem } = client` works. Those of a subclass stand in for the prototype's.
    for (const name of methodNames) {
      const value = this[name].bind(this);
      Object.defineProperty(value, "name", { value: name });
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    }
  }

  /**
   * Calls an operation by name. With `ifNoneMatch`, the `etag` of an answer to the same request, the answer may be
   * `{ status: 304, data: null }`; it costs a unit all the same.
   */
  call<Id extends JsonOperationId>(
    operationId: Id,
    params: Params<Id>,
    options: ConditionalOptions,
  ): Promise<Answer<Id> | NotModified>;
  call<Id extends JsonOperationId>(operationId: Id, ...given: Arguments<Id>): Promise<Answer<Id>>;
  async call<Id extends JsonOperationId>(
    operationId: Id,
    params: object = {},
    options: ReadOptions = {},
  ): Promise<Answer<Id> | NotModified> {
    return this.#calls.call(operationId, params as Params<Id>, options as ConditionalOptions);
  }

  /** Returns the answer's bytes as received, for a caller that checks them. Waits and throws like `call`, but does not look into the body. */
  async read<Id extends JsonOperationId>(
    operationId: Id,
    ...[params, options = {}]: Arguments<Id, ReadOptions>
  ): Promise<RawAnswer> {
    return this.#calls.read(operationId, params, options);
  }

  /**
   * Yields the pages of a list from where `params` says, each a call with its own attempts and times. All other parameters stay as they
   * are.
   *
   * @throws what `call` throws, and {TransportError} `paging` for a cursor that repeats or goes backwards.
   */
  async *pages<Id extends PagedOperationId>(
    operationId: Id,
    ...[params, options = {}]: Arguments<Id>
  ): AsyncGenerator<Answer<Id>, void, undefined> {
    yield* this.#calls.pages(operationId, params, options);
  }

  /**
   * Yields the rows of all pages, one by one.
   *
   * @throws as `pages`, after the rows of the pages before.
   */
  async *rows<Id extends PagedOperationId>(
    operationId: Id,
    ...given: Arguments<Id>
  ): AsyncGenerator<Row<Id>, void, undefined> {
    for await (const page of this.pages(operationId, ...given)) yield* page.data as readonly Row<Id>[];
  }

  /**
   * Returns the whole market, handed over only when it is complete: one `start`, items in ascending id within the bound, one matching
   * `end`, one generation, and prices that have the digest which the server published for it (`digest: "skip"` saves that unit).
   * Until then it stays in memory, which takes about as many bytes as the stream has uncompressed: 55 MiB for 30,000 items with
   * 270,000 quotes.
   *
   * @throws {ExportError} when an export that began is not valid; ItemtapeError when it was refused.
   */
  exportMarket(options: ExportOptions = {}): Promise<VerifiedExport> {
    const readDigest = (generation: string, more: CallOptions) => this.call("getGeneration", { generation }, more);
    return exportVerified(this.#calls, readDigest, options);
  }

  /**
   * Yields the records of an export as they come: `start`, items, `end`. The caller has seen rows before it is known whether the export is
   * complete: until `end` comes, which is after everything but the digest was checked, they prove nothing.
   * Leaving the loop ends the export.
   *
   * @throws as `exportMarket`, at the first fault.
   */
  async *streamMarketUnverified(options: StreamOptions = {}): AsyncGenerator<SnapshotRecord, void, undefined> {
    checkOptions("a stream", options);
    for await (const records of streamChunks(this.#calls, options)) {
      yield* records;
    }
  }

  /**
   * Yields the whole market as it is and again whenever it changed, for as long as the caller goes on: first from an export, or from
   * `since`, then by applying changes. Each market is proven by both digests of the server and stays as it is. What is torn, forged or
   * not confirmed changes nothing; an export takes its place. To go on after an error, pass the last market as `since`. A service that no
   * longer has the generation and has an older one was restored: the next market is an export of it. If `since` is not of that address,
   * `generation_not_found` is thrown instead.
   *
   * Where a place or the minute is taken (`changes_busy`, `changes_capacity`, `snapshot_busy`, `snapshot_capacity`, `waiting_limit`,
   * `rate_limited`) it waits as long as the server asks, up to a day, whatever `retry` says. A request without an answer is sent again
   * after 1 to 2 s and 2 to 4 s, and each may have cost a unit; the third in a row is thrown.
   *
   * Costs a unit for each stream of changes and each half minute of waiting, and one more and an export start for an export. With
   * `pauseMs` it does not wait at the server and costs a unit for each pause.
   *
   * @throws as `exportMarket` and `call`.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Market, void, undefined> {
    checkOptions("a copy", options);
    const { since, pauseMs, refusals, ...rest } = options;
    const calls = {
      takeExport: () => this.exportMarket({ ...rest, digest: "skip", attempts: 3 }),
      waitFor: (params: Params<"getCurrentGeneration">, more: CallOptions) =>
        this.call("getCurrentGeneration", params, more),
      readGeneration: (generation: string, more: CallOptions) => this.call("getGeneration", { generation }, more),
    };
    yield* followMarket(this.#calls, calls, { ...rest, since, pauseMs, refusals });
  }
}

const operationIds = (Object.keys(clientOperations) as OperationId[]).filter((id) => !clientOperations[id].isStream);
for (const id of operationIds) {
  const value = function (this: Itemtape, ...given: Arguments<"getStatus">) {
    return this.call(id as "getStatus", ...given);
  };
  Object.defineProperty(Itemtape.prototype, id, { value, writable: true, configurable: true });
}
/** All methods. A client is made only when this module was run to its end. */
const methodNames = [
  ...(operationIds as "getStatus"[]),
  ...(["call", "read", "pages", "rows", "exportMarket", "streamMarketUnverified", "follow"] as const),
];
