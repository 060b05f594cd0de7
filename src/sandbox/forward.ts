import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { FullAnswer } from "./faulted-request.ts";
import { type Entry, noteAnswered } from "./journal.ts";

/** Maximum size of an answer that a fault can change, in bytes. */
const wholeBytesMax = 512 * 1024 * 1024;

/** Starts the same request to the server behind the front. Nothing is added. Headers named in `without` (lower case) are left out. */
function begin(port: number, req: IncomingMessage, without: readonly string[] = []): ClientRequest {
  const { method = "GET", url: path = "/", rawHeaders } = req;
  const behind = request({ host: "127.0.0.1", port, method, path, setHost: false, agent: false });
  for (const added of ["connection", "content-length", "transfer-encoding"]) behind.removeHeader(added);
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (!without.includes(rawHeaders[index]!.toLowerCase()))
      behind.appendHeader(rawHeaders[index]!, rawHeaders[index + 1]!);
  return behind;
}

/**
 * Streams a request to the server behind the front, and its answer back to the client. Pass the body as `sent` if it was already read; pass
 * null to stream it.
 */
export function forward(
  port: number,
  { req, res, entry, sent = null }: { req: IncomingMessage; res: ServerResponse; entry: Entry; sent?: Buffer | null },
): void {
  if (req.httpVersion !== "1.1") {
    forwardBytes(port, req, entry);
    return;
  }
  const behind = begin(port, req);
  res.once("close", () => behind.destroy());
  behind.on("response", (answer) => {
    entry.status = answer.statusCode ?? null;
    res.sendDate = false;
    res.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    answer.on("error", () => res.destroy());
    answer.pipe(res);
  });
  behind.on("error", () => res.destroy());
  if (sent !== null) behind.end(sent);
  else {
    // The server rejects some requests before it reads their body.
    behind.flushHeaders();
    req.pipe(behind);
  }
}

/**
 * Forwards the bytes of a request with another HTTP version, because Node would send it as HTTP/1.1. Closes the connection after the
 * answer.
 */
function forwardBytes(port: number, req: IncomingMessage, entry: Entry): void {
  const { method, url, httpVersion, rawHeaders, socket } = req;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2)
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  const behind = connect(port, "127.0.0.1");
  behind.write(`${head}\r\n`, "latin1");
  req.on("data", (part) => behind.write(part));
  behind.once("data", (part: Buffer) => {
    entry.status = Number(part.toString("latin1", 9, 12));
  });
  behind.on("error", () => socket.destroy());
  behind.on("end", () => noteAnswered(entry));
  socket.once("close", () => behind.destroy());
  behind.pipe(socket);
}

/** Sends a request to the server behind the front and reads the whole answer. */
export function fetchWhole(
  port: number,
  req: IncomingMessage,
  body: Buffer,
  without: readonly string[],
): Promise<FullAnswer> {
  return new Promise((resolve, reject) => {
    const behind = begin(port, req, without);
    behind.on("error", reject);
    behind.on("response", (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > wholeBytesMax) behind.destroy(new Error("the answer is too long for a fault"));
        parts.push(part);
      });
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 502,
          reason: answer.statusMessage ?? "",
          headers: answer.rawHeaders,
          body: Buffer.concat(parts),
        }),
      );
    });
    behind.end(body);
  });
}
