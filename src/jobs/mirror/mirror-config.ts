import { existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type GuardThresholds, guardDefaults } from "../../import/guards/findings.ts";
import {
  type AdapterName,
  adapters,
  type FeedAdapter,
  fixedFeeds,
  isAdapterName,
  mappedAdapter,
} from "../../import/quotes/adapters.ts";
import { readMapping } from "../../import/quotes/mapping.ts";
import { checkedJson, readWrittenJson, validatorOf } from "../../import/written-json.ts";
import { draftPath } from "../../values/drafts.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { fileOfProgram } from "../../values/root.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { bodiesBytesMax } from "./body/body-budget.ts";
import type { Source } from "./source/fetch-source.ts";
import type { SourceLimits } from "./source/source.ts";
import { type Environment, type SourceSecrets, secretsFrom, type WrittenSecrets } from "./source/source-secrets.ts";

/** The settings of one feed. `providers` is null if the first body determines them. */
export type FeedConfig = {
  feed: string;
  adapter: FeedAdapter;
  source: Source;
  intervalMs: number;
  providers: readonly string[] | null;
  limits: SourceLimits;
  guards: GuardThresholds;
};

/** The operator's confirmation of terms: their address, the source, and the date. */
type ReadTerms = { url?: string; source: string; read_at: string };

/** One feed as written in the configuration file. */
export type WrittenFeed = {
  feed: string;
  adapter: string;
  mapping?: string;
  source: string;
  interval_seconds: number;
  providers?: string[];
  timeout_seconds?: number;
  bytes_max?: number;
  guards?: Partial<GuardThresholds>;
  terms?: ReadTerms;
} & Partial<WrittenSecrets>;

const shape = validatorOf<{ feeds: WrittenFeed[] }>(fileOfProgram("src/jobs/mirror/mirror-config.schema.json"));
const missing = "file of feeds to mirror; write one, or name another with --mirror-config";
const timeoutSecondsDefault = 60;
const bytesMaxDefault = bodiesBytesMax;
/** Minimum interval for a source on another machine. */
const remoteSecondsMin = 10;
const stallMaxMs = 20 * secondMs;
const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads the feeds of a mirror (`mirror-config.schema.json`), with their secrets from `environment`.
 * @throws {OperatorError} when the file is missing or invalid, or a variable is not set. The message names the line and the fix.
 */
export function readMirrorConfig(path: string, environment: Environment = {}): FeedConfig[] {
  const { written, refuse } = readWrittenJson(path, shape(), missing);
  const refuseIn = (index: number) => (pointer: string, why: string) => refuse(`/feeds/${index}/${pointer}`, why);
  return configsOf(path, written.feeds, environment, refuseIn);
}

/**
 * Validates feeds in the same way as `readMirrorConfig` with the file at `path`.
 * @throws {OperatorError} when a feed is invalid, or a variable is not set. The message names the feed and the fix.
 */
export function checkedFeeds(path: string, feeds: readonly WrittenFeed[], environment: Environment): FeedConfig[] {
  checkedJson(path, textOf(feeds), shape());
  return configsOf(path, feeds, environment, (index) => (_pointer, why) => {
    return new OperatorError(`the feed ${feeds[index]!.feed}: ${why}`);
  });
}

function configsOf(
  path: string,
  feeds: readonly WrittenFeed[],
  environment: Environment,
  refuseIn: (index: number) => Refuse,
): FeedConfig[] {
  for (const [index, feed] of feeds.entries()) refuseFaults(feed, feeds.slice(0, index), refuseIn(index));
  const folder = dirname(resolve(path));
  return feeds.map((feed, index) => {
    const { adapter, source } = mappedFrom(feed, folder, refuseIn(index));
    const secrets = secretsIn({ ...feed, source }, environment, refuseIn(index));
    return configOf({ ...feed, source }, adapter, folder, secrets);
  });
}

/**
 * Returns the feeds as written in the file at `path`. Empty if the file does not exist.
 * @throws {OperatorError} when the file is invalid.
 */
export function writtenFeeds(path: string): readonly WrittenFeed[] {
  return existsSync(path) ? readWrittenJson(path, shape(), missing).written.feeds : [];
}

/** Writes a configuration with these feeds to `path`, replacing an existing file. */
export function writeMirrorConfig(path: string, feeds: readonly WrittenFeed[]): void {
  const draft = draftPath(path, "new");
  writeFileSync(draft, textOf(feeds), { mode: 0o600 });
  renameSync(draft, path);
}

function textOf(feeds: readonly WrittenFeed[]): string {
  return `${JSON.stringify({ feeds }, null, 2)}\n`;
}

/** Creates the error for an invalid key of one feed. */
type Refuse = (pointer: string, why: string) => OperatorError;

