import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Clock, toTimestamp } from "../values/time/clock.ts";

/** Maximum bytes of a request body in the journal. */
const keptBodyBytes = 64 * 1024;
/** Maximum entries of one journal. Later requests are not recorded, so a looping client cannot fill the memory. */
const entriesMax = 2000;
const secretPattern = /itemtape_(?:live|pat)_[0-9A-Za-z]{36}/g;

/** End of a connection: ms since the start of the journal, and the side that closed it. */
type Closing = { at_ms: number; by: "client" | "sandbox" };

/** One request, as the control API shows it. `at_ms` counts from the start of the journal. */
export type Entry = {
  n: number;
  time: string;
  at_ms: number;
  operation: string | null;
  /** Number of the request among requests of its operation, from 1. */
  attempt: number;
  fault: string | null;
  /** False if the fault did not apply to the answer, which was sent unchanged. */
  applied: boolean;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: string | null;
  status: number | null;
  /** Bytes of head and body written to the socket. */
  bytes: number;
  /** Whether the whole answer was written to the socket with valid framing. */
  complete: boolean;
  /** Time at which the end of the answer was written, so never after the client had it. */
  answered_ms: number | null;
  closed: Closing | null;
};

/** State of a connection. `end` is null while it is open. */
type Connection = { end: "client" | "sandbox" | null; onClose: Set<(by: "client" | "sandbox") => void> };

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const connection: Connection = { end: null, onClose: new Set() };
  const leave = () => {
    connection.end ??= "client";
  };
  socket.once("end", leave).once("error", leave);
  socket.once("close", () => {
    for (const closed of connection.onClose) closed(connection.end ?? "sandbox");
  });
  connections.set(socket, connection);
  return connection;
}

/** Records that the sandbox closes this connection. */
export function noteCut(socket: Socket): void {
  connectionOf(socket).end ??= "sandbox";
}

/** The requests of one key, in order of arrival. */
export class Journal {
  readonly #clock: Clock;
  #entries: Entry[] = [];
  #attempts = new Map<string | null, number>();
  #beganMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.monotonicMs();
  }

  get entries(): readonly Entry[] {
    for (const entry of this.#entries) if (entry.closed === null) counts.get(entry)?.();
    return this.#entries;
  }

  /** Removes all entries and restarts the counts. */
  clear(): void {
    this.#entries = [];
    this.#attempts = new Map();
    this.#beganMs = this.#clock.monotonicMs();
  }

  /** Adds a request, and follows its answer, and its connection until it closes. */
  add(req: IncomingMessage, res: ServerResponse, operation: string | null): Entry {
    const attempt = (this.#attempts.get(operation) ?? 0) + 1;
    this.#attempts.set(operation, attempt);
    const { socket } = req;
    const entry: Entry = {
      n: this.#entries.length + 1,
      time: toTimestamp(this.#clock.now()),
      at_ms: this.#sinceMs(),
      operation,
      attempt,
      fault: null,
      applied: true,
      method: req.method ?? "",
      target: withoutSecrets(req.url ?? ""),
      headers: headersOf(req),
      body: null,
      status: null,
      bytes: 0,
      complete: false,
      answered_ms: null,
      closed: null,
    };
    if (this.#entries.length < entriesMax) this.#entries.push(entry);
    this.#follow(entry, socket, res);
    return entry;
  }

  #follow(entry: Entry, socket: Socket, res: ServerResponse): void {
    const before = socket.bytesWritten;
    let writtenMs: number | null = null;
    // In a busy process `finish` comes late, when the client already waits for its next attempt.
    res.once("prefinish", () => {
      writtenMs = this.#sinceMs();
    });
    res.once("finish", () => noteAnswered(entry));
    const count = () => {
      if (entry.answered_ms !== null) return;
      entry.bytes = socket.bytesWritten - before;
      if (entry.complete) entry.answered_ms = writtenMs ?? this.#sinceMs();
    };
    counts.set(entry, count);
    connectionOf(socket).onClose.add((by) => {
      count();
      entry.closed = { at_ms: this.#sinceMs(), by };
    });
  }

  #sinceMs(): number {
    return Math.round(this.#clock.monotonicMs() - this.#beganMs);
  }
}

/** Functions that update the byte count of an entry. */
const counts = new WeakMap<Entry, () => void>();

/** Records that the whole answer was written to the socket. */
export function noteAnswered(entry: Entry): void {
  entry.complete = true;
  counts.get(entry)?.();
}

/** Records the body of a request as text, without secrets. */
export function noteBody(entry: Entry, body: Buffer): void {
  entry.body = body.length === 0 ? null : withoutSecrets(body.subarray(0, keptBodyBytes).toString("utf8"));
}

/** Returns the API key secrets in the head of a request. */
export function secretsIn(req: IncomingMessage): string[] {
  const head = [...req.rawHeaders, decoded(req.url ?? "")].join("\n");
  return head.match(secretPattern) ?? [];
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index]!, withoutSecrets(rawHeaders[index + 1]!)]);
  return headers;
}

function withoutSecrets(text: string): string {
  return text.replace(secretPattern, "[key]");
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
