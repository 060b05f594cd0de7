const signs = "▁▂▃▄▅▆▇█";

/**
 * Returns amounts as a line of at most `width` signs, the lowest for the least of them. Null is a space. Where there are more amounts than
 * signs, a sign stands for the last one known of its share.
 */
export function sparkLine(amounts: readonly (number | null)[], width: number): string {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return "";
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const count = Math.min(amounts.length, Math.max(1, Math.floor(width)));
  const bounds = Array.from({ length: count + 1 }, (_, index) => Math.round((index * amounts.length) / count));
  const shown = Array.from({ length: count }, (_, index) =>
    amounts.slice(bounds[index], bounds[index + 1]).findLast((amount) => amount !== null),
  );
  const signOf = (amount: number | null | undefined) => {
    if (amount == null) return " ";
    return signs[span === 0 ? 0 : Math.round(((amount - least) / span) * (signs.length - 1))];
  };
  return shown.map(signOf).join("");
}
