/**
 * Units of one item that came together. `item`: type, rank among the items of it that the provider quotes, provider, and whether
 * one of the phases. Days are counted back from the anchor; `leftAgo` left out: it is still in the portfolio.
 */
export type DemoLot = {
  item: readonly [type: string, rank: number, provider: "steam" | "northgate", isPhased?: boolean];
  quantity: number;
  cost: "paid" | "estimated" | "free" | "unknown";
  cameAgo: number;
  cameBy: "buy" | "transfer_in" | "import" | "manual";
  leftAgo?: number;
  leftBy?: "sell" | "transfer_out" | "adjustment";
};

/** A portfolio of the demo world. `fate`: what happens to it after the tokens are made. */
export type DemoPortfolio = {
  owner: "builder" | "free";
  name: string;
  displayCurrency: string;
  isPublic: boolean;
  priceSource: "steam" | "northgate";
  madeAgo: number;
  isSelected: boolean;
  fate?: "deleted" | "transferred";
  lots: readonly DemoLot[];
};

const oneCase: DemoLot = {
  item: ["Container", 0, "steam"],
  quantity: 10,
  cost: "paid",
  cameAgo: 9,
  cameBy: "buy",
};

export const demoPortfolios: readonly DemoPortfolio[] = [
  {
    owner: "builder",
    name: "Main inventory",
    displayCurrency: "EUR",
    isPublic: false,
    priceSource: "steam",
    madeAgo: 43,
    isSelected: true,
    lots: [
      // Two days without a lot follow, which have no value.
      {
        item: ["Sticker", 1, "steam"],
        quantity: 2,
        cost: "paid",
        cameAgo: 43,
        cameBy: "buy",
        leftAgo: 40,
        leftBy: "sell",
      },
      { item: ["Knife", 0, "steam"], quantity: 1, cost: "paid", cameAgo: 38, cameBy: "buy" },
      { item: ["Container", 1, "steam"], quantity: 40, cost: "paid", cameAgo: 30, cameBy: "buy" },
      { item: ["Container", 2, "steam"], quantity: 25, cost: "unknown", cameAgo: 26, cameBy: "import" },
      { item: ["Graffiti", 0, "steam"], quantity: 10, cost: "free", cameAgo: 20, cameBy: "transfer_in" },
      // The main platform does not distinguish phases: it never has a price of this one.
      { item: ["Knife", 0, "northgate", true], quantity: 1, cost: "estimated", cameAgo: 2, cameBy: "manual" },
      {
        item: ["Sticker", 0, "steam"],
        quantity: 4,
        cost: "paid",
        cameAgo: 35,
        cameBy: "buy",
        leftAgo: 10,
        leftBy: "sell",
      },
      {
        item: ["Container", 1, "steam"],
        quantity: 5,
        cost: "paid",
        cameAgo: 33,
        cameBy: "buy",
        leftAgo: 5,
        leftBy: "transfer_out",
      },
      {
        item: ["Graffiti", 1, "steam"],
        quantity: 2,
        cost: "unknown",
        cameAgo: 28,
        cameBy: "import",
        leftAgo: 12,
        leftBy: "adjustment",
      },
    ],
  },
  {
    owner: "builder",
    name: "Showcase",
    displayCurrency: "USD",
    isPublic: true,
    priceSource: "northgate",
    madeAgo: 6,
    isSelected: true,
    lots: [
      { item: ["Knife", 1, "northgate", true], quantity: 1, cost: "paid", cameAgo: 6, cameBy: "buy" },
      { item: ["Knife", 0, "northgate"], quantity: 1, cost: "estimated", cameAgo: 6, cameBy: "manual" },
    ],
  },
  {
    owner: "builder",
    name: "Empty shelf",
    displayCurrency: "GBP",
    isPublic: false,
    priceSource: "steam",
    madeAgo: 3,
    isSelected: true,
    lots: [],
  },
  {
    owner: "builder",
    name: "Old stock",
    displayCurrency: "USD",
    isPublic: false,
    priceSource: "steam",
    madeAgo: 12,
    isSelected: true,
    fate: "deleted",
    lots: [oneCase],
  },
  {
    owner: "builder",
    name: "Given away",
    displayCurrency: "USD",
    isPublic: false,
    priceSource: "steam",
    madeAgo: 12,
    isSelected: true,
    fate: "transferred",
    lots: [oneCase],
  },
  {
    owner: "builder",
    name: "Not selected",
    displayCurrency: "USD",
    isPublic: true,
    priceSource: "steam",
    madeAgo: 12,
    isSelected: false,
    lots: [oneCase],
  },
  {
    owner: "free",
    name: "Savings",
    displayCurrency: "EUR",
    isPublic: false,
    priceSource: "steam",
    madeAgo: 12,
    isSelected: true,
    lots: [
      oneCase,
      { ...oneCase, quantity: 2, cameAgo: 4 },
      { ...oneCase, item: ["Sticker", 1, "steam"], quantity: 3, cost: "unknown", cameBy: "import" },
    ],
  },
  {
    owner: "free",
    name: "Open book",
    displayCurrency: "USD",
    isPublic: true,
    priceSource: "steam",
    madeAgo: 12,
    isSelected: true,
    lots: [oneCase],
  },
];
