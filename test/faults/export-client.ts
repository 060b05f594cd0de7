import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FaultFile, Person } from "./fault-file.ts";

const itemMark = '"type":"item"';

/** One export over a new connection, read at the pace of the test. */
export class ExportClient {
  readonly socket: Socket;
  text = "";
  /** The server has ended the connection, or it failed. */
  closed = false;
  readonly over: Promise<void>;
  /** Item records that have begun to arrive. */
  #items = 0;
  #newest = "";

  constructor(port: number, { secret }: Person) {
    this.socket = connect({ port, host: "127.0.0.1" });
    this.over = new Promise((resolve) => {
      this.socket.once("close", () => {
        this.closed = true;
        resolve();
      });
    });
    this.socket.on("error", () => undefined);
    this.socket.setEncoding("utf8").on("data", (text: string) => {
      // Only new text is searched. A mark may have begun before it.
      const added = this.#newest + text;
      this.#items += added.split(itemMark).length - 1;
      this.#newest = added.slice(1 - itemMark.length);
      this.text += text;
    });
    this.socket.write(
      `POST /v1/markets/snapshot HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    );
  }

  /** Complete records so far, without chunk sizes and headers. */
  get records(): { type: string; code?: string; items?: number }[] {
    const lines = this.text.replace(/^[\s\S]*?\r\n\r\n/, "").replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, "");
    return lines
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }

  /** Resolves when at least `count` item records have begun to arrive. */
  async items(count: number): Promise<void> {
    while (!this.closed && this.#items < count) {
      await Promise.race([once(this.socket, "data"), this.over]);
    }
  }

  /** Reads no more. The connection stays open. */
  stall(): void {
    this.socket.pause();
  }

  /** Resets the connection. */
  vanish(): void {
    this.socket.resetAndDestroy();
  }
}

const absorbMs = 400;
const attemptsMax = 10;

/**
 * An export that waits for its reader. The system's socket buffers sometimes grow to hold a whole export. In that case another export is
 * started.
 */
export async function stalledExport(port: number, person: Person, file: FaultFile): Promise<ExportClient> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const client = new ExportClient(port, person);
    await client.items(1);
    client.stall();
    await wait(absorbMs);
    if (file.liveLeases(person) === 1) return client;
    client.vanish();
  }
  throw new Error(`none of ${attemptsMax} exports waited for its reader`);
}
