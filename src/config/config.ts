import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverAddresses } from "../values/database-address.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { Networks } from "../values/networks.ts";
import { ownDataFolder } from "./data-folder.ts";

/** One setting on the command line and in the environment. The table of the guides is made from this one. */
type Setting<T> = {
  flag: string;
  env: string;
  value: string;
  description: string;
  fallback: T;
  /** A variable of many hosts, which counts after `env`. */
  hostEnv?: string;
  read(text: string): T;
  /** Reads the flag where it may not say all that the variable may. */
  readFlag?(text: string): T;
};

/** Makes the error of a setting that cannot be used, from its flag or variable and the values that it takes. */
function settingError(where: string, takes: string): OperatorError {
  return new OperatorError(`${where}: must be ${takes}`, exitCodes.usage);
}

export const settings = {
  db: text(
    "--db",
    "ITEMTAPE_DB",
    "PATH",
    join(ownDataFolder, "itemtape.db"),
    "the database file; where nobody names one, commands take the `market.db` beside it that `start --live` makes, if it is there",
  ),
  host: text("--host", "ITEMTAPE_HOST", "ADDRESS", "127.0.0.1", "address to listen on"),
  port: {
    ...whole("--port", "ITEMTAPE_PORT", 8080, 0, 65535, "port to listen on; 0 takes a free one; else that of `PORT`"),
    hostEnv: "PORT",
  },
  opsHost: text(
    "--ops-host",
    "ITEMTAPE_OPS_HOST",
    "ADDRESS",
    "127.0.0.1",
    "address of the listener of `--ops-port`; whoever reaches it may read it",
  ),
  opsPort: optionalPort(
    "--ops-port",
    "ITEMTAPE_OPS_PORT",
    "port of a listener for operators with `/live`, `/ready` and `/metrics`; 0 takes a free one; empty: there is none",
  ),
  publicUrl: origin(
    "--public-url",
    "ITEMTAPE_PUBLIC_URL",
    "URL",
    "origin by which the server is reached, such as https://data.example.com where a proxy adds TLS; invitations, the start page, code samples, `/llms.txt` and `/openapi.json` name it; empty: invitations name `--host` and `--port`, `/openapi.json` the asked host if that is a loopback one, and the others plain http and the asked host",
  ),
  pageUnits: {
    ...oneOf<"" | "one" | "each">(
      "--page-units",
      "ITEMTAPE_PAGE_UNITS",
      "",
      ["one", "each"],
      "cost of a page that a signed-in owner or a demo's visitor opens: `one` unit, or one for `each` operation; without it: `one` if the server listens on loopback without `--public-url`, else `each`",
    ),
    value: "one|each",
  },
  itemPictures: origins(
    "--item-pictures",
    "ITEMTAPE_ITEM_PICTURES",
    "https origins from which pages load item pictures that the catalog names, separated by commas, such as https://community.akamai.steamstatic.com; each sees who looks; empty: pages show colours of rarities",
  ),
  logLevel: oneOf(
    "--log-level",
    "ITEMTAPE_LOG_LEVEL",
    "info",
    ["debug", "info", "warn", "error", "silent"],
    "least level that is logged; `debug` logs each request",
  ),
  drainMs: whole("--drain-ms", "ITEMTAPE_DRAIN_MS", 10_000, 0, 120_000, "longest wait for running answers at SIGTERM"),
  drainPauseMs: whole(
    "--drain-pause-ms",
    "ITEMTAPE_DRAIN_PAUSE_MS",
    0,
    0,
    60_000,
    "time before that drain for which `/ready` already says no and requests are still answered, each on a connection that then closes: for load balancers that look at `/ready`",
  ),
  connectionsMax: whole(
    "--connections-max",
    "ITEMTAPE_CONNECTIONS_MAX",
    1024,
    1,
    65535,
    "open connections; beyond them the one that waits longest without a whole request is closed for a new one",
  ),
  connectionsPerAddressMax: whole(
    "--connections-per-address-max",
    "ITEMTAPE_CONNECTIONS_PER_ADDRESS_MAX",
    128,
    1,
    65535,
    "open connections of one address (of IPv6: of one /64); this machine's own and trusted proxies have no such bound",
  ),
  trustedProxies: networks(
    "--trusted-proxies",
    "ITEMTAPE_TRUSTED_PROXIES",
    "addresses and networks of proxies whose `X-Forwarded-For` is believed, such as `127.0.0.1, 10.0.0.0/8`; the client is the right-most hop that is none of them",
  ),
  inFlightMax: whole(
    "--in-flight-max",
    "ITEMTAPE_IN_FLIGHT_MAX",
    256,
    1,
    65535,
    "requests at work; four times as many wait, accounts taking turns; beyond that whoever has most of them gets a 503",
  ),
  walBytesMax: whole(
    "--wal-bytes-max",
    "ITEMTAPE_WAL_BYTES_MAX",
    512 * 1024 * 1024,
    1024 * 1024,
    1024 ** 4,
    "size of the write-ahead log beyond which nothing is charged (503) while a reader keeps it from being emptied",
  ),
  backups: optionalText(
    "--backups",
    "ITEMTAPE_BACKUPS",
    "FOLDER",
    "the folder of backups, whose age `doctor` compares; empty: it does not know where they are",
  ),
  mirrorConfig: text(
    "--mirror-config",
    "ITEMTAPE_MIRROR_CONFIG",
    "PATH",
    join(ownDataFolder, "mirror.json"),
    "the feeds that a mirror polls, a JSON file",
  ),
  publishEveryMs: whole(
    "--publish-every-ms",
    "ITEMTAPE_PUBLISH_EVERY_MS",
    300_000,
    0,
    86_400_000,
    "shortest time between two publications of a mirror; each ends the exports under way",
  ),
  releaseTo: optionalText(
    "--release-to",
    "ITEMTAPE_RELEASE_TO",
    "FOLDER",
    "a folder into which a server seals a signed release of the market whenever it has changed; empty: none",
  ),
  releaseKey: optionalText(
    "--release-key",
    "ITEMTAPE_RELEASE_KEY",
    "FILE",
    "the private key that signs these releases, as `release key` makes it",
  ),
  releaseKeep: whole("--release-keep", "ITEMTAPE_RELEASE_KEEP", 24, 1, 999_999, "newest releases that are kept"),
  releaseKeepHours: whole(
    "--release-keep-hours",
    "ITEMTAPE_RELEASE_KEEP_HOURS",
    24,
    0,
    999_999,
    "hours for which older releases are kept",
  ),
  privateDb: privateDatabase(
    "--private-db",
    "ITEMTAPE_PRIVATE_DB",
    "a PostgreSQL database for accounts, keys, usage and portfolios, which nodes share; the flag takes no password",
  ),
  privateDbFile: optionalText(
    "--private-db-file",
    "ITEMTAPE_PRIVATE_DB_FILE",
    "PATH",
    "a file of mode 600 with the address of that database in it, password and all",
  ),
  follow: optionalText(
    "--follow",
    "ITEMTAPE_FOLLOW",
    "URL|DIR",
    "releases that a server with a private database takes, one after the other; `--db` then is the file that they are taken into; empty: none",
  ),
  trust: optionalText("--trust", "ITEMTAPE_TRUST", "KEY", "the public key of the publisher of these releases"),
  followEveryMs: whole(
    "--follow-every-ms",
    "ITEMTAPE_FOLLOW_EVERY_MS",
    3000,
    100,
    86_400_000,
    "time between two looks for a newer release",
  ),
  followStaleHours: whole(
    "--follow-stale-hours",
    "ITEMTAPE_FOLLOW_STALE_HOURS",
    24,
    1,
    999_999,
    "age at which the release that is served is reported as stale",
  ),
  valuationSchedule: oneOf(
    "--valuation-schedule",
    "ITEMTAPE_VALUATION_SCHEDULE",
    "on",
    ["on", "off"],
    "whether a server values the portfolios once a day, after midnight UTC",
  ),
  roiSchedule: oneOf(
    "--roi-schedule",
    "ITEMTAPE_ROI_SCHEDULE",
    "on",
    ["on", "off"],
    "whether a server calculates the returns of openables at 00, 06, 12 and 18 UTC",
  ),
} as const;

