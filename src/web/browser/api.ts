import { Calls, ItemtapeError, requestOf } from "../../client/browser.ts";
import type {
  Answer,
  JsonOperationId,
  Meta,
  OperationId,
  PagedOperationId,
  Params,
  Row,
  Schema,
} from "../../client/types.ts";

export { ItemtapeError };

/** Pages do not time out slow responses, because the visitor can leave. */
const unlimitedMs = 86_400_000;
/** Retry policy of pages: at most five requests per call, and at most this time for each wait. */
const retry = { attemptsMax: 5, waitMsMax: 120_000, answerMs: unlimitedMs, totalMs: unlimitedMs };

/**
 * Authorization of requests: path prefix, method and headers. `renew` resolves to whether to retry a refused request. `plan` is the plan of
 * the account, null if unknown. `isPageRead` permits several operations in one request.
 */
export type Access = {
  readonly plan: string | null;
  readonly prefix: string;
  readonly method: "POST" | undefined;
  readonly isPageRead: boolean;
  readonly headers: () => Record<string, string>;
  readonly credentials: RequestCredentials;
  readonly renew: () => Promise<boolean>;
};

/** Called for each second of a wait that the server asks for, with the title of the refusal. */
export type OnWait = (seconds: number, title: string) => void;
/** Data of the server about the reader of a page. */
export type PageReader = { plan: string; token: string; page_units: "one" | "each" };
/** An operation of a combined read. */
type Part<Id extends JsonOperationId> = readonly [operationId: Id, params: Params<Id>];
/** Response of one part, or its refusal. */
export type PartResult<Id extends JsonOperationId> =
  | { readonly answer: Answer<Id>; readonly refusal: null }
  | { readonly answer: null; readonly refusal: ItemtapeError };

/**
 * Returns the response of a part.
 * @throws {ItemtapeError} if the part was refused.
 */
export function answerOf<Id extends JsonOperationId>({ answer, refusal }: PartResult<Id>): Answer<Id> {
  if (answer === null) throw refusal;
  return answer;
}

/** Status and body of a part: a response or a problem record. */
type PartAnswer = { status: number; body: { data: unknown; meta: object } & Required<Schema<"Problem">> };
type Sent = { method: string; body: string | null; headers: Record<string, string>; signal: AbortSignal | undefined };

/** Authorizes requests with a key, which is only sent in the `Authorization` header to this origin. */
export function withKey(key: string): Access {
  const headers = () => ({ Authorization: `Bearer ${key}` });
  const rest = { method: undefined, isPageRead: false, credentials: "omit", renew: async () => false } as const;
  return { plan: null, prefix: "", headers, ...rest };
}

/**
 * Authorizes requests that the server reads for its visitor: POST below `prefix` with a token of the browser's cookie. `newToken` resolves
 * to the current token; null if another account or no account is signed in.
 */
