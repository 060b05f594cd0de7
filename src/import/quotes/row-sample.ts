import { displayText } from "../../values/text/display-text.ts";
import type { Observation, RefusalReason, Refusals } from "./observation.ts";

/** A sample price for a dry run. `itemId` is null for a feed-derived item that does not exist yet. */
type SampleRow = {
  name: string;
  phase: string | null;
  provider: string;
  side: string;
  amountCents: number;
  quantity: number | null;
};
type JoinedRow = SampleRow & { itemId: number | null };
/** A price that joined no item. For an unreadable price only its text is known. */
type UnjoinedRow = { reason: RefusalReason } & (SampleRow | { name: string });

/** Maximum rows of each kind in a dry run. */
const rowsMax = 10;

/** Collects the first prices of a body that join an item, and the first that do not. */
export class RowSample {
  readonly joined: JoinedRow[] = [];
  readonly #unjoined: UnjoinedRow[] = [];
  readonly #unread: UnjoinedRow[] = [];

  /** Returns the prices that joined no item, then the unreadable prices. */
  get unjoined(): readonly UnjoinedRow[] {
    return [...this.#unjoined, ...this.#unread].slice(0, rowsMax);
  }

  addJoined(observation: Observation, itemId: number | null): void {
    if (this.joined.length < rowsMax) this.joined.push({ ...rowOf(observation), itemId });
  }

  addUnjoined(observation: Observation, reason: RefusalReason): void {
    if (this.#unjoined.length < rowsMax) this.#unjoined.push({ ...rowOf(observation), reason });
  }

  /** Adds examples of prices that were refused before joining. */
  addUnread(refusals: Refusals): void {
    for (const { reason, examples } of refusals.list()) {
      for (const name of examples) this.#unread.push({ reason, name });
    }
  }
}

/** Formats the rows for people. */
export function rowLines({ joined, unjoined }: Pick<RowSample, "joined" | "unjoined">): string[] {
  return [
    ...(joined.length === 0 ? [] : ["  rows     that match an item, such as"]),
    ...joined.map(
      (row) => `             ${priceText(row)} -> ${row.itemId === null ? "a new item" : `item ${row.itemId}`}`,
    ),
    ...(unjoined.length === 0 ? [] : ["  rows     that join none, such as"]),
    ...unjoined.map((row) => `             ${"side" in row ? priceText(row) : row.name}: ${row.reason}`),
  ];
}

/** Formats the rows for JSON. */
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
