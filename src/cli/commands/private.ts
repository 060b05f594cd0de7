import type { Command } from "../command.ts";
import { accountSettings } from "./accounts.ts";

const json = { description: "print JSON" };

export const privateCommands: readonly Command[] = [
  {
    name: "private import",
    operands: [],
    flags: { json },
    settings: accountSettings,
    description: "copy what belongs to accounts into an empty PostgreSQL database",
    examples: [["private import --private-db-file /etc/itemtape/private", "copy accounts into PostgreSQL"]],
    run: async (call) => (await import("../private.ts")).importFile(call),
  },
  {
    name: "private export",
    operands: [],
    flags: { json },
    settings: accountSettings,
    description: "copy it back into a file without accounts",
    examples: [["private export --private-db-file /etc/itemtape/private", "copy them back into the file"]],
    run: async (call) => (await import("../private.ts")).exportFile(call),
  },
  {
    name: "private migrate",
    operands: [],
    flags: {},
    settings: accountSettings,
    description: "bring it to this release",
    examples: [["private migrate --private-db-file /etc/itemtape/private", "after an upgrade of the program"]],
    run: async (call) => (await import("../private.ts")).migrate(call),
  },
  {
    name: "private check",
    operands: [],
    flags: {},
    settings: accountSettings,
    description: "compare usage with charges there",
    examples: [["private check --private-db-file /etc/itemtape/private", "usage against charges"]],
    run: async (call) => (await import("../private.ts")).check(call),
  },
];
