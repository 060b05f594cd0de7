/** Rights of a caller: scopes of its credentials by scheme, scope of its key, its plan and its remaining allowance. */
export type Caller = {
  credentials: Readonly<Record<string, readonly string[]>>;
  scope: string;
  plan: string;
  /** Monthly units left. */
  units: number;
  /** Whether the minute limit permits another request. */
  hasMinute: boolean;
};

/** A request of a client. `means` contains the meaning of an absent part, by its place such as `query limit`. */
export type Request = {
  method: string;
  path: string;
  server: string | null;
  query: readonly (readonly [string, string])[];
  headers: Readonly<Record<string, string>>;
  caller: Caller;
  accept: string | null;
  body: { mediaType: string; value: unknown } | null;
  means: Readonly<Record<string, string>>;
};

/** A response. `value` is JSON, for a stream the list of its records, and undefined without a body. */
export type Answer = {
  status: string;
  headers: Readonly<Record<string, string>>;
  mediaType: string | null;
  value: unknown;
};

/** A request, or a response to one. `near` is the path of the varied part in the view of the operation. */
export type Exchange = { request: Request; answer: Answer | null; near: readonly string[] };

/** An exchange that is valid under one contract and invalid under the other, with the reason. */
export type Witness = { exchange: Exchange; fault: string };
