import { STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import {
  type Fault,
  type FaultedRequest,
  type FullAnswer,
  headerOf,
  headersWithout,
  sendWhole,
} from "./faulted-request.ts";
import { noteAnswered, noteCut } from "./journal.ts";

/** Time for the client to read before a reset, in ms. A reset discards unread bytes. */
const readMs = 100;
const framing = ["content-length", "transfer-encoding", "connection", "keep-alive"];

const bytesFigure = {
  about: "bytes before; null: half",
  fallback: null,
  least: 0,
  most: 1_000_000_000,
  isNullable: true,
} as const;

/** Writes the head and a part of the body without Node's framing. Pass null as `length` to end the body by closing the connection. */
async function writeRaw(turn: FaultedRequest, answer: FullAnswer, length: number | null, body: Buffer): Promise<void> {
  turn.entry.status = answer.status;
  const headers = headersWithout(answer.headers, framing);
  if (length !== null) headers.push("Content-Length", String(length));
  headers.push("Connection", "close");
  let head = `HTTP/1.1 ${answer.status} ${answer.reason}\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  const { socket } = turn.req;
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), body]), resolve));
}

function halfOf(body: Buffer, bytes: unknown): Buffer {
  return body.subarray(0, typeof bytes === "number" ? bytes : body.length >> 1);
}

function reset({ req: { socket } }: FaultedRequest): void {
  noteCut(socket);
  socket.resetAndDestroy();
}

/** Closes the connection cleanly, even in the middle of an answer. */
function end({ req: { socket } }: FaultedRequest): void {
  noteCut(socket);
  socket.destroySoon();
}

/** Resolves when the client has disconnected. */
function clientGone({ req: { socket } }: FaultedRequest): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    // A client that closes its side no longer waits for an answer.
    socket.once("end", () => socket.destroy());
    socket.once("close", () => resolve());
  });
}

const fault = (about: string, act: Fault["act"], figures: Fault["figures"] = {}): Fault => ({ about, figures, act });

const page = (status: number, reason: string) =>
  `<html>\r\n<head><title>${status} ${reason}</title></head>\r\n<body>\r\n<center><h1>${status} ${reason}</h1></center>\r\n` +
  "<hr><center>proxy</center>\r\n</body>\r\n</html>\r\n";

/** Faults of the connection between server and client. */
export const transportFaults: Readonly<Record<string, Fault>> = {
  reset_before: fault("a reset before any byte of an answer", async (turn) => reset(turn)),
  close_before: fault("an orderly end before any byte of an answer", async (turn) => end(turn)),
  reset_after_headers: fault("a reset after the headers", async (turn) => {
    const answer = await turn.fetch();
    await writeRaw(turn, answer, answer.body.length, Buffer.alloc(0));
    await setTimeout(readMs);
    reset(turn);
  }),
  reset_in_body: fault(
    "a reset in the middle of the body",
    async (turn, { bytes = null }) => {
      const answer = await turn.fetch();
      await writeRaw(turn, answer, answer.body.length, halfOf(answer.body, bytes));
      await setTimeout(readMs);
      reset(turn);
    },
    { bytes: bytesFigure },
  ),
  silence_before: fault("nothing is sent until the client hangs up", clientGone),
  silence_in_body: fault(
    "the same after a part of the body",
    async (turn, { bytes = null }) => {
      const answer = await turn.fetch();
      await writeRaw(turn, answer, answer.body.length, halfOf(answer.body, bytes));
      await clientGone(turn);
    },
    { bytes: bytesFigure },
  ),
  slow: fault(
    "the body is sent byte by byte",
    async (turn, { every_ms: everyMs = 1000 }) => {
      const answer = await turn.fetch();
      await writeRaw(turn, answer, answer.body.length, Buffer.alloc(0));
      const { socket } = turn.req;
      const gone = new AbortController();
      socket.once("end", () => socket.destroy()).once("close", () => gone.abort());
      for (const byte of answer.body) {
        if (socket.destroyed) return;
        socket.write(Buffer.of(byte));
        await setTimeout(Number(everyMs), null, { signal: gone.signal }).catch(() => undefined);
      }
      noteAnswered(turn.entry);
      end(turn);
    },
    { every_ms: { about: "ms between two bytes", fallback: 1000, least: 1, most: 60_000 } },
  ),
  cut_gzip: fault("half of a gzip body, as if it were complete", async (turn) => {
    const { status, reason, headers, body } = await turn.fetch();
    const isCoded = headerOf(headers, "content-encoding") !== null;
    const takesGzip = /\bgzip\b/.test(String(turn.req.headers["accept-encoding"] ?? ""));
    const coded = isCoded || !takesGzip ? body : gzipSync(body);
    const cut = halfOf(coded, null);
    const own = headersWithout(headers, [...framing, "etag"]);
    if (!isCoded && takesGzip) own.push("Content-Encoding", "gzip");
    sendWhole(turn, { status, reason, headers: [...own, "Content-Length", String(cut.length)], body: cut });
  }),
  proxy_page: fault(
    "a page of HTML, as of a proxy",
    async (turn, { status: given = 502 }) => {
      const status = Number(given);
      const reason = STATUS_CODES[status] ?? "Web server is returning an unknown error";
      const body = Buffer.from(page(status, reason));
      const headers = ["Content-Type", "text/html", "Content-Length", String(body.length)];
      sendWhole(turn, { status, reason, headers, body });
    },
    { status: { about: "status of the page", fallback: 502, least: 200, most: 599 } },
  ),
  redirect: fault(
    "a redirect to the same path",
    async (turn, { status: given = 307, to = "same" }) => {
      const status = Number(given);
      const host = String(turn.req.headers.host ?? "");
      const [, name = "", port = ""] = /^(.*?)((?::\d+)?)$/.exec(host) ?? [];
      const other = name === "localhost" ? "127.0.0.1" : "localhost";
      const location = `http://${to === "same" ? name : other}${port}${turn.req.url ?? "/"}`;
      const headers = ["Location", location, "Content-Length", "0"];
      sendWhole(turn, { status, reason: STATUS_CODES[status] ?? "", headers, body: Buffer.alloc(0) });
    },
    {
      status: { about: "status of the redirect", fallback: 307, least: 301, most: 308 },
      to: { about: "`same` origin, or an `other`", fallback: "same", words: ["same", "other"] },
    },
  ),
  wrong_length: fault(
    "`Content-Length` is wrong, and the connection ends after the body",
    async (turn, { by = 100 }) => {
      const answer = await turn.fetch();
      await writeRaw(turn, answer, Math.max(0, answer.body.length + Number(by)), answer.body);
      end(turn);
    },
    { by: { about: "bytes too many", fallback: 100, least: -1_000_000, most: 1_000_000 } },
  ),
};
