import type { Command, Flag } from "./command.ts";

/** Where the service is, for the commands that are clients of it. */
export const urlFlag: Flag = {
  value: "BASE",
  says: "address of the service (environment variable ITEMTAPE_URL; http://127.0.0.1:8080 when left out); the key is that of ITEMTAPE_API_KEY",
};

/** Its work is loaded when it is called. It takes no setting: it has nothing to do with a database file. */
export const getCommands: readonly Command[] = [
  {
    words: "get",
    operands: ["[OPERATION]", "[NAME=VALUE]..."],
    flags: {
      url: urlFlag,
      fields: { value: "NAMES", says: "print these columns or fields only, a comma between" },
      all: { says: "follow the list to its end; each page is a request" },
      json: { says: "print data and meta as JSON; with --all a line of JSON per row" },
    },
    settings: [],
    says: "ask a service one question of its API: any operation by its name; without one, what there is",
    explain: async (words) => (await import("./get/explain.ts")).explain(words),
    run: async (call) => (await import("./get/run.ts")).run(call),
  },
];
