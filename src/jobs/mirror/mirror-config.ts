import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type AdapterName, adapters, fixedFeeds, isAdapterName } from "../../import/quotes/adapters.ts";
import { type GuardThresholds, guardDefaults } from "../../import/quotes/guards.ts";
import { secondMs } from "../../values/calendar.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import { BrokenJson, offsetsIn, placeIn, readJson, toPlain } from "../../values/strict-json.ts";
import { bodiesBytesMax } from "./body-budget.ts";
import type { Source } from "./fetch-source.ts";
import type { SourceLimits } from "./source.ts";
import { type SecretFault, type SourceSecrets, secretsFrom, type WrittenSecrets } from "./source-secrets.ts";

/** One feed as it is polled. `providers` null: whatever its first body covers. */
export type FeedConfig = {
  feed: string;
  adapter: AdapterName;
  source: Source;
  intervalMs: number;
  providers: readonly string[] | null;
  limits: SourceLimits;
  guards: GuardThresholds;
};

type Written = {
  feed: string;
  adapter: string;
  source: string;
  interval_seconds: number;
  providers?: string[];
  timeout_seconds?: number;
  bytes_max?: number;
  guards?: Partial<GuardThresholds>;
} & Partial<WrittenSecrets>;

const configBytesMax = 1024 * 1024;
const timeoutSecondsDefault = 60;
const bytesMaxDefault = bodiesBytesMax;
/** Another machine is not asked more often. */
const remoteSecondsMin = 10;
const stallMaxMs = 20 * secondMs;
const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads the feeds that a mirror polls (`mirror-config.schema.json`), with the secrets that it takes from `environment`.
 * @throws {OperatorError} when the file is missing or wrong, or a variable is not set; it names the line and the fix.
 */
export function readMirrorConfig(path: string, environment: NodeJS.ProcessEnv = process.env): FeedConfig[] {
  const text = textOf(path);
  const refuse = (pointer: string, what: string) =>
    new OperatorError(`${path}: line ${lineOf(text, pointer)}: ${what}`, exitCodes.badData);
  const validate = shape();
  const written = parse(path, text);
  if (!validate(written)) throw refuse(...complaint(validate.errors?.[0]));
  const { feeds } = written as { feeds: Written[] };
  for (const [index, feed] of feeds.entries()) {
    const wrong = faultOf(feed, feeds.slice(0, index));
    if (wrong !== null) throw refuse(`/feeds/${index}/${wrong[0]}`, wrong[1]);
  }
  return feeds.map((feed, index) => {
    const secrets = secretsIn(feed, environment);
    if (secrets !== null && "why" in secrets) throw refuse(`/feeds/${index}/${secrets.pointer}`, secrets.why);
    return configOf(feed, dirname(resolve(path)), secrets);
  });
}

/** Returns what the requests of a feed carry from the environment, or a fault; null: nothing. */
function secretsIn(
  { headers = {}, query = {}, source }: Written,
  environment: NodeJS.ProcessEnv,
): SourceSecrets | SecretFault | null {
  const [kind] = Object.entries({ headers, query }).find(([, entries]) => Object.keys(entries).length > 0) ?? [];
  if (kind === undefined) return null;
  if (!isAddress(source)) return { pointer: kind, why: `a file takes no ${kind}; remove them` };
  return secretsFrom({ headers, query }, source, environment);
}

function textOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const fix = "write one, or name another with --mirror-config";
    throw new OperatorError(`${path}: there is no such file of feeds to mirror; ${fix}`, exitCodes.noInput);
  }
  if (!stat.isFile() || stat.size > configBytesMax) {
    throw new OperatorError(`${path}: not a file of at most ${configBytesMax} bytes`, exitCodes.noInput);
  }
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, exitCodes.noInput);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return toPlain(readJson(text));
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const { line } = placeIn(text, error.offset);
    throw new OperatorError(`${path}: line ${line}: not JSON to be trusted: ${error.message}`);
  }
}

