/** Longer than this the page does not wait by itself. */
const waitMaxSeconds = 120;
const attemptsMax = 5;

/**
 * `scope`: what the access lacks, as the challenge of a 403 names it.
 * @typedef {{ title: string, detail?: string, status: number, code: string, type: string, request_id: string, scope?: string | null }} Problem
 */

/** A refusal of the API. */
export class ProblemError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/**
 * How requests are authorised: where the path of an operation is asked for, and what is sent with it. `renew` resolves to whether a
 * refused request is worth sending again. `plan`: that of the account, null where it is not known.
 * @typedef {{ plan: string | null, prefix: string, method: "POST" | undefined, headers: () => Record<string, string>, credentials: RequestCredentials, renew: () => Promise<boolean> }} Access
 */

/** Requests carry a key, which is kept here and goes nowhere but into the `Authorization` header of this origin. @param {string} key @returns {Access} */
export function withKey(key) {
  const headers = () => ({ Authorization: `Bearer ${key}` });
  return { plan: null, prefix: "", method: undefined, headers, credentials: "omit", renew: async () => false };
}

/**
 * Requests are read by the server for who is signed in, or looks around: POSTs behind `prefix` with the token of this browser's cookie.
 * @param {string} prefix
 * @param {string} token
 * @param {string} plan
 * @param {() => Promise<string | null>} newToken The token that is right now; null: the same account is not signed in any more.
 * @returns {Access}
 */
export function withSession(prefix, token, plan, newToken) {
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

/** The API as one visitor may read it. */
export class Api {
  #access;
  #onWait;
  /** Requests that were sent, and those of them that were refused. */
  sent = 0;
  refused = 0;
  /** Units of the month that are left, as the last answer had it. @type {string | null} */
  quotaRemaining = null;

  /**
   * @param {Access} access
   * @param {(seconds: number, problem: Problem) => void} onWait Called each second of a wait that the server asks for.
   */
  constructor(access, onWait) {
    this.#access = access;
    this.#onWait = onWait;
  }

  /**
   * Returns the plan of the account, for no unit of the month.
   * @throws {ProblemError | TypeError} when `get` does.
   * @returns {Promise<string>}
   */
  async plan() {
    return this.#access.plan ?? (await this.get("/v1/usage")).data.plan;
  }

  /**
   * Reads one answer.
   * @throws {ProblemError | TypeError} when the request is refused; a TypeError when there is no answer.
   * @param {string} path
   * @param {Record<string, string | number | undefined>} params Undefined ones are left out.
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ data: any, meta: any }>}
   */
  async get(path, params = {}, signal) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
    return (await this.#ask(query.size === 0 ? path : `${path}?${query}`, undefined, signal)).json();
  }

  /**
   * Reads the answer to a question that is sent as a JSON body.
   * @throws {ProblemError | TypeError} as `get` does.
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ data: any, meta: any }>}
   */
  async post(path, body, signal) {
    return (await this.#ask(path, body, signal)).json();
  }

  /**
   * Reads an export as bytes.
   * @throws {ProblemError | TypeError} as `get` does; a TypeError also when the export breaks off.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(path, body) {
    return new Uint8Array(await (await this.#ask(path, body, undefined)).arrayBuffer());
  }

  /** @param {string} address @param {object | undefined} body @param {AbortSignal | undefined} signal */
  async #ask(address, body, signal) {
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.#send(address, body, signal);
      if (answer.ok) return answer;
      this.refused += 1;
      const problem = await problemOf(answer);
      // A new sign-in in another tab has made a new token.
      if (answer.status === 401 && attempts === 1 && (await this.#access.renew())) continue;
      const waitSeconds = Number(answer.headers.get("Retry-After"));
      const mayRetry = (answer.status === 429 || answer.status === 503) && waitSeconds > 0;
      if (!mayRetry || waitSeconds > waitMaxSeconds || attempts === attemptsMax) throw new ProblemError(problem);
      await this.#wait(waitSeconds, problem, signal);
    }
  }

  /**
   * All rows, page after page. `meta` is that of the first page, into which `join` may work those of the others.
   * @param {string} path
   * @param {Record<string, string | number | undefined>} params
   * @param {AbortSignal} [signal]
   * @param {(meta: any, other: any) => void} [join]
   * @returns {Promise<{ rows: any[], meta: any }>}
   */
  async all(path, params, signal, join = () => {}) {
    const { data, meta } = await this.get(path, params, signal);
    const rows = [...data];
    let after = meta.next_page;
    while (after !== null) {
      const page = await this.get(path, { ...params, after }, signal);
      rows.push(...page.data);
      join(meta, page.meta);
      after = page.meta.next_page;
    }
    return { rows, meta };
  }

  /** @param {string} address @param {object | undefined} body @param {AbortSignal | undefined} signal */
  #send(address, body, signal) {
    const headers = { Accept: "application/json" };
    if (body === undefined) return this.request(address, { method: "GET", body: null, headers, signal });
    return this.request(address, { method: "POST", body: JSON.stringify(body), headers, signal });
  }

  /**
   * Sends one request and returns its answer, whatever it is: no wait, no second attempt. A body is JSON.
   * @param {string} address
   * @param {{ method: string, body: string | null, headers: Record<string, string>, signal: AbortSignal | undefined }} request
   */
  async request(address, { method, body, headers, signal }) {
    this.sent += 1;
    const { prefix, method: always, headers: access, credentials } = this.#access;
    const answer = await fetch(prefix + address, {
      headers: {
        ...headers,
        ...access(),
        ...(body !== null && { "Content-Type": "application/json" }),
      },
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

  /** @param {number} seconds @param {Problem} problem @param {AbortSignal | undefined} signal */
  async #wait(seconds, problem, signal) {
    for (let left = seconds; left > 0; left -= 1) {
      signal?.throwIfAborted();
      this.#onWait(left, problem);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    signal?.throwIfAborted();
  }
}

/** @param {Response} answer @returns {Promise<Problem>} */
async function problemOf(answer) {
  try {
    return { ...(await answer.json()), scope: missingScope(answer) };
  } catch {
    const { status } = answer;
    return {
      title: `HTTP ${status}`,
      detail: "The answer is no problem record.",
      status,
      code: "",
      type: "",
      request_id: "",
    };
  }
}

/** Returns the scope that a refusal asks for; null: it names none. @param {Response} answer */
export function missingScope({ headers }) {
  return /\bscope="([a-z:]+)"/.exec(headers.get("WWW-Authenticate") ?? "")?.[1] ?? null;
}
