import type { Question } from "./questions.ts";

/** Questions of our own, with the calls that answer them in the demo world. */
export const ownQuestions: readonly Question[] = [
  {
    id: "o01",
    about: "Which AK-47 with a stat counter costs less than $50?",
    calls: [["findPrices", { weapon: "ak47", stat_counter: true, ask_max: 4999, sort: "cheapest" }]],
    facts: [/StatTrak™ AK-47 \| /, /the cheapest first|the cheapest \d+/],
  },
  {
    id: "o02",
    about: "Who bids most for an AUG Triqua in Field-Tested?",
    calls: [["findPrices", { name: "AUG | Triqua (Field-Tested)" }]],
    facts: [/highest bid$/m, /^1075\t.*\t(?:\w+ \d+ .*|no bid)$/m],
  },
  {
    id: "o03",
    about: "Is the Redline cheaper on Northgate than a month ago?",
    calls: [
      [
        "getDailyPriceHistory",
        {
          name: "AK-47 | Redline (Field-Tested)",
          provider: "Northgate",
          from: "2025-12-15",
          to: "2026-01-14",
          limit: 31,
          fields: "date,amount",
        },
      ],
    ],
    facts: [/^2025-12-1\d\t\d+$/m, /^2026-01-14\t\d+$/m, /gaps: /],
  },
  {
    id: "o04",
    about: "Which container returns most at cash prices, and how sure is that?",
    calls: [
      [
        "listOpenables",
        { valuation_mode: "cash_ask", limit: 41, fields: ["slug", "current.return_pct", "current.confidence"] },
      ],
    ],
    facts: [/valuation_mode cash_ask/, /kilowatt-case\t/, /modelled on stored asks/, /No rows follow/],
  },
  {
    id: "o05",
    about: "What is the chance of each item of the Kilowatt Case?",
    calls: [
      ["listOpenableOutcomes", { slug: "kilowatt-case", limit: 100, fields: ["market_hash_name", "probability_pct"] }],
    ],
    facts: [/More rows follow/, /modelled on stored asks/],
  },
  {
    id: "o06",
    about: "Which knives are in the index of knives?",
    calls: [["listIndexMembers", { index_id: "knives-equal" }]],
    facts: [/★ /, /No rows follow/],
  },
  {
    id: "o07",
    about: "How did the euro move in the first half of January?",
    calls: [["getExchangeRateHistory", { currency: "eur", from: "2026-01-01", to: "2026-01-14" }]],
    facts: [/2026-01-14\t0\.\d+/, /gaps: .* absent|no gaps/],
  },
  {
    id: "o08",
    about: "Which markets have buy orders?",
    calls: [["listProviders", { fields: ["provider", "has_bids", "active"] }]],
    facts: [/^steam\tfalse\ttrue$/m, /^bazaar\ttrue\ttrue$/m, /^oldhall\tfalse\tfalse$/m],
  },
  {
    id: "o09",
    about: "What costs a karambit dopler (mistyped)?",
    calls: [["findPrices", { q: "karambit dopler" }]],
    facts: [/read as `karambit doppler`/, /Doppler/],
  },
  {
    id: "o10",
    about: "What does a Kilowatt Case cost at Old Hall?",
    calls: [["getMarketPrices", { name: "Kilowatt Case", provider: "oldhall" }]],
    facts: [/^asks: none$/m, /null is unknown or absent, never 0/],
  },
  {
    id: "o11",
    about: "Which rarity and collection has the Redline?",
    calls: [["getItem", { name: "AK-47 | Redline (Field-Tested)", fields: ["rarity", "collection"] }]],
    facts: [/^rarity: \w+/m, /^collection: /m],
  },
  {
    id: "o12",
    about: "Which data does the service have?",
    calls: [["getStatus", {}]],
    facts: [/one record/, /Cost nothing/],
  },
  {
    id: "o13",
    about: "Did the interface change lately?",
    calls: [["listContractChanges", { limit: "3" }]],
    facts: [/3 rows\./, /More rows follow/],
  },
  {
    id: "o14",
    about: "Which days of history are complete?",
    calls: [["listHistoryDays", { limit: 10 }]],
    facts: [/10 rows|\d rows/, /rows/],
  },
  {
    id: "o15",
    about: "What do a Snakebite Case and a Kilowatt Case cost together at the cheapest?",
    calls: [
      ["resolveItemNames", { names: "Snakebite Case, Kilowatt Case", fields: "name,candidates.item_id" }],
      ["getMarketPricesBatch", { item_ids: "3204, 2830", side: "ask" }],
    ],
    facts: [/Snakebite Case\t3204/, /^2830\tKilowatt Case\t\w+ \d+/m],
  },
];
