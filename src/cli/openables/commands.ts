import type { PoolAdapter } from "../../import/pools/read-files.ts";
import { commandsOf, fileSettings, json, wordsOf } from "../command.ts";

const adapterNames = wordsOf<PoolAdapter>({ "cs2-lib": 0, "csgo-api": 0, pool: 0 });

export const openableCommands = commandsOf(fileSettings, [
  {
    usage: "openables draft PATH...",
    flags: {
      [`adapter ${adapterNames.join("|")}`]: "format (default: cs2-lib, for `shipped` and its package)",
      "english FILE": "English names for a cs2-lib item list",
      publish: "publish the complete drafts",
      json,
    },
    description: "store a source's containers as drafts",
    example: "openables draft shipped --publish",
    run: async (call) => (await import("./openables.ts")).draft(call, adapterNames),
  },
  {
    usage: "openables publish [SLUG...]",
    flags: { all: "publish every complete draft of active containers", json },
    description: "publish complete drafts; list the faults of others",
    example: "openables publish --all",
    run: async (call) => (await import("./openables.ts")).publish(call),
  },
  {
    usage: "openables retire SLUG",
    flags: { "on DATE": "first UTC day without it (default: today)", json },
    description: "mark a container as retired",
    example: "openables retire kilowatt-case",
    run: async (call) => (await import("./openables.ts")).retire(call),
  },
  {
    usage: "openables show [SLUG]",
    flags: { json },
    description: "list containers, or show one with its draft",
    example: "openables show kilowatt-case",
    run: async (call) => (await import("./show.ts")).show(call),
  },
]);
