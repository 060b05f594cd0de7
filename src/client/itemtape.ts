import type { OperationMethods } from "../../generated/client-methods.ts";
import { clientOperations } from "../../generated/client-operations.ts";
import { Calls } from "./calls.ts";
import { exportVerified, readDay, streamChunks } from "./exports.ts";
import { followMarket } from "./follow.ts";
import { checkOptions } from "./options.ts";
import type {
  Answer,
  Arguments,
  CallOptions,
  ConditionalOptions,
  DayLine,
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
  VerifiedDay,
  VerifiedExport,
} from "./types.ts";

export interface Itemtape extends OperationMethods {}

/**
 * Client of the API with one key; without a key, only `getStatus` is available. Each JSON operation is a method:
 * `client.getItem({ item_id: 445 })`.
 *
 * - Only 429 and 503 are retried, after `Retry-After` plus jitter, within the limits of `RetryPolicy`. A used-up month
 *   (`monthly_quota_exceeded`) is never retried.
 * - The key is sent only in the `Authorization` header of requests to `baseUrl`. Redirects are refused.
 * - A refusal throws an `ItemtapeError`, a missing or broken response a `TransportError`. Wrong parameters throw a `TypeError` before a
 *   request is sent. An abort throws the reason of the caller's signal.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the loop below makes every method of the interface.
export class Itemtape {
  readonly #calls: Calls;

  /** @throws {TypeError} if an option is invalid. */
  constructor(options: ItemtapeOptions = {}) {
    this.#calls = new Calls(options);
    // Bound methods of the instance, so that `const { getItem } = client` works. Methods of a subclass have priority.
    for (const name of methodNames) {
      const value = this[name].bind(this);
      Object.defineProperty(value, "name", { value: name });
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    }
  }

  /**
   * Calls an operation by name. Pass the `etag` of an earlier response to the same request as `ifNoneMatch`: the result may then be
   * `{ status: 304, data: null }`, which also costs a unit.
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

  /** Returns the bytes of a response as received. Waits and throws like `call`, but does not check the body. */
  async read<Id extends JsonOperationId>(
    operationId: Id,
    ...[params, options = {}]: Arguments<Id, ReadOptions>
  ): Promise<RawAnswer> {
    return this.#calls.read(operationId, params, options);
  }

  /**
   * Yields the pages of a list from the position in `params`, with all other parameters unchanged. Each page is a call with its own retries
   * and time limits.
   * @throws as `call`, and {TransportError} `paging` if a cursor repeats or goes backwards.
   */
  async *pages<Id extends PagedOperationId>(
    operationId: Id,
    ...[params, options = {}]: Arguments<Id>
  ): AsyncGenerator<Answer<Id>, void, undefined> {
    yield* this.#calls.pages(operationId, params, options);
  }

  /**
   * Yields the rows of all pages.
   * @throws as `pages`, after the rows of the previous pages.
   */
  async *rows<Id extends PagedOperationId>(
    operationId: Id,
    ...given: Arguments<Id>
  ): AsyncGenerator<Row<Id>, void, undefined> {
    for await (const page of this.pages(operationId, ...given)) yield* page.data as readonly Row<Id>[];
  }

  /**
   * Returns the whole market after verifying that it is complete. It has one `start`, items in ascending id within the bound, a matching
   * `end`, and one generation. The prices must match the generation's published digest, which costs a unit; pass `digest: "skip"` to save
   * it. The market is held in memory in about its uncompressed size: 55 MiB for 30,000 items with 270,000 quotes.
   * @throws {ExportError} if an export that started is invalid; {ItemtapeError} if it was refused.
   */
  exportMarket(options: ExportOptions = {}): Promise<VerifiedExport> {
    const readDigest = (generation: string, more: CallOptions) => this.call("getGeneration", { generation }, more);
    return exportVerified(this.#calls, readDigest, options);
  }

  /**
   * Returns the sealed rows of one day of the whole market, after checking their count and digest. Pass `revision` for an earlier seal.
   *
   * @throws as `exportMarket`.
   */
  async exportDay(params: Params<"streamHistoryDay">, options: StreamOptions = {}): Promise<VerifiedDay> {
    checkOptions("a stream", options);
    const rows: DayLine[] = [];
    return { ...(await readDay(this.#calls, params, options, (more) => void rows.push(...more))), rows };
  }

  /**
   * Yields the records of an export as they arrive: `start`, items, `end`. Records are unverified until `end`, which follows after all
   * checks except the digest. Leaving the loop ends the export.
   * @throws as `exportMarket`, at the first fault.
   */
  async *streamMarketUnverified(options: StreamOptions = {}): AsyncGenerator<SnapshotRecord, void, undefined> {
    checkOptions("a stream", options);
    for await (const records of streamChunks(this.#calls, options)) {
      yield* records;
    }
  }

  /**
   * Yields the whole market, and again after each change, until the caller stops. The first market is read from an export or from `since`;
   * later ones apply changes. Both digests of the server prove each market, and a market that was yielded never changes. Inconsistent or
   * unconfirmed data is discarded and replaced by an export. To continue after an error, pass the last market as `since`.
   *
   * A service that has lost the generation and has an older one was restored: the next market is an export of it. If `since` is from
   * another address, `generation_not_found` is thrown instead.
   *
   * After a temporary refusal it waits as long as the server asks, up to a day, regardless of `retry`. These refusals are `changes_busy`,
   * `changes_capacity`, `snapshot_busy`, `snapshot_capacity`, `waiting_limit` and `rate_limited`. A request without a response is retried
   * after 1 to 2 s, then after 2 to 4 s; each may have cost a unit. The third failure in a row is thrown.
   *
   * Each stream of changes and each half minute of waiting costs a unit. An export costs a unit and an export start. With `pauseMs` it does
   * not wait at the server, and costs a unit per pause.
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
/** Names of all methods. The array is defined below the class, because clients are only created after the module has loaded. */
const methodNames = [
  ...(operationIds as "getStatus"[]),
  ...(["call", "read", "pages", "rows", "exportMarket", "exportDay", "streamMarketUnverified", "follow"] as const),
];
