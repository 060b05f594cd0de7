import type { PlaceRequest } from "../access/account-places.ts";
import type { AccessRule, Admission } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import type { Data, OperationId, Params, ReadMeta } from "../contract/types.ts";
import type { SnapshotRun } from "../domain/market-snapshot.ts";
import type { Reference } from "../domain/reference.ts";
import type { Encoded } from "../values/encoded.ts";
import type { Soon } from "../values/soon.ts";

/** Context of `prepare`: the caller, the instant in UTC ms, and reference facts. No market data. */
type PrepareContext = { readonly caller: Caller; readonly at: number; readonly reference: Reference };

/** Operations that answer with a stream of records. */
type StreamId = "streamMarketSnapshot" | "streamMarketChanges" | "streamHistoryDay";

/** A successful answer: `data`, and of `meta` what the API handler cannot know itself. A stream answers with its run. */
export type Reply<Id extends OperationId> = Id extends StreamId ? { readonly stream: SnapshotRun } : JsonReply<Id>;

/** An answer that comes later: at most `waitMs` from now `wait` calls its function once. It returns what cancels the wait. */
export type LaterReply<Id extends OperationId> = {
  readonly waitMs: number;
  wait(wake: () => void): () => void;
  read(): JsonReply<Id>;
};

type JsonReply<Id extends OperationId> = {
  readonly data: Data<Id> | Encoded;
} & (keyof ReadMeta<Id> extends never ? { readonly meta?: undefined } : { readonly meta: ReadMeta<Id> });

/** Anybody may call it: nothing is checked, nothing is charged. */
type PublicOperation<Id extends OperationId> = {
  readonly rule: null;
  read(params: Params<Id>, at: number): Reply<Id>;
};

/**
 * `prepare` resolves the request and may refuse it while nothing is charged. `read` runs only for an admitted request,
 * on read-only handles, at once unless what it reads is behind a connection. Both throw Failure.
 */
type ProtectedOperation<Id extends OperationId, Query> = {
  readonly rule: AccessRule;
  prepare(params: Params<Id>, context: PrepareContext): Query;
  /** The place that the request takes beside its charge; null: none. */
  place?(query: Query): PlaceRequest | null;
  read(query: Query, admission: Admission): Soon<Reply<Id>> | LaterReply<Id>;
};

/** Only an operation's own `prepare` and `read` know the type of its query. */
// biome-ignore lint/suspicious/noExplicitAny: no other type means "some query, the same in both places".
export type Operation<Id extends OperationId> = PublicOperation<Id> | ProtectedOperation<Id, any>;

/** A row for every operation of the contract: one that is missing does not compile. */
export type OperationTable = { readonly [Id in OperationId]: Operation<Id> };

/** Binds the query that `prepare` makes to the one that `read` takes. */
export function protectedOperation<Id extends OperationId, Query>(
  row: ProtectedOperation<Id, Query>,
): ProtectedOperation<Id, Query> {
  return row;
}
