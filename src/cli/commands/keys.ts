import type { keyDays } from "../../access/keys.ts";
import { portfolioConsent } from "../../access/owners/consent.ts";
import type { Command } from "../command.ts";
import { accountSettings } from "./accounts.ts";

const dayChoices = Object.keys({ 7: 0, 30: 0, 90: 0 } satisfies Record<(typeof keyDays)[number], 0>);
const json = { description: "print JSON" };

export const keyCommands: readonly Command[] = [
  {
    name: "keys create",
    operands: ["ACCOUNT"],
    flags: {
      name: { value: "NAME", description: "purpose of the key" },
      days: { value: dayChoices.join("|"), description: "days until it expires (default 30)" },
      personal: { description: "make a personal token, which reads portfolios and no market data" },
      portfolios: { value: "ID,ID", description: "the portfolios that a personal token may read" },
      consent: { description: `agree to this: ${portfolioConsent.text}` },
      json: { description: "print JSON, also where standard output is no terminal" },
    },
    settings: accountSettings,
    description: "make a project key or a personal token; its secret is shown once",
    examples: [["keys create acc_000000000000000demo1 --name laptop", "a key for 30 days; its secret is shown once"]],
    run: async (call) => (await import("../keys.ts")).create(call),
  },
  {
    name: "keys list",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "list the keys of an account",
    examples: [["keys list acc_000000000000000demo1", "the keys of an account"]],
    run: async (call) => (await import("../keys.ts")).list(call),
  },
  {
    name: "keys rotate",
    operands: ["KEY"],
    flags: { json: { description: "print JSON, also where standard output is no terminal" } },
    settings: accountSettings,
    description: "replace the secret of a key at once; expiry, scopes and selection stay",
    examples: [["keys rotate key_000000000000000000000001", "a new secret; the old one ends at once"]],
    run: async (call) => (await import("../keys.ts")).rotate(call),
  },
  {
    name: "keys revoke",
    operands: ["KEY"],
    flags: { json },
    settings: accountSettings,
    description: "end a key for good",
    examples: [["keys revoke key_000000000000000000000001", "end a key for good"]],
    run: async (call) => (await import("../keys.ts")).revoke(call),
  },
  {
    name: "keys activity",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: accountSettings,
    description: "list the activity of an account and its keys, newest first",
    examples: [["keys activity acc_000000000000000demo1", "what was done to an account, newest first"]],
    run: async (call) => (await import("../keys.ts")).activity(call),
  },
];
