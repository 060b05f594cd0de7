import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProviderFacts } from "../../store/write/feeds.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { MoneyUnit, Rounding } from "../../values/money/money.ts";
import { fileOfProgram } from "../../values/root.ts";
import { readWrittenJson, validatorOf } from "../written-json.ts";

/** A value that a source writes for a missing one. */
export type Scalar = string | number | boolean | null;
export type MappedTime = { path: string; unit: "seconds" | "milliseconds" | "iso" };
/** Prices of the phases of an entry: an object keyed by phase, or an array of entries with a phase. */
type MappedPhases = { path: string; phase?: string; price?: string; quantity?: string };
export type MappedPrice = {
  path: string;
  unit: MoneyUnit;
  round?: Rounding;
  quantity?: string;
  optional?: boolean;
  phases?: MappedPhases;
};

/** How to poll a source, with the variables that hold its secrets. */
type MappedPoll = {
  source: string;
  interval_seconds: number;
  headers?: Readonly<Record<string, { env: string }>>;
  query?: Readonly<Record<string, { env: string }>>;
};

/** The positions of prices in the JSON answer of a source (`mapping.schema.json`). It can be sent to another process. */
export type Mapping = {
  feed: string;
  provider: ProviderFacts;
  documentation?: readonly string[];
  terms_url?: string;
  terms_read_on?: string | null;
  redistribution?: "not_allowed" | "unknown";
  attribution?: string | null;
  poll?: MappedPoll;
  query?: Readonly<Record<string, string>>;
  require?: readonly { path: string; equals: Scalar }[];
  entry: "item" | "listing";
  list: string;
  count?: string;
  name: string;
  phase?: { path?: string; pattern?: string; names?: Readonly<Record<string, string>> };
  ask?: MappedPrice;
  bid?: MappedPrice;
  currency: { path: string } | { documented: "USD" };
  observed_at?: MappedTime;
  saved_at?: MappedTime;
  url?: string;
  absent?: readonly Scalar[];
};

const folder = fileOfProgram("src/import/quotes/mappings/");
const shape = validatorOf<Mapping>(fileOfProgram("src/import/quotes/mapping.schema.json"));

/** Returns the names of the shipped mappings. */
export function readyMappings(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/**
 * Reads a mapping by the name of a shipped one, or from a file with a path relative to `base`.
 * @throws {OperatorError} when the mapping is missing or invalid. The message names the line and the path.
 */
export function readMapping(name: string, base: string): Mapping {
  const isName = /^[a-z0-9-]+$/.test(name);
  if (isName && !readyMappings().includes(name)) {
    const known = readyMappings().join(", ");
    throw new OperatorError(
      `${name}: unknown mapping; the ready ones are ${known}, or name a file such as ./${name}.json`,
      exitCodes.noInput,
    );
  }
  const path = isName ? fileURLToPath(new URL(`${name}.json`, folder)) : resolve(base, name);
  return readWrittenJson(path, shape(), "mapping; name a file, or a ready one").written;
}
