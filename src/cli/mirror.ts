import type { Command } from "./command.ts";

/** What does the work is loaded when it is called: a server without a mirror never needs it. */
export const mirrorCommands: readonly Command[] = [
  {
    words: "mirror",
    operands: [],
    flags: { once: { says: "poll each feed once, say what came of it and end; 75 if one failed" } },
    settings: ["db", "logLevel", "mirrorConfig", "publishEveryMs"],
    says: "poll the configured feeds: publish what changed and record a frame of each hour, beside a server or without one",
    run: async (call) => (await import("./mirror-run.ts")).runMirror(call),
  },
];
