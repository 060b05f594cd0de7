import { commandsOf, fileSettings, json } from "../command.ts";

export const databaseCommands = commandsOf(fileSettings, [
  {
    usage: "db create",
    description: "make an empty file for real data",
    example: "db create --db /var/lib/itemtape/itemtape.db",
    run: async (call) => (await import("./database.ts")).create(call),
  },
  {
    usage: "db migrate",
    description: "migrate a file to this release",
    example: "db migrate",
    run: async (call) => (await import("./database.ts")).migrate(call),
  },
  {
    usage: "db check",
    flags: {
      hours: "also compare the hours of sealed days, as slow as sealing them",
    },
    description: "verify the whole file by its digests and sums",
    example: "db check --hours",
    run: async (call) => (await import("./database.ts")).check(call),
  },
  {
    usage: "db backup TO",
    flags: {
      "keep N": "if TO is a folder, keep its newest N backups, at least 1",
    },
    description: "copy and verify the file, even while a server runs",
    example: "db backup /var/backups/itemtape/ --keep 14",
    run: async (call) => (await import("./database.ts")).backup(call),
  },
  {
    usage: "db prune",
    flags: {
      "hourly-before DATE": "delete hours before a UTC day, YYYY-MM-DD",
      "past-before DATE": "delete rows that were replaced before it",
      "dry-run": "count them; write nothing",
      json,
    },
    description: "delete hourly history, or replaced rows",
    example: "db prune --hourly-before 2026-01-01 --dry-run",
    run: async (call) => (await import("./prune.ts")).prune(call),
  },
  {
    usage: "db compact",
    description: "rewrite the file without free space; stop servers first",
    example: "db compact",
    run: async (call) => (await import("./database.ts")).compact(call),
  },
  {
    usage: "db restore FROM",
    flags: {
      force: "replace an existing file; the old one is kept beside it",
      "keep-revocations-from FILE": "keep revoked and rotated keys and disabled accounts of FILE, the old file",
    },
    description: "restore a backup; stop servers first",
    example: "db restore copy.db --force",
    run: async (call) => (await import("./database.ts")).restore(call),
  },
  {
    usage: "db demo",
    flags: { reset: "replace the demo file, never real data" },
    settings: ["db", "host", "port", "publicUrl"],
    description: "make the demo world again, with --reset",
    example: "db demo --reset",
    run: async (call) => (await import("./database.ts")).demo(call),
  },
  {
    usage: "db clock",
    flags: { accept: "accept the machine's clock although the ledger is ahead" },
    description: "compare the clock with the ledger's latest time",
    example: "db clock",
    run: async (call) => (await import("./database.ts")).clock(call),
  },
]);
