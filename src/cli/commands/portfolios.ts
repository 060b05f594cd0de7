import type { PortfolioAdapterName } from "../../import/portfolios/parsed-rows.ts";
import type { Command } from "../command.ts";

const adapterNames = Object.keys({ csv: 0, ndjson: 0 } satisfies Record<PortfolioAdapterName, 0>);
const json = { says: "print JSON" };

export const portfolioCommands: readonly Command[] = [
  {
    words: "portfolios create",
    operands: ["ACCOUNT"],
    flags: {
      name: { value: "NAME", says: "what its owner calls it" },
      currency: { value: "CODE", says: "currency that it is shown in (default USD); amounts stay in USD cents" },
      provider: { value: "PROVIDER", says: "whose daily asks value it (default the main platform)" },
      notes: { value: "TEXT", says: "kept with it; no answer has them" },
      public: { says: "share it at once; that lets no token read it" },
      json,
    },
    settings: ["db"],
    says: "make a portfolio of an account",
    run: async (call) => (await import("../portfolios.ts")).create(call),
  },
  {
    words: "portfolios list",
    operands: ["ACCOUNT"],
    flags: { json },
    settings: ["db"],
    says: "list the portfolios of an account",
    run: async (call) => (await import("../portfolios.ts")).list(call),
  },
  {
    words: "portfolios import",
    operands: ["PORTFOLIO", "FILE"],
    flags: {
      adapter: { value: adapterNames.join("|"), says: "shape of the file (default what its name ends in)" },
      replace: { says: "its lots become those of the file, what is not there leaves; ledger rows are only added" },
      "dry-run": { says: "read, check and report; write nothing" },
      json,
    },
    settings: ["db"],
    says: "import lots and ledger rows from a file: all of it, or nothing and what is wrong by line (columns: the guide Portfolio files)",
    run: async (call) => (await import("../portfolios.ts")).importFile(call),
  },
  {
    words: "portfolios share",
    operands: ["PORTFOLIO"],
    flags: { public: { says: "share it" }, private: { says: "share it no more" }, json },
    settings: ["db"],
    says: "say whether a portfolio is public; that lets no token read it",
    run: async (call) => (await import("../portfolios.ts")).share(call),
  },
  {
    words: "portfolios transfer",
    operands: ["PORTFOLIO"],
    flags: { to: { value: "ACCOUNT", says: "the new owner" }, json },
    settings: ["db"],
    says: "give a portfolio to another account; tokens of the old owner do not read it while it is not theirs",
    run: async (call) => (await import("../portfolios.ts")).transfer(call),
  },
  {
    words: "portfolios delete",
    operands: ["PORTFOLIO"],
    flags: { json },
    settings: ["db"],
    says: "delete a portfolio: nothing of it can be read any more",
    run: async (call) => (await import("../portfolios.ts")).remove(call),
  },
  {
    words: "portfolios value",
    operands: [],
    flags: {
      portfolio: { value: "PORTFOLIO", says: "value this one only" },
      again: { says: "also the days that were valued before: what comes out otherwise is replaced" },
      json,
    },
    settings: ["db"],
    says: "value the completed days that have no valuation yet, from stored daily asks",
    run: async (call) => (await import("../portfolios.ts")).value(call),
  },
];
