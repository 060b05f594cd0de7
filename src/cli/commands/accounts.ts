import type { Command } from "../command.ts";

const json = { description: "print JSON" };

/** Settings of commands that read or change what belongs to accounts, in the file or in the private database. */
export const accountSettings = ["db", "privateDb", "privateDbFile"] as const;

export const accountCommands: readonly Command[] = [
  {
    name: "accounts create",
    operands: ["NAME"],
    flags: { json },
    settings: accountSettings,
    description: "make a Free account",
    run: async (call) => (await import("../accounts.ts")).create(call),
  },
  {
    name: "accounts list",
    operands: [],
    flags: { json },
    settings: accountSettings,
    description: "list all accounts with their plans, keys in use, units of the month and logins",
    run: async (call) => (await import("../accounts.ts")).list(call),
  },
  {
    name: "accounts find",
    operands: ["TEXT"],
    flags: { json },
    settings: accountSettings,
    description:
      "list the accounts with TEXT in their name or login, or that it is an account's or key's id, or its beginning",
    run: async (call) => (await import("../accounts.ts")).find(call),
  },
  {
    name: "accounts rename",
    operands: ["ACCOUNT", "NAME"],
    flags: { json },
    settings: accountSettings,
    description: "give an account another name",
    run: async (call) => (await import("../accounts.ts")).rename(call),
  },
  {
    name: "accounts usage",
    operands: ["[ACCOUNT]"],
    flags: {
      month: { value: "MONTH", description: "UTC month (YYYY-MM; default the current one)" },
      csv: { description: "print CSV" },
      json,
    },
    settings: accountSettings,
    description: "list the units of a month by account, or of one account by day, operation and key",
    run: async (call) => (await import("../accounts.ts")).usage(call),
  },
  {
    name: "accounts show",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "show plan, usage and keys of an account",
    run: async (call) => (await import("../accounts.ts")).show(call),
  },
  {
    name: "accounts plan",
    operands: ["ACCOUNT", "PLAN"],
    flags: {
      until: {
        value: "DATE",
        description: "first UTC day (YYYY-MM-DD) on which the plan has ended; without it the plan has no end",
      },
      json,
    },
    settings: accountSettings,
    description: "set a plan by hand; usage stays counted",
    run: async (call) => (await import("../accounts.ts")).setPlan(call),
  },
  {
    name: "accounts purchase",
    operands: ["ACCOUNT", "PLAN"],
    flags: { json },
    settings: accountSettings,
    description: "record a prepaid purchase of 30 days",
    run: async (call) => (await import("../accounts.ts")).purchase(call),
  },
  {
    name: "accounts disable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "refuse every request of an account from now on",
    run: async (call) => (await import("../accounts.ts")).disable(call),
  },
  {
    name: "accounts enable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "enable a disabled account",
    run: async (call) => (await import("../accounts.ts")).enable(call),
  },
  {
    name: "accounts invite",
    operands: ["ACCOUNT"],
    flags: {
      login: {
        value: "NAME",
        description: "login of the owner; needed for the first link; a new one is valid once the link is used",
      },
      json: { description: "print JSON, also where standard output is no terminal" },
    },
    settings: [...accountSettings, "host", "port", "publicUrl"],
    description: "make a one-time link with which an account's owner sets a password for the dashboard",
    run: async (call) => (await import("../accounts.ts")).invite(call),
  },
];