/** The file that `start --live` makes where nobody names one. */
export const liveDatabase = join(ownDataFolder, "market.db");

/** Formats the default of a setting; empty: there is none. */
export function defaultOf(name: SettingName): string {
  return String(settings[name].fallback ?? "");
}

export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]["read"]> };

/**
 * Decides every setting: a flag wins over the environment, that over the default.
 * @throws {OperatorError} when a value cannot be used, or a variable with the prefix `ITEMTAPE_` is unknown.
 */
export function configFrom(flags: Partial<Record<SettingName, string>>, environment: NodeJS.ProcessEnv): Config {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.env));
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("ITEMTAPE_") || name.startsWith(feedPrefix)) continue;
    if (!known.has(name) && !clientVariables.has(name)) {
      throw settingError(
        `environment variable ${name}`,
        `no value: there is no such setting (known: ${[...known].join(", ")})`,
      );
    }
  }
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    config[name] = decide(setting as Setting<unknown>, flags[name as SettingName], environment);
  }
  const isNamed = (flags.db ?? environment.ITEMTAPE_DB) !== undefined;
  if (!isNamed && existsSync(liveDatabase)) config.db = liveDatabase;
  return Object.freeze(config) as Config;
}

/** Beginning of the variables that the configuration of a mirror may name: values of headers and parameters of its sources. */
export const feedPrefix = "ITEMTAPE_FEED_";

