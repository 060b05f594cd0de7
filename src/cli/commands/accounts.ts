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
    examples: [["accounts create 'Ann Trader'", "make a Free account and print its id"]],
    run: async (call) => (await import("../accounts.ts")).create(call),
  },
  {
    name: "accounts list",
    operands: [],
    flags: { json },
    settings: accountSettings,
    description: "list all accounts with their plans, keys in use, units of the month and logins",
    examples: [["accounts list", "each account with plan, keys and units of the month"]],
    run: async (call) => (await import("../accounts.ts")).list(call),
  },
  {
    name: "accounts find",
    operands: ["TEXT"],
    flags: { json },
    settings: accountSettings,
    description:
      "list the accounts with TEXT in their name or login, or that it is an account's or key's id, or its beginning",
    examples: [["accounts find ann", "accounts with `ann` in their name or login"]],
    run: async (call) => (await import("../accounts.ts")).find(call),
  },
  {
    name: "accounts rename",
    operands: ["ACCOUNT", "NAME"],
    flags: { json },
    settings: accountSettings,
    description: "give an account another name",
    examples: [["accounts rename acc_000000000000000demo1 'Ann & Co'", "give it another name"]],
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
    examples: [["accounts usage --month 2026-01 --csv", "units of a month by account, for a spreadsheet"]],
    run: async (call) => (await import("../accounts.ts")).usage(call),
  },
  {
    name: "accounts show",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "show plan, usage and keys of an account",
    examples: [["accounts show acc_000000000000000demo1", "plan, usage and keys of an account"]],
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
    examples: [
      ["accounts plan acc_000000000000000demo1 trader --until 2027-01-01", "the Trader plan to the end of 2026"],
    ],
    run: async (call) => (await import("../accounts.ts")).setPlan(call),
  },
  {
    name: "accounts purchase",
    operands: ["ACCOUNT", "PLAN"],
    flags: { json },
    settings: accountSettings,
    description: "record a prepaid purchase of 30 days",
    examples: [["accounts purchase acc_000000000000000demo1 builder", "30 more days of Builder"]],
    run: async (call) => (await import("../accounts.ts")).purchase(call),
  },
  {
    name: "accounts disable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "refuse every request of an account from now on",
    examples: [["accounts disable acc_000000000000000demo1", "refuse its requests from now on"]],
    run: async (call) => (await import("../accounts.ts")).disable(call),
  },
  {
    name: "accounts enable",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "enable a disabled account",
    examples: [["accounts enable acc_000000000000000demo1", "answer them again"]],
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
    examples: [["accounts invite acc_000000000000000demo1 --login ann", "a link for setting the first password"]],
    run: async (call) => (await import("../accounts.ts")).invite(call),
  },
];
