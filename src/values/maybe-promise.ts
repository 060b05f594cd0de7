/** A value or a promise of it. The SQLite store returns values, the PostgreSQL store returns promises. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value: immediately if it is available, so that no caller waits without need. */
export function whenReady<T, U>(value: MaybePromise<T>, next: (value: T) => U): MaybePromise<Awaited<U>> {
  return (value instanceof Promise ? value.then(next) : next(value)) as MaybePromise<Awaited<U>>;
}

/** Returns all values: immediately if every value is available, else a promise. */
export function allReady<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  const there: T[] = [];
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values);
    there.push(value);
  }
  return there;
}
