import { and, asc, eq, gt, lte, max } from "drizzle-orm";
import { feedDrops, feeds, providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";
import { arrayRows, bound, boundLimit } from "../statement.ts";
import { type FeedState, unchangedSince } from "./market-state.ts";
import { SharedReadTransaction } from "./shared-read.ts";

type Stored = typeof providers.$inferSelect;
export type ProviderRow = Omit<Stored, "feed" | "quotesAsOf" | "operatorTerms"> &
  Omit<FeedState, "feed" | "isDropped" | "unconfirmedUntil">;

/** A provider and when its feed was last verified, UTC ms, or null if it never was. */
export type ProviderCheck = Pick<Stored, "provider" | "active"> & { checkedAt: number | null };

/** Reads marketplaces from a reference table with one row for each. */
export class ProvidersStore {
  /**
   * Returns when each provider was last verified. The array is the same object while nothing changes. Reads at most once per turn of the
   * event loop.
   */
  readonly checks: () => readonly ProviderCheck[];
  readonly #statements: ReturnType<typeof prepare>;
  #checks: readonly ProviderCheck[] = [];

  /** `shared` is the transaction of `checks`. All other reads bypass it. */
  constructor(database: Database, shared = SharedReadTransaction.of(database)) {
    this.#statements = prepare(database);
    this.checks = shared.once(() => this.#readChecks());
  }

  #readChecks(): readonly ProviderCheck[] {
    const read = this.#statements.checks.all().map(checkOf);
    const isSame = (check: ProviderCheck, index: number) => {
      const before = this.#checks[index];
      return (
        check.provider === before?.provider && check.active === before.active && check.checkedAt === before.checkedAt
      );
    };
    if (read.length !== this.#checks.length || !read.every(isSame)) this.#checks = read;
    return this.#checks;
  }

  exists(provider: string): boolean {
    return this.#statements.exists.get({ provider }) !== undefined;
  }

  /** Returns the feed that covers a provider, or null for an unknown provider. */
  feedOf(provider: string): string | null {
    return this.#statements.feedOf.get({ provider })?.feed ?? null;
  }

  /** Returns when the quotes of a feed were last dropped by `at`, or null if never. Instants are UTC ms. */
  droppedAt(feed: string, at: number): number | null {
    return this.#statements.droppedAt.get({ feed, at })!.droppedAt;
  }

  /** Returns the kind of a provider, or null for an unknown provider. */
  kindOf(provider: string): Stored["kind"] | null {
    return this.#statements.kindOf.get({ provider })?.kind ?? null;
  }

  /** Returns the name of a provider, or null for an unknown provider. */
  nameOf(provider: string): string | null {
    return this.#statements.nameOf.get({ provider })?.name ?? null;
  }

  /** Returns the active providers with asks, by name. */
  withAsks(): { provider: string; name: string }[] {
    return this.#statements.withAsks.all().sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Returns the provider of the kind `main_platform`, or null without one. */
  mainPlatform(): string | null {
    return this.#statements.mainPlatform.get()?.provider ?? null;
  }

  /** Returns at most `limit` providers with a slug after `after`, in ascending order. */
  page(after: string, limit: number): ProviderRow[] {
    return this.#statements.page.all({ after, limit });
  }
}

type CheckColumns = [provider: string, active: number, checkedAt: number | null];

function checkOf([provider, active, checkedAt]: CheckColumns): ProviderCheck {
  return { provider, active: active === 1, checkedAt };
}

function prepare(database: Database) {
  const { provider, name, kind, hasAsks, hasBids, active, priceCeilingCents } = providers;
  return {
    exists: database
      .select({ provider })
      .from(providers)
      .where(eq(provider, bound("provider")))
      .prepare(),
    feedOf: database
      .select({ feed: providers.feed })
      .from(providers)
      .where(eq(provider, bound("provider")))
      .prepare(),
    droppedAt: database
      .select({ droppedAt: max(feedDrops.droppedAt) })
      .from(feedDrops)
      .where(and(eq(feedDrops.feed, bound("feed")), lte(feedDrops.droppedAt, bound("at"))))
      .prepare(),
    kindOf: database
      .select({ kind })
      .from(providers)
      .where(eq(provider, bound("provider")))
      .prepare(),
    nameOf: database
      .select({ name })
      .from(providers)
      .where(eq(provider, bound("provider")))
      .prepare(),
    withAsks: database
      .select({ provider, name })
      .from(providers)
      .where(and(eq(hasAsks, true), eq(active, true)))
      .prepare(),
    mainPlatform: database.select({ provider }).from(providers).where(eq(kind, "main_platform")).limit(1).prepare(),
    page: database
      .select({
        provider,
        name,
        kind,
        hasAsks,
        hasBids,
        active,
        priceCeilingCents,
        termsUrl: providers.termsUrl,
        termsReadOn: providers.termsReadOn,
        redistribution: providers.redistribution,
        attribution: providers.attribution,
        checkedAt: feeds.checkedAt,
        ingestedAt: feeds.ingestedAt,
        savedAt: feeds.savedAt,
        unchangedSince,
      })
      .from(providers)
      .innerJoin(feeds, eq(feeds.feed, providers.feed))
      .where(gt(provider, bound("after")))
      .orderBy(asc(provider))
      .limit(boundLimit("limit"))
      .prepare(),
    checks: arrayRows<CheckColumns>(
      database,
      database
        .select({ provider, active, checkedAt: feeds.checkedAt })
        .from(providers)
        .innerJoin(feeds, eq(feeds.feed, providers.feed)),
    ),
  };
}
