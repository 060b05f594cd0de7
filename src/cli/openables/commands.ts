import type { PoolAdapter } from "../../import/pools/read-files.ts";
import { commandsOf, fileSettings, json, wordsOf } from "../command.ts";

const adapterNames = wordsOf<PoolAdapter>({ "cs2-lib": 0, "csgo-api": 0, pool: 0 });

/** The commands of `openables`. */
export const openableCommands = commandsOf(fileSettings, [
  {
    usage: "openables draft PATH...",
    flags: {
      [`adapter ${adapterNames.join("|")}`]: "format (default for `shipped` and the package's name: cs2-lib)",
      "english FILE": "English names of the cs2-lib item list at PATH",
      publish: "publish the drafts that are complete",
      json,
    },
    description: "keep a source's containers and their contents as drafts; nothing that is published changes",
    examples: [["openables draft shipped --publish", "publish the containers of the shipped catalog"]],
    run: async (call) => (await import("./openables.ts")).draft(call, adapterNames),
  },
  {
    usage: "openables publish [SLUG...]",
    flags: { all: "publish every complete draft, but not of retired containers", json },
    description:
      "publish drafts that resolve completely and whose probabilities sum exactly; lists what blocks the others",
    examples: [
      ["openables publish kilowatt-case", "publish one draft"],
      ["openables publish --all", "publish all that are complete"],
    ],
    run: async (call) => (await import("./openables.ts")).publish(call),
  },
  {
    usage: "openables retire SLUG",
    flags: { "on DATE": "first UTC day without it (default today)", json },
    description: "mark a container as no longer active; it stays readable and is still calculated",
    examples: [["openables retire kilowatt-case", "mark a container as no longer active"]],
    run: async (call) => (await import("./openables.ts")).retire(call),
  },
  {
    usage: "openables show [SLUG]",
    flags: { json },
    description: "list the containers with their state, or show one with its draft and what blocks it",
    examples: [["openables show kilowatt-case", "one container, its draft and what blocks it"]],
    run: async (call) => (await import("./show.ts")).show(call),
  },
]);
