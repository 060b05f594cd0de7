import type { Params, Schema } from "../contract/types.ts";
import type { ProviderRow, ProvidersStore } from "../store/read/providers.ts";
import { toTimestampOrNull } from "../values/time/clock.ts";
import { pageOf, type Read } from "./paging.ts";
import type { Reference } from "./reference.ts";

type ProvidersQuery = { after: string; limit: number };

const operation = "listProviders";
const limitDefault = 100;

/** Lists marketplaces with current or former quotes, by slug. */
export class Providers {
  readonly #store: ProvidersStore;

  constructor(store: ProvidersStore) {
    this.#store = store;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ limit = limitDefault, after }: Params<"listProviders">, { cursors }: Reference): ProvidersQuery {
    const key = after === undefined ? "" : String(cursors.read(after, operation, {}).key);
    return { after: key, limit };
  }

  list({ after, limit }: ProvidersQuery, { cursors }: Reference): Read<"listProviders"> {
    const { page, last } = pageOf(this.#store.page(after, limit + 1), limit);
    const next = last && cursors.write({ operation, key: last.provider, filters: {} });
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
    price_ceiling_cents: row.priceCeilingCents,
    last_checked_at: toTimestampOrNull(row.checkedAt),
    last_ingested_at: toTimestampOrNull(row.ingestedAt),
    source_saved_at: toTimestampOrNull(row.savedAt),
    unchanged_since: toTimestampOrNull(row.unchangedSince),
    terms_url: row.termsUrl,
    terms_read_on: row.termsReadOn,
    redistribution: row.redistribution,
    attribution: row.attribution,
  };
}
