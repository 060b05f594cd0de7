import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverAddresses } from "../values/database-address.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { Networks } from "../values/networks.ts";
import { ownDataFolder } from "./data-folder.ts";

/** One setting on the command line and in the environment. The table in the guides is generated from this one. */
type Setting<T> = {
  flag: string;
  env: string;
  value: string;
  description: string;
  fallback: T;
  /** A variable that many hosts set. `env` overrides it. */
  hostEnv?: string;
  read(text: string): T;
  /** Reads the flag, if it allows fewer values than the variable. */
  readFlag?(text: string): T;
};

function settingError(where: string, takes: string): OperatorError {
  return new OperatorError(`${where}: must be ${takes}`, exitCodes.usage);
}

export const settings = {
  db: text(
    "--db",
    "ITEMTAPE_DB",
    "PATH",
    join(ownDataFolder, "itemtape.db"),
    "database file. If none is named, commands use the `market.db` beside it once `start --live` has made it.",
  ),
  host: text("--host", "ITEMTAPE_HOST", "ADDRESS", "127.0.0.1", "address to listen on"),
  port: {
    ...whole(
      "--port",
      "ITEMTAPE_PORT",
      8080,
      0,
      65535,
      "port to listen on; 0 picks a free one. `PORT` counts after the variable.",
    ),
    hostEnv: "PORT",
  },
  opsHost: text(
    "--ops-host",
    "ITEMTAPE_OPS_HOST",
    "ADDRESS",
    "127.0.0.1",
    "address for `--ops-port`. Every client that reaches it may read it.",
  ),
  opsPort: optionalPort(
    "--ops-port",
    "ITEMTAPE_OPS_PORT",
    "port of `/live`, `/ready` and `/metrics`; 0 picks a free one. If empty, nothing listens.",
  ),
  publicUrl: origin(
    "--public-url",
    "ITEMTAPE_PUBLIC_URL",
    "URL",
    "public origin, such as https://data.example.com. Set it if a proxy adds TLS. Invitations, the start page, code samples, `/llms.txt` and `/openapi.json` name it. If empty, invitations name `--host` and `--port`, and `/openapi.json` names the requested host if that is loopback. The others name http and the requested host.",
  ),
  pageUnits: {
    ...oneOf<"" | "one" | "each">(
      "--page-units",
      "ITEMTAPE_PAGE_UNITS",
      "",
      ["one", "each"],
      "cost of a page: `one` unit, or one for `each` operation. It applies to signed-in owners and to visitors of a demo. If empty, it is `one` on loopback without `--public-url`, else `each`.",
    ),
    value: "one|each",
  },
  itemPictures: origins(
    "--item-pictures",
    "ITEMTAPE_ITEM_PICTURES",
    "https origins of item pictures, separated by commas. Pages load the catalog's pictures from these origins only, such as https://community.akamai.steamstatic.com. Each origin sees the visitors' addresses. If empty, pages show colours of rarities.",
  ),
  logLevel: oneOf(
    "--log-level",
    "ITEMTAPE_LOG_LEVEL",
    "info",
    ["debug", "info", "warn", "error", "silent"],
    "lowest level to log; `debug` logs each request",
  ),
  drainMs: whole("--drain-ms", "ITEMTAPE_DRAIN_MS", 10_000, 0, 120_000, "ms to wait for running answers at SIGTERM"),
  drainPauseMs: whole(
    "--drain-pause-ms",
    "ITEMTAPE_DRAIN_PAUSE_MS",
    0,
    0,
    60_000,
    "ms before that, in which `/ready` fails. Requests are still answered, and each connection then closes. Set it for load balancers that check `/ready`.",
  ),
  connectionsMax: whole(
    "--connections-max",
    "ITEMTAPE_CONNECTIONS_MAX",
    1024,
    1,
    65535,
    "open connections. Beyond them a new connection replaces the longest waiting one without a complete request.",
  ),
  connectionsPerAddressMax: whole(
    "--connections-per-address-max",
    "ITEMTAPE_CONNECTIONS_PER_ADDRESS_MAX",
    128,
    1,
    65535,
    "open connections per address, or per /64 of IPv6. This machine and trusted proxies have no such limit.",
  ),
  trustedProxies: networks(
    "--trusted-proxies",
    "ITEMTAPE_TRUSTED_PROXIES",
    "trusted proxies, such as `127.0.0.1, 10.0.0.0/8`. The server believes their `X-Forwarded-For`. The client is the right-most hop outside the list.",
  ),
  inFlightMax: whole(
    "--in-flight-max",
    "ITEMTAPE_IN_FLIGHT_MAX",
    256,
    1,
    65535,
    "requests processed at once. Four times as many wait, in turn by account. Beyond that, the account with most requests gets a 503.",
  ),
  walBytesMax: whole(
    "--wal-bytes-max",
    "ITEMTAPE_WAL_BYTES_MAX",
    512 * 1024 * 1024,
    1024 * 1024,
    1024 ** 4,
    "bytes of the write-ahead log beyond which requests get 503. It grows while a reader keeps it from being emptied.",
  ),
  backups: optionalText(
    "--backups",
    "ITEMTAPE_BACKUPS",
    "FOLDER",
    "folder of backups. `doctor` checks the age of the newest. If empty, it cannot find them.",
  ),
  mirrorConfig: text(
    "--mirror-config",
    "ITEMTAPE_MIRROR_CONFIG",
    "PATH",
    join(ownDataFolder, "mirror.json"),
    "JSON file of the feeds to poll",
  ),
  publishEveryMs: whole(
    "--publish-every-ms",
    "ITEMTAPE_PUBLISH_EVERY_MS",
    300_000,
    0,
    86_400_000,
    "shortest ms between two publications. Each publication ends the running exports.",
  ),
  releaseTo: optionalText(
    "--release-to",
    "ITEMTAPE_RELEASE_TO",
    "FOLDER",
    "folder for signed releases. The server seals one whenever the market has changed. If empty, it seals none.",
  ),
  releaseKey: optionalText(
    "--release-key",
    "ITEMTAPE_RELEASE_KEY",
    "FILE",
    "private online key of these releases, from `release root init`",
  ),
  releaseKeep: whole("--release-keep", "ITEMTAPE_RELEASE_KEEP", 24, 1, 999_999, "newest releases to keep"),
  releaseKeepHours: whole(
    "--release-keep-hours",
    "ITEMTAPE_RELEASE_KEEP_HOURS",
    24,
    0,
    999_999,
    "hours to keep older releases",
  ),
  releaseOwnNodes: oneOf(
    "--release-own-nodes",
    "ITEMTAPE_RELEASE_OWN_NODES",
    "off",
    ["on", "off"],
    "seal providers that may not be passed on, too. Each release then says that it is only for your own nodes.",
  ),
  privateDb: privateDatabase(
    "--private-db",
    "ITEMTAPE_PRIVATE_DB",
    "PostgreSQL database of accounts. It holds accounts, keys, usage and portfolios, and nodes can share it. The flag must not contain a password.",
  ),
  privateDbFile: optionalText(
    "--private-db-file",
    "ITEMTAPE_PRIVATE_DB_FILE",
    "PATH",
    "file of mode 600 with its address. It may contain the password.",
  ),
  follow: optionalText(
    "--follow",
    "ITEMTAPE_FOLLOW",
    "URL|DIR",
    "folder or address of releases to serve. The server fetches each new release into the file of `--db`. It needs a private database. If empty, it follows none.",
  ),
  trust: optionalText("--trust", "ITEMTAPE_TRUST", "ROOT", "trusted root of their publisher, from `release root show`"),
  followEveryMs: whole(
    "--follow-every-ms",
    "ITEMTAPE_FOLLOW_EVERY_MS",
    3000,
    100,
    86_400_000,
    "ms between two checks for a newer release",
  ),
  followStaleHours: whole(
    "--follow-stale-hours",
    "ITEMTAPE_FOLLOW_STALE_HOURS",
    24,
    1,
    999_999,
    "hours after which the served release counts as stale",
  ),
  valuationSchedule: oneOf(
    "--valuation-schedule",
    "ITEMTAPE_VALUATION_SCHEDULE",
    "on",
    ["on", "off"],
    "value portfolios after midnight UTC",
  ),
  roiSchedule: oneOf(
    "--roi-schedule",
    "ITEMTAPE_ROI_SCHEDULE",
    "on",
    ["on", "off"],
    "calculate returns at 00, 06, 12 and 18 UTC",
  ),
} as const;

