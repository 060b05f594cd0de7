import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plan } from "../access/plans.ts";
import type { Entry } from "./journal.ts";

/** A complete answer of the server behind the sandbox. `headers` alternates names and values. */
export type FullAnswer = { status: number; reason: string; headers: string[]; body: Buffer };

/** One request with a fault. */
export type FaultedRequest = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly body: Buffer;
  readonly entry: Entry;
  readonly operationId: string | null;
  readonly plan: Plan;
  /** The request id for answers that the sandbox creates itself. */
  readonly requestId: string;
  /** The current time of the world, UTC ms. */
  readonly at: number;
  /** Sends the request to the server behind the sandbox. Headers named in `without` are left out. */
  fetch(without?: readonly string[]): Promise<FullAnswer>;
  /** Sends the unchanged answer of the server behind the sandbox. */
  pass(): Promise<void>;
  /** Moves a replay to its next publication. Returns false if there is none. */
  publishNext(): Promise<boolean>;
};

/** Values of a fault's figures, from the script or the defaults. */
export type Figures = Readonly<Record<string, number | string | null>>;

/** A parameter of a fault. `fallback` is its default; null lets the fault decide. */
export type Figure = { about: string; fallback: number | string | null; isNullable?: true; isRequired?: true } & (
  | { least: number; most: number }
  | { words: readonly string[] }
  | { takes: string; accepts(value: unknown): boolean }
);

/** A way in which the server may misbehave. */
export type Fault = {
  readonly about: string;
  readonly figures: Readonly<Record<string, Figure>>;
  act(turn: FaultedRequest, figures: Figures): Promise<void>;
};

/** Sends a complete answer with valid HTTP framing. */
export function sendWhole({ res, entry }: FaultedRequest, { status, reason, headers, body }: FullAnswer): void {
  entry.status = status;
  res.sendDate = headerOf(headers, "date") === null;
  res.writeHead(status, reason, headers);
  res.end(body);
}

/** Returns the headers except those named in `names` (lower case). */
export function headersWithout(headers: readonly string[], names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    if (!names.includes(headers[index]!.toLowerCase())) kept.push(headers[index]!, headers[index + 1]!);
  return kept;
}

/** Returns a header value by lower-case name. Null if the header is missing. */
export function headerOf(headers: readonly string[], name: string): string | null {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() === name) return headers[index + 1]!;
  return null;
}
