import type { Command } from "./command.ts";
import { urlFlag } from "./get.ts";

/** What does the work is loaded when it is called. It takes no setting: it is a client and has nothing to do with a database file. */
export const mcpCommands: readonly Command[] = [
  {
    words: "mcp",
    operands: [],
    flags: {
      url: urlFlag,
      http: {
        says: "serve any number of callers over HTTP, each with its own key, instead of one over stdin and stdout",
      },
      host: { value: "ADDRESS", says: "with --http: address to listen on (127.0.0.1 when left out)" },
      port: { value: "N", says: "with --http: port to listen on (8090 when left out); 0 takes a free one" },
    },
    settings: [],
    says: "serve the API to agents as tools (Model Context Protocol), read only, one for each operation",
    run: async (call) => (await import("./mcp-run.ts")).serveAgents(call),
  },
];
