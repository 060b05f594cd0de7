import { commandsOf, fileSettings } from "../command.ts";

/** The commands of `db`. */
export const databaseCommands = commandsOf(fileSettings, [
  {
    usage: "db create",
    description: "make an empty file for real data; `start` makes one with the demo world",
    examples: [["db create --db /var/lib/itemtape/itemtape.db", "an empty file for real data"]],
    run: async (call) => (await import("./database.ts")).create(call),
  },
  {
    usage: "db migrate",
    description: "migrate a file of an older release to this one's schema",
    examples: [["db migrate", "bring db/itemtape.db to this release"]],
    run: async (call) => (await import("./database.ts")).migrate(call),
  },
  {
    usage: "db check",
    flags: {
      hours: "also compare the hours of sealed days with their digests; takes as long as to seal them",
    },
    description: "read the whole file and compare it with its own digests and sums",
    examples: [["db check --hours", "read all of the file, hours too"]],
    run: async (call) => (await import("./database.ts")).check(call),
  },
  {
    usage: "db backup TO",
    flags: {
      "keep N": "where TO is a folder: keep the newest N backups that were made there by this command, at least 1",
    },
    description:
      "copy the file, also beside a server, to a new file or into a folder under the name of the time; the copy is verified",
    examples: [
      ["db backup copy.db", "one copy"],
      ["db backup /var/backups/itemtape/ --keep 14", "a copy named by its time; the newest 14 stay"],
    ],
    run: async (call) => (await import("./database.ts")).backup(call),
  },
  {
    usage: "db prune",
    flags: {
      "hourly-before DATE": "first UTC day (YYYY-MM-DD) whose hours are kept",
      "dry-run": "list the days that would be pruned; write nothing",
      json: "print the report as JSON",
    },
    description: "remove the hourly history of old days, also beside a server; daily rows and the ledger stay",
    examples: [["db prune --hourly-before 2026-01-01 --dry-run", "list the days whose hours would go"]],
    run: async (call) => (await import("./database.ts")).prune(call),
  },
  {
    usage: "db compact",
    description: "write the file anew without the space that is free in it, while no server is running",
    examples: [["db compact", "give free space back to the disk"]],
    run: async (call) => (await import("./database.ts")).compact(call),
  },
  {
    usage: "db restore FROM",
    flags: {
      force: "put the backup in the place of a file that is there; the old one is kept beside it",
      "keep-revocations-from FILE":
        "keys revoked or rotated and accounts disabled in FILE, such as the file before, stay so",
    },
    description: "put a backup in the place of the file, while no server is running",
    examples: [["db restore copy.db --force", "put a backup in the place of the file"]],
    run: async (call) => (await import("./database.ts")).restore(call),
  },
  {
    usage: "db demo",
    flags: { reset: "replace the demo file by a new one; a file of real data is refused" },
    settings: ["db", "host", "port", "publicUrl"],
    description: "make the demo world",
    examples: [["db demo --reset", "make the demo world anew"]],
    run: async (call) => (await import("./database.ts")).demo(call),
  },
  {
    usage: "db clock",
    flags: { accept: "accept the machine's clock although the ledger has seen a later time" },
    description: "compare the machine's clock with the latest time that the ledger has written",
    examples: [["db clock", "is the machine's clock behind the ledger?"]],
    run: async (call) => (await import("./database.ts")).clock(call),
  },
]);
