import type SqliteDatabase from "better-sqlite3";
import { eq } from "drizzle-orm";
import { providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

/** Whether the terms of a source allow passing on its prices. */
export type Redistribution = (typeof providers.$inferSelect)["redistribution"];

/** The terms of a provider's source. A day is `YYYY-MM-DD`; null is unknown. */
export type Terms = Pick<typeof providers.$inferSelect, "termsUrl" | "termsReadOn" | "redistribution" | "attribution">;

/** Terms without any statement. */
export const noTerms: Terms = { termsUrl: null, termsReadOn: null, redistribution: "unknown", attribution: null };

/** Slugs of providers by `redistribution`, ascending. */
export type TermsSummary = { notAllowed: readonly string[]; unknown: readonly string[] };

type Field = keyof Terms;
type Row = Terms & { operator: ReadonlySet<Field> };

/** Reads and writes the terms of providers. Callers hold the transactions. */
export class ProviderTerms {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the terms of a provider, or null for an unknown provider. */
  of(provider: string): Terms | null {
    const row = this.#row(provider);
    if (row === null) return null;
    const { operator: _operator, ...terms } = row;
    return terms;
  }

  /** Returns the fields of the mapping's terms that an existing provider lacks. Null if nothing differs. */
  news(provider: string, terms: Terms): Partial<Terms> | null {
    const row = this.#row(provider);
    if (row === null) return null;
    const fields = fieldsOf(terms).filter((field) => !row.operator.has(field) && row[field] !== terms[field]);
    return fields.length === 0 ? null : Object.fromEntries(fields.map((field) => [field, terms[field]]));
  }

  /** Writes the result of `news`. */
  record(provider: string, news: Partial<Terms>): void {
    this.#database.update(providers).set(news).where(eq(providers.provider, provider)).run();
  }

  /** Writes terms of the operator. A null field returns to the provider's mapping, and is unknown until the mapping's next use. */
  set(provider: string, given: Readonly<Partial<Record<Field, string | null>>>): void {
    const operator = new Set(this.#row(provider)?.operator);
    for (const field of fieldsOf(given)) {
      if (given[field] === null) operator.delete(field);
      else operator.add(field);
    }
    const values = Object.fromEntries(fieldsOf(given).map((field) => [field, given[field] ?? noTerms[field]]));
    const operatorTerms = JSON.stringify([...operator].sort());
    this.#database
      .update(providers)
      .set({ ...values, operatorTerms })
      .where(eq(providers.provider, provider))
      .run();
  }

  summary(): TermsSummary {
    return termsSummary(this.#database.$client);
  }

  #row(provider: string): Row | null {
    const { termsUrl, termsReadOn, redistribution, attribution, operatorTerms } = providers;
    const row = this.#database
      .select({ termsUrl, termsReadOn, redistribution, attribution, operatorTerms })
      .from(providers)
      .where(eq(providers.provider, provider))
      .get();
    if (row === undefined) return null;
    const { operatorTerms: names, ...terms } = row;
    return { ...terms, operator: new Set(JSON.parse(names) as Field[]) };
  }
}

/** Returns the providers that may not be passed on, and the providers with unknown terms. Accepts a bare handle. */
export function termsSummary(client: SqliteDatabase.Database): TermsSummary {
  const statement = client.prepare<[Redistribution], string>(
    "SELECT provider FROM providers WHERE redistribution = ? ORDER BY provider",
  );
  const slugs = (redistribution: Redistribution) => statement.pluck().all(redistribution);
  return { notAllowed: slugs("not_allowed"), unknown: slugs("unknown") };
}

function fieldsOf(terms: Readonly<Partial<Record<Field, unknown>>>): Field[] {
  return (Object.keys(noTerms) as Field[]).filter((field) => terms[field] !== undefined);
}
