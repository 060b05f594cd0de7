/** Numbers of an ascending list that follow one another: the place of the first in the list, the first, and how many they are. */
type Run = { index: number; first: number; count: number };

/** Returns the runs of ascending whole numbers, in their order. */
export function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const [index, number] of numbers.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.count === number) last.count += 1;
    else runs.push({ index, first: number, count: 1 });
  }
  return runs;
}
