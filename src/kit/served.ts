import { loadContract } from "../contract/document.ts";
import type { OperationId } from "../contract/types.ts";
import type { KitCall } from "./scenario.ts";

type Json = Record<string, unknown>;
type End = { items: number; rows: number; generation: string; digest: string };
type Market = { count: number; generation: string; digest: string };
type Page = { data: unknown; meta: { next_page?: string | null; next_cursor?: number | null } };

/** Reads and caches the expected values of calls. Its key has no script. */
export class Served {
  readonly #base: string;
  #market: Promise<Market> | null = null;
  readonly #values = new Map<string, Promise<unknown>>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the value of a call that meets no fault. */
  value(call: KitCall, key: string): Promise<unknown> {
    const { deadline_ms: _, ...facts } = call;
    const name = JSON.stringify(facts);
    const known = this.#values.get(name) ?? this.#read(call, key);
    this.#values.set(name, known);
    return known;
  }

  async #read({ call, operation, parameters = {}, body }: KitCall, key: string): Promise<unknown> {
    if (call === "operation") return (await this.#json(operation, parameters, key, body)).data;
    if (call === "pages") return this.#rows(operation, parameters, key);
    if (operation === "streamHistoryDay") {
      const { rows, digest } = endOf(await this.#text(operation, parameters, key, body));
      return { count: rows, sha256: digest };
    }
    this.#market ??= this.#readMarket(key);
    const { count, generation, digest } = await this.#market;
    return call === "follow" ? { count, next: generation } : { count, sha256: digest };
  }

  /** Returns the value of a copy that follows the market, as it is now. */
  async copy(key: string): Promise<unknown> {
    const { count, generation, digest } = await this.#readMarket(key);
    return { count, next: generation, sha256: digest };
  }

  async #readMarket(key: string): Promise<Market> {
    const { items: count, generation } = endOf(await this.#text("streamMarketSnapshot", {}, key));
    const { data } = await this.#json("getGeneration", { generation }, key);
    return { count, generation, digest: (data as { digest: string }).digest };
  }

  async #rows(operation: string, parameters: Json, key: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let next: Json | null = {}; next !== null; ) {
      const { data, meta }: Page = await this.#json(operation, { ...parameters, ...next }, key);
      rows.push(...(data as unknown[]));
      if (typeof meta.next_page === "string") next = { after: meta.next_page };
      else next = typeof meta.next_cursor === "number" ? { cursor: meta.next_cursor } : null;
    }
    return rows;
  }

  async #json(operation: string, parameters: Json, key: string, body?: object): Promise<Page> {
    return JSON.parse(await this.#text(operation, parameters, key, body)) as Page;
  }

  async #text(operation: string, parameters: Json, key: string, body?: object): Promise<string> {
    const { method, path } = loadContract().operations.get(operation as OperationId)!;
    const query = new URLSearchParams();
    let target = path;
    for (const [name, value] of Object.entries(parameters)) {
      if (target.includes(`{${name}}`)) target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
      else query.set(name, String(value));
    }
    // A busy sandbox may close an idle connection just as it is used again.
    const headers = { authorization: `Bearer ${key}`, connection: "close" };
    const sent =
      body === undefined
        ? { headers }
        : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${this.#base}${target}?${query}`.replace(/\?$/, ""), { method, ...sent });
    if (answer.status !== 200) throw new Error(`the sandbox answered ${operation} with ${answer.status}`);
    return answer.text();
  }
}

function endOf(text: string): End {
  return JSON.parse(text.trimEnd().split("\n").at(-1)!) as End;
}
