import { buffAdapter } from "./buff.ts";
import { canonicalAdapter } from "./canonical.ts";
import type { Adapter } from "./observation.ts";
import { steamAdapter } from "./steam.ts";

/** Every shape of body that an import reads, by the name that the command line takes. */
export const adapters = {
  canonical: canonicalAdapter,
  steam: steamAdapter,
  buff: buffAdapter,
} as const satisfies Record<string, Adapter>;

export type AdapterName = keyof typeof adapters;

export function isAdapterName(name: string): name is AdapterName {
  return Object.hasOwn(adapters, name);
}
