import { type IncomingMessage, request } from "node:http";
import { constants, gunzipSync, inflateRawSync } from "node:zlib";
import { expect } from "chai";

export type PackedAnswer = {
  status: number;
  headers: IncomingMessage["headers"];
  /** As received, not decoded. */
  body: Buffer;
  /** Whether the response is complete. */
  isWhole: boolean;
};

export type Ask = { method?: string; headers?: Record<string, string>; body?: string };

const gzipHeaderBytes = 10;

/** Sends a request over a new connection. Resolves at the headers of the response, before its body is read. */
export function ask(url: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      outgoing.off("error", reject);
      outgoing.on("error", () => {});
      resolve(incoming);
    });
    outgoing.end(body);
  });
}

/** Reads the rest of a response, even if it is cut off. */
export function readAll(incoming: IncomingMessage): Promise<PackedAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    incoming.on("error", () => {});
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("close", () => {
      const { statusCode: status = 0, headers, complete: isWhole } = incoming;
      resolve({ status, headers, body: Buffer.concat(chunks), isWhole });
    });
  });
}

/** The text of a complete response, decoded by its headers. Checks the checksum and length. */
export function textOf({ headers, body, isWhole }: PackedAnswer): string {
  expect(isWhole).to.equal(true);
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
}

/** The decodable beginning of a gzip stream. */
export function beginningOf(packed: Buffer): string {
  return inflateRawSync(packed.subarray(gzipHeaderBytes), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}
