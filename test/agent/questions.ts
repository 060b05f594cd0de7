/** A trader's question: the calls that answer it, and patterns for their texts. */
export type Question = { id: string; about: string; calls: [tool: string, given: object][]; facts: RegExp[] };

const redline = "AK-47 | Redline (Field-Tested)";
const week = { from: "2026-01-08", to: "2026-01-14" };
const month = { from: "2025-12-15", to: "2026-01-14", limit: 31 };
const compared = [
  "M4A4 | The Emperor (Field-Tested)",
  "P250 | Asiimov (Field-Tested)",
  "Snakebite Case",
  "AWP | Asiimov (Field-Tested)",
  "Kilowatt Case",
];
const offers = /Sales, their volumes and fees are not stored\./;
const quote = /\w+ \d+(?: x\d+)? \(\d+ (?:min|h)\)/;

/** Calls for questions in a file beside the checkout, by question id. The item ids are from the demo world. */
export const sharedQuestions: readonly Question[] = [
  {
    id: "s01",
    about: "the cheapest phases of a knife",
    calls: [["findPrices", { q: '"| Doppler ("', item_type: "Knife", sort: "cheapest", limit: 20 }]],
    facts: [/Doppler \(.*\), Phase 1\t/, quote, /^(?!.*Gamma)/s],
  },
  {
    id: "s02",
    about: "one item, all markets",
    calls: [["findPrices", { name: redline }]],
    facts: [/one item/, quote, /steam \d+ \(\?\)/, offers],
  },
  {
    id: "s03",
    about: "markets with an ask below a bound",
    calls: [["findPrices", { item_type: "Gloves", ask_max: 7999, sort: "cheapest", limit: 50 }]],
    facts: [/all \d+ that have a price/, /northgate \d{4} /, /bazaar \d{4} /, /swapyard \d{4} /, /steam \d{4} /],
  },
  {
    id: "s04",
    about: "bids above asks",
    calls: [
      ["resolveItemNames", { names: compared, fields: ["name", "candidates.item_id"] }],
      ["getMarketPricesBatch", { item_ids: [3074, 3000, 3204, 2934, 2830] }],
    ],
    facts: [/M4A4 \| The Emperor \(Field-Tested\)\t3074$/m, /^2830\tKilowatt Case\t.*\t.*bazaar \d+ \(/m, offers],
  },
  {
    id: "s05",
    about: "changes of a week by market",
    calls: [
      ["getDailyPriceHistory", { name: redline, ...week, limit: 83, fields: ["date", "provider", "amount"] }],
      ["listProviders", { fields: ["provider", "kind"] }],
    ],
    facts: [/^2026-01-08\tsteam\t\d+$/m, /gaps: 1 of 7 days absent: 2026-01-10/, /^steam\tmain_platform$/m, offers],
  },
  {
    id: "s06",
    about: "the cheapest hour of a day",
    calls: [
      [
        "getHourlyPriceHistory",
        {
          name: "Kilowatt Case",
          from: "2026-01-14",
          to: "2026-01-14",
          limit: 90,
          fields: ["ts", "provider", "amount", "availability"],
        },
      ],
    ],
    facts: [/gaps: 2 of 24 hours absent: 2026-01-14T05:00Z/, /availability: quoted 87\./, /No rows follow/],
  },
  {
    id: "s07",
    about: "a month of returns",
    calls: [
      ["getOpenableHistory", { slug: "kilowatt-case", ...month, fields: ["ts", "return_pct"] }],
      ["getOpenable", { slug: "kilowatt-case" }],
    ],
    facts: [
      /gaps: .* absent/,
      /current\.confidence: medium/,
      /current\.flags: /,
      /stale_reasons/,
      /valuation_mode steam_gross/,
      /modelled on stored asks/,
    ],
  },
  {
    id: "s08",
    about: "the chance of a profit",
    calls: [["getOpenable", { slug: "dreams-nightmares-case" }]],
    facts: [
      /profit_chance_lower_pct: /,
      /profit_chance_upper_pct: /,
      /cost_cents: /,
      /priced_probability_mass_pct/,
      /modelled on stored asks/,
    ],
  },
  {
    id: "s09",
    about: "an index over a month",
    calls: [
      ["listIndexes", {}],
      ["getIndexHistory", { index_id: "knives-equal", ...month, fields: ["date", "value", "coverage_pct"] }],
    ],
    facts: [/provider=steam/, /^knives-equal\tKnives\t.*equal$/m, /^2026-01-02\tnull\t40\.00$/m, /gaps: .* absent/],
  },
  {
    id: "s10",
    about: "a price in euros",
    calls: [
      ["findPrices", { name: "AK-47 | Vulcan (Minimal Wear)" }],
      ["listExchangeRates", { currency: "EUR" }],
    ],
    facts: [quote, /^EUR\t0\.\d+\t2\t2026-01-14T00:00:00\.000Z\tdemo/m, /US-dollar cents/],
  },
  {
    id: "s11",
    about: "the age of prices",
    calls: [
      ["findPrices", { name: "AWP | Asiimov (Field-Tested)" }],
      ["listProviders", {}],
    ],
    facts: [quote, /steam \d+ \(\?\)/, /last_checked_at=2026-01-15T11:50/],
  },
  {
    id: "s12",
    about: "sales, which are not known",
    calls: [["getDailyPriceHistory", { name: redline, provider: "steam", from: "2026-01-14", to: "2026-01-14" }]],
    facts: [offers, /^2026-01-14\tsteam\task\t\d+/m],
  },
  {
    id: "s13",
    about: "a phase where the market tells none",
    calls: [["findPrices", { q: "karambit doppler ruby", wear: "Factory New" }]],
    facts: [/Doppler \(Factory New\), Ruby\t(?!.*steam)/, /belongs to the item without a phase/],
  },
  {
    id: "s14",
    about: "an item that does not exist",
    calls: [
      ["findPrices", { name: "AWP | Asiimov (Factory New)" }],
      ["findPrices", { q: "awp asiimov" }],
    ],
    facts: [/no item matches the request/, /Field-Tested/, /Well-Worn/, /Battle-Scarred/],
  },
  {
    id: "s15",
    about: "the allowance",
    calls: [["getUsage", {}]],
    facts: [/monthly_remaining: \d+/, /month_ends_at: /, /minute_limit: 180/, /100 items for one unit/],
  },
];
