import type { Node } from "../document.ts";
import { type Checked, Checker } from "./checker.ts";
import { Draw } from "./draw.ts";
import type { Exchange, Request } from "./exchange.ts";

/** Two contracts, and a map from old to new ids of renamed operations. */
export type Compared = { before: Node; after: Node; renamed: ReadonlyMap<string, string> };

/** Generates exchanges for two contracts and checks them against both. */
export class Judge {
  readonly #old: Checker;
  readonly #now: Checker;
  readonly #drawn = new Map<string, Exchange[]>();
  readonly #asked = new WeakMap<Request, boolean>();
  /** Requests of a moved operation at its new path. A client that follows the move reads its responses. */
  readonly #moved = new WeakMap<Request, Request>();
  readonly #asking: Draw;
  readonly #answering: Draw;
  readonly #renamed: ReadonlyMap<string, string>;

  constructor({ before, after, renamed }: Compared) {
    this.#old = new Checker(before);
    this.#now = new Checker(after);
    this.#renamed = renamed;
    this.#asking = new Draw(this.#old, this.#now);
    this.#answering = new Draw(this.#now, this.#old);
  }

  /** Operations of the old contract. */
  get operations(): readonly Checked[] {
    return this.#old.operations;
  }

  /** Returns exchanges for an operation of the old contract: its own requests, and responses of the new contract. */
  exchangesOf(id: string): readonly Exchange[] {
    const known = this.#drawn.get(id);
    if (known !== undefined) return known;
    const old = this.#old.operations.find((one) => one.id === id);
    const now = this.#now.operations.find((one) => one.id === (this.#renamed.get(id) ?? id)) ?? null;
    const requests = old === undefined ? [] : [...this.#asking.requests(old, now)];
    const answers = old === undefined || now === null ? [] : [...this.#answering.answers(now, old, old)];
    if (old !== undefined && now !== null && (old.path !== now.path || old.method !== now.method)) {
      const { method, path } = this.#answering.plain(now, false);
      for (const { request } of answers) this.#moved.set(request, { ...request, method, path });
    }
    const drawn = [...requests, ...answers];
    this.#drawn.set(id, drawn);
    return drawn;
  }

  /** Returns the reasons why an exchange that is valid on its own side is invalid on the other; empty if it is valid. */
  faultsOf(exchange: Exchange): readonly string[] {
    const { request, answer } = exchange;
    if (answer === null)
      return this.#old.faults(exchange, "server").length === 0 ? this.#now.faults(exchange, "server") : [];
    const moved = { ...exchange, request: this.#moved.get(request) ?? request };
    if (!this.#isAsked(request) || this.#now.faults(moved, "server").length > 0) return [];
    return this.#old.faults(exchange, "client");
  }

  /** Returns whether a client of the old contract would send the request. */
  #isAsked(request: Request): boolean {
    const known = this.#asked.get(request);
    if (known !== undefined) return known;
    const exchange = { request, answer: null, near: [] };
    const isAsked = this.#old.faults(exchange, "server").length === 0;
    this.#asked.set(request, isAsked);
    return isAsked;
  }
}
