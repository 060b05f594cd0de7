import type { KnownMoments } from "../store/read/known-moments.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import type { ProvidersStore } from "../store/read/providers.ts";
import { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";

/** Reference facts for checks before a charge: provider names and the cursors' key, without market data. */
export class Reference {
  readonly cursors: Cursors;
  readonly moments: KnownMoments;
  readonly #providers: ProvidersStore;

  /** `cursorKey`: key shared by many nodes, null for the file's own. */
  constructor(parts: {
    state: MarketStateStore;
    providers: ProvidersStore;
    moments: KnownMoments;
    cursorKey?: Buffer | null;
  }) {
    this.moments = parts.moments;
    this.cursors = new Cursors(parts.cursorKey ?? parts.state.cursorKey());
    this.#providers = parts.providers;
  }

  isProvider(slug: string): boolean {
    return this.#providers.exists(slug);
  }

  /**
   * Returns the requested provider, null if the request has none. `where` is the parameter's position, such as `query parameter`.
   *
   * @throws {Failure} `unknown_provider`.
   */
  askedProvider(provider: string | undefined, where: string): string | null {
    if (provider === undefined) return null;
    if (this.isProvider(provider)) return provider;
    throw new Failure("unknown_provider", {
      detail: `${where} \`provider\`: the provider does not exist; \`listProviders\` lists the slugs`,
    });
  }

  /** Returns the slug of the main platform, null before a feed has named it. Every plan may read its daily asks. */
  mainProvider(): string | null {
    return this.#providers.mainPlatform();
  }
}
