import type { Command } from "../command.ts";

const serverSettings = [
  "db",
  "host",
  "port",
  "opsHost",
  "opsPort",
  "publicUrl",
  "logLevel",
  "drainMs",
  "connectionsMax",
  "connectionsPerAddressMax",
  "trustedProxies",
  "inFlightMax",
  "walBytesMax",
  "mirrorConfig",
  "publishEveryMs",
  "releaseTo",
  "releaseKey",
  "releaseKeep",
  "releaseKeepHours",
  "privateDb",
  "privateDbFile",
  "valuationSchedule",
  "roiSchedule",
] as const;
const serverFlags = {
  mirror: { description: "also poll the feeds of --mirror-config, in a thread beside the server's" },
};

export const serverCommands: readonly Command[] = [
  {
    name: "start",
    operands: [],
    flags: serverFlags,
    settings: serverSettings,
    description: "serve the file, after making it with the demo world if it is missing",
    run: async (call) => (await import("../serve.ts")).start(call),
  },
  {
    name: "serve",
    operands: [],
    flags: serverFlags,
    settings: serverSettings,
    description: "serve the file; refuses one that is missing or not whole",
    run: async (call) => (await import("../serve.ts")).serve(call, null),
  },
  {
    name: "doctor",
    operands: [],
    flags: {
      "feed-hours": { value: "HOURS", description: "age of a feed's last check at which it fails (default 24)" },
      "backup-hours": { value: "HOURS", description: "age of the newest backup at which it fails (default 26)" },
      "free-bytes": { value: "N", description: "free space below which it fails (default 256000000)" },
      json: { description: "print JSON" },
    },
    settings: ["db", "backups", "mirrorConfig"],
    description: "check the file and what it depends on; changes nothing",
    run: async (call) => (await import("../doctor/doctor.ts")).doctor(call),
  },
  {
    name: "service unit",
    operands: ["[UNIT]"],
    flags: {
      user: { value: "NAME", description: "system user of the process (default itemtape)" },
      data: { value: "FOLDER", description: "folder of the database file itemtape.db (default /var/lib/itemtape)" },
      "backups-to": { value: "FOLDER", description: "folder of the backups (default /var/backups/itemtape)" },
      mirror: { description: "let the server poll feeds too" },
    },
    settings: [],
    description: "print a hardened systemd unit of this program: server (when left out), backup or backup-timer",
    run: async (call) => (await import("../service-unit.ts")).printUnit(call),
  },
  {
    name: "mirror accept",
    operands: ["FEED"],
    flags: {
      guard: { value: "GUARD,GUARD", description: "guards that the next body of the feed may break" },
      json: { description: "print JSON" },
    },
    settings: ["db"],
    description: "accept the next body of a mirrored feed once, although it breaks a guard",
    run: async (call) => (await import("../mirror.ts")).acceptGuards(call),
  },
  {
    name: "mirror",
    operands: [],
    flags: { once: { description: "poll each feed once, print the results and end; 75 if one failed" } },
    settings: ["db", "logLevel", "mirrorConfig", "publishEveryMs"],
    description: "poll the configured feeds: publish what changed and record a frame of each hour",
    run: async (call) => (await import("../mirror.ts")).runMirror(call),
  },
];
