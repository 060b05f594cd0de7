import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { ProviderRow, ProvidersStore } from "../store/read/providers.ts";
import { toTimestampOrNull } from "../values/time/clock.ts";
import type { Reference } from "./reference.ts";

type ProvidersQuery = { after: string; limit: number };

const operation = "listProviders";
const limitDefault = 100;

/** Marketplaces whose quotes are or were stored, by slug. */
export class Providers {
  readonly #store: ProvidersStore;

  constructor(store: ProvidersStore) {
    this.#store = store;
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor` or `cursor_mismatch`.
   */
  prepareList({ limit, after }: Params<"listProviders">, { cursors }: Reference): ProvidersQuery {
    const key = after === undefined ? "" : String(cursors.read(after, operation, {}).key);
    return { after: key, limit: limit ?? limitDefault };
  }

  list(
    { after, limit }: ProvidersQuery,
    { cursors }: Reference,
  ): { data: Schema<"Provider">[]; meta: ReadMeta<"listProviders"> } {
    const rows = this.#store.page(after, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last ? cursors.write({ operation, key: last.provider, filters: {} }) : null;
    return { data: page.map(providerOf), meta: { next_page: next } };
  }
}

function providerOf(row: ProviderRow): Schema<"Provider"> {
  return {
    provider: row.provider,
    name: row.name,
    kind: row.kind,
    has_asks: row.hasAsks,
    has_bids: row.hasBids,
    active: row.active,
    last_checked_at: toTimestampOrNull(row.checkedAt),
    last_ingested_at: toTimestampOrNull(row.ingestedAt),
  };
}
