/** The rights of a caller: its credential by scheme with its scopes, the scope of its key, its plan and what is left. */
export type Caller = {
  credentials: Readonly<Record<string, readonly string[]>>;
  scope: string;
  plan: string;
  /** Monthly units left. */
  units: number;
  /** Whether the minute has a request left. */
  hasMinute: boolean;
};

/** A request of a client. `means` has the value that an absent part stands for, by its place such as `query limit`. */
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

/** A response to a request; `value` is JSON, for a stream the list of its records, undefined without a body. */
export type Answer = {
  status: string;
  headers: Readonly<Record<string, string>>;
  mediaType: string | null;
  value: unknown;
};

/** A request, or an answer to one. `near` is the path of the changed part in the view of the operation. */
export type Exchange = { request: Request; answer: Answer | null; near: readonly string[] };

/** An exchange that is right under one contract and wrong under the other, with the reason. */
export type Witness = { exchange: Exchange; fault: string };
