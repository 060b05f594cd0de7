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

/** No page gives up an answer that is slow: its visitor can leave. */
const unlimitedMs = 86_400_000;
/** A page waits for five answers at most, and no longer than this for each by itself. */
const retry = { attemptsMax: 5, waitMsMax: 120_000, answerMs: unlimitedMs, totalMs: unlimitedMs };

/**
 * Authorization of requests: `prefix` before the path of an operation, and the headers. `renew` resolves to whether a refused request is
 * worth sending again. `plan`: the account's; null if unknown. `isTogether`: several operations may be read in one request.
 */
export type Access = {
  readonly plan: string | null;
  readonly prefix: string;
  readonly method: "POST" | undefined;
  readonly isTogether: boolean;
  readonly headers: () => Record<string, string>;
  readonly credentials: RequestCredentials;
  readonly renew: () => Promise<boolean>;
};

/** Called each second of a wait that the server asks for, with the title of the refusal. */
export type OnWait = (seconds: number, title: string) => void;
/** Facts of the server about a reader of pages. */
export type PageReader = { plan: string; token: string; page_units: "one" | "each" };
/** An operation that is read together with others. */
type Part<Id extends JsonOperationId> = readonly [operationId: Id, params: Params<Id>];
/** Answer of one part, or its refusal. */
export type PartResult<Id extends JsonOperationId> =
  | { readonly answer: Answer<Id>; readonly refusal: null }
  | { readonly answer: null; readonly refusal: ItemtapeError };

/** Returns the answer of a part. @throws {ItemtapeError} if the part was refused. */
export function answerOf<Id extends JsonOperationId>({ answer, refusal }: PartResult<Id>): Answer<Id> {
  if (answer === null) throw refusal;
  return answer;
}

/** Status and body of a part: an answer or a problem. */
type PartAnswer = { status: number; body: { data: unknown; meta: object } & Required<Schema<"Problem">> };
type Sent = { method: string; body: string | null; headers: Record<string, string>; signal: AbortSignal | undefined };

/** Authorizes requests with a key, which goes nowhere but into the `Authorization` header of this origin. */
export function withKey(key: string): Access {
  const headers = () => ({ Authorization: `Bearer ${key}` });
  const rest = { method: undefined, isTogether: false, credentials: "omit", renew: async () => false } as const;
  return { plan: null, prefix: "", headers, ...rest };
}

/**
 * Authorizes requests that the server reads for its visitor: POSTs behind `prefix` with the token of this browser's cookie. `newToken`
 * resolves to the current token; null if another account is signed in, or none.
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
    isTogether: units === "one",
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

/** Most operations and items of one request. The server refuses more. */
export const togetherMax = { parts: 128, items: 100 };
const togetherPath = "/together";

/** The API for one visitor: the client with the access of the page. */
export class Api extends Calls {
  readonly #access: Access;
  /** The visit under way, by the number of works that belong to it; the server names it with its first answer. */
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

  /** Returns the plan of the account, for no unit of the month. */
  async plan(): Promise<string> {
    return this.#access.plan ?? (await this.call("getUsage")).data.plan;
  }

  /** Runs `work`, of which all that can be read together costs one unit: the opening of a page, or a search. */
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

  /** True if operations read together cost one unit in all. */
  get isTogether(): boolean {
    return this.#access.isTogether;
  }

  /**
   * Reads several operations, in one request for one unit if the access allows that, else each for its own. The result of each part is at
   * its place; a refused part does not affect the others.
   * @param parts At most `togetherMax`; no cursors.
   * @throws {ItemtapeError | TransportError} when the whole request is refused, or an answer does not come.
   */
  async readTogether<const Ids extends readonly JsonOperationId[]>(
    parts: { readonly [Place in keyof Ids]: Part<Ids[Place]> },
    signal?: AbortSignal,
  ): Promise<{ -readonly [Place in keyof Ids]: PartResult<Ids[Place]> }> {
    const results = this.isTogether
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
      { ...first, method: "POST", address: location.origin + togetherPath, body: this.#wrapped(wanted) },
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

  /** Returns the body that asks for several operations, in the visit under way. */
  #wrapped(parts: readonly { path: string; body?: unknown }[]): string {
    const { works, name } = this.#visit;
    return JSON.stringify({ parts, ...(works > 0 && name !== "" && { visit: name }) });
  }

  /** Returns the parts of an answer, and keeps the name of its visit. */
  #unwrapped(text: string, requestId: string | null): readonly PartAnswer[] {
    const { visit, parts }: { visit: string; parts: PartAnswer[] } = JSON.parse(text);
    this.#visit.name = visit;
    for (const { status, body } of parts)
      if (status === 403) scopes.set(requestId, /`([a-z]+:read)`/.exec(body.detail)?.[1] ?? null);
    return parts;
  }

  /** Sends a request of the client: in a visit as a part of it, unless it goes on with a list. */
  async #answer(url: URL, init: RequestInit): Promise<Response> {
    const isPart = this.isTogether && this.#visit.works > 0 && url.pathname !== togetherPath;
    if (!isPart || url.searchParams.has("cursor") || url.searchParams.has("after")) return this.#sendAgain(url, init);
    const path = url.pathname + url.search;
    const body = this.#wrapped([{ path, ...(typeof init.body === "string" && { body: JSON.parse(init.body) }) }]);
    const answer = await this.#sendAgain(new URL(togetherPath, url), { ...init, method: "POST", body });
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

  /** Sends one request and returns its answer, whatever it is. Neither waits nor sends it again. */
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

  /** Sends a request; once more if a sign-in in another tab has made a new token. */
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
