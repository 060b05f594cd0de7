import { displayText } from "../../values/text/display-text.ts";
import type { Observation, RefusalReason, Refusals } from "./observation.ts";

/** A price of a body as a dry run shows it. `itemId` null: a feed-derived item that is not made yet. */
type SampleRow = {
  name: string;
  phase: string | null;
  provider: string;
  side: string;
  amountCents: number;
  quantity: number | null;
};
type JoinedRow = SampleRow & { itemId: number | null };
/** A price that joined no item, or could not be read: then only its text is known. */
type UnjoinedRow = { reason: RefusalReason } & (SampleRow | { name: string });

/** Maximum rows of each kind that a dry run shows. */
const rowsMax = 10;

/** Collects the first prices of a body that join an item, and the first that do not. */
export class RowSample {
  readonly joined: JoinedRow[] = [];
  readonly #unjoined: UnjoinedRow[] = [];
  readonly #unread: UnjoinedRow[] = [];

  /** Returns prices that join no item, and after them prices that could not be read. */
  get unjoined(): readonly UnjoinedRow[] {
    return [...this.#unjoined, ...this.#unread].slice(0, rowsMax);
  }

  addJoined(observation: Observation, itemId: number | null): void {
    if (this.joined.length < rowsMax) this.joined.push({ ...rowOf(observation), itemId });
  }

  addUnjoined(observation: Observation, reason: RefusalReason): void {
    if (this.#unjoined.length < rowsMax) this.#unjoined.push({ ...rowOf(observation), reason });
  }

  /** Adds the examples of what was refused before anything was joined. */
  addUnread(refusals: Refusals): void {
    for (const { reason, examples } of refusals.list()) {
      for (const name of examples) this.#unread.push({ reason, name });
    }
  }
}

/** Formats the rows for a person. */
export function rowLines({ joined, unjoined }: Pick<RowSample, "joined" | "unjoined">): string[] {
  return [
    ...(joined.length === 0 ? [] : ["  rows     that join an item, such as"]),
    ...joined.map(
      (row) => `             ${priceText(row)} -> ${row.itemId === null ? "a new item" : `item ${row.itemId}`}`,
    ),
    ...(unjoined.length === 0 ? [] : ["  rows     that join none, such as"]),
    ...unjoined.map((row) => `             ${"side" in row ? priceText(row) : row.name}: ${row.reason}`),
  ];
}

/** Returns the rows as the report for a program has them. */
export function rowsJson({ joined, unjoined }: Pick<RowSample, "joined" | "unjoined">): object {
  const plain = ({ amountCents, ...row }: SampleRow) => ({ ...row, amount: amountCents });
  return {
    joined: joined.map(({ itemId, ...row }) => ({ ...plain(row), item_id: itemId })),
    unjoined: unjoined.map((row) => ("side" in row ? plain(row) : row)),
  };
}

function rowOf({ itemId, name, phase, provider, side, amountCents, quantity }: Observation): SampleRow {
  return { name: displayText(name ?? `item ${itemId}`), phase, provider, side, amountCents, quantity };
}

function priceText({ name, phase, side, amountCents, quantity }: SampleRow): string {
  const units = quantity === null ? "" : ` x ${quantity}`;
  return `${side} ${amountCents} cents${units}, ${name}${phase === null ? "" : ` ${displayText(phase)}`}`;
}
