import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Forwards bytes between a node and one PostgreSQL server, and can drop the server's bytes. */
export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #mutesAtCommit = false;
  #isMute = false;
  #isShut = false;
  /** Bytes from the server that were dropped. */
  lost = 0;

  static async to(target: number): Promise<Relay> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new Relay(server, target);
  }

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (near) => this.#join(near, target));
  }

  /** From the next commit on, forwards the client's bytes and drops the server's. */
  mute(): void {
    this.#mutesAtCommit = true;
  }

  /** Drops all bytes from now on, without closing connections. */
  shut(): void {
    this.#isShut = true;
  }

  /** Cuts every connection, and forwards bytes on new ones. */
  restore(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#mutesAtCommit = false;
    this.#isMute = false;
    this.#isShut = false;
  }

  close(): void {
    this.restore();
    this.#server.close();
  }

  #join(near: Socket, target: number): void {
    const far = connect(target, "127.0.0.1");
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.on("data", (bytes) => {
      if (this.#mutesAtCommit && bytes.includes("COMMIT\0")) this.#isMute = true;
      if (!this.#isShut) far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (this.#isMute || this.#isShut) this.lost += bytes.length;
      else near.write(bytes);
    });
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair)
      socket
        .setNoDelay(true)
        .on("error", () => {})
        .once("close", end);
  }
}
