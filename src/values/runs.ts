/** Consecutive numbers in an ascending list: index of the first in the list, its value, and the count. */
type Run = { index: number; first: number; count: number };

/** Splits ascending whole numbers into runs of consecutive numbers. */
export function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const [index, number] of numbers.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.count === number) last.count += 1;
    else runs.push({ index, first: number, count: 1 });
  }
  return runs;
}
