import { and, eq, sql } from "drizzle-orm";
import { refusedNames } from "../../../db/schema/history.ts";
import type { Database } from "../database.ts";

/** A name that joined no item, in the form in which names are compared. `phase` is "" where the source gave none. */
export type RefusedName = { name: string; phase: string };

/** Reads and writes the refused names of one feed. Callers hold the transactions. */
export class RefusedNameWriter {
  readonly #feed: string;
  readonly #find;
  readonly #add;

  constructor(database: Database, feed: string) {
    const values = { feed: sql.placeholder("feed"), name: sql.placeholder("name"), phase: sql.placeholder("phase") };
    this.#feed = feed;
    this.#find = database
      .select({ nameId: refusedNames.nameId })
      .from(refusedNames)
      .where(
        and(
          eq(refusedNames.name, values.name),
          eq(refusedNames.phase, values.phase),
          eq(refusedNames.feed, values.feed),
        ),
      )
      .prepare();
    this.#add = database.insert(refusedNames).values(values).onConflictDoNothing().prepare();
  }

  /** Returns the id of a name; null: the feed never had it. */
  idOf({ name, phase }: RefusedName): number | null {
    return this.#find.get({ feed: this.#feed, name, phase })?.nameId ?? null;
  }

  /** Adds a name unless the feed has it. */
  add({ name, phase }: RefusedName): void {
    this.#add.run({ feed: this.#feed, name, phase });
  }
}
