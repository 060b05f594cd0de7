/** The prices of one item: what a body says of it and what is published of it have this shape. */
export type PricedBook = Record<Side, readonly { provider: string; amountCents: number }[]>;

type Side = (typeof sides)[number];

export const sides = ["asks", "bids"] as const;

/** More quotes are gone than a threshold allows. `itemCount`: items that had them. `provider` null: of all providers together. */
export type Loss = { figure: string; itemCount: number; provider: string | null; sides: readonly Side[] };

/** Items with any quote, with offers and with buy orders: of one provider, or of all. */
type Counts = { items: number } & Record<Side, number>;
type Change = { from: Counts; to: Counts };

const none: Counts = { items: 0, asks: 0, bids: 0 };

/** Counts the items of books that are added one by one. */
export class BookCounts {
  readonly providers = new Map<string, Counts>();
  readonly whole = { ...none };

  add(book: PricedBook): void {
    const met = new Set<Counts>();
    for (const side of sides) {
      if (book[side].length > 0) this.whole[side] += 1;
      for (const { provider } of book[side]) {
        const counts = this.providers.get(provider) ?? { ...none };
        counts[side] += 1;
        met.add(counts);
        this.providers.set(provider, counts);
      }
    }
    for (const counts of met) counts.items += 1;
    if (met.size > 0) this.whole.items += 1;
  }
}

const sidePairs = [
  ["asks", "bids"],
  ["bids", "asks"],
] as const;

/**
 * Returns the losses of one provider while others stay, of one side of a provider while its other side stays, then those of one side of
 * the whole feed. Where everything is lost alike there is none.
 */
export function lossesOf(old: BookCounts, fresh: BookCounts, percent: number): Loss[] {
  const changes = [...old.providers].map(([provider, from]) => ({
    provider,
    from,
    to: fresh.providers.get(provider) ?? none,
  }));
  const stays = ({ from, to }: Change) => !isLost(quotesOf(from), quotesOf(to), percent);
  const ofProviders = changes.flatMap((change): Loss[] => {
    const { provider, from, to } = change;
    if (stays(change) || !changes.some((other) => other !== change && stays(other))) {
      return sideLosses(change, percent).map(([side, stay]) => ({
        figure: `${provider} goes from ${from[side]} ${side} to ${to[side]} and its ${stay} stay`,
        itemCount: from[side],
        provider,
        sides: [side],
      }));
    }
    const figure = `${provider} goes from ${quotesOf(from)} quotes to ${quotesOf(to)} and other providers stay`;
    return [{ figure, itemCount: from.items, provider, sides }];
  });
  const whole = { from: old.whole, to: fresh.whole };
  const ofAll = sideLosses(whole, percent).map(
    ([side, stay]): Loss => ({
      figure: `it goes from ${old.whole[side]} items with ${side} to ${fresh.whole[side]} and those with ${stay} stay`,
      itemCount: old.whole[side],
      provider: null,
      sides: [side],
    }),
  );
  return [...ofProviders, ...ofAll];
}

/** Returns whether a number fell by more than so many percent. */
export function isLost(from: number, to: number, percent: number): boolean {
  return from > 0 && to * 100 < from * (100 - percent);
}

/** Returns each side that is lost with the other one, which stays. */
function sideLosses({ from, to }: Change, percent: number) {
  return sidePairs.filter(
    ([side, other]) =>
      isLost(from[side], to[side], percent) && from[other] > 0 && !isLost(from[other], to[other], percent),
  );
}

function quotesOf({ asks, bids }: Counts): number {
  return asks + bids;
}
