/**
 * Units of one item acquired together. `item` is the type, the rank among items of this type that the provider quotes, the provider, and
 * whether to use phases. Days are counted back from the anchor. `leftAgo` is absent while the lot is in the portfolio.
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

/** A portfolio of the demo world. `fate` is applied after the tokens are created. */
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

/** Creates a lot. `came` and `left` are the way and the number of days ago. */
function lot(
  item: DemoLot["item"],
  quantity: number,
  cost: DemoLot["cost"],
  [cameBy, cameAgo]: readonly [DemoLot["cameBy"], number],
  left?: readonly [NonNullable<DemoLot["leftBy"]>, number],
): DemoLot {
  return { item, quantity, cost, cameAgo, cameBy, ...(left && { leftBy: left[0], leftAgo: left[1] }) };
}

const oneCase = lot(["Container", 0, "steam"], 10, "paid", ["buy", 9]);

const usual = {
  owner: "builder",
  displayCurrency: "USD",
  isPublic: false,
  priceSource: "steam",
  madeAgo: 12,
  isSelected: true,
} as const;

export const demoPortfolios: readonly DemoPortfolio[] = [
  {
    ...usual,
    name: "Main inventory",
    displayCurrency: "EUR",
    madeAgo: 43,
    lots: [
      // The next two days have no lot and no value.
      lot(["Sticker", 1, "steam"], 2, "paid", ["buy", 43], ["sell", 40]),
      lot(["Knife", 0, "steam"], 1, "paid", ["buy", 38]),
      lot(["Container", 1, "steam"], 40, "paid", ["buy", 30]),
      lot(["Container", 2, "steam"], 25, "unknown", ["import", 26]),
      lot(["Graffiti", 0, "steam"], 10, "free", ["transfer_in", 20]),
      // The main platform does not distinguish phases, so it never has a price for this item.
      lot(["Knife", 0, "northgate", true], 1, "estimated", ["manual", 2]),
      lot(["Sticker", 0, "steam"], 4, "paid", ["buy", 35], ["sell", 10]),
      lot(["Container", 1, "steam"], 5, "paid", ["buy", 33], ["transfer_out", 5]),
      lot(["Graffiti", 1, "steam"], 2, "unknown", ["import", 28], ["adjustment", 12]),
    ],
  },
  {
    ...usual,
    name: "Showcase",
    isPublic: true,
    priceSource: "northgate",
    madeAgo: 6,
    lots: [
      lot(["Knife", 1, "northgate", true], 1, "paid", ["buy", 6]),
      lot(["Knife", 0, "northgate"], 1, "estimated", ["manual", 6]),
    ],
  },
  { ...usual, name: "Empty shelf", displayCurrency: "GBP", madeAgo: 3, lots: [] },
  { ...usual, name: "Old stock", fate: "deleted", lots: [oneCase] },
  { ...usual, name: "Given away", fate: "transferred", lots: [oneCase] },
  { ...usual, name: "Not selected", isPublic: true, isSelected: false, lots: [oneCase] },
  {
    ...usual,
    owner: "free",
    name: "Savings",
    displayCurrency: "EUR",
    lots: [oneCase, { ...oneCase, quantity: 2, cameAgo: 4 }, lot(["Sticker", 1, "steam"], 3, "unknown", ["import", 9])],
  },
  { ...usual, owner: "free", name: "Open book", isPublic: true, lots: [oneCase] },
];