/** Finds a fault that the schema cannot express: the key that is wrong and why; null: none. */
function faultOf(written: Written, before: readonly Written[]): [key: keyof Written, what: string] | null {
  const { feed, adapter, source, interval_seconds, providers = [] } = written;
  if (!isAdapterName(adapter)) {
    return ["adapter", `there is no adapter \`${adapter}\`; it takes one of ${Object.keys(adapters).join(", ")}`];
  }
  if (before.some((other) => other.feed === feed)) return ["feed", `the feed ${feed} is given twice; remove one`];
  const fixed = fixedFeeds[adapter];
  if (fixed !== undefined && fixed !== feed) {
    return ["feed", `the adapter ${adapter} reads the feed ${fixed}; call it that, not ${feed}`];
  }
  const wrongSource = sourceFault(source);
  if (wrongSource !== null) return ["source", wrongSource];
  if (interval_seconds < remoteSecondsMin && isRemote(source)) {
    return [
      "interval_seconds",
      `another machine is asked every ${remoteSecondsMin} seconds at most; set ${remoteSecondsMin} or more`,
    ];
  }
  for (const provider of providers) {
    const owner = before.find((other) => other.providers?.includes(provider));
    if (owner !== undefined) {
      return ["providers", `the provider ${provider} is also the feed ${owner.feed}'s; a provider belongs to one feed`];
    }
  }
  return null;
}

function sourceFault(source: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null;
  if (!URL.canParse(source)) return "the source is no address; write one such as https://example.com/feed.json";
  const { protocol, hostname, username, password } = new URL(source);
  if (username !== "" || password !== "") return "the source holds credentials; an address may not";
  if (protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname))) return null;
  return "the source must be https; plain http only to localhost, 127.0.0.1 or [::1], and a file by its path";
}

function isRemote(source: string): boolean {
  return isAddress(source) && !loopbackHosts.has(new URL(source).hostname);
}

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function configOf(written: Written, folder: string, secrets: SourceSecrets | null): FeedConfig {
  const { feed, adapter, source, interval_seconds, providers, timeout_seconds, bytes_max, guards } = written;
  const timeoutMs = (timeout_seconds ?? timeoutSecondsDefault) * secondMs;
  return {
    feed,
    adapter: adapter as AdapterName,
    source: isAddress(source)
      ? { kind: "http", url: source, ...(secrets === null ? {} : { secrets }) }
      : { kind: "file", path: resolve(folder, source) },
    intervalMs: interval_seconds * secondMs,
    providers: providers ?? null,
    limits: { timeoutMs, stallMs: Math.min(stallMaxMs, timeoutMs), bytesMax: bytes_max ?? bytesMaxDefault },
    guards: { ...guardDefaults, ...guards },
  };
}

function complaint(error: ErrorObject | undefined): [pointer: string, what: string] {
  const { instancePath = "", message = "is wrong", params = {} } = error ?? {};
  const at = instancePath.slice(1).replaceAll("/", ".");
  const unknown = params.additionalProperty as string | undefined;
  if (unknown !== undefined) {
    const place = at === "" ? "" : ` in \`${at}\``;
    return [`${instancePath}/${unknown}`, `there is no setting \`${unknown}\`${place}; remove it`];
  }
  return [instancePath, `${at === "" ? "the file" : `\`${at}\``} ${message}`];
}

let compiled: ValidateFunction | undefined;

function shape(): ValidateFunction {
  if (compiled === undefined) {
    const schema = JSON.parse(readFileSync(new URL("./mirror-config.schema.json", import.meta.url), "utf8"));
    compiled = new Ajv2020({ allErrors: false, strict: true }).compile(schema);
  }
  return compiled;
}

/**
 * Returns the line, from 1, on which the value at `pointer` (RFC 6901) stands in a JSON text that was read already. A value that is
 * not there is looked for in what should hold it.
 */
function lineOf(text: string, pointer: string): number {
  const offsets = offsetsIn(text);
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf("/"))) {
    const offset = offsets.get(path);
    if (offset !== undefined) return placeIn(text, offset).line;
    if (path === "") return 1;
  }
}
