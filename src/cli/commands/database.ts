import type { Command } from "../command.ts";

export const databaseCommands: readonly Command[] = [
  {
    name: "db create",
    operands: [],
    flags: {},
    settings: ["db"],
    description: "make an empty file for real data; `start` makes one with the demo world",
    run: async (call) => (await import("../database.ts")).create(call),
  },
  {
    name: "db migrate",
    operands: [],
    flags: {},
    settings: ["db"],
    description: "migrate a file of an older release to this one's schema",
    run: async (call) => (await import("../database.ts")).migrate(call),
  },
  {
    name: "db check",
    operands: [],
    flags: {},
    settings: ["db"],
    description: "read the whole file and compare it with its own digests and sums",
    run: async (call) => (await import("../database.ts")).check(call),
  },
  {
    name: "db backup",
    operands: ["TO"],
    flags: {},
    settings: ["db"],
    description: "copy the file, also while a server is running on it; the copy is verified before it gets its name",
    run: async (call) => (await import("../database.ts")).backup(call),
  },
  {
    name: "db restore",
    operands: ["FROM"],
    flags: {
      force: { description: "put the backup in the place of a file that is there; the old one is kept beside it" },
      "keep-revocations-from": {
        value: "FILE",
        description: "keys revoked or rotated and accounts disabled in FILE, such as the file before, stay so",
      },
    },
    settings: ["db"],
    description: "put a backup in the place of the file, while no server is running",
    run: async (call) => (await import("../database.ts")).restore(call),
  },
  {
    name: "db demo",
    operands: [],
    flags: { reset: { description: "replace the demo file by a new one; a file of real data is refused" } },
    settings: ["db", "host", "port", "publicUrl"],
    description: "make the demo world",
    run: async (call) => (await import("../database.ts")).demo(call),
  },
  {
    name: "db clock",
    operands: [],
    flags: { accept: { description: "accept the machine's clock although the ledger has seen a later time" } },
    settings: ["db"],
    description: "compare the machine's clock with the latest time that the ledger has written",
    run: async (call) => (await import("../database.ts")).clock(call),
  },
];
