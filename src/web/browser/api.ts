import { Calls, ItemtapeError } from "../../client/browser.ts";
import type { Answer, Meta, OperationId, PagedOperationId, Params, Row } from "../../client/types.ts";

export { ItemtapeError };

/** No page gives up an answer that is slow: its visitor can leave. */
const unlimitedMs = 86_400_000;
/** A page waits for five answers at most, and no longer than this for each by itself. */
const retry = { attemptsMax: 5, waitMsMax: 120_000, answerMs: unlimitedMs, totalMs: unlimitedMs };

/**
 * Authorization of requests: `prefix` before the path of an operation, and the headers. `renew` resolves to whether a refused request is
 * worth sending again. `plan`: the account's; null if unknown.
 */
export type Access = {
  readonly plan: string | null;
  readonly prefix: string;
  readonly method: "POST" | undefined;
  readonly headers: () => Record<string, string>;
  readonly credentials: RequestCredentials;
  readonly renew: () => Promise<boolean>;
};

/** Called each second of a wait that the server asks for, with the title of the refusal. */
export type OnWait = (seconds: number, title: string) => void;
type Sent = { method: string; body: string | null; headers: Record<string, string>; signal: AbortSignal | undefined };

/** Authorizes requests with a key, which goes nowhere but into the `Authorization` header of this origin. */
export function withKey(key: string): Access {
  const headers = () => ({ Authorization: `Bearer ${key}` });
  return { plan: null, prefix: "", method: undefined, headers, credentials: "omit", renew: async () => false };
}

/**
 * Authorizes requests that the server reads for its visitor: POSTs behind `prefix` with the token of this browser's cookie. `newToken`
 * resolves to the current token; null if another account is signed in, or none.
 */
export function withSession(
  prefix: string,
  token: string,
  plan: string,
  newToken: () => Promise<string | null>,
): Access {
  let current = token;
  return {
    plan,
    prefix,
    method: "POST",
    headers: () => ({ "X-Itemtape-Token": current }),
    credentials: "same-origin",
    async renew() {
      const next = await newToken();
      const isNew = next !== null && next !== current;
      if (isNew) current = next;
      return isNew;
    },
  };
}

/** The API for one visitor: the client with the access of the page. */
export class Api extends Calls {
  readonly #access: Access;
  /** Requests that were sent, and the refused ones among them. */
  sent = 0;
  refused = 0;
  /** Units left of the month by the last answer. */
  quotaRemaining: string | null = null;

  constructor(access: Access, onWait: OnWait) {
    let title = "";
    super({
      baseUrl: location.origin,
      retry,
      fetch: async (input, init) => {
        const answer = await this.#sendAgain(new URL(String(input)), init ?? {});
        if (answer.status === 429 || answer.status === 503) title = await titleOf(answer.clone());
        return answer;
      },
      parts: { random: () => 0, wait: (ms, signal) => wait(ms, signal, (seconds) => onWait(seconds, title)) },
    });
    this.#access = access;
  }

  /** Returns the plan of the account, for no unit of the month. */
  async plan(): Promise<string> {
    return this.#access.plan ?? (await this.call("getUsage")).data.plan;
  }

  /** Returns the rows of all pages. `meta` is of the first page; `join` may add to it from the others. */
  async all<Id extends PagedOperationId>(
    operationId: Id,
    params: Params<Id>,
    signal?: AbortSignal,
    join: (meta: Meta<Id>, other: Meta<Id>) => void = () => {},
  ): Promise<{ rows: Row<Id>[]; meta: Meta<Id> }> {
    const rows: Row<Id>[] = [];
    let first: Answer<Id> | null = null;
    for await (const page of this.pages(operationId, params, { signal })) {
      rows.push(...(page.data as readonly Row<Id>[]));
      if (first === null) first = page;
      else join(first.meta, page.meta);
    }
    return { rows, meta: first!.meta };
  }

  /** Returns the bytes of an export. */
  async bytes<Id extends OperationId>(operationId: Id, params: Params<Id>): Promise<Uint8Array<ArrayBuffer>> {
    const { response, deadline } = await this.stream(operationId, params);
    try {
      return new Uint8Array(await response.arrayBuffer());
    } finally {
      deadline.close();
    }
  }

  /** Sends one request and returns its answer, whatever it is. Neither waits nor sends it again. */
  async request(address: string, { method, body, headers, signal }: Sent): Promise<Response> {
    this.sent += 1;
    const { prefix, method: always, headers: access, credentials } = this.#access;
    const answer = await fetch(prefix + address, {
      headers: { ...headers, ...access(), ...(body !== null && { "Content-Type": "application/json" }) },
      method: always ?? method,
      body,
      cache: "no-store",
      credentials,
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: signal ?? null,
    });
    this.quotaRemaining = answer.headers.get("X-Quota-Remaining") ?? this.quotaRemaining;
    return answer;
  }

  /** Sends a request of the client; once more if a sign-in in another tab has made a new token. */
  async #sendAgain({ pathname, search }: URL, { method = "GET", body, signal }: RequestInit): Promise<Response> {
    const sent = {
      method,
      body: typeof body === "string" ? body : null,
      headers: { Accept: "application/json" },
      signal: signal ?? undefined,
    };
    const send = async () => {
      const answer = await this.request(pathname + search, sent);
      if (!answer.ok) this.refused += 1;
      if (answer.status === 403) scopes.set(answer.headers.get("X-Request-Id"), missingScope(answer));
      return answer;
    };
    const answer = await send();
    return answer.status === 401 && (await this.#access.renew()) ? send() : answer;
  }
}

/** Missing scopes of refusals, by request id. */
const scopes = new Map<string | null, string | null>();

/** Returns the scope that the access of a refused request lacks; null if unknown. */
export function scopeOf({ requestId }: ItemtapeError): string | null {
  return scopes.get(requestId) ?? null;
}

/** Returns the scope that the challenge of an answer names; null if it names none. */
export function missingScope({ headers }: Response): string | null {
  return /\bscope="([a-z:]+)"/.exec(headers.get("WWW-Authenticate") ?? "")?.[1] ?? null;
}

async function titleOf(answer: Response): Promise<string> {
  const problem = await answer.json().catch(() => ({}));
  return typeof problem.title === "string" ? problem.title : `HTTP ${answer.status}`;
}

async function wait(ms: number, signal: AbortSignal, onSecond: (seconds: number) => void): Promise<void> {
  for (let left = Math.ceil(ms / 1000); left > 0; left -= 1) {
    signal.throwIfAborted();
    onSecond(left);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  signal.throwIfAborted();
}
