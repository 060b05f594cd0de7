import type { PortfolioAdapterName } from "../../import/portfolios/parsed-rows.ts";
import { commandsOf, json, wordsOf } from "../command.ts";
import { accountSettings } from "../open.ts";

const adapterNames = wordsOf<PortfolioAdapterName>({ csv: 0, ndjson: 0, "steam-inventory": 0 });

/** The commands of `portfolios`. */
export const portfolioCommands = commandsOf(accountSettings, [
  {
    usage: "portfolios create ACCOUNT",
    flags: {
      "name NAME": "name of the portfolio",
      "currency CODE": "currency that it is shown in (default USD); amounts stay in USD cents",
      "provider PROVIDER": "whose daily asks value it (default lowest-ask)",
      "notes TEXT": "kept with it; no answer has them",
      public: "share it at once; that lets no token read it",
      json,
    },
    description: "make a portfolio of an account",
    examples: [["portfolios create acc_000000000000000demo1 --name Knives --currency EUR", "an empty portfolio"]],
    run: async (call) => (await import("./portfolios.ts")).create(call),
  },
  {
    usage: "portfolios list ACCOUNT",
    flags: { json },
    description: "list the portfolios of an account",
    examples: [["portfolios list acc_000000000000000demo1", "the portfolios of an account"]],
    run: async (call) => (await import("./portfolios.ts")).list(call),
  },
  {
    usage: "portfolios import PORTFOLIO FILE...",
    flags: {
      [`adapter ${adapterNames.join("|")}`]: "format of the file (default by the end of its name)",
      replace: "replace its lots of the files' kinds; ledger rows are only added",
      "remove-most": "replace, even if that removes most lots of a kind",
      "account NAME": "the Steam account of inventories, if there are several",
      "leave-out": "leave out lots that name no item, or several",
      "dry-run": "read, check and report; write nothing",
      json,
    },
    description: "import lots and ledger rows from files: all, or nothing and the faults by line",
    examples: [
      ["portfolios import pf_000000000000000000000001 lots.csv --dry-run", "what a file would add"],
      ["portfolios import pf_000000000000000000000001 ctx2.json ctx16.json", "a saved Steam inventory"],
    ],
    run: async (call) => (await import("./portfolios.ts")).importFiles(call),
  },
  {
    usage: "portfolios share PORTFOLIO",
    flags: { public: "share it", private: "share it no more", json },
    description: "make a portfolio public or private; that lets no token read it",
    examples: [["portfolios share pf_000000000000000000000001 --public", "make it public"]],
    run: async (call) => (await import("./portfolios.ts")).share(call),
  },
  {
    usage: "portfolios transfer PORTFOLIO",
    flags: { "to ACCOUNT": "the new owner", json },
    description: "give a portfolio to another account; the old owner's tokens do not read it any more",
    examples: [
      ["portfolios transfer pf_000000000000000000000001 --to acc_000000000000000demo2", "give it to another account"],
    ],
    run: async (call) => (await import("./portfolios.ts")).transfer(call),
  },
  {
    usage: "portfolios delete PORTFOLIO",
    flags: { json },
    description: "delete a portfolio; nothing of it can be read any more",
    examples: [["portfolios delete pf_000000000000000000000001", "delete it with its lots and values"]],
    run: async (call) => (await import("./portfolios.ts")).remove(call),
  },
  {
    usage: "portfolios value",
    flags: {
      "portfolio PORTFOLIO": "value this one only",
      again: "value days again that have a valuation; different results replace it",
      json,
    },
    description: "value completed days that have no valuation yet or whose prices changed",
    examples: [["portfolios value --again", "value all days anew, as after prices that came late"]],
    run: async (call) => (await import("./portfolios.ts")).value(call),
  },
]);
