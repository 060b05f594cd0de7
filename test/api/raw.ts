import { connect } from "node:net";

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };

export type RawOutcome = {
  answers: RawAnswer[];
  /** True if the server closed the connection without a request to do so. */
  closed: boolean;
  /** Bytes after the last complete response. */
  rest: string;
};

/** Longer than a busy machine needs, and shorter than the silence after which the server closes connections that hold permits. */
const silenceMsMax = 20_000;

/**
 * Sends bytes over a new connection. Collects the response until the server closes it, or until `answers` complete responses on a
 * persistent connection. `head` means responses without a body.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  { answers: wanted = 1, head = false, untilClosed = false } = {},
): Promise<RawOutcome> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    const answers: RawAnswer[] = [];
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, rest: text, closed });
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither an answer nor a close within ${silenceMsMax} ms; got: ${text.slice(0, 200)}`));
    }, silenceMsMax);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const parsed = parseAnswers(text, head);
      answers.push(...parsed.answers);
      text = parsed.rest;
      const last = answers.at(-1);
      if (!untilClosed && answers.length >= wanted && last?.headers.get("connection") !== "close") finish(false);
    });
    socket.on("end", () => finish(true));
    socket.on("error", () => finish(true));
    for (const piece of Array.isArray(bytes) ? bytes : [bytes]) socket.write(piece);
  });
}

/** Splits complete responses off the text by their Content-Length. Skips interim responses. */
function parseAnswers(text: string, head: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return { answers, rest };
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const headers = new Map(lines.map((one) => [one.split(":")[0]!.toLowerCase(), one.slice(one.indexOf(":") + 2)]));
    if (status >= 100 && status < 200) {
      rest = rest.slice(end + 4);
      continue;
    }
    const length = head ? 0 : Number(headers.get("content-length") ?? 0);
    if (Number.isNaN(status) || rest.length < end + 4 + length) return { answers, rest };
    answers.push({ status, headers, body: Buffer.from(rest.slice(end + 4, end + 4 + length), "latin1").toString() });
    rest = rest.slice(end + 4 + length);
  }
}
