/** Provider and side of each quote of an item: six marketplaces sell, three of them buy. */
const slots = [1, 2, 3, 4, 5, 6, -1, -2, -3].map((number) => ({
  number: Math.abs(number),
  provider: `provider-${Math.abs(number)}`,
  side: number > 0 ? ("ask" as const) : ("bid" as const),
}));
export const providers = slots.filter(({ side }) => side === "ask").map(({ provider }) => provider);
export const quotesPerItem = slots.length;
/** Share of the quotes that change from one hour to the next. */
export const changePercent = 15;
/** First day of the market, counted since 1970 in UTC. */
export const firstDay = 20_000;

/**
 * Returns the quotes of an item of a synthetic market in an hour from 0 on, a pure function of both. Each hour `changePercent` of
 * all quotes change: the price by 2 or 3 %, at least a cent, half of the time the quantity as well. Two providers of three report
 * quantities. Prices lie between ten cents and a thousand dollars, most of them low. Amounts are USD cents.
 */
export function marketQuotes(item: number, hour: number) {
  return slots.map(({ number, provider, side }, slot) => {
    const phase = hash(item * slots.length + slot) % 100;
    const changes = Math.floor((hour * changePercent + phase) / 100);
    const base = Math.ceil(
      10 ** (1 + 4 * ((hash(item) % 10_000) / 10_000) ** 2) * (side === "ask" ? 1 + number / 20 : 0.8),
    );
    const amount = base + (((changes * 7 + phase) % 5) + 1) * Math.max(1, Math.round(base / 100));
    const quantity = number % 3 === 0 ? null : 1 + (((changes >> 1) * 17 + phase) % 60);
    return { provider, side, amount, quantity, observedAt: null };
  });
}

/** Returns a whole number that looks random, the same for the same one. */
function hash(number: number): number {
  const first = Math.imul(number + 1, 0x2c1b3c6d);
  const second = Math.imul(first ^ (first >>> 12), 0x297a2d39);
  return (second ^ (second >>> 15)) >>> 0;
}
