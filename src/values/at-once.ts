/**
 * Runs `work` for each of `items`, at most `count` at a time. Returns the results in the order of `items`. Starts no further work after a
 * failure.
 * @throws {Error} the first failure, once all started work has ended.
 */
export async function atOnce<Item, Result>(
  count: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items].entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
