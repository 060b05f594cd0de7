import { clientOperations } from "../../generated/client-operations.ts";
import { answerOf, listOf } from "./answer.ts";
import { checkOptions } from "./options.ts";
import { Pager } from "./paging.ts";
import { requestOf } from "./request.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { type OpenAnswer, Transport } from "./transport.ts";
import type {
  Answer,
  Arguments,
  CallOptions,
  ConditionalOptions,
  ItemtapeOptions,
  JsonOperationId,
  NotModified,
  OperationId,
  PagedOperationId,
  Params,
  RawAnswer,
  ReadOptions,
} from "./types.ts";

/** Calls operations by name. */
export type Caller = {
  call<Id extends JsonOperationId>(operationId: Id, ...given: Arguments<Id>): Promise<Answer<Id>>;
};

/** Implements the calls of a client without Node modules, because browsers use them too. */
export class Calls implements Caller {
  readonly settings: Settings;
  readonly transport: Transport;

  /** @throws {TypeError} if an option is invalid. */
  constructor(options: ItemtapeOptions = {}) {
    this.settings = settingsOf(options);
    this.transport = new Transport(this.settings);
  }

  /** Calls an operation. With `ifNoneMatch` the response may be a 304. */
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
    checkOptions("a call", options);
    const outgoing = requestOf(this.settings, jsonOnly(operationId), { ...params }, options.ifNoneMatch);
    const raw = await this.transport.read(outgoing, options);
    if (raw.status === 200) return answerOf<Id>(outgoing, raw);
    const { etag, allowance, requestId } = raw;
    return { status: 304, data: null, meta: null, etag, allowance, requestId };
  }

  /** Returns the bytes of a response as received. */
  async read<Id extends JsonOperationId>(
    operationId: Id,
    params: object = {},
    options: ReadOptions = {},
  ): Promise<RawAnswer> {
    checkOptions("a call", options);
    const outgoing = requestOf(this.settings, jsonOnly(operationId), { ...params }, options.ifNoneMatch);
    return this.transport.read(outgoing, options);
  }

  /** Yields the pages of a list from the position in `params`. */
  async *pages<Id extends PagedOperationId>(
    operationId: Id,
    params: object = {},
    options: CallOptions = {},
  ): AsyncGenerator<Answer<Id>, void, undefined> {
    checkOptions("a list", options);
    const pager = new Pager(operationId, { ...params });
    for (let next: object | null = {}; next !== null; ) {
      const outgoing = requestOf(this.settings, operationId, { ...params, ...next });
      const answer: Answer<Id> = listOf(outgoing, await this.transport.read(outgoing, options));
      // Checked before the page is yielded, because a broken list must not be used.
      next = pager.next(answer.meta as object);
      yield answer;
    }
  }

  /** Opens the stream of an operation. The caller must close its deadline. */
  stream<Id extends OperationId>(operationId: Id, params: object, options: CallOptions = {}): Promise<OpenAnswer> {
    return this.transport.open(requestOf(this.settings, operationId, { ...params }), options, "application/x-ndjson");
  }
}

function jsonOnly<Id extends JsonOperationId>(operationId: Id): Id {
  const isStream = Object.hasOwn(clientOperations, operationId) && clientOperations[operationId].isStream;
  if (isStream) throw new TypeError(`${operationId}: use follow, exportMarket, exportDay or streamMarketUnverified`);
  return operationId;
}
