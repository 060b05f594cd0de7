import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plan } from "../access/plans.ts";
import type { Entry } from "./journal.ts";

/** An answer of the server behind the sandbox, read whole. `headers` are names and values by turns. */
export type WholeAnswer = { status: number; reason: string; headers: string[]; body: Buffer };

/** One request that a fault is played on. */
export type Turn = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly body: Buffer;
  readonly entry: Entry;
  readonly operationId: string | null;
  readonly plan: Plan;
  /** The id that an answer of the sandbox's own carries. */
  readonly requestId: string;
  /** The instant of the world, UTC ms. */
  readonly at: number;
  /** Asks the server behind the sandbox; headers that are named in `without` are left out. */
  fetch(without?: readonly string[]): Promise<WholeAnswer>;
  /** Answers as the server behind the sandbox does. */
  pass(): Promise<void>;
};

/** Values of a fault's figures, as a script gives them or as they are without it. */
export type Figures = Readonly<Record<string, number | string | null>>;

/** A number or word that a script may give a fault. `fallback`: what it is otherwise; null: left to the fault. */
export type Figure = { about: string; fallback: number | string | null; isNullable?: true; isRequired?: true } & (
  | { least: number; most: number }
  | { words: readonly string[] }
  | { takes: string; isTaken(value: unknown): boolean }
);

/** One way to misbehave. */
export type Fault = {
  readonly about: string;
  readonly figures: Readonly<Record<string, Figure>>;
  act(turn: Turn, figures: Figures): Promise<void>;
};

/** Sends an answer as HTTP wants it. */
export function sendWhole({ res, entry }: Turn, { status, reason, headers, body }: WholeAnswer): void {
  entry.status = status;
  res.sendDate = headerOf(headers, "date") === null;
  res.writeHead(status, reason, headers);
  res.end(body);
}

/** Returns the headers without those of these lower-case names. */
export function headersWithout(headers: readonly string[], names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    if (!names.includes(headers[index]!.toLowerCase())) kept.push(headers[index]!, headers[index + 1]!);
  return kept;
}

/** Returns the value of a header by its lower-case name; null: it is not there. */
export function headerOf(headers: readonly string[], name: string): string | null {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() === name) return headers[index + 1]!;
  return null;
}