export function withSession(
  prefix: string,
  { token, plan, page_units: units }: PageReader,
  newToken: () => Promise<string | null>,
): Access {
  let current = token;
  return {
    plan,
    prefix,
    method: "POST",
    isPageRead: units === "one",
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

/** Maximum numbers of operations and items per request. The server refuses more. */
export const pageReadMax = { parts: 128, items: 100 };
const pageReadPath = "/together";

/** API client of one visitor, with the access of the page. */
export class Api extends Calls {
  readonly #access: Access;
  /** Current visit and the number of its running works. The server returns its name with the first response. */
  #visit = { works: 0, name: "" };

  constructor(access: Access, onWait: OnWait) {
    let title = "";
    super({
      baseUrl: location.origin,
      retry,
      fetch: async (input, init) => {
        const answer = await this.#answer(new URL(String(input)), init ?? {});
        if (answer.status === 429 || answer.status === 503) title = await titleOf(answer.clone());
        return answer;
      },
      parts: { random: () => 0, wait: (ms, signal) => wait(ms, signal, (seconds) => onWait(seconds, title)) },
    });
    this.#access = access;
  }

  /** Returns the plan of the account. Costs no unit. */
  async plan(): Promise<string> {
    return this.#access.plan ?? (await this.call("getUsage")).data.plan;
  }

  /** Runs `work` as one visit, such as the opening of a page or a search. All its combined reads cost one unit. */
  async visit<Of>(work: () => Promise<Of>): Promise<Of> {
    if (this.#visit.works === 0) this.#visit = { works: 0, name: "" };
    const visit = this.#visit;
    visit.works += 1;
    try {
      return await work();
    } finally {
      visit.works -= 1;
    }
  }

  /** Returns the rows of all pages. `meta` is from the first page; `join` may add data from the others. */
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

  /** Whether a combined read costs one unit in total. */
  get isPageRead(): boolean {
    return this.#access.isPageRead;
  }

  /**
   * Reads several operations: in one request for one unit if the access permits it, else one by one. Results are in the order of `parts`. A
   * refused part does not affect the others.
   * @param parts At most `pageReadMax`, without cursors.
   * @throws {ItemtapeError | TransportError} if the whole request is refused, or a response is missing.
   */
  async readBatch<const Ids extends readonly JsonOperationId[]>(
    parts: { readonly [Place in keyof Ids]: Part<Ids[Place]> },
    signal?: AbortSignal,
  ): Promise<{ -readonly [Place in keyof Ids]: PartResult<Ids[Place]> }> {
    const results = this.isPageRead
      ? await this.#together(parts, signal)
      : await Promise.all(parts.map((part) => this.#alone(part, signal)));
    return results as { -readonly [Place in keyof Ids]: PartResult<Ids[Place]> };
  }

  async #alone([operationId, params]: Part<JsonOperationId>, signal: AbortSignal | undefined) {
    try {
      return { answer: await this.call(operationId, params, { signal }), refusal: null };
    } catch (refusal) {
      if (refusal instanceof ItemtapeError && refusal.status !== 401) return { answer: null, refusal };
      throw refusal;
    }
  }

  async #together(parts: readonly Part<JsonOperationId>[], signal: AbortSignal | undefined) {
    const requests = parts.map(([operationId, params]) => requestOf(this.settings, operationId, { ...params }));
    const [first] = requests;
    if (first === undefined) return [];
    const wanted = requests.map(({ address, body }) => ({
      path: address.slice(location.origin.length),
      ...(body !== null && { body: JSON.parse(body) }),
    }));
    const raw = await this.transport.read(
      { ...first, method: "POST", address: location.origin + pageReadPath, body: this.#wrapped(wanted) },
      { signal },
    );
    const { allowance, attempts, etag, requestId } = raw;
    return this.#unwrapped(new TextDecoder().decode(raw.body), requestId).map(({ status, body }) => {
      if (status === 200) return { answer: { ...body, status, etag, allowance, requestId }, refusal: null };
      const { code, detail, title } = body;
      const facts = { status, problem: body, requestId, retryAfterMs: null, attempts };
      return { answer: null, refusal: new ItemtapeError(`${title} (${code}): ${detail}`, facts) };
    });
  }

  /** Returns the body of a combined request in the current visit. */
  #wrapped(parts: readonly { path: string; body?: unknown }[]): string {
    const { works, name } = this.#visit;
    return JSON.stringify({ parts, ...(works > 0 && name !== "" && { visit: name }) });
  }

  /** Returns the parts of a response, and stores the name of its visit. */
  #unwrapped(text: string, requestId: string | null): readonly PartAnswer[] {
    const { visit, parts }: { visit: string; parts: PartAnswer[] } = JSON.parse(text);
    // A request with public operations alone is not charged and has no name.
    if (visit !== "") this.#visit.name = visit;
    for (const { status, body } of parts)
      if (status === 403) scopes.set(requestId, /`([a-z]+:read)`/.exec(body.detail)?.[1] ?? null);
    return parts;
  }

  /** Sends a request of the client. During a visit it becomes a part, unless it continues a list. */
  async #answer(url: URL, init: RequestInit): Promise<Response> {
    const isPart = this.isPageRead && this.#visit.works > 0 && url.pathname !== pageReadPath;
    if (!isPart || url.searchParams.has("cursor") || url.searchParams.has("after")) return this.#sendAgain(url, init);
    const path = url.pathname + url.search;
    const body = this.#wrapped([{ path, ...(typeof init.body === "string" && { body: JSON.parse(init.body) }) }]);
    const answer = await this.#sendAgain(new URL(pageReadPath, url), { ...init, method: "POST", body });
    if (answer.status !== 200) return answer;
    const [part] = this.#unwrapped(await answer.text(), answer.headers.get("X-Request-Id"));
    return new Response(JSON.stringify(part!.body), { status: part!.status, headers: answer.headers });
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

  /** Sends one request and returns any response, without waits or retries. */
  async request(address: string, { method, body, headers, signal }: Sent): Promise<Response> {
    const { prefix, method: always, headers: access, credentials } = this.#access;
    return fetch(prefix + address, {
      headers: { ...headers, ...access(), ...(body !== null && { "Content-Type": "application/json" }) },
      method: always ?? method,
      body,
      cache: "no-store",
      credentials,
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: signal ?? null,
    });
  }

  /** Sends a request, and again if a sign-in in another tab made a new token. */
  async #sendAgain({ pathname, search }: URL, { method = "GET", body, signal }: RequestInit): Promise<Response> {
    const sent = {
      method,
      body: typeof body === "string" ? body : null,
      headers: { Accept: "application/json" },
      signal: signal ?? undefined,
    };
    const send = async () => {
      const answer = await this.request(pathname + search, sent);
      if (answer.status === 403) scopes.set(answer.headers.get("X-Request-Id"), missingScope(answer));
      return answer;
    };
    const answer = await send();
    return answer.status === 401 && (await this.#access.renew()) ? send() : answer;
  }
}

/** Missing scopes of refused requests, by request id. */
const scopes = new Map<string | null, string | null>();

/** Returns the scope that a refused request was missing; null if unknown. */
export function scopeOf({ requestId }: ItemtapeError): string | null {
  return scopes.get(requestId) ?? null;
}

/** Returns the scope in the challenge of a response; null if it names none. */
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
