import { createHash } from "node:crypto";
import { type Database, writeTransaction } from "../../store/database.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";

/** A body that guards judged at `at` (UTC ms). `feed` is null for rates. */
export type JudgedBody = {
  name: string;
  feed: string | null;
  provider?: string | undefined;
  digest: Buffer | null;
  at: number;
};
/** A body to judge: its bytes, their SHA-256, or neither. */
export type GuardedFile = { name: string } & Partial<Pick<FeedFile, "bytes" | "digest">>;
type Broken = { guard: string; figure: string };

/** Thrown when guards refuse a body. It names the broken guards for the log of the data. */
export class GuardRefusal extends OperatorError {
  readonly body: JudgedBody;
  readonly broken: readonly Broken[];

  constructor(body: JudgedBody, broken: readonly Broken[], what: string) {
    super(refusedFile(body.name, what).message);
    this.body = body;
    this.broken = broken;
  }
}

/** Writes the events of a refused body in a transaction of their own. Ignores other errors. */
export function logRefusal(database: Database, error: unknown): void {
  if (!(error instanceof GuardRefusal)) return;
  const { body, broken } = error;
  const log = new DataEvents(database);
  writeTransaction(database, () => {
    for (const event of eventsOf(body, broken)) log.refuse(event);
  });
}

/**
 * Adds the exceptions that the operator accepted for a body, in the caller's transaction. A repetition at or after `since` (UTC ms) adds
 * nothing.
 */
export function logAccepted(log: DataEvents, body: JudgedBody, broken: readonly Broken[], since: number): void {
  for (const event of eventsOf(body, broken)) log.accept(event, since);
}

/** Returns the SHA-256 of a body, null if it is unknown. */
export function digestOf({ bytes, digest }: Omit<GuardedFile, "name">): Buffer | null {
  if (digest !== undefined) return digest;
  return bytes === undefined ? null : createHash("sha256").update(bytes).digest();
}

/** Returns one event per guard. */
function eventsOf({ name: _name, digest: bodyDigest, ...body }: JudgedBody, broken: readonly Broken[]) {
  return Array.from(
    Map.groupBy(broken, ({ guard }) => guard),
    ([guard, found]) => ({ ...body, bodyDigest, guard, figure: found.map(({ figure }) => figure).join("; ") }),
  );
}
