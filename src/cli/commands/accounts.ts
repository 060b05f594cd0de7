import type { Command } from "../command.ts";

const json = { says: "print JSON" };

export const accountCommands: readonly Command[] = [
  {
    words: "accounts create",
    operands: ["NAME"],
    flags: { json },
    settings: ["db"],
    says: "make a Free account",
    run: async (call) => (await import("../accounts.ts")).create(call),
  },
  {
    words: "accounts show",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "show plan, usage and keys of an account",
    run: async (call) => (await import("../accounts.ts")).show(call),
  },
  {
    words: "accounts plan",
    operands: ["ACCOUNT", "PLAN"],
    flags: {
      until: {
        value: "DATE",
        says: "first UTC day (YYYY-MM-DD) on which the plan has ended; without it the plan has no end",
      },
      json,
    },
    settings: ["db"],
    says: "give a plan by hand; what was used stays used",
    run: async (call) => (await import("../accounts.ts")).setPlan(call),
  },
  {
    words: "accounts purchase",
    operands: ["ACCOUNT", "PLAN"],
    flags: { json },
    settings: ["db"],
    says: "record a prepaid purchase of 30 days",
    run: async (call) => (await import("../accounts.ts")).purchase(call),
  },
  {
    words: "accounts disable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "refuse every request of an account from now on",
    run: async (call) => (await import("../accounts.ts")).disable(call),
  },
  {
    words: "accounts enable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "take a disabled account back",
    run: async (call) => (await import("../accounts.ts")).enable(call),
  },
  {
    words: "accounts invite",
    operands: ["ACCOUNT"],
    flags: {
      login: {
        value: "NAME",
        says: "what its owner signs in with; needed for the first link; a new one counts once the link is used",
      },
      json: { says: "print JSON, also where standard output is no terminal" },
    },
    settings: ["db", "host", "port", "publicUrl"],
    says: "make a one-time link with which an account's owner sets a password for the dashboard",
    run: async (call) => (await import("../accounts.ts")).invite(call),
  },
];
