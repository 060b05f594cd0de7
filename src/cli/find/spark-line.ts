const signs = "▁▂▃▄▅▆▇█";

/**
 * Returns amounts as lines of at most `width` characters, one character per amount, scaled from the lowest to the highest. Null is a space.
 * Further amounts continue in another line, because a character for several amounts would hide gaps.
 */
export function sparkLines(amounts: readonly (number | null)[], width: number): string[] {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return [];
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const signOf = (amount: number | null) => {
    if (amount === null) return " ";
    return signs[span === 0 ? 0 : Math.round(((amount - least) / span) * (signs.length - 1))]!;
  };
  const all = amounts.map(signOf);
  const chars = Math.max(1, Math.min(all.length, Math.floor(width)));
  return Array.from({ length: Math.ceil(all.length / chars) }, (_, line) =>
    all.slice(line * chars, (line + 1) * chars).join(""),
  );
}