/** Returns the adapter of a feed, and its source with the parameters of its mapping. */
function mappedFrom(
  { feed, adapter, mapping: name, source }: WrittenFeed,
  folder: string,
  refuse: Refuse,
): { adapter: FeedAdapter; source: string } {
  if (adapter !== mappedAdapter) {
    if (name === undefined) return { adapter: adapter as AdapterName, source };
    throw refuse("mapping", `the adapter ${adapter} has no mapping; use ${mappedAdapter}`);
  }
  if (name === undefined)
    throw refuse("adapter", `the adapter ${mappedAdapter} needs a \`mapping\`: a file, or the name of a ready one`);
  const mapping = readMapping(name, folder);
  if (mapping.feed !== feed)
    throw refuse("feed", `the mapping reads the feed ${mapping.feed}; name it so, not ${feed}`);
  if (!isAddress(source)) return { adapter: mapping, source };
  const address = new URL(source);
  for (const [key, value] of Object.entries(mapping.query ?? {})) {
    const known = address.searchParams.get(key);
    if (known === null) address.searchParams.append(key, value);
    else if (known !== value)
      throw refuse("source", `its parameter ${key} is ${known}, and the mapping asks for ${value}`);
  }
  return { adapter: mapping, source: address.href };
}

/** Returns the secrets that a feed's requests carry, from the environment. Null if they carry none. */
function secretsIn(
  { headers = {}, query = {}, source }: WrittenFeed,
  environment: Environment,
  refuse: Refuse,
): SourceSecrets | null {
  const [kind] = Object.entries({ headers, query }).find(([, entries]) => Object.keys(entries).length > 0) ?? [];
  if (kind === undefined) return null;
  if (!isAddress(source)) throw refuse(kind, `a file must have no ${kind}; remove them`);
  return secretsFrom({ headers, query }, source, environment, refuse);
}

/** Rejects errors that the schema cannot express. */
function refuseFaults(written: WrittenFeed, before: readonly WrittenFeed[], refuse: Refuse): void {
  const { feed, adapter, source, interval_seconds, providers = [] } = written;
  if (!isAdapterName(adapter) && adapter !== mappedAdapter) {
    const known = [...Object.keys(adapters), mappedAdapter].join(", ");
    throw refuse("adapter", `unknown adapter \`${adapter}\`; the adapters are ${known}`);
  }
  if (before.some((other) => other.feed === feed)) throw refuse("feed", `the feed ${feed} is given twice; remove one`);
  const fixed = isAdapterName(adapter) ? fixedFeeds[adapter] : undefined;
  if (fixed !== undefined && fixed !== feed)
    throw refuse("feed", `the adapter ${adapter} reads the feed ${fixed}; name it so, not ${feed}`);
  const wrongSource = sourceFault(source);
  if (wrongSource !== null) throw refuse("source", wrongSource);
  if (interval_seconds < remoteSecondsMin && isRemote(source)) {
    const why = `the source can be polled every ${remoteSecondsMin} seconds at most; set ${remoteSecondsMin} or more`;
    throw refuse("interval_seconds", why);
  }
  for (const provider of providers) {
    const owner = before.find((other) => other.providers?.includes(provider));
    if (owner === undefined) continue;
    const why = `the provider ${provider} also belongs to the feed ${owner.feed}'s; a provider belongs to one feed`;
    throw refuse("providers", why);
  }
}

function sourceFault(source: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null;
  if (!URL.canParse(source)) return "the source is not an address; write one such as https://example.com/feed.json";
  const { protocol, hostname, username, password } = new URL(source);
  if (username !== "" || password !== "") return "the source must not contain credentials";
  if (protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname))) return null;
  return "the source must be https; plain http only to localhost, 127.0.0.1 or [::1], and a file by its path";
}

function isRemote(source: string): boolean {
  return isAddress(source) && !loopbackHosts.has(new URL(source).hostname);
}

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function configOf(
  written: WrittenFeed,
  adapter: FeedAdapter,
  folder: string,
  secrets: SourceSecrets | null,
): FeedConfig {
  const { feed, source, interval_seconds, providers, timeout_seconds, bytes_max, guards } = written;
  const timeoutMs = (timeout_seconds ?? timeoutSecondsDefault) * secondMs;
  return {
    feed,
    adapter,
    source: isAddress(source)
      ? { kind: "http", url: source, ...(secrets === null ? {} : { secrets }) }
      : { kind: "file", path: resolve(folder, source) },
    intervalMs: interval_seconds * secondMs,
    providers: providers ?? null,
    limits: { timeoutMs, stallMs: Math.min(stallMaxMs, timeoutMs), bytesMax: bytes_max ?? bytesMaxDefault },
    guards: { ...guardDefaults, ...guards },
  };
}
