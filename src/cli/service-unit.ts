import { posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../values/failure/operator-error.ts";
import { fileOfProgram } from "../values/root.ts";
import { displayText } from "../values/text/display-text.ts";
import { type Call, commandsOf, noSettings, usageError } from "./command.ts";

const dataFolderDefault = "/var/lib/itemtape";
const backupFolderDefault = "/var/backups/itemtape";
const keptBackups = 14;
/** Maximum configurable drain with the pause before it, plus the time after which a shutdown counts as hung. */
const stopSeconds = 185;

/** Exit codes of failures that a restart does not fix: a wrong command, file or permission. systemd retries after any other code. */
const unmendable = [
  exitCodes.usage,
  exitCodes.badData,
  exitCodes.noInput,
  exitCodes.unavailable,
  exitCodes.cannotCreate,
  exitCodes.denied,
  81,
  82,
  83,
  84,
  85,
  86,
];

/** `node`: arguments for a node's settings, empty for other servers. `sources`: paths that it only reads. */
type Place = {
  user: string;
  data: string;
  backups: string;
  mirror: boolean;
  node: readonly string[];
  sources: readonly string[];
};

export const serviceCommands = commandsOf(noSettings, [
  {
    usage: "service unit [UNIT]",
    flags: {
      "user NAME": "system user (default: itemtape)",
      "data FOLDER": "folder of itemtape.db (default: /var/lib/itemtape)",
      "backups-to FOLDER": "folder of backups (default: /var/backups/itemtape)",
      mirror: "poll feeds in the server",
    },
    settings: ["follow", "trust", "privateDbFile"],
    description: "print a systemd unit: server (default), backup or backup-timer",
    example: "service unit backup-timer",
    run: printUnit,
  },
]);

/** Prints a hardened systemd unit that runs this program with the current Node. It writes no file. */
async function printUnit(call: Call): Promise<void> {
  const [name = "server"] = call.operands;
  const place: Place = {
    user: userOf(call.flag("user") ?? "itemtape"),
    data: folderOf("data", call.flag("data") ?? dataFolderDefault),
    backups: folderOf("backups-to", call.flag("backups-to") ?? backupFolderDefault),
    mirror: call.has("mirror"),
    ...(await nodeOf(call)),
  };
  const units: Record<string, (place: Place) => string[]> = {
    server: serverUnit,
    backup: backupUnit,
    "backup-timer": backupTimer,
  };
  if (!Object.hasOwn(units, name))
    throw usageError(`unknown unit \`${displayText(name)}\`; the units are ${Object.keys(units).join(", ")}`);
  for (const line of units[name]!(place)) call.out.line(line);
  if (program.includes("/_npx/"))
    call.out.note(
      `itemtape: ${program} is in a folder that npx may remove; install the package in a folder of its own first`,
    );
}

/**
 * Returns the settings that make the server a node: a PostgreSQL database, and releases that it follows.
 * @throws {OperatorError} when the settings conflict or one is missing, as `serve` does.
 */
async function nodeOf({ config, has }: Call): Promise<Pick<Place, "node" | "sources">> {
  const { follow, trust, privateDbFile } = config;
  const file = privateDbFile === "" ? [] : [resolve(privateDbFile)];
  const words = file.flatMap((path) => ["--private-db-file", path]);
  if (follow === "") {
    if (trust !== "") throw usageError("--follow is missing: name the address or folder of releases");
    return { node: words, sources: file };
  }
  if (trust === "") throw usageError("--trust is missing: give the trusted root of the publisher of --follow");
  if (has("mirror")) throw usageError("--follow and --mirror exclude each other: the publisher polls the feeds");
  if (file.length === 0) throw usageError("--follow needs --private-db-file: files from releases hold no accounts");
  const { releaseAddress } = await import("../releases/source.ts");
  const address = releaseAddress(follow)?.href;
  const folder = address === undefined ? [resolve(follow)] : [];
  return {
    node: [...words, "--follow", address ?? folder[0]!, "--trust", trust],
    sources: [...file, ...folder],
  };
}

const program = fileURLToPath(fileOfProgram("src/cli/itemtape.mjs"));

function serverUnit(place: Place): string[] {
  const words = ["serve", "--db", posix.join(place.data, "itemtape.db")];
  if (place.mirror) words.push("--mirror", "--mirror-config", posix.join(place.data, "mirror.json"));
  words.push(...place.node);
  return [
    "# /etc/systemd/system/itemtape.service",
    "[Unit]",
    "Description=Itemtape, market data of Counter-Strike 2 items",
    // Without PostgreSQL on this machine, systemd ignores the second name.
    place.node.length === 0 ? "After=network-online.target" : "After=network-online.target postgresql.service",
    "Wants=network-online.target",
    "# Restarted without a limit.",
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${command(words)}`,
    "# A timer may run `itemtape doctor`: 88 if something failed, 0 otherwise; with --strict 87 if there are warnings.",
    "# Settings, such as ITEMTAPE_PUBLIC_URL, and secrets of feeds, one NAME=value a line; mode 0600, owner root.",
    "EnvironmentFile=-/etc/itemtape/itemtape.env",
    "Restart=on-failure",
    "RestartSec=5",
    `RestartPreventExitStatus=${unmendable.join(" ")}`,
    "KillMode=mixed",
    "# The process that reads a body of a source may run out of memory without ending the server.",
    "OOMPolicy=continue",
    `TimeoutStopSec=${stopSeconds}`,
    "LimitNOFILE=16384",
    ...storage(place, [place.data]),
    ...hardening(place, ["AF_INET", "AF_INET6", "AF_UNIX"]),
    "# The returns of openables are calculated at a lower priority.",
    "SystemCallFilter=setpriority",
    "",
    "[Install]",
    "WantedBy=multi-user.target",
  ];
}

function backupUnit(place: Place): string[] {
  const words = ["db", "backup", place.backups, "--keep", String(keptBackups)];
  return [
    "# /etc/systemd/system/itemtape-backup.service",
    "[Unit]",
    "Description=Backup of Itemtape",
    "",
    "[Service]",
    "Type=oneshot",
    `ExecStart=${command([...words, "--db", posix.join(place.data, "itemtape.db")])}`,
    "Nice=10",
    "IOSchedulingClass=idle",
    // A reader also uses the write-ahead log, so it needs write access to the file's folder.
    ...storage(place, [place.data, place.backups]),
    ...hardening(place, ["AF_UNIX"]),
  ];
}

function backupTimer(): string[] {
  return [
    "# /etc/systemd/system/itemtape-backup.timer",
    "[Unit]",
    "Description=Daily backup of Itemtape",
    "",
    "[Timer]",
    "OnCalendar=*-*-* 03:20:00 UTC",
    "RandomizedDelaySec=600",
    "# A backup that was due while the machine was off runs after the start.",
    "Persistent=true",
    "",
    "[Install]",
    "WantedBy=timers.target",
  ];
}

/** Returns the user of the process and its writable folders. systemd creates folders below `/var/lib`; others must exist. */
function storage({ user, data }: Place, folders: readonly string[]): string[] {
  const below = /^\/var\/lib\/(.+)$/.exec(data)?.[1];
  const others = folders.filter((folder) => folder !== data || below === undefined);
  return [
    `User=${user}`,
    `Group=${user}`,
    "UMask=0077",
    ...(below === undefined ? [] : [`StateDirectory=${below}`, "StateDirectoryMode=0700"]),
    ...others.map((folder) => `ReadWritePaths=${folder}`),
  ];
}

/** Returns the restrictions of the process. `MemoryDenyWriteExecute` is missing, because V8 compiles at run time. */
function hardening({ data, backups, sources }: Place, families: readonly string[]): string[] {
  const usesHome = [process.execPath, program, data, backups, ...sources].some((path) =>
    /^\/(home|root|run\/user)\//.test(path),
  );
  return [
    "NoNewPrivileges=true",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectSystem=strict",
    `ProtectHome=${usesHome ? "read-only" : "true"}`,
    "PrivateTmp=true",
    "PrivateDevices=true",
    "ProtectProc=invisible",
    "ProtectClock=true",
    "ProtectControlGroups=true",
    "ProtectHostname=true",
    "ProtectKernelLogs=true",
    "ProtectKernelModules=true",
    "ProtectKernelTunables=true",
    "LockPersonality=true",
    "RemoveIPC=true",
    "RestrictNamespaces=true",
    "RestrictRealtime=true",
    "RestrictSUIDSGID=true",
    `RestrictAddressFamilies=${families.join(" ")}`,
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM",
  ];
}

function command(words: readonly string[]): string {
  return [process.execPath, program, ...words].map(unitWord).join(" ");
}

/** Encodes a word of a systemd command line. */
function unitWord(word: string): string {
  const escaped = word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[A-Za-z0-9_@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

function folderOf(flag: string, folder: string): string {
  const path = posix.normalize(folder).replace(/\/$/, "");
  if (/^(\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/.test(path)) return path;
  throw usageError(`--${flag}: must be an absolute path of letters, digits and ._-/`);
}

function userOf(user: string): string {
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(user)) return user;
  throw usageError("--user: must be a system user's name, such as itemtape");
}
