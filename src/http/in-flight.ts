import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The answers under way: short reads and exports apart, because an export may take minutes and has slots of its own. */
export class InFlight {
  readonly #reads = new Set<ServerResponse>();
  readonly #exports = new Set<ServerResponse>();
  #whenEmpty: (() => void)[] = [];

  get reads(): number {
    return this.#reads.size;
  }

  get exports(): number {
    return this.#exports.size;
  }

  begin(res: ServerResponse): void {
    this.#reads.add(res);
  }

  /** From here on the answer is an export and takes no place among the reads. */
  becomeExport(res: ServerResponse): void {
    if (this.#reads.delete(res)) this.#exports.add(res);
  }

  end(res: ServerResponse): void {
    if (!this.#reads.delete(res)) this.#exports.delete(res);
    if (this.#reads.size === 0 && this.#exports.size === 0) {
      for (const tell of this.#whenEmpty.splice(0)) tell();
    }
  }

  /** Answers that waited for their turn on a connection never close when it does. */
  endAll(socket: Socket): void {
    for (const res of this.responses()) if (res.req.socket === socket) this.end(res);
  }

  /** Resolves when nothing is under way. */
  empty(): Promise<void> {
    if (this.#reads.size === 0 && this.#exports.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  *responses(): Generator<ServerResponse> {
    yield* this.#reads;
    yield* this.#exports;
  }

  readResponses(): Iterable<ServerResponse> {
    return this.#reads;
  }
}
