import { keyDays } from "../../access/keys.ts";
import { portfolioConsent } from "../../access/owners/consent.ts";
import type { Command } from "../command.ts";

const json = { says: "print JSON" };

export const keyCommands: readonly Command[] = [
  {
    words: "keys create",
    operands: ["ACCOUNT"],
    flags: {
      name: { value: "NAME", says: "what the key is for" },
      days: { value: keyDays.join("|"), says: "days until it expires (default 30)" },
      personal: { says: "make a personal token, which reads portfolios and no market data" },
      portfolios: { value: "ID,ID", says: "the portfolios that a personal token may read" },
      consent: { says: `agree to this: ${portfolioConsent.text}` },
      json: { says: "print JSON, also where standard output is no terminal" },
    },
    settings: ["db"],
    says: "make a project key or a personal token; its secret is shown once",
    run: async (call) => (await import("../keys.ts")).create(call),
  },
  {
    words: "keys list",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "list the keys of an account",
    run: async (call) => (await import("../keys.ts")).list(call),
  },
  {
    words: "keys rotate",
    operands: ["KEY"],
    flags: { json: { says: "print JSON, also where standard output is no terminal" } },
    settings: ["db"],
    says: "replace the secret of a key at once; expiry, scopes and selection stay",
    run: async (call) => (await import("../keys.ts")).rotate(call),
  },
  {
    words: "keys revoke",
    operands: ["KEY"],
    flags: { json },
    settings: ["db"],
    says: "end a key for good",
    run: async (call) => (await import("../keys.ts")).revoke(call),
  },
  {
    words: "keys activity",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "list what happened to an account and its keys, newest first",
    run: async (call) => (await import("../keys.ts")).activity(call),
  },
];
