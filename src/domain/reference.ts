import type { MarketStateStore } from "../store/read/market-state.ts";
import type { ProvidersStore } from "../store/read/providers.ts";
import { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";

/** Reference facts for checks before a charge: provider names and the cursors' key, no market data. */
export class Reference {
  readonly cursors: Cursors;
  readonly #providers: ProvidersStore;

  /** `cursorKey`: of many nodes together; null: the file's own. */
  constructor(parts: { state: MarketStateStore; providers: ProvidersStore; cursorKey?: Buffer | null }) {
    this.cursors = new Cursors(parts.cursorKey ?? parts.state.cursorKey());
    this.#providers = parts.providers;
  }

  isProvider(slug: string): boolean {
    return this.#providers.exists(slug);
  }

  /**
   * Returns the provider that `where` (such as `query parameter`) asks for; null where it asks for none.
   *
   * @throws {Failure} `unknown_provider`.
   */
  askedProvider(provider: string | undefined, where: string): string | null {
    if (provider === undefined) return null;
    if (this.isProvider(provider)) return provider;
    throw new Failure("unknown_provider", {
      detail: `${where} \`provider\`: there is no such provider; \`listProviders\` tells the exact slugs`,
    });
  }

  /** Returns the slug of the main platform, whose daily asks every plan may read; null as long as no feed named it. */
  mainProvider(): string | null {
    return this.#providers.mainPlatform();
  }
}
