import { Reference } from "../../src/domain/reference.ts";
import type { Database } from "../../src/store/database.ts";
import { KnownMoments } from "../../src/store/read/known-moments.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";

/** Returns the reference facts of a file. */
export function referenceOf(reader: Database): Reference {
  return new Reference({
    state: new MarketStateStore(reader),
    providers: new ProvidersStore(reader),
    moments: new KnownMoments(reader),
  });
}