/** Read by clients of the service and by the tests, not by the server. */
const clientVariables = new Set(["ITEMTAPE_API_KEY", "ITEMTAPE_URL", "ITEMTAPE_FORBID_SKIPS"]);

function decide(setting: Setting<unknown>, flag: string | undefined, environment: NodeJS.ProcessEnv): unknown {
  const env = environment[setting.env] === undefined ? (setting.hostEnv ?? setting.env) : setting.env;
  const given = flag ?? environment[env];
  // Programs that start containers set an empty variable for none.
  if (given === undefined || (env === setting.hostEnv && given === "")) return setting.fallback;
  try {
    return flag !== undefined && setting.readFlag !== undefined ? setting.readFlag(given) : setting.read(given);
  } catch (error) {
    const where = flag !== undefined ? setting.flag : `environment variable ${env}`;
    throw settingError(where, (error as Error).message);
  }
}

function text(flag: string, env: string, value: string, fallback: string, description: string): Setting<string> {
  return {
    flag,
    env,
    value,
    description,
    fallback,
    read(given) {
      if (given.trim() === "") throw new Error(`a non-empty ${value.toLowerCase()}`);
      return given;
    },
  };
}

function optionalText(flag: string, env: string, value: string, description: string): Setting<string> {
  return { flag, env, value, description, fallback: "", read: (given) => given };
}

/** Returns `given` where it is the address of a PostgreSQL database. @throws {Error} when it is not. */
export function databaseAddress(given: string): string {
  if (given !== "") serverAddresses(given);
  return given;
}

function privateDatabase(flag: string, env: string, description: string): Setting<string> {
  const readFlag = (given: string) => {
    const address = databaseAddress(given);
    const [first] = given === "" ? [] : serverAddresses(given).map((one) => new URL(one));
    if (first === undefined || (first.password === "" && !first.searchParams.has("password"))) return address;
    throw new Error(
      "no password, which every user of this machine could read there; put it in PGPASSFILE or --private-db-file",
    );
  };
  return { flag, env, value: "URL", description, fallback: "", read: databaseAddress, readFlag };
}

/** Read to the origin as browsers write it. */
function origin(flag: string, env: string, value: string, description: string): Setting<string> {
  return {
    flag,
    env,
    value,
    description,
    fallback: "",
    read(given) {
      if (given === "") return given;
      // What a URL may hold beside an origin is refused and not dropped: a path, for one, would be missing in each link.
      if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(given) || !URL.canParse(given)) {
        throw new Error("an http or https origin without path, such as https://data.example.com");
      }
      return new URL(given).origin;
    },
  };
}

/** Read to origins as browsers write them, separated by spaces as policies have them. */
function origins(flag: string, env: string, description: string): Setting<string> {
  const one = origin(flag, env, "", "");
  const read = (given: string) => {
    const parts = given.split(/[\s,]+/).filter((part) => part !== "");
    // Quotes and signs of a policy are not in the host of an origin.
    if (!parts.every((part) => /^https:\/\/[a-z0-9.:-]+\/?$/i.test(part)))
      throw new Error("https origins without path, such as https://images.example.com");
    return parts.map(one.read).join(" ");
  };
  return { flag, env, value: "ORIGINS", description, fallback: "", read };
}

function networks(flag: string, env: string, description: string): Setting<Networks> {
  return { flag, env, value: "LIST", description, fallback: new Networks(""), read: (given) => new Networks(given) };
}

function whole(
  flag: string,
  env: string,
  fallback: number,
  min: number,
  max: number,
  description: string,
): Setting<number> {
  return {
    flag,
    env,
    value: "N",
    description,
    fallback,
    read(given) {
      const value = /^(0|[1-9][0-9]*)$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= min && value <= max)) throw new Error(`a whole number from ${min} to ${max}`);
      return value;
    },
  };
}

/** Null: no port. */
function optionalPort(flag: string, env: string, description: string): Setting<number | null> {
  const port = whole(flag, env, 0, 0, 65535, description);
  return { ...port, fallback: null, read: (given) => (given === "" ? null : port.read(given)) };
}

function oneOf<T extends string>(
  flag: string,
  env: string,
  fallback: T,
  choices: readonly T[],
  description: string,
): Setting<T> {
  return {
    flag,
    env,
    value: choices.join("|"),
    description,
    fallback,
    read(given) {
      if (!(choices as readonly string[]).includes(given)) throw new Error(`one of ${choices.join(", ")}`);
      return given as T;
    },
  };
}
