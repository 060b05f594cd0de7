import type { PortfolioAdapterName } from "../../import/portfolios/parsed-rows.ts";
import { commandsOf, json, wordsOf } from "../command.ts";
import { accountSettings } from "../open.ts";

const adapterNames = wordsOf<PortfolioAdapterName>({ csv: 0, ndjson: 0, "steam-inventory": 0 });

export const portfolioCommands = commandsOf(accountSettings, [
  {
    usage: "portfolios create ACCOUNT",
    flags: {
      "name NAME": "name of the portfolio",
      "currency CODE": "currency to show it in (default: USD); amounts stay USD cents",
      "provider PROVIDER": "provider of its daily asks (default: lowest-ask)",
      "notes TEXT": "private notes; answers omit them",
      public: "share it at once",
      json,
    },
    description: "make a portfolio of an account",
    example: "portfolios create acc_000000000000000demo1 --name Knives --currency EUR",
    run: async (call) => (await import("./portfolios.ts")).create(call),
  },
  {
    usage: "portfolios list ACCOUNT",
    flags: { json },
    description: "list an account's portfolios",
    example: "portfolios list acc_000000000000000demo1",
    run: async (call) => (await import("./portfolios.ts")).list(call),
  },
  {
    usage: "portfolios import PORTFOLIO FILE...",
    flags: {
      [`adapter ${adapterNames.join("|")}`]: "format (default: from the file's name)",
      replace: "replace lots of the files' kinds; ledger rows are added",
      "remove-most": "replace even if most lots of a kind go",
      "account NAME": "Steam account of the inventories, if several",
      "leave-out": "skip lots without exactly one item",
      "dry-run": "report only; write nothing",
      json,
    },
    description: "import lots and ledger rows: all, or none",
    example: "portfolios import pf_000000000000000000000001 ctx2.json ctx16.json",
    run: async (call) => (await import("./portfolios.ts")).importFiles(call),
  },
  {
    usage: "portfolios share PORTFOLIO",
    flags: { public: "share it", private: "stop sharing it", json },
    description: "make a portfolio public or private",
    example: "portfolios share pf_000000000000000000000001 --public",
    run: async (call) => (await import("./portfolios.ts")).share(call),
  },
  {
    usage: "portfolios transfer PORTFOLIO",
    flags: { "to ACCOUNT": "new owner", json },
    description: "give a portfolio to another account",
    example: "portfolios transfer pf_000000000000000000000001 --to acc_000000000000000demo2",
    run: async (call) => (await import("./portfolios.ts")).transfer(call),
  },
  {
    usage: "portfolios delete PORTFOLIO",
    flags: { json },
    description: "delete a portfolio permanently",
    example: "portfolios delete pf_000000000000000000000001",
    run: async (call) => (await import("./portfolios.ts")).remove(call),
  },
  {
    usage: "portfolios value",
    flags: {
      "portfolio PORTFOLIO": "this portfolio only",
      again: "value valued days again and replace different results",
      json,
    },
    description: "value days without a valuation or with changed prices",
    example: "portfolios value --again",
    run: async (call) => (await import("./portfolios.ts")).value(call),
  },
]);
