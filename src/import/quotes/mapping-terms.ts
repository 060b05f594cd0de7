import { closeDatabase, type Database, openReader, openWriter, writeTransaction } from "../../store/database.ts";
import { type BatchStats, importBusyMs, inOneTransaction } from "../../store/write/batches.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { ProviderTerms, type Redistribution, type Terms } from "../../store/write/provider-terms.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { FeedAdapter } from "./adapters.ts";
import { type Mapping, readMapping, readyMappings } from "./mapping.ts";

/** A mapping forbids passing on the prices of its provider, but the operator has set `redistribution` to `set`. */
export type TermsConflict = { feed: string; provider: string; set: Redistribution };

/** `notAllowed` are providers that may not be passed on, by the file or by the mapping of a new feed. */
type AdoptedTerms = { conflicts: readonly TermsConflict[]; notAllowed: readonly string[] };

function termsOf({ terms_url, terms_read_on, redistribution, attribution }: Mapping): Terms {
  return {
    termsUrl: terms_url ?? null,
    termsReadOn: terms_read_on ?? null,
    redistribution: redistribution ?? "unknown",
    attribution: attribution ?? null,
  };
}

/** Writes the terms of a body's mapping to the row of its provider, except fields of the operator. */
export function* recordTermsInBatches(database: Database, adapter: FeedAdapter, clock: Clock): Generator<BatchStats> {
  if (typeof adapter === "string") return;
  const store = new ProviderTerms(database);
  const { provider } = adapter.provider;
  const news = store.news(provider, termsOf(adapter));
  if (news !== null) yield inOneTransaction(database, clock, () => store.record(provider, news));
}

/** Returns the conflict of a mapping with the operator's setting, or null. */
export function termsConflictOf(database: Database, adapter: FeedAdapter): TermsConflict | null {
  if (typeof adapter === "string" || adapter.redistribution !== "not_allowed") return null;
  const store = new ProviderTerms(database);
  const { feed, provider } = adapter;
  const set = store.of(provider.provider)?.redistribution ?? "not_allowed";
  const isOperators = store.news(provider.provider, termsOf(adapter))?.redistribution === undefined;
  return set === "not_allowed" || !isOperators ? null : { feed, provider: provider.provider, set };
}

/** Formats a conflict for people. */
export function conflictText({ provider, set }: TermsConflict): string {
  return `${provider}: its mapping forbids passing on its prices; redistribution stays \`${set}\`, as set by \`providers set\``;
}

/**
 * Writes the terms of mappings to a file at a start: of these feeds, and of ready mappings for the file's other feeds. Opens the file for
 * writing only if something differs.
 */
export function adoptTerms(databasePath: string, adapters: readonly FeedAdapter[]): AdoptedTerms {
  const reader = openReader(databasePath);
  try {
    const mappings = [...adapters.filter(isMapping), ...readyMappingsOf(reader, adapters.filter(isMapping))];
    const store = new ProviderTerms(reader);
    const hasNews = mappings.some((mapping) => store.news(mapping.provider.provider, termsOf(mapping)) !== null);
    if (hasNews) writeTerms(databasePath, mappings);
    const missing = mappings.filter(
      ({ provider, redistribution }) => redistribution === "not_allowed" && store.of(provider.provider) === null,
    );
    return {
      conflicts: mappings.flatMap((mapping) => termsConflictOf(reader, mapping) ?? []),
      notAllowed: [...store.summary().notAllowed, ...missing.map(({ provider }) => provider.provider)],
    };
  } finally {
    closeDatabase(reader);
  }
}

function writeTerms(databasePath: string, mappings: readonly Mapping[]): void {
  const database = openWriter(databasePath, importBusyMs, { keeps: "market" });
  try {
    writeTransaction(database, () => {
      const store = new ProviderTerms(database);
      for (const mapping of mappings) {
        const { provider } = mapping.provider;
        const news = store.news(provider, termsOf(mapping));
        if (news !== null) store.record(provider, news);
      }
    });
  } finally {
    closeDatabase(database);
  }
}

/** Returns the ready mappings of mapped feeds in the file that `known` lacks. */
function readyMappingsOf(database: Database, known: readonly Mapping[]): Mapping[] {
  const ready = new Set(readyMappings());
  const names = new FeedWriter(database)
    .mapped()
    .filter((feed) => ready.has(feed) && known.every((mapping) => mapping.feed !== feed));
  return names.map((name) => readMapping(name, "/"));
}

function isMapping(adapter: FeedAdapter): adapter is Mapping {
  return typeof adapter !== "string";
}