/** The default file of `start --live`. */
export const liveDatabase = join(ownDataFolder, "market.db");

/** Formats the default of a setting, "" without one. */
export function defaultOf(name: SettingName): string {
  return String(settings[name].fallback ?? "");
}

export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]["read"]> };

/** Resolves every setting: flag, environment, default. Throws an OperatorError for an invalid value or unknown variable. */
export function configFrom(flags: Partial<Record<SettingName, string>>, environment: NodeJS.ProcessEnv): Config {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.env));
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("ITEMTAPE_") || name.startsWith(feedPrefix)) continue;
    if (!known.has(name) && !clientVariables.has(name)) {
      throw settingError(
        `environment variable ${name}`,
        `removed: the setting does not exist (known: ${[...known].join(", ")})`,
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

/** Prefix of the variables that a mirror's configuration may use in headers and parameters of its sources. */
export const feedPrefix = "ITEMTAPE_FEED_";

/** Variables of clients and tests, which the server ignores. */
const clientVariables = new Set(["ITEMTAPE_API_KEY", "ITEMTAPE_URL", "ITEMTAPE_FORBID_SKIPS"]);

function decide(setting: Setting<unknown>, flag: string | undefined, environment: NodeJS.ProcessEnv): unknown {
  const env = environment[setting.env] === undefined ? (setting.hostEnv ?? setting.env) : setting.env;
  const given = flag ?? environment[env];
  // Some container hosts set an empty variable instead of leaving it unset.
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

/** Returns `given` if it is empty or the address of a PostgreSQL database. Throws an Error otherwise. */
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
      "without password, because every user of this machine can read it; put it in PGPASSFILE or --private-db-file",
    );
  };
  return { flag, env, value: "URL", description, fallback: "", read: databaseAddress, readFlag };
}

/** Reads a URL and returns its origin in the form of browsers. */
function origin(flag: string, env: string, value: string, description: string): Setting<string> {
  return {
    flag,
    env,
    value,
    description,
    fallback: "",
    read(given) {
      if (given === "") return given;
      // Other parts of a URL are refused, not dropped: links would lack a path, for example.
      if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(given) || !URL.canParse(given)) {
        throw new Error("an http or https origin without path, such as https://data.example.com");
      }
      return new URL(given).origin;
    },
  };
}

/** Reads origins and returns them separated by spaces, as in a content security policy. */
function origins(flag: string, env: string, description: string): Setting<string> {
  const one = origin(flag, env, "", "");
  const read = (given: string) => {
    const parts = given.split(/[\s,]+/).filter((part) => part !== "");
    // The host of an origin must not contain quotes or other characters of a policy.
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
