import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server is started on. A server that writes has `database` for itself. */
export type Setup = {
  readonly database: string;
  /** The export's quotes as rows of their own. */
  readonly quoteRows: string;
  /** A whole export as a file. */
  readonly exportFile: string;
};

export type Running = { readonly port: number; close(): Promise<void> | void };

export type StartServer = (setup: Setup) => Promise<Running>;

/** A plain HTTP server on a free port. `release` lets go of what the listener reads from. */
export function listening(listener: RequestListener, release: () => void = () => {}): Promise<Running> {
  const server = createServer(listener);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close() {
          server.close();
          server.closeAllConnections();
          release();
        },
      });
    });
  });
}
