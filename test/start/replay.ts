import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A local server that replaces the addresses in guides: a marketplace's response, and the files of a release folder. */
export class Replay {
  /** The folder below which `/releases/` is served. */
  readonly #root: string;
  readonly #answer: string;
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://replay");
    const file = join(this.#root, pathname);
    const isFile = pathname.startsWith("/releases/") && existsSync(file) && statSync(file).isFile();
    const isFeed = pathname === "/v1/items";
    if (isFile) response.end(readFileSync(file));
    else if (isFeed) response.setHeader("content-type", "application/json").end(this.#answer);
    else response.writeHead(404).end();
  });

  /** @param answer the body of the marketplace. */
  constructor(root: string, answer: string) {
    this.#root = root;
    this.#answer = answer;
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
